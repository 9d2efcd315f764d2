"""Kalah, the flagship game: rules on packed integers.

`rules` has the rules, `game` the class with all capabilities, `evaluations` the estimates, `ranking` the numbering for
tablebases, and `solved` the published and proved values.
"""

from ggp_kalah.game import Kalah

__all__ = ["Kalah"]
