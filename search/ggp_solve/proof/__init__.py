"""Proofs of exact values: the questions that `ggp solve` asks a search, and the stages of a proof."""
