"""Searches as they are watched: every step an event, with the line of the page that runs."""
