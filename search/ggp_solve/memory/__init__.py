"""The memory of an enumeration.

`positions` gives numbers to the states that are found, and `expansion` lets several threads find states. `columns` are
long rows of numbers.
"""
