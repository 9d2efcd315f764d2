"""Enumeration: every position that can be reached is found, numbered and solved; by whatever method its cycles need."""
