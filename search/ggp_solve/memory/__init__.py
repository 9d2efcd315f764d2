"""What enumeration keeps in memory: states by number, which threads may find, columns of numbers, and files of packed states."""
