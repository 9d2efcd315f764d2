"""The engine of all searchers: the search object, tables, move ordering, limits, threads, and the driver above them."""
