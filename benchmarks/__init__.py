"""The speed of ggp, compared with its peers and with C: `python -m benchmarks`.

The programs run in turns in one process (A B C A B C ...), so that a busy minute of the machine slows all of them
alike. Times are processor time unless another time is named. The tables have the median of the rounds, and the spread:
the longest time minus the shortest, as a share of the median. If the trees are the same, a check confirms that the same
number of states was visited.
"""
