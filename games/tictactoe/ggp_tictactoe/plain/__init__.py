"""Tic-tac-toe as one plain class, beside the form that is compiled today."""
