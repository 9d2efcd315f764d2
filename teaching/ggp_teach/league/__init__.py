"""A league of players that strangers wrote, each in a limited process.

`player_process` runs in the limited process, and `python_player` is the player that takes part in matches;
`ggp.experiments` does the rest.
"""
