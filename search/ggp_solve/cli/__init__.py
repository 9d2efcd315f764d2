"""The commands that the search package adds to `ggp`."""
