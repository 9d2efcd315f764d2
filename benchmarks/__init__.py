"""The speed of ggp, compared with its peers and with C: `python -m benchmarks`.

All that is compared runs in interleaved rounds (A B C A B C ...) of one process, so that a busy minute of the machine
slows all of it alike. Times are processor time unless said otherwise; the tables have the median of the rounds, and the
spread: the longest minus the shortest, as a share of the median. Where the trees are the same, the states that were
visited are checked to be equally many.
"""
