"""Games: the protocol that every game implements, and the capabilities that a game may add.

A game object holds parameters, never a position. States and actions should be immutable and hashable. States that can
change (lists, dictionaries, objects) are frozen where they are kept: see `ggp.frozen_games`. The names are those of
Russell and Norvig, Artificial Intelligence: A Modern Approach (AIMA), chapter on adversarial search.

    class Subtraction:
        "Take one, two or three of 21 stones; whoever takes the last one wins."
        name = "subtraction"

        def initial_state(self): return (21, ggp.MAX)
        def to_move(self, state): return state[1]
        def actions(self, state): return [n for n in (1, 2, 3) if n <= state[0]]
        def result(self, state, action): return (state[0] - action, 1 - state[1])
        def terminal_test(self, state): return state[0] == 0
        def utility(self, state, player): return -1 if state[1] == player else 1

Everything optional is a *capability*: one of the small protocols below. Searchers and front ends look capabilities up
with the functions of `ggp.capabilities`.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import attrs

from ggp.engine_dialect import Dialect
from ggp.scene import Scene

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
StateT_contra = TypeVar("StateT_contra", contravariant=True)
ActionT_contra = TypeVar("ActionT_contra", contravariant=True)

State: TypeAlias = Hashable
"""A state of any game. Searchers and front ends compare and store states; for everything else they call the game."""
Action: TypeAlias = Hashable
"""An action of any game. None is not an action: it stands for "no action"."""

Player = int
"""The mover: MAX, MIN or CHANCE."""

MAX: Final = 0
"""The player who wants a high value; by convention the one who moves first."""
MIN: Final = 1
"""The player who wants a low value."""
CHANCE: Final = -1
"""Nature, who moves at random in a stochastic game. CHANCE is negative, so that players can be numbered 0, 1, 2, ..."""


class Game(Protocol[StateT, ActionT]):
    """A two-player zero-sum game of perfect information.

    Every method is pure: the same arguments give the same result, and nothing is changed.
    """

    name: ClassVar[str]
    """The game's name in the registry and on the command line: lower case, no spaces."""

    def initial_state(self) -> StateT:
        """Return the state in which the game starts."""

    def to_move(self, state: StateT) -> Player:
        """Return the player to move. A player may move several times in a row. Not called on terminal states."""

    def actions(self, state: StateT) -> Iterable[ActionT]:
        """Return the legal actions of a state that is not terminal: at least one, without duplicates, always in the
        same order.
        """

    def result(self, state: StateT, action: ActionT) -> StateT:
        """Return the state after `action`, which must be one of `actions(state)`; it is not checked."""

    def terminal_test(self, state: StateT) -> bool:
        """Return whether the game is over in `state`."""

    def utility(self, state: StateT, player: Player) -> float:
        """Return the finite utility of a terminal state to `player`; the sum of both players' utilities is 0."""


AnyGame: TypeAlias = Game[Any, Any]
"""A game with any types of states and actions."""


class StochasticGame(Game[StateT, ActionT], Protocol[StateT, ActionT]):
    """A game with chance."""

    stochastic: bool
    """Whether chance moves in the game with its parameters; default: True for a game with `outcomes`."""

    def outcomes(self, state: StateT) -> Iterable[tuple[ActionT, float]]:
        """Return each outcome with its probability, in a state where CHANCE is to move.

        The probabilities are positive and sum to 1. `actions(state)` returns the same outcomes in the same order.
        """


class Personal(Protocol):
    """Capability: names for the players."""

    player_names: tuple[str, ...]
    """The names of MAX and MIN, such as ("South", "North"); default: ("MAX", "MIN"). A puzzle for one player (MAX
    always moves) has one name.
    """


class Deferred(Protocol):
    """Capability: a game that takes long to make, for example because it is read from a file."""

    deferred: ClassVar[bool]
    """True if lists of games are shown without making this game (default: False)."""


class Compilable(Protocol):
    """Capability: settings for machine speed."""

    compiled: ClassVar[bool]
    """Whether the game may be compiled; default: True. False: the game is always interpreted."""
    arithmetic: ClassVar[Literal["checked", "unchecked"]]
    """"unchecked" promises that no integer exceeds 64 bits, so overflow checks are left out; default: "checked"."""
    compiling_seconds: ClassVar[float]
    """Approximate seconds of processor time that compiling may take, unless machine speed was requested; default: 2."""


DRAW: Final = "draw"
"""Value of `repetition`: a state that comes back ends the game as a draw."""
CONTINUES: Final = "continues"
"""Value of `repetition`: states may come back, and play continues."""


class Repeating(Protocol):
    """Capability: a state can come back in one play of the game.

    A game without this capability promises that no state comes back. The conformance kit checks the promise. If a state
    comes back in a match, the match ends with an error.
    """

    repetition: Literal["draw", "continues"] | float | Callable[..., float] | None
    """Value to MAX of a game that ends because a state has come back: "draw" is 0, and a number is the value itself. It
    may also be a method that returns the value for a state; in a game with `score`, for example, the score. "continues"
    is for games that chance brings to an end: play goes on when a state comes back. None: states do not come back.
    """
    occurrences: int
    """The number of times that a state must have occurred in play for the game to end; default: 2, the first
    repetition.
    """
    repetition_rule: str
    """The rule by which a repetition ends the game, in a few words: "the seeds left are shared". Optional."""


