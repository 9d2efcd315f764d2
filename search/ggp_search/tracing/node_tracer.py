"""Trace a search that stores a tree and comes back to its nodes: Monte Carlo tree search and df-pn.

Such a page has its own functions for the work that other searchers leave to `search.value`. Their arguments and results
are read from Python's stack, so the page needs no code for tracing.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from math import inf, log, sqrt
from types import FrameType
from typing import Any, Final

from ggp import capabilities
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.numbers import at_least, many, number
from ggp.searcher import Limits
from ggp.trace import Enter, Estimate, Event, Leaf, Leave, Note, Try
from ggp_search.constants import HUGE, MAX_PLIES
from ggp_search.engine.driver import prepare
from ggp_search.engine.interpreted_engine import interpreted
from ggp_search.engine.limits import Control
from ggp_search.engine.search import SearchStopped
from ggp_search.engine.settings import Settings
from ggp_search.memory.playout_tree import PlayoutNode
from ggp_search.memory.proof_numbers import INFINITE
from ggp_search.tracing.tracer import Tracer

FrameVariables = Mapping[str, Any]
"""The variables of a procedure."""
Hook = Callable[["NodeTracer", FrameVariables, Any], None]
"""Called with the variables of a function when it is called, and when it returns also with its result."""


class NodeTracer(Tracer):
    """The profile function that records the events. For each function of the page, by name, there may be a hook."""

    def __init__(self, page: Callable[..., Any], called: Mapping[str, Hook], returned: Mapping[str, Hook]) -> None:
        super().__init__(page)
        self.hooks = {"call": called, "return": returned}
        self.caller: FrameType | None = None
        self.path: list[Action] = []
        """The actions from the root to the current node."""
        self.met: set[tuple[object, ...]] = set()
        """The nodes visited so far, by question and path."""

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code not in self.source.codes:
            return None
        self._line(frame, event, argument)
        return self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        hook = self.hooks.get(event, {}).get(frame.f_code.co_name)
        if hook:
            self.caller = frame.f_back
            hook(self, frame.f_locals, argument)
        return self._line

    def of_caller(self, procedure: str, name: str) -> Any:
        """Return a variable of the calling function, if that has this name; otherwise None."""
        frame = self.caller
        return frame.f_locals.get(name) if frame and frame.f_code.co_name == procedure else None


def trace(recursion: Any, game: AnyGame, state: State, limits: Limits, settings: Settings) -> list[Event]:
    """Return the events of a search, recorded by the hooks in `GROWTH` for the searcher's name."""
    prepare(limits)
    tracer = NodeTracer(type(recursion).page, *GROWTH[recursion.name])
    engine = interpreted(game, state, recursion, settings)
    Control(limits.nodes).watch(engine.counter)
    find = getattr(type(recursion), "find", None)
    with contextlib.suppress(SearchStopped), tracer.watching():
        if find is None:
            engine.value(state, limits.depth or MAX_PLIES)
        else:
            find(engine, state, limits.depth or MAX_PLIES, engine.estimate(state))
    while tracer.entered:  # a limit was reached
        tracer.add(Leave(-inf, inf, None))
    return tracer.events


PHASES: Final = (
    "def mcts(state):",
    "    tree = Node(state)",
    "    while there_is_time():",
    "        leaf = select(tree)       # go down the tree by UCB1",
    "        child = expand(leaf)      # add a node for a new action",
    "        result = simulate(child)  # play at random to the end",
    "        back_up(result, child)    # count it at every node above",
    "    return most_visited(tree)",
)
"""Monte Carlo tree search as shown beside its tree; its real page stores nodes in machine words."""
LOOP, SELECT, EXPAND, SIMULATE, BACK_UP, RETURN = range(2, 8)
"""Indices of lines in `PHASES`."""


def enter_playout(tracer: NodeTracer, here: FrameVariables, _: object) -> None:
    """Record that a playout reaches a node."""
    line = SELECT if here["node"].visits > here["search"].options.prior else EXPAND
    tracer.add(Enter(here["state"], here["depth"], -inf, inf, again=True), line if tracer.entered else LOOP)


def select(tracer: NodeTracer, here: FrameVariables, found: Any) -> None:
    """Record that an action was selected, or an outcome sampled."""
    game, state = here["game"], here["state"]
    chance = game.to_move(state) == CHANCE
    tracer.add(Try(found[0], dict(here["search"].outcomes(state)).get(found[0]) if chance else None), SELECT)


def simulate(tracer: NodeTracer, here: FrameVariables, found: Any) -> None:
    """Record that a random simulation was played."""
    tracer.add(Estimate(f"Random play from here comes to {number(found, 3)}."), SIMULATE)


