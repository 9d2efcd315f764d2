"""The tree of AIMA's figure 5.2, two plies deep: the smallest example of the protocol."""

from typing import ClassVar, Final

import attrs

from ggp import MAX, MIN, IllegalActionError, NotationError, Player, Scene
from ggp_toys import tree_scenery

ACTIONS: Final = {"A": ("a1", "a2", "a3"), "B": ("b1", "b2", "b3"), "C": ("c1", "c2", "c3"), "D": ("d1", "d2", "d3")}
RESULT: Final = {
    "a1": "B", "a2": "C", "a3": "D",
    "b1": "B1", "b2": "B2", "b3": "B3",
    "c1": "C1", "c2": "C2", "c3": "C3",
    "d1": "D1", "d2": "D2", "d3": "D3",
}  # fmt: skip
"""The state after each action; each action is possible in one state only."""
UTILITY: Final = {"B1": 3, "B2": 12, "B3": 8, "C1": 2, "C2": 4, "C3": 6, "D1": 14, "D2": 5, "D3": 2}


@attrs.frozen
class Figure52:
    """The tree of AIMA's figure 5.2: MAX moves at A, MIN at B, C or D; MAX can get 3.

    Source: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, figure 5.2.
    """

    name: ClassVar[str] = "fig52"
    title: ClassVar[str] = "Figure 5.2"
    rules: ClassVar[str] = (
        "MAX chooses a branch at A, then MIN chooses one at B, C or D. The number that is reached is what MAX "
        "gets: MAX wants it high, MIN wants it low."
    )

    def initial_state(self) -> str:
        return "A"

    def to_move(self, state: str) -> Player:
        return MAX if state == "A" else MIN

    def actions(self, state: str) -> tuple[str, ...]:
        return ACTIONS[state]

    def result(self, state: str, action: str) -> str:
        return RESULT[action]

    def terminal_test(self, state: str) -> bool:
        return state in UTILITY

    def utility(self, state: str, player: Player) -> int:
        return UTILITY[state] if player == MAX else -UTILITY[state]

    def format_state(self, state: str) -> str:
        return state

    def parse_state(self, text: str) -> str:
        state = text.strip().upper()
        if state not in ACTIONS and state not in UTILITY:
            states = ", ".join([*ACTIONS, *UTILITY])
            raise NotationError(f"{text.strip()!r} is not a state of fig52: the states are {states}")
        return state

    def format_action(self, state: str, action: str) -> str:
        return action

    def parse_action(self, state: str, text: str) -> str:
        action = text.strip().lower()
        if action not in RESULT:
            raise NotationError(f"{text.strip()!r} is not an action of fig52: the actions are {', '.join(RESULT)}")
        if action not in ACTIONS.get(state, ()):
            right = ", ".join(ACTIONS.get(state, ())) or "none: the game is over"
            raise IllegalActionError(f"{action} is not possible at {state}: the actions there are {right}")
        return action

    def draw(self, state: str) -> str:
        if self.terminal_test(state):
            return f"{state}: {UTILITY[state]}"
        mover = "MAX" if self.to_move(state) == MAX else "MIN"
        branches = [f"  {action} to {self.draw(RESULT[action])}" for action in ACTIONS[state]]
        return "\n".join([f"{state}: {mover} to move", *(line.replace("\n", "\n  ") for line in branches)])

    def scene(self, state: str) -> Scene:
        """Return the whole tree in any state, with the current state highlighted."""
        worth = f": {UTILITY[state]}" if state in UTILITY else ""
        caption = f"The game is over in {state}{worth}" if worth else f"{('MAX', 'MIN')[self.to_move(state)]} to move"
        return tree_scenery.scene(_node("A", state), caption)


def _node(name: str, state: str, action: str | None = None, label: str = "") -> tree_scenery.Node:
    """Return a node of the drawing and all nodes below it; the node of the current `state` is highlighted."""
    below = [_node(RESULT[move], state, move if name == state else None, move) for move in ACTIONS.get(name, ())]
    mover = None if name in UTILITY else MAX if name == "A" else MIN
    text = str(UTILITY.get(name, name))
    return tree_scenery.Node(name, text, mover, action, label, name == state, tuple(below))
