"""The memory of an enumeration: states by number, which threads may find, columns of numbers, and packed states."""
