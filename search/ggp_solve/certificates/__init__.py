"""Certificates: files that prove a value; each is made from two strategies, and is verified by the rules alone.

`certificate` has the format of the file, `strategy` writes the file, and `verification` checks it without a search.
"""
