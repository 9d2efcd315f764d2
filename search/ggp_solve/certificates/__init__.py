"""Certificates: proofs of values in files, written from strategies and verified by the rules alone."""
