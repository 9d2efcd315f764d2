"""A page to play on, and to watch a search think: `ggp serve`. Needs the extra `web`.

The server stores nothing: the address of a page contains all that the page shows, so a link leads to a position. What
visitors may request is limited, see `ggp.web.visitor_players` and `ggp.web.visitor_limits`. The pages work by plain
links and forms. A script also replaces a part of the page instead of loading all of it again, sows the seeds one by
one, and shows the analysis as it deepens.

`server` listens, `site` takes the requests, `visitor_limits` gives turns, and `processes` keeps the workers that
compute the pages (`worker`). `address` reads what a page should show, `responder` computes it, and `views` has its data
for the templates.
"""
