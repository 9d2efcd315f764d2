"""Right games, and faults planted in them: one small change each, of every kind that we could think of.

The faults that break one answer of one method in plain sight are in `test_kit_games`; those here hide.
"""

import itertools
import os
import sys
import time
from typing import ClassVar

import attrs
from ggp_awari import Awari
from ggp_kalah import Kalah
from ggp_tictactoe import TicTacToe
from takeaway import Generous, Ranks

import ggp
from ggp import MAX, MIN, Cell, Evaluation, IllegalActionError, NotationError, Scene

MODULE = sys.modules[__name__]


# Right games, besides those of ggp. ----------------------------------------------------------------------------------


@attrs.frozen
class Heap:
    """Take up to `most` stones; whoever takes the last one wins, or loses. Actions are words."""

    name: ClassVar[str] = "heap"
    stones: int = ggp.option(9, "stones in the heap", minimum=1, maximum=100)
    most: int = ggp.option(3, "the most stones to take at once", minimum=1, maximum=5)
    misere: bool = ggp.option(False, "whether the last stone loses")

    WORDS: ClassVar[tuple[str, ...]] = ("one", "two", "three", "four", "five")
    levels: ClassVar[dict[str, str]] = {"easy": "alphabeta:depth=1", "hard": "alphabeta:depth=8"}

    def initial_state(self):
        return (self.stones, MAX)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return list(self.WORDS[: min(self.most, state[0])])

    def result(self, state, action):
        return (state[0] - 1 - self.WORDS.index(action), 1 - state[1])

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return (-1 if state[1] == player else 1) * (-1 if self.misere else 1)

    def format_state(self, state):
        return f"{state[0]} {'AB'[state[1]]}"

    def parse_state(self, text):
        stones, _, mover = text.partition(" ")
        if not stones.isascii() or not stones.isdigit() or len(stones) > 3 or mover not in ("A", "B"):
            raise NotationError(f"{text!r} is not a heap: write one like 9 A")
        return (int(stones), "AB".index(mover))

    def format_action(self, state, action):
        return action

    def parse_action(self, state, text):
        if text not in self.actions(state):
            raise IllegalActionError(f"{text!r} is not one of {self.actions(state)}")
        return text

    def draw(self, state):
        return "o" * state[0] + " " + "AB"[state[1]]

    def scene(self, state):
        words = self.WORDS[: min(self.most, state[0])]
        buttons = (Cell(word, place, 1, action=word) for place, word in enumerate(words))
        return Scene((Cell("heap", 0, 0, count=state[0]), *buttons), "AB"[state[1]])

    def explain(self, state, action):
        return f"leaves {self.result(state, action)[0]}"

    def known_values(self, state):
        return {action: self.worth(self.result(state, action)) for action in self.actions(state)}

    def worth(self, state):
        """The value to MAX with best play of both."""
        if not state[0]:
            return self.utility(state, MAX)
        loses = state[0] % (self.most + 1) == (1 if self.misere else 0)
        return (-1 if loses else 1) * (1 if state[1] == MAX else -1)


class Box:
    """A state that can be changed: stones and mover."""

    def __init__(self, stones, mover):
        self.stones, self.mover = stones, mover

    def __eq__(self, other):
        return isinstance(other, Box) and (self.stones, self.mover) == (other.stones, other.mover)

    def __hash__(self):
        return hash((self.stones, self.mover))

    def __repr__(self):
        return f"Box({self.stones}, {self.mover})"


class Boxes:
    """The heap with states that can be changed, and all that can be asked of them."""

    name = "boxes"

    def initial_state(self):
        return Box(7, MAX)

    def to_move(self, state):
        return state.mover

    def actions(self, state):
        return tuple(range(1, min(3, state.stones) + 1))

    def result(self, state, action):
        return Box(state.stones - action, 1 - state.mover)

    def terminal_test(self, state):
        return state.stones == 0

    def utility(self, state, player):
        return -1 if state.mover == player else 1

    evaluations = property(lambda self: {"parity": Evaluation(self.parity)})

    def parity(self, state):
        return state.stones % 2

    def draw(self, state):
        return "o" * state.stones + "."

    def scene(self, state):
        buttons = (Cell(str(n), n, 0, action=n) for n in self.actions(state))
        return Scene((Cell("heap", 0, 0, count=state.stones), *buttons))

    def suggest(self, state, action):
        return action

    def quiet(self, state, action):
        return action == 1

    def score(self, state):
        return 0

    def key(self, state):
        return (state.stones, state.mover)

    def canonical(self, state):
        return state

    def explain(self, state, action):
        return f"takes {action}"


