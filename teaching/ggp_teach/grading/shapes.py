"""The shapes that students' searchers have, and a tree in the form that each shape expects.

function  `alphabeta(game, state, depth, alpha, beta)`, in any order and with fewer or more parameters, or a class
aima      `alpha_beta_search(state, game)`: to the end of the game (Russell and Norvig)
cs188     a class with `getAction(gameState)` (Berkeley's course CS188)
easyai    a class with `__call__(game)`, or `negamax(game, depth, ...)`, where the game is changed (easyAI)
cs50      `minimax(board)` beside `player`, `actions`, `result`, `terminal`, `utility` (Harvard's course CS50)
nodes     `alphabeta(node, depth, alpha, beta, maximizing)`: nodes with `children` and `value` (Wikipedia)
lists     the same on nested lists of numbers
leaves    `minimax(depth, index, maximizing, values, alpha, beta)`: the leaves of a full binary tree
"""

import inspect
from collections.abc import Callable
from math import isinf
from typing import Any

import attrs

from ggp.game import MAX, MIN
from ggp_teach.grading.courses import EasyGame, PacmanState
from ggp_teach.grading.nodes import Leaves, NestedTree, RecordedNode
from ggp_teach.grading.recorder import OpaqueState, RecordedGame, Recorder


@attrs.frozen(kw_only=True)
class Found:
    """A searcher in a student's file."""

    shape: str
    name: str
    task: str
    roles: tuple[str, ...] = ()
    """The role of each argument; "" for an argument that keeps its default."""
    made_with: tuple[str, ...] = ()
    """If the student's searcher is a class, the role of each argument of its constructor."""
    method: str = ""
    dice: bool = False
    """Whether the searcher expects chance after every move, as AIMA's `expect_minmax` does."""
    others: tuple[str, ...] = ()
    """Other searchers in the file."""

    @property
    def has_window(self) -> bool:
        """Whether the window can be passed as an argument."""
        return {"alpha", "beta"} <= {*self.roles}


Caller = Callable[[Any, Found, Recorder, int, float, float], Any]


def _arguments(student: Found, roles: tuple[str, ...], given: dict[str, Any], function: Any) -> dict[str, Any]:
    """Return the keyword arguments for a call."""
    parameters = {name: each for name, each in inspect.signature(function).parameters.items() if name != "self"}
    return {
        name: given[role]
        for (name, each), role in zip(parameters.items(), roles, strict=False)
        # If the whole window is given, the function's defaults for alpha and beta are used, so that they are tested,
        # too.
        if role and not (role in ("alpha", "beta") and isinf(given[role]) and each.default is not each.empty)
    }


def _given(recorder: Recorder, depth: int, alpha: float, beta: float) -> dict[str, Any]:
    mover = recorder.tree.to_move(0)
    return {
        "depth": depth, "alpha": alpha, "beta": beta, "maximizing": mover == MAX, "player": mover,
        "color": 1 if mover == MAX else -1, "index": 0,
    }  # fmt: skip


def call_function(module: object, student: Found, recorder: Recorder, depth: int, alpha: float, beta: float) -> object:
    """Call a function or an object with a game and a state."""
    game = RecordedGame(recorder)
    given = _given(recorder, depth, alpha, beta) | {
        "game": game, "state": game.initial, "evaluate": game.evaluate, "root": game.initial,
    }  # fmt: skip
    made = getattr(module, student.name)
    if student.method:
        made = getattr(made(**_arguments(student, student.made_with, given, made)), student.method)
    return made(**_arguments(student, student.roles, given, made))


def call_nodes(module: object, student: Found, recorder: Recorder, depth: int, alpha: float, beta: float) -> object:
    """Call a function on nodes."""
    root = RecordedNode(0, recorder)
    given = _given(recorder, depth, alpha, beta) | {"state": root, "evaluate": lambda node, *_: float(node.value)}
    function = getattr(module, student.name)
    return function(**_arguments(student, student.roles, given, function))


