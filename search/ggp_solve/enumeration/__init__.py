"""Enumeration: find, number and solve every position that can be reached, by the method that its cycles need."""
