"""A league of players from strangers, each in a limited process.

`player_process` is that process, and `python_player` the player that a match knows; `ggp.experiments` does the rest.
"""
