"""The commands `ggp learn` and `ggp accuracy`, one module each."""
