"""Enumeration: find, number and solve every position that can be reached, by the method that its cycles need.

`enumeration` finds the positions and chooses the method: `backward_induction` without cycles, `retrograde` or
`components` with cycles, `interval_iteration` with chance. `estimate` guesses the number of positions beforehand.
"""
