"""A plugin's file with a small game."""

COUNTDOWN = """
import ggp

class Countdown:
    "Take one or two; who takes the last one wins."
    name = "countdown"
    player_names = ("Ann", "Bob the Great")

    def __init__(self, start: int = 5):
        self.start = start

    def initial_state(self): return (self.start, 0)
    def to_move(self, state): return state[1]
    def actions(self, state): return [n for n in (1, 2) if n <= state[0]]
    def result(self, state, action): {trouble}return (state[0] - action, 1 - state[1])
    def terminal_test(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if state[1] == player else 1

@ggp.hookimpl
def ggp_games():
    return [Countdown]
"""
