"""The speed of ggp, compared with its peers and with C: `python -m benchmarks`.

All programs that are compared run in interleaved rounds (A B C A B C ...) of one process, so that a busy minute of the
machine slows all of them alike. Times are processor time unless another time is named; the tables have the median of
the rounds, and the spread, which is the longest minus the shortest as a share of the median. If the trees are the same,
a check confirms that the same number of states was visited.
"""
