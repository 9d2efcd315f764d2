"""Endgame tablebases as searches read them; the package `ggp_solve.tablebases` builds them.

`whole_game_tables` answers in place of a search, `probe` answers within a search; `directory` knows the files, and
`provenance` knows whether this user has built or verified them.
"""
