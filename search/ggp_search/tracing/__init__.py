"""Tracing: a search as a sequence of events, each with the line of the recursion that runs.

`tracer` records what happens around a recursion and what the recursion tells; `node_events` makes the events of
recursions with a stored tree. The stepper, `ggp tree` and notebooks show the events.
"""
