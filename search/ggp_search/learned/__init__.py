"""Learned evaluations: networks, the loop in which they learn, their files, and the evaluation `learned`.

The commands, and all that stands around the loop, are in `ggp_learn`.
"""
