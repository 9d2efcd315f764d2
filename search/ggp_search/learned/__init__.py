"""Learned evaluations: networks, the loop that learns, their files, and the evaluation `learned`.

The commands, and everything else around the loop, are in `ggp_learn`.
"""
