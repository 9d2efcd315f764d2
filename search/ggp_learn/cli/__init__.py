"""The commands `ggp learn` and `ggp accuracy`."""
