"""The searchers, one page each: the recursion as the book has it, its contract, its source, and the options."""
