"""The searchers, one module each: the recursion as in the book, its contract, its source, and the options.

A recursion asks its search object for everything else: counts, table, order, evaluation. The same recursion runs both
interpreted and compiled, and the stepper shows it line by line.
"""