class Circle:
    """Two players walk round a circle of five fields, until both have met; states come back."""

    name = "circle"
    repetition = "draw"

    def initial_state(self):
        return (0, 2, MAX)

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return (1, 4)

    def result(self, state, action):
        mine, yours, mover = state
        here = mine if mover == MAX else yours
        moved = (here + action) % 5
        return (moved, yours, MIN) if mover == MAX else (mine, moved, MAX)

    def terminal_test(self, state):
        return state[0] == state[1]

    def utility(self, state, player):
        return 1 if state[2] != player else -1


RIGHT = (Heap, Boxes, Circle, Generous, Awari, Kalah, TicTacToe)

# Planted faults. ------------------------------------------------------------------------------------------------------

PLANTED = {}
"""By name: the promises under one of which the fault may be found, and the class."""


def plant(fault, promises, base, **changes):
    """Add a game to the table. The class is found in this module under its name, so it can be pickled."""
    label = fault.title().replace(" ", "").replace("'", "").replace("-", "")
    changes = {"__module__": __name__, "__qualname__": label, "__reduce__": lambda self: (type(self), ()), **changes}
    kind = type(label, (base,), changes)
    setattr(MODULE, label, kind)
    PLANTED[fault] = promises, kind


counter = itertools.count()


def drifts(method):
    """The method, whose answer is another one each time."""

    def drifting(self, *arguments):
        return method(self, *arguments), next(counter)

    return drifting


def spoils(method):
    """The method, which takes a stone from the state."""

    def spoiling(self, state, *arguments):
        found = method(self, state, *arguments)
        state.stones -= 1
        return found

    return spoiling


# the order of actions, and what else differs between processes
plant("actions from a set", ["processes"], Heap, actions=lambda self, state: list(set(Heap.actions(self, state))))
plant(
    "actions from a set of pairs",
    ["processes"],
    Heap,
    actions=lambda self, state: [word for word, _ in {(word, 1) for word in Heap.actions(self, state)}],
)
plant(
    "actions sorted by hash",
    ["processes"],
    Heap,
    actions=lambda self, state: sorted(Heap.actions(self, state), key=hash),
)
plant(
    "rules by hash",
    ["processes"],
    Heap,
    known_values=lambda self, state: {},
    result=lambda self, state, action: (
        max(0, state[0] - 1 - hash(f"{action}{state[0]}") % 2),
        1 - state[1],
    ),
)
plant("estimate by hash", ["processes"], Heap, evaluations={"hash": Evaluation(lambda state: hash(str(state)) % 100)})
plant(
    "rules by process",
    ["processes"],
    Heap,
    evaluations={"process": Evaluation(lambda state: os.getpid() % 1000)},
)
plant(
    "rules by address",
    ["determinism", "actions", "processes", "pickling"],
    Heap,
    actions=lambda self, state: sorted(Heap.actions(self, state), key=lambda word: id(f"{word}{state}")),
)
plant(
    "text from a set",
    ["processes"],
    Heap,
    explain=lambda self, state, action: " or ".join({"takes " + action, "leaves", "the rest", "of the stones"}),
)
plant(
    "explanation of another state",
    ["determinism", "processes", "pickling", "equality"],
    Heap,
    kept={},
    explain=lambda self, state, action: self.kept.setdefault(action, Heap.explain(self, state, action)),
)


remembered_first = {}

plant(
    "drawing of another state",
    ["determinism", "processes", "drawing", "equality"],
    Heap,
    draw=lambda self, state: remembered_first.setdefault(state[0], Heap.draw(self, state)),
)

# what is asked twice, later, or of an equal state
for name in ("draw", "explain", "scene", "known_values"):
    plant(f"{name} that drifts", ["determinism", "drawing", "explanation", "scene", "answers", "known values"], Heap)
    setattr(PLANTED[f"{name} that drifts"][1], name, drifts(getattr(Heap, name)))
