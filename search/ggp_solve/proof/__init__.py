"""Proofs of exact values: the questions that `ggp solve` asks a search, and the stages of a proof.

`prover` asks whether a value is at least a bound, and `proof_solver` asks until the value is known. `solution` is the
result, and `checkpoint` stores the progress in a file. `winning_strategy` proves that a side wins. `opening_values`
proves the values of the first plies, and `move_proofs` proves the values of all moves. `proof_searcher` plays by
proofs.
"""
