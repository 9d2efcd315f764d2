"""An example plugin for ggp: a searcher with memory of its own."""