for name in ("key", "canonical"):
    plant(f"{name} that drifts", ["determinism", "canonical states", "answers"], Boxes)
    setattr(PLANTED[f"{name} that drifts"][1], name, drifts(getattr(Boxes, name)))
for name in (
    "draw",
    "scene",
    "suggest",
    "quiet",
    "score",
    "key",
    "canonical",
    "explain",
    "parity",
    "utility",
    "result",
):
    plant(f"{name} changes the state", ["purity"], Boxes, **{name: spoils(getattr(Boxes, name))})
plant(
    "outcomes that drift",
    ["determinism"],
    Generous,
    outcomes=lambda self, state: (
        [(1, 1.0)] if state[0] == 1 else [(1, share := 0.5 + next(counter) % 2 / 4), (2, 1 - share)]
    ),
)
plant("bounds that drift", ["determinism", "bounds"], Generous, bounds=lambda self, state: (-90 - next(counter), 90))
plant(
    "estimate by the clock",
    ["determinism"],
    Heap,
    evaluations={"clock": Evaluation(lambda state: time.perf_counter_ns() % 1000)},
)


def remembers(self, state, action):
    self.history.append(state)
    return Heap.result(self, state, action)


plant(
    "history in the game",
    ["determinism", "actions", "equality"],
    Heap,
    history=[],
    result=remembers,
    actions=lambda self, state: Heap.actions(self, state)[: 3 if self.history.count(state) < 9 else 1],
)
plant(
    "last state in the game",
    ["determinism", "actions", "equality", "state notation", "processes"],
    Heap,
    history=[],
    result=remembers,
    explain=lambda self, state, action: f"comes from {self.history[-1] if self.history else 'nowhere'}",
)
shared = []


def in_one_list(self, state):
    shared[:] = Heap.actions(self, state)
    return shared


plant("one list for all actions", ["actions"], Heap, actions=in_one_list, known_values=lambda self, state: {})
OWN = {n: list(Heap.WORDS[: min(n, 3)]) for n in range(10)}
plant("the game's own list", ["actions"], Heap, actions=lambda self, state: OWN[state[0]])


class Trail(tuple):
    """A pair whose attribute `came` does not take part in comparison."""

    came = None

    def __reduce__(self):
        return _trail, (tuple(self), self.came)


def _trail(pair, came):
    found = Trail(pair)
    found.came = came
    return found


plant(
    "actions by hidden state",
    ["equality"],
    Heap,
    result=lambda self, state, action: _trail(Heap.result(self, state, action), action),
    actions=lambda self, state: [
        word for word in Heap.actions(self, state) if word == "one" or word != getattr(state, "came", None)
    ],
    known_values=lambda self, state: {},
)
plant(
    "value by hidden state",
    ["equality", "score and key"],
    Heap,
    result=lambda self, state, action: _trail(Heap.result(self, state, action), action),
    utility=lambda self, state, player: (1 if player == MAX else -1) * (2 if getattr(state, "came", 0) == "two" else 1),
    known_values=lambda self, state: {},
)
HIDDEN = dict.fromkeys(("format_state", "parse_state", "format_action", "parse_action", "draw", "scene", "explain"))
plant(
    "hidden state without a notation",
    ["equality"],
    Heap,
    **HIDDEN,
    result=lambda self, state, action: _trail(Heap.result(self, state, action), action),
    actions=lambda self, state: [
        word for word in Heap.actions(self, state) if word == "one" or word != getattr(state, "came", None)
    ],
    known_values=lambda self, state: {},
)


