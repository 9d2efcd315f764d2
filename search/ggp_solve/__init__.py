"""Solving games exactly.

`proof` answers yes-or-no questions by searches to the end of the game. `enumeration` solves every position that can be
reached. `tablebases` stores values in files, and `certificates` writes proofs that the rules alone can verify.
"""

import importlib

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_searchers() -> list[type]:
    """Return the searcher that proves exact values."""
    return [importlib.import_module("ggp_solve.proof.proof_searcher").ProofSearcher]
