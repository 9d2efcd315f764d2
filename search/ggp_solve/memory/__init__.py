"""The memory of an enumeration: numbered states (which several threads may find), columns of numbers, and packed
states.
"""
