"""What all searchers share: the search object, tables, move ordering, limits, threads, and the driver above them."""