def call_lists(module: object, student: Found, recorder: Recorder, depth: int, alpha: float, beta: float) -> object:
    """Call a function on nested lists."""
    recorder.see(0)
    given = _given(recorder, depth, alpha, beta) | {"state": NestedTree(0, recorder), "evaluate": float}
    function = getattr(module, student.name)
    return function(**_arguments(student, student.roles, given, function))


def call_leaves(module: object, student: Found, recorder: Recorder, depth: int, alpha: float, beta: float) -> object:
    """Call a function on the leaves of a full binary tree; the depth counts from 0 at the root."""
    given = _given(recorder, depth, alpha, beta) | {"leaves": Leaves(recorder), "depth": 0, "evaluate": depth}
    function = getattr(module, student.name)
    return function(**_arguments(student, student.roles, given, function))


def call_cs50(module: object, student: Found, recorder: Recorder, depth: int, alpha: float, beta: float) -> object:
    """Call `minimax(board)` with the functions of its module replaced by functions of the tree."""
    game = RecordedGame(recorder)
    names = {MAX: vars(module).get("X", "X"), MIN: vars(module).get("O", "O")}

    def winner(board: OpaqueState) -> object:
        worth = game.utility(board)
        return names[MAX] if worth > 0 else names[MIN] if worth < 0 else None

    rules = {
        "player": lambda board: names[game.to_move(board)],
        "actions": game.actions,
        "result": game.result,
        "terminal": game.terminal_test,
        "utility": game.utility,
        "winner": winner,
        "initial_state": game.initial_state,
    }
    vars(module).update({name: rule for name, rule in rules.items() if hasattr(module, name)})
    return getattr(module, student.name)(game.initial)


def call_cs188(module: object, student: Found, recorder: Recorder, depth: int, alpha: float, beta: float) -> object:
    """Call `getAction(gameState)`; its depth counts rounds, in each of which every agent moves."""
    agents, node = 1, recorder.tree.root
    while node.edges and node.edges[0].node.edges and node.edges[0].node.mover != MAX:
        agents, node = agents + 1, node.edges[0].node
    if node.edges and not node.edges[0].node.edges and agents == 1:
        agents = 1
    cls = getattr(module, student.name)
    rounds = max(1, depth // agents)
    try:
        agent = cls(depth=str(rounds))
    except TypeError:
        agent = cls()
    agent.index = 0
    agent.depth = rounds
    agent.evaluationFunction = lambda state, *_: state.getScore()
    root = PacmanState(0, recorder, agents)
    recorder.see(0)
    return getattr(agent, student.method)(root)


def call_easyai(module: object, student: Found, recorder: Recorder, depth: int, alpha: float, beta: float) -> object:
    """Call a searcher with a game that the searcher changes."""
    start = 1 if recorder.tree.to_move(0) == MAX else 2
    game = EasyGame(0, recorder, start)
    scoring = (lambda game: game.scoring()) if "evaluate" in (*student.roles, *student.made_with) else None
    given = _given(recorder, depth, alpha, beta) | {"game": game, "evaluate": scoring}
    made = getattr(module, student.name)
    if student.method:
        made = getattr(made(**_arguments(student, student.made_with, given, made)), student.method)
    names = [name for name in inspect.signature(made).parameters if name != "self"]
    arguments = _arguments(student, student.roles, given, made)
    arguments |= {name: depth for name in names if name.lower() in ("origdepth", "orig_depth")}
    result = made(**arguments)
    if recorder.illegal is None and (game.number != 0 or game.current_player != start):
        recorder.mutated = "leaves the game changed: not every move was taken back"
    return (result, game.ai_move)


SHAPES: dict[str, Caller] = {
    "function": call_function,
    "aima": call_function,
    "cs188": call_cs188,
    "easyai": call_easyai,
    "cs50": call_cs50,
    "nodes": call_nodes,
    "lists": call_lists,
    "leaves": call_leaves,
}
