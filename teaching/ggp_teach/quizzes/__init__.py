"""Exercises on game trees: questions, answers, and what they are printed on."""
