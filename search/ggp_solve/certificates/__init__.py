"""Certificates: proofs of values in files, written from strategies and verified by the rules alone.

`certificate` is the file and its format, `strategy` writes it, and `verification` checks it without a search.
"""
