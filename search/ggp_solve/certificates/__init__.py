"""Certificates: proofs of values in files, written from strategies and checked by the rules alone."""
