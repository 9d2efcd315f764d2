"""Endgame tablebases as searches read them; `ggp_solve.tablebases` builds them."""
