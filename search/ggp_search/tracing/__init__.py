"""Tracing: a search as a sequence of events, each with the line of the page that runs.

`tracer` watches a recursion, `node_tracer` a search that stores a tree. The stepper, `ggp tree` and notebooks show
the events.
"""
