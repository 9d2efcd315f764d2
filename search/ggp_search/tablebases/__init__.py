"""Endgame tablebases as searches read them; `ggp_solve.tablebases` builds them.

`known_tables` answers in place of a search, `probe` answers within one; `directory` knows the files, and `provenance`
whether this user has built or verified them.
"""
