"""An example plugin for ggp: the game of `ggp_subtraction` with a compiled form."""
