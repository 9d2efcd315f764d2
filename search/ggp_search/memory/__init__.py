"""The memory of a search: tables, paths and trees, as Python objects for interpreted searches and as machine words for
compiled ones.
"""
