"""A league of players from strangers, each in a limited process."""
