"""The commands of the solver: `ggp solve`, `analyse`, `tablebase` and `verify`, a module each."""
