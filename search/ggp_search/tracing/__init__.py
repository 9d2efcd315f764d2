"""Tracing: a search as a sequence of events, each with the line of the page that runs.

`tracer` records what happens around a page and what the page tells; `node_events` makes the events of pages with a
stored tree. The stepper, `ggp tree` and notebooks show the events.
"""
