"""The memory of a search, as Python objects for interpreted searches and as machine words for compiled ones.

`transposition_table` stores results, `path` has the states on the way to a node, and `playout_tree` and `proof_numbers`
have the trees of MCTS and df-pn. `allocator` gives an author's searcher a memory of its own, and `buffer` holds all
words.
"""