class Friendly(tuple):
    """A state that is equal to everything."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


class Touchy(tuple):
    """A state that can be compared with states alone."""

    def __eq__(self, other):
        return tuple(self)[:] == other[:]

    def __hash__(self):
        return hash(tuple(self))


for kind in (Friendly, Touchy):
    plant(
        f"{kind.__name__.lower()} states",
        ["equality", "repetition", "state notation", "answers"],
        Heap,
        initial_state=lambda self, kind=kind: kind(Heap.initial_state(self)),
        result=lambda self, state, action, kind=kind: kind(Heap.result(self, state, action)),
    )

# players, repetition, the end
plant("MIN in a puzzle", ["mover"], Heap, player_names=("Solver",))
plant("two players of a name", ["name"], Heap, player_names=("Ann", "Ann"))
plant("three players", ["name"], Heap, player_names=("Ann", "Ben", "Cid"))
plant("no title", ["name"], Heap, title="")
plant("rules that are a list", ["name"], Heap, rules=["take stones"])
plant("continues without chance", ["repetition"], Circle, repetition="continues")
plant("a repetition nobody knows", ["repetition"], Circle, repetition="loss")
plant("a first occurrence", ["repetition"], Circle, occurrences=1)
plant("a repetition without a value", ["repetition"], Circle, repetition=lambda self, state: float("nan"))
plant("a repetition beyond the bounds", ["repetition"], Circle, repetition=5, bounds=lambda self, state: (-1, 1))
plant("a repetition that is not declared", ["repetition"], Circle, repetition=None)
plant(
    "a counter that grows",
    ["end"],
    Circle,
    initial_state=lambda self: (0, 2, MAX, 0),
    result=lambda self, state, action: (*Circle.result(self, state[:3], action), state[3] + 1),
    repetition=None,
)
plant(
    "a counter that grows though states may repeat",
    ["end"],
    Circle,
    initial_state=lambda self: (0, 2, MAX, 0),
    result=lambda self, state, action: (*Circle.result(self, state[:3], action), state[3] + 1),
)
NO_VALUES = {"known_values": lambda self, state: {}, "draw": None, "scene": None, "explain": None}
PLAIN_TEXTS = dict.fromkeys(("format_state", "parse_state", "format_action", "parse_action"))


def passing(self, state, action):
    if action == "pass":
        return (state[0], 1 - state[1], state[2] + 1)
    return (*Heap.result(self, state[:2], action), state[2])


plant(
    "a pass that is counted",
    ["end"],
    Heap,
    **NO_VALUES,
    **PLAIN_TEXTS,
    initial_state=lambda self: (9, MAX, 0),
    actions=lambda self, state: ["one", "pass", "two"][: 3 if state[0] > 1 else 2],
    result=passing,
)
plant(
    "never an end",
    ["end"],
    Heap,
    **NO_VALUES,
    **PLAIN_TEXTS,
    terminal_test=lambda self, state: False,
    result=lambda self, state, action: (state[0] + 1, 1 - state[1]),
)

# notation
plant("any text is the beginning", ["wrong texts"], Heap, parse_state=lambda self, text: _lenient(self, text))
plant(
    "any text is the first action",
    ["wrong texts"],
    Heap,
    parse_action=lambda self, state, text: _any(self, state, text),
)
plant(
    "text behind a state",
    ["wrong texts"],
    Heap,
    parse_state=lambda self, text: Heap.parse_state(self, " ".join(text.split()[:2])),
)
plant(
    "text before a state",
    ["wrong texts"],
    Heap,
    parse_state=lambda self, text: Heap.parse_state(self, " ".join(text.split()[-2:])),
)
plant(
    "text behind an action",
    ["wrong texts"],
    Heap,
    parse_action=lambda self, state, text: Heap.parse_action(self, state, text.split()[0] if text.split() else ""),
)
plant(
    "no text is the first action",
    ["wrong texts"],
    Heap,
    parse_action=lambda self, state, text: Heap.parse_action(self, state, text or "one"),
)
plant(
    "an action in two lines",
    ["action notation"],
    Heap,
    format_action=lambda self, state, action: action + "\n",
    parse_action=lambda self, state, text: Heap.parse_action(self, state, text.rstrip("\n")),
)
plant(
    "an action without a text",
    ["action notation"],
    Heap,
    format_action=lambda self, state, action: "" if action == "one" else action,
    parse_action=lambda self, state, text: Heap.parse_action(self, state, text or "one"),
)


def _lenient(self, text):
    try:
        return Heap.parse_state(self, text)
    except NotationError:
        return self.initial_state()


def _any(self, state, text):
    try:
        return Heap.parse_action(self, state, text)
    except IllegalActionError:
        return self.actions(state)[0]


# pictures
plant("a drawing of the beginning", ["drawing"], Heap, draw=lambda self, state: Heap.draw(self, self.initial_state()))


plant(
    "a board whose sides change",
    ["scene"],
    Heap,
    scene=lambda self, state: attrs.evolve(Heap.scene(self, state), below=state[1]),
)
plant("a scene of the beginning", ["scene"], Boxes, scene=lambda self, state: _constant_scene(state))


def _constant_scene(state):
    actions = tuple(range(1, min(3, state.stones) + 1))
    buttons = (Cell(str(n), n, 0, action=n if n in actions else None) for n in (1, 2, 3))
    return Scene((Cell("heap", 0, 0, count=7), *buttons))


# levels and options
plant("a level without a searcher", ["levels"], Heap, levels={"easy": "alphabet:depth=1"})
plant("a level with an unknown option", ["levels"], Heap, levels={"easy": "alphabeta:deep=1"})
plant("a level with a wrong value", ["levels"], Heap, levels={"easy": "alphabeta:depth=zero"})
plant("a level that cannot play", ["levels"], Generous, levels={"easy": "alphabeta:depth=1"})
plant("no levels", ["levels"], Heap, levels={})
plant("an option that is ignored", ["options"], Heap, actions=lambda self, state: list(Heap.WORDS[: min(3, state[0])]))
PLANTED["an option that is ignored"][1].known_values = lambda self, state: {}
PLANTED["an option that is ignored"][1].scene = None
plant(
    "misere ignored",
    ["options"],
    Heap,
    utility=lambda self, state, player: -1 if state[1] == player else 1,
    known_values=lambda self, state: {},
)
plant(
    "a least value that fails",
    ["options"],
    Heap,
    initial_state=lambda self: (self.stones, [MAX][1 if self.stones == 1 else 0]),
)

# values
plant("known values that lie", ["known values"], Heap, known_values=lambda self, state: {self.actions(state)[0]: 1})
plant(
    "known values of the other player",
    ["known values"],
    Heap,
    known_values=lambda self, state: {a: -v for a, v in Heap.known_values(self, state).items()},
)
plant(
    "known values of illegal actions",
    ["known values"],
    Heap,
    known_values=lambda self, state: {**Heap.known_values(self, state), "nine": 1},
)
plant(
    "the best value unknown",
    ["known values"],
    Heap,
    known_values=lambda self, state: (
        dict(sorted(Heap.known_values(self, state).items(), key=lambda each: each[1])[:1]) if state[1] == MAX else {}
    ),
)
plant("a lie at the beginning", ["known values"], TicTacToe, known_values=lambda self, state: _lie(self, state))
plant("a lie on a large board", ["known values"], Kalah, known_values=lambda self, state: _large_lie(self, state))


def _lie(self, state):
    return dict.fromkeys(self.actions(state), 1) if state == self.initial_state() else {}


def _large_lie(self, state):
    if self.terminal_test(state) or state not in (start := self.initial_state(),):
        return {} if self.terminal_test(state) else dict.fromkeys(self.actions(state), 3)
    return dict.fromkeys(self.actions(start), 99)


plant(
    "value bounds that contradict",
    ["value bounds"],
    TicTacToe,
    value_bounds=lambda self, state: (1, 1) if state == self.initial_state() else (-1, 1),
)
plant(
    "a pass that helps",
    ["passes"],
    Heap,
    passed=lambda self, state: (*state[:-1], 1 - state[-1]),
)
plant(
    "value bounds of the mover",
    ["value bounds"],
    Heap,
    value_bounds=lambda self, state: (1, 1) if state[0] % 4 else (-1, -1),
)


# canonical states
def _moved(self, state):
    """Return the state with X's mark in the middle of the lower edge moved to the corner, where that is free."""
    x, o, turn = state
    return (x & ~128 | 64, o, turn) if x & 128 and not (x | o) & 64 else state


