"""What enumeration keeps in memory: states by number, columns of numbers, and states packed for a file."""
