"""A league of players that strangers wrote, each in a limited process.

`player_process` is this process, and `python_player` is the player as matches know it; `ggp.experiments` does the rest.
"""
