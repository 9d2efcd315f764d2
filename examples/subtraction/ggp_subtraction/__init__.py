"""An example plugin for ggp: the game in `game`, the searcher in `searcher`."""
