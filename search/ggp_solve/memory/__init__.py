"""The memory of an enumeration.

`positions` numbers the states that are found, and `expansion` lets several threads find them. `columns` are long rows
of numbers, and `packing` writes states to a file.
"""
