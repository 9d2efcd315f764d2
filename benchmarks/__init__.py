"""How fast ggp is, beside its peers and beside C: `python -m benchmarks`.

All that is compared runs in interleaved rounds (A B C A B C ...) of one process, so that a busy minute of the machine
slows all of it alike. Times are processor time unless said otherwise; of the rounds the median is told, and the
spread: the longest less the shortest, as a part of the median. Where the trees are the same, the states that were
visited are checked to be equally many.
"""
