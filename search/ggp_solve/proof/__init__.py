"""Proofs of exact values: what `ggp solve` asks of a search, and how a value is proved in stages."""
