"""Endgame tablebases as searches read them; the package `ggp_solve.tablebases` builds them.

`whole_game_tables` answers in place of a search, and `probe` answers within a search. `directory` knows the files.
`provenance` knows whether this user has built or verified a tablebase.
"""
