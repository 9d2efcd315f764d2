"""The searchers, one module each: the recursion as in the book, its contract, its source, and the options."""