def leave_playout(tracer: NodeTracer, here: FrameVariables, found: Any) -> None:
    """Record that the result of a playout was counted at a node."""
    if found is None:  # stopped by a limit
        return
    game, state, node = here["game"], here["state"], here["node"]
    terminal = game.terminal_test(state)
    if terminal or here["depth"] == 0:
        tracer.add(Leaf(found, terminal), SIMULATE)
        return
    place = node.best(game.to_move(state))
    choice = None if place is None else list(game.actions(state))[place]
    lower, upper = max(node.lower, -HUGE), min(node.upper, HUGE)
    note = (number(node.mean_value(), 3), many(node.visits, "playout"), *_exploration(tracer, here, node))
    tracer.add(Leave(-inf if lower == -HUGE else lower, inf if upper == HUGE else upper, choice, note), BACK_UP)


def _exploration(tracer: NodeTracer, here: FrameVariables, node: PlayoutNode) -> Iterator[str]:
    """Yield what UCB1 adds to the mean of a child for being tried seldom, when this playout is counted above it."""
    above = tracer.of_caller("playout", "node")
    player = None if above is None else here["game"].to_move(tracer.of_caller("playout", "state"))
    if player is None or player == CHANCE:
        return
    tree = here["search"].own
    width = tree.exploration(tree.scale())
    if width > 0:
        term = width * sqrt(log(above.visits + 1) / node.visits)
        yield f"{'+' if player == MAX else '-'} {number(term, 3)}"


def choose_move(tracer: NodeTracer, here: FrameVariables, _: object) -> None:
    """Record the move that is chosen, before the root is left for the last time."""
    game, state, root = here["game"], here["state"], here["root"]
    place = root.best(game.to_move(state))
    if place is None or tracer.entered:
        return
    name = capabilities.notation(game).format_action(state, list(game.actions(state))[place])
    child = root.children()[place]
    why = (
        f"it is proved to be worth {number(child.lower)}" if child.proved else f"it was tried in {child.visits} of them"
    )
    said = f"The search ends after {many(root.visits, 'playout')}. It chooses {name}: {why}."
    tracer.events.insert(-1, Note(said, line=RETURN))


def enter_proof(tracer: NodeTracer, here: FrameVariables, _: object) -> None:
    """Record that a node is entered, to prove or disprove that its value is at least a bound."""
    best = tracer.of_caller("prove", "best")
    if tracer.entered:
        tracer.add(Try(best))
    tracer.path.append(best)
    tracer.add(Enter(here["state"], here["depth"], here["bound"], here["bound"], again=True))


def leave_proof(tracer: NodeTracer, here: FrameVariables, found: Any) -> None:
    """Record that a proof or disproof number of a node has reached its limit."""
    tracer.path.pop()
    if found is not None:
        tracer.add(_known(here, found, here.get("best")))


def meet(tracer: NodeTracer, here: FrameVariables, found: Any) -> None:
    """Record the numbers of a node that is visited for the first time: a new node, or a leaf with its value."""
    action = tracer.of_caller("prove", "action")
    place = (here["bound"], *tracer.path, action)
    if found is None or action is None or place in tracer.met:
        return
    tracer.met.add(place)
    tracer.add(Try(action))
    tracer.add(Enter(here["state"], here["depth"], here["bound"], here["bound"], again=True))
    if "value" in here:
        tracer.add(Leaf(here["value"], here["game"].terminal_test(here["state"]), _in_words(found)))
    else:
        tracer.add(_known(here, found))


def _known(here: FrameVariables, found: tuple[int, int], best: Action | None = None) -> Leave:
    """Return what a node's proof and disproof numbers say, as facts."""
    bound, (proof, disproof) = here["bound"], found
    lower, upper = bound if proof == 0 else -inf, here["search"].below(bound) if disproof == 0 else inf
    return Leave(lower, upper, best, (f"{at_least(bound, 3)}?", *_in_words(found)))


def _in_words(found: tuple[int, int]) -> tuple[str, ...]:
    shown = ("∞" if each == INFINITE else str(each) for each in found)
    return tuple(f"{name} {each}" for name, each in zip(("proof", "disproof"), shown, strict=True))


GROWTH: Mapping[str, tuple[Mapping[str, Hook], Mapping[str, Hook]]] = {
    "mcts": (
        {"playout": enter_playout},
        {"selection": select, "simulation": simulate, "playout": leave_playout, "mcts": choose_move},
    ),
    "dfpn": ({"prove": enter_proof}, {"prove": leave_proof, "numbers": meet}),
}
"""For each searcher with its own tree: the hooks for calls and returns of its functions."""
