"""A page to play on, and to watch a search think: `ggp serve`. Needs the extra `web`.

The server stores nothing: all that a page shows is in its address, so that a link is a position. What strangers may ask
for is bounded, see `ggp.web.visitor_players` and `ggp.web.visitor_limits`. The pages are plain links and forms; the
script on top of them saves loading the page anew, sows the seeds one by one, and lets the analysis stream.
"""
