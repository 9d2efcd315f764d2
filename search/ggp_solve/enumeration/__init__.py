"""Enumeration: find, number and solve every position that can be reached, by a method that depends on the cycles in the
game.

`enumeration` finds the positions and chooses the method: `backward_induction` without cycles, `retrograde` or
`components` with cycles, `interval_iteration` with chance. `position_count` estimates the number of positions
beforehand.
"""
