"""Solving games exactly: enumeration, retrograde analysis, value iteration."""