plant("canonical that moves a mark", ["canonical states"], TicTacToe, canonical=_moved)
plant(
    "canonical without the mover",
    ["canonical states"],
    Boxes,
    canonical=lambda self, state: Box(state.stones, MAX),
)
plant(
    "canonical that is not canonical",
    ["canonical states"],
    Boxes,
    canonical=lambda self, state: Box(max(1, state.stones - 1), state.mover) if state.stones else state,
)


# numbers
class Shared(Ranks):
    """A numbering in which all that ends soon shares a number."""

    def sections(self, layer):
        return (1,) if layer else ()

    def rank(self, state):
        return 0, 0

    def unrank(self, layer, section, index):
        return layer, MAX, 0

    def positions(self, layer, section, first):
        yield self.unrank(layer, 0, 0)


plant("a number for all movers", ["ranking"], Generous, ranking=Shared())
plant(
    "a number for two boards",
    ["ranking"],
    Kalah,
    ranking=property(lambda self: None if Kalah.ranking.fget(self) is None else Swapped(Kalah.ranking.fget(self))),
)


class Swapped:
    """The ranking of Kalah, with two boards of each section in each other's place when they are unranked."""

    def __init__(self, right):
        self.right, self.parameters = right, right.parameters
        self.sections, self.layer, self.rank = right.sections, right.layer, right.rank

    def unrank(self, layer, section, index):
        size = self.sections(layer)[section]
        return self.right.unrank(layer, section, min(index ^ 1, size - 1))

    def positions(self, layer, section, first):
        for index in range(first, self.sections(layer)[section]):
            yield self.unrank(layer, section, index)


