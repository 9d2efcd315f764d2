"""Learning: a network plays a game against itself, and becomes an evaluation for every searcher."""
