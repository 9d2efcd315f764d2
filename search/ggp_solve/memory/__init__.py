"""The memory of an enumeration: states by number, columns of numbers, and states packed for a file."""
