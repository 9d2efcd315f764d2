"""Tracing: a search as a sequence of events, each with the line of the page that runs."""