plant("unrank in pairs", ["layers"], Awari, unrank=lambda self, layer, rank: Awari.unrank(self, layer, rank - rank % 2))
plant(
    "unrank backwards", ["layers"], Awari, unrank=lambda s, layer, r: Awari.unrank(s, layer, s.positions(layer) - 1 - r)
)
plant("a number for two positions", ["layers"], Awari, rank=lambda self, state: Awari.rank(self, state) // 2)
plant(
    "numbers in pairs that turn back",
    ["layers"],
    Awari,
    rank=lambda self, state: Awari.rank(self, state) // 2,
    unrank=lambda self, layer, rank: Awari.unrank(self, layer, 2 * rank),
    positions=lambda self, layer: (Awari.positions(self, layer) + 1) // 2,
)
plant("a number by the mover", ["layers"], Awari, rank=lambda s, state: Awari.rank(s, state._replace(mover=MAX)))
plant("sides that do not turn", ["layers"], Awari, turned=lambda self, state: state._replace(mover=1 - state.mover))
plant(
    "sides that do not turn back",
    ["layers"],
    Awari,
    turned=lambda self, state: Awari.turned(self, state)._replace(houses=state.houses[1:] + state.houses[:1]),
)
plant(
    "stores that do not turn",
    ["layers"],
    Awari,
    turned=lambda s, a: Awari.turned(s, a)._replace(south=a.south, north=a.north),
)
plant("a layer that grows", ["layers"], Awari, layer=lambda self, state: state.south + state.north)
plant("a layer of the stores", ["layers"], Awari, layer=lambda self, state: 48 - state.south)
plant("too few positions", ["layers"], Awari, positions=lambda self, layer: 10)
plant(
    "MIN to move in a number",
    ["layers"],
    Awari,
    unrank=lambda s, layer, rank: Awari.unrank(s, layer, rank)._replace(mover=MIN),
)
plant(
    "a score in a number",
    ["layers"],
    Awari,
    unrank=lambda s, layer, rank: Awari.unrank(s, layer, rank)._replace(south=1),
)
plant("half of the layers", ["capabilities"], Awari, turned=None)

# evaluations, bounds, chance, machine code
plant("an estimate that is no function", ["evaluations"], Heap, evaluations={"two": 2})
plant("an estimate without a name", ["evaluations"], Heap, evaluations={"": Evaluation(lambda state: 0)})
plant(
    "bounds that a move leaves",
    ["bounds"],
    Generous,
    bounds=lambda self, state: (state[2] - state[0], state[2] + state[0] // 2 + 1),
)
plant("chance that is declared without outcomes", ["capabilities"], Heap, stochastic=True)
plant(
    "probabilities in percent",
    ["probabilities"],
    Generous,
    outcomes=lambda self, state: [(1, 100)] if state[0] == 1 else [(1, 75), (2, 25)],
)
plant(
    "a negative probability",
    ["probabilities"],
    Generous,
    outcomes=lambda self, state: [(1, 1.0)] if state[0] == 1 else [(1, 1.25), (2, -0.25)],
)


def beyond(self, state, action):
    return (state[0] + 3) * 4611686018427387904 // 4611686018427387904 + action


plant(
    "numbers beyond the machine's",
    ["machine code"],
    Generous,
    arithmetic="unchecked",
    suggest=beyond,
)