@runtime_checkable
class Layered(Protocol[StateT]):
    """Capability: the positions of each layer are numbered, so that tablebases can be built layer by layer.

    Every action leads to the same layer or to a lower one, and states may come back within a layer. Values are
    integers. The value of a position of layer n, less its `score`, is between -n and n.
    """

    def layer(self, state: StateT) -> int:
        """Return the layer of a state, 0 or more."""

    def positions(self, layer: int) -> int:
        """Return the number of positions of the layer.

        Positions that differ only in the mover or the score count as one.
        """

    def rank(self, state: StateT) -> int:
        """Return the number of a state in its layer, counted from 0; the player to move is treated as MAX."""

    def unrank(self, layer: int, rank: int) -> StateT:
        """Return the state with the number `rank` in the layer, with MAX to move and score 0."""

    def turned(self, state: StateT) -> StateT:
        """Return the state with the two sides swapped."""


@attrs.frozen
class Evaluation:
    """A named estimate of the value to MAX of a state that is not terminal.

    An evaluation may make two promises, which the conformance kit checks:

    separable: `evaluate(state) - score(state)` depends only on `key(state)` (see `Scored`);
    bounded: `evaluate(state)` lies within `bounds(state)` (see `Bounded`).
    """

    function: Callable[..., float]
    meaning: str = ""
    """The formula in words, with its unit."""
    separable: bool = False
    bounded: bool = False

    def __call__(self, state: object) -> float:
        return self.function(state)


@runtime_checkable
class Evaluated(Protocol):
    """Capability: the game offers evaluations by name. The first evaluation is the default."""

    @property
    def evaluations(self) -> Mapping[str, Evaluation]: ...


@runtime_checkable
class Scored(Protocol[StateT_contra]):
    """Capability: part of the utility is already secured.

    The law: `value(state) == score(state) + f(key(state))` for some function f, where value is the value to MAX. So a
    table indexed by `key` serves all states with the same future.
    """

    def score(self, state: StateT_contra) -> float:
        """Return the part of the utility to MAX that is already secured."""

    def key(self, state: StateT_contra) -> Hashable:
        """Return the part of the state that the rest of the utility depends on."""


@runtime_checkable
class Bounded(Protocol[StateT_contra]):
    """Capability: the game knows an interval that contains the final utility."""

    def bounds(self, state: StateT_contra) -> tuple[float, float]:
        """Return the least and the greatest utility to MAX of the terminal states below `state`."""


@runtime_checkable
class Foreseeing(Protocol[StateT_contra]):
    """Capability: the game knows bounds of the value without search, for example because a threat cannot be met.

    Searches to the end of the game use these bounds. A depth-limited search would mix the bounds with estimates, so it
    uses them only with the option `foresee=yes`.
    """

    def value_bounds(self, state: StateT_contra) -> tuple[float, float]:
        """Return a lower and an upper bound of the value to MAX of a state that is not terminal."""


@runtime_checkable
class Quiet(Protocol[StateT_contra, ActionT_contra]):
    """Capability: the game knows which actions hardly change an evaluation."""

    def quiet(self, state: StateT_contra, action: ActionT_contra) -> bool:
        """Return whether `action` is quiet. Beyond the depth limit, quiescence search tries only actions that are not
        quiet.
        """


@runtime_checkable
class Passing(Protocol[StateT]):
    """Capability: a pass is harmless, though the rules may not allow one.

    The law: with best play to the end of the game, `passed(state)` is worth no more than `state` to the player who
    moves in `state`. So if a pass wins, some action wins, too. The law holds if one more stone never hurts, as in Hex,
    but not if a player may be forced to make a losing move (zugzwang), as in Connect Four.
    """

    def passed(self, state: StateT) -> StateT:
        """Return the state in which the opponent moves instead; `state` itself if a pass might do harm there. Not
        called on terminal states.
        """


@runtime_checkable
class Symmetric(Protocol[StateT]):
    """Capability: some states are turned or mirrored forms of each other.

    The laws: a state and its canonical state have the same mover and the same value. The canonical forms of their
    successors are the same. So a table can be indexed by canonical states; the search maps the stored action back. An
    enumeration always uses canonical states. A search uses them if two successors of its root are symmetric to each
    other.
    """

    def canonical(self, state: StateT) -> StateT:
        """Return the representative of all states symmetric to `state`; a representative is returned unchanged."""


@runtime_checkable
class Suggesting(Protocol[StateT_contra, ActionT_contra]):
    """Capability: the game knows which actions look promising, so that they are searched first."""

    def suggest(self, state: StateT_contra, action: ActionT_contra) -> int:
        """Return how promising a legal action looks; actions with higher numbers are searched first."""


