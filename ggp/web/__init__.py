"""The web page, to play on and to watch searches: `ggp serve`. Needs the extra `web`.

The server stores no games: everything that a page shows is in its address, so that a link is a position. Requests of
strangers are limited, see `ggp.web.quotas` and `ggp.web.turns`. The pages consist of plain links and forms. A script
updates the page without reloading it, animates moves, and shows an analysis as it proceeds.
"""