@runtime_checkable
class Ranked(Protocol[StateT]):
    """Capability: the game's states can be numbered without gaps, as tablebases need."""

    @property
    def ranking(self) -> "Ranking[StateT] | None":
        """Return the numbering of states; None if the game has none for its parameters."""


class Ranking(Protocol[StateT]):
    """A perfect numbering of states.

    A ranking ignores `score` and the player to move: two states have the same number if their movers have the same
    future. Every state that is not terminal has a *layer*, a *section* of that layer, and an *index* in that section,
    from 0. (A layer that is too large to be numbered has no sections.)

    Every action leads to a terminal state, to a lower layer, or to a lower index of the same section. So layers are
    solved one after the other, the sections of a layer in parallel, and a section in the order of its indices.
    """

    @property
    def parameters(self) -> Mapping[str, object]:
        """Return the parameters (truth values, numbers, texts) that tablebases depend on, by name.

        Games with equal parameters share tables.
        """

    def sections(self, layer: int) -> tuple[int, ...]:
        """Return the number of states in each section of the layer. This method is ordinary Python, never compiled."""

    def layer(self, state: StateT) -> int:
        """Return the layer, 0 or more. This method must be fast: a search calls it in every state."""

    def rank(self, state: StateT) -> tuple[int, int]:
        """Return the section and the index of a state, in a layer that has sections."""

    def unrank(self, layer: int, section: int, index: int) -> StateT:
        """Return a state that is not terminal, with this index in this section."""

    def positions(self, layer: int, section: int, first: int) -> Iterable[StateT]:
        """Yield the state that `unrank` returns for each index of the section, in order, starting with `first`. The
        method is faster than calling `unrank` for each index.
        """


@runtime_checkable
class Notated(Protocol[StateT, ActionT]):
    """Capability: text for states and actions. `parse_x` is the inverse of `format_x`."""

    def format_state(self, state: StateT) -> str: ...

    def parse_state(self, text: str) -> StateT:
        """Return the state that `text` describes; raise `NotationError` with a message that says what is accepted."""

    def format_action(self, state: StateT, action: ActionT) -> str: ...

    def parse_action(self, state: StateT, text: str) -> ActionT:
        """Return the action that `text` describes. Raise `NotationError` if it describes none, and `IllegalActionError`
        if the action is not legal.
        """


@runtime_checkable
class Described(Protocol):
    """Capability: a title, and the rules in words."""

    title: ClassVar[str]
    """The title, with capitals and blanks: "Connect Four"."""
    rules: ClassVar[str]
    """The rules: a paragraph for readers who do not know the game."""


@runtime_checkable
class Drawn(Protocol[StateT_contra]):
    """Capability: a drawing of the board as lines of plain text."""

    def draw(self, state: StateT_contra) -> str: ...


@runtime_checkable
class Scenic(Protocol[StateT_contra]):
    """Capability: the board as a list of cells, from which every picture of it is drawn. See `ggp.scene`."""

    def scene(self, state: StateT_contra) -> Scene: ...


@runtime_checkable
class Explained(Protocol[StateT_contra, ActionT_contra]):
    """Capability: the effect of an action, in words."""

    def explain(self, state: StateT_contra, action: ActionT_contra) -> str:
        """Return a clause or two about the action, without the mover's name: "sows 4 seeds from C, and captures 5"."""


@runtime_checkable
class Solved(Protocol[StateT_contra, ActionT]):
    """Capability: the values of some states are known, because they have been solved."""

    def known_values(self, state: StateT_contra) -> Mapping[ActionT, float]:
        """Return exact values of actions in a state, from MAX's point of view; {} if they are not known. The best
        action is always included.
        """


@runtime_checkable
class Levelled(Protocol):
    """Capability: levels of the machine players by name, the weakest first, in place of those of `ggp.levels`."""

    @property
    def levels(self) -> Mapping[str, str]:
        """Return the searcher of each level, with options and limits, as written on the command line."""


@runtime_checkable
class Spoken(Protocol):
    """Capability: engines of other people play the game, in a notation of their own."""

    def dialect(self, protocol: str) -> Dialect | None:
        """Return how the game with its parameters is written in a protocol (see `ggp.engine_dialect.PROTOCOLS`).

        Return None if no engine plays the game in that protocol. The default for `ugi` is the game's own notation.
        """


class CapableGame(
    StochasticGame[State, Action],
    Layered[State],
    Scored[State],
    Bounded[State],
    Foreseeing[State],
    Quiet[State, Action],
    Passing[State],
    Symmetric[State],
    Suggesting[State, Action],
    Notated[State, Action],
    Explained[State, Action],
    Protocol,
):
    """A game, treated as if it had every capability that its rules may add; see `capable`."""

    def repetition(self, state: State) -> float:
        """See `Repeating`, for games that declare a method."""


def capable(game: AnyGame) -> CapableGame:
    """Return the game itself. A caller who has checked which capabilities the game has may call their methods on the
    result.
    """
    return game  # type: ignore[return-value]
