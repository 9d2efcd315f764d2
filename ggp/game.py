"""Games: the protocol that every game implements, and the capabilities that a game may add.

A game is a value that holds parameters, never a position. States and actions are whatever the game likes, as
long as they are immutable and hashable. The names are those of Russell and Norvig, Artificial Intelligence: A
Modern Approach (AIMA), chapter on adversarial search.

    class Subtraction:
        "Take one, two or three of 21 stones; whoever takes the last one wins."
        name = "subtraction"

        def initial_state(self): return (21, ggp.MAX)
        def to_move(self, state): return state[1]
        def actions(self, state): return [n for n in (1, 2, 3) if n <= state[0]]
        def result(self, state, action): return (state[0] - action, 1 - state[1])
        def terminal_test(self, state): return state[0] == 0
        def utility(self, state, player): return -1 if state[1] == player else 1

Whatever a game offers beyond the protocol is a *capability*: a small protocol of its own, below, which
searchers and front ends look for with the functions of `ggp.capabilities`.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import attrs

from ggp.scene import Scene

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
StateT_contra = TypeVar("StateT_contra", contravariant=True)
ActionT_contra = TypeVar("ActionT_contra", contravariant=True)

State: TypeAlias = Hashable
"""A state as searchers and front ends see it: they compare it, keep it in tables, and ask the game for all else."""
Action: TypeAlias = Hashable
"""An action as they see it. None stands for no action, and is none."""

Player = int
"""Who moves: MAX, MIN or CHANCE."""

MAX: Final = 0
"""The player who wants a high value; by convention the one who moves first."""
MIN: Final = 1
"""The player who wants a low value."""
CHANCE: Final = -1
"""Nature, who moves at random in a stochastic game. It is negative, so that players can be numbered 0, 1, 2, ..."""


class Game(Protocol[StateT, ActionT]):
    """A two-player zero-sum game of perfect information.

    Every method is pure: the same arguments give the same result, and nothing is changed.
    """

    name: ClassVar[str]
    """The game's name in the registry and on the command line: lower case, no spaces."""

    def initial_state(self) -> StateT:
        """Return the state in which the game starts."""

    def to_move(self, state: StateT) -> Player:
        """Return the player to move in `state`. A player may move twice running. Not called on terminal states."""

    def actions(self, state: StateT) -> Iterable[ActionT]:
        """Return the legal actions of a state that is not terminal: at least one, each once, always in one order."""

    def result(self, state: StateT, action: ActionT) -> StateT:
        """Return the state after `action`, which the caller has from `actions(state)`: it is not checked again."""

    def terminal_test(self, state: StateT) -> bool:
        """Return whether the game is over in `state`."""

    def utility(self, state: StateT, player: Player) -> float:
        """Return the finite utility of the terminal `state` to `player`; to the other player it is the negative."""


AnyGame: TypeAlias = Game[Any, Any]
"""A game whose states and actions are its own affair."""


class StochasticGame(Game[StateT, ActionT], Protocol[StateT, ActionT]):
    """A game in which chance moves too."""

    stochastic: bool
    """Whether it does with these parameters; default: True where there is `outcomes`."""

    def outcomes(self, state: StateT) -> Iterable[tuple[ActionT, float]]:
        """Return each outcome with its probability, where CHANCE is to move.

        The probabilities are positive and sum to 1. The outcomes are the `actions` of the state, in the same
        order.
        """


class Personal(Protocol):
    """Capability: what people call the players."""

    player_names: tuple[str, ...]
    """MAX's name and MIN's, such as ("South", "North"); default: ("MAX", "MIN"). A puzzle for one player, in which MAX
    always moves, has one name."""


class Compilable(Protocol):
    """Capability: settings for machine speed."""

    compiled: ClassVar[bool]
    """Whether it may be compiled; default: True. False keeps the game interpreted everywhere."""
    arithmetic: ClassVar[Literal["checked", "unchecked"]]
    """"unchecked" promises that no number goes beyond 64 bits, which leaves out the checks; default: "checked"."""


DRAW: Final = "draw"
"""As `repetition`: a state that comes back ends the game, without a winner."""
CONTINUES: Final = "continues"
"""Value of `repetition`: states come back, and play goes on."""


class Repeating(Protocol):
    """Capability: a state can come back in one play of the game.

    A game that declares none promises that no state comes back. The conformance kit checks that, and a match in which
    a state comes back nevertheless ends in one sentence that says so.
    """

    repetition: Literal["draw", "continues"] | float | Callable[[Any], float] | None
    """Value to MAX of play that ends because a state has come back: "draw" is 0, a number is itself, and a
    method of the state returns it (a game with `score` may return what is secured there). "continues" is for games
    that chance brings to an end: states come back and nothing follows from it. None: states do not repeat."""
    occurrences: int
    """Which occurrence of a state ends the game, counted from the start of play; 2 by default: the first that is a
    repetition."""
    repetition_rule: str
    """The rule by which play ends then, in a few words: "the seeds left are shared". May be left out."""


@runtime_checkable
class Layered(Protocol[StateT]):
    """Capability: the positions of each layer are numbered, so that tablebases can be built layer by layer.

    Every action stays in its layer or leads to a lower one, and within a layer states may come back. Values are whole
    numbers, and a position of layer n is worth between -n and n besides what `score` has secured.
    """

    def layer(self, state: StateT) -> int:
        """Return the layer of a state, 0 or more."""

    def positions(self, layer: int) -> int:
        """Return the number of positions of the layer, the mover and the score left out."""

    def rank(self, state: StateT) -> int:
        """Return the number of a state in its layer, from 0, as the player to move sees it."""

    def unrank(self, layer: int, rank: int) -> StateT:
        """Return the state of that number with MAX to move and nothing secured."""

    def turned(self, state: StateT) -> StateT:
        """Return the state with the sides changed."""


@attrs.frozen
class Evaluation:
    """A named estimate of what a state that is not terminal is worth to MAX.

    Two promises may be declared, and are checked by the conformance kit:

    separable: `evaluate(state) - score(state)` depends only on `key(state)` (see `Scored`);
    bounded: `evaluate(state)` lies within `bounds(state)` (see `Bounded`).
    """

    function: Callable[[Any], float]
    meaning: str = ""
    """The formula in words, with its unit."""
    separable: bool = False
    bounded: bool = False

    def __call__(self, state: Any) -> float:
        return self.function(state)


@runtime_checkable
class Evaluated(Protocol):
    """Capability: the game offers evaluations by name. The first one is the default."""

    @property
    def evaluations(self) -> Mapping[str, Evaluation]: ...


@runtime_checkable
class Scored(Protocol[StateT_contra]):
    """Capability: part of the utility is already secured.

    The law: `value(state) == score(state) + f(key(state))` for some function f, where value is the value to
    MAX. A table that goes by `key` then serves every state with the same future.
    """

    def score(self, state: StateT_contra) -> float:
        """Return the part of the utility to MAX that is already secured."""

    def key(self, state: StateT_contra) -> Hashable:
        """Return all that the rest of the utility depends on."""


@runtime_checkable
class Bounded(Protocol[StateT_contra]):
    """Capability: the game knows an interval in which the final utility must lie."""

    def bounds(self, state: StateT_contra) -> tuple[float, float]:
        """Return the least and the greatest utility to MAX that a terminal state below `state` can have."""


@runtime_checkable
class Foreseeing(Protocol[StateT_contra]):
    """Capability: the game sees without search that the value lies in an interval: a threat that cannot be met, say.

    Searches to the end of the game cut by it; in what others estimate, it would be the judgement of another depth.
    """

    def value_bounds(self, state: StateT_contra) -> tuple[float, float]:
        """Return the least and the greatest value to MAX that a state can have. The game is not over in it."""


@runtime_checkable
class Quiet(Protocol[StateT_contra, ActionT_contra]):
    """Capability: the game knows which actions hardly change an evaluation."""

    def quiet(self, state: StateT_contra, action: ActionT_contra) -> bool:
        """Return whether `action` is quiet. Beyond its horizon, quiescence search only tries the others."""


@runtime_checkable
class Symmetric(Protocol[StateT]):
    """Capability: some states are turned or mirrored forms of each other.

    The laws: a state and its canonical state have the same mover and the same value, and the canonical states of what
    their actions lead to are the same. So a table can go by canonical states; actions are found again by the search.
    """

    def canonical(self, state: StateT) -> StateT:
        """Return the representative of all states symmetric to `state`; of a representative, itself."""


@runtime_checkable
class Suggesting(Protocol[StateT_contra, ActionT_contra]):
    """Capability: which actions look promising, so that they are searched first."""

    def suggest(self, state: StateT_contra, action: ActionT_contra) -> int:
        """Return how promising a legal action looks; the higher, the earlier it is tried."""


@runtime_checkable
class Ranked(Protocol[StateT]):
    """Capability: the game's states can be numbered without gaps, by which tablebases go."""

    @property
    def ranking(self) -> "Ranking[StateT] | None":
        """The numbering; None where these parameters have none."""


class Ranking(Protocol[StateT]):
    """A perfect numbering of states.

    It leaves out what `score` has secured and who moves: states whose mover has the same future have the same number.
    Every state that is not terminal has a *layer*, in it a *section*, and in that an *index* from 0 up. (A layer that
    is too large to be numbered has no sections.)

    Every action leads to a terminal state, to a lower layer, or to a lower index of the same section. So the layers
    are solved one after the other, the sections of a layer side by side, and a section in the order of its indices.
    """

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The values (truths, numbers, texts) that tablebases depend on, by name: games that agree share tables."""

    def sections(self, layer: int) -> tuple[int, ...]:
        """Return how many states each section of the layer has. Ordinary Python, never compiled."""

    def layer(self, state: StateT) -> int:
        """Return the layer, 0 or more. It is cheap: a search asks for it in every state."""

    def rank(self, state: StateT) -> tuple[int, int]:
        """Return the section and the index of a state in a layer that has sections."""

    def unrank(self, layer: int, section: int, index: int) -> StateT:
        """Return a state of that number; it is not terminal."""

    def positions(self, layer: int, section: int, first: int) -> Iterable[StateT]:
        """Yield what `unrank` returns for each index of the section from `first` on, in order, and faster."""


@runtime_checkable
class Notated(Protocol[StateT, ActionT]):
    """Capability: text for states and actions, both ways. `parse` of a `format` gives the same back."""

    def format_state(self, state: StateT) -> str: ...

    def parse_state(self, text: str) -> StateT:
        """Return the state of a text; raise `NotationError`, which says what would be right, if there is none."""

    def format_action(self, state: StateT, action: ActionT) -> str: ...

    def parse_action(self, state: StateT, text: str) -> ActionT:
        """Return the action of a text; raise `NotationError` if it is none, `IllegalActionError` if none here."""


@runtime_checkable
class Described(Protocol):
    """Capability: what people call the game, and its rules in words."""

    title: ClassVar[str]
    """With capitals and blanks: "Connect Four"."""
    rules: ClassVar[str]
    """A paragraph for readers who do not know the game."""


@runtime_checkable
class Drawn(Protocol[StateT_contra]):
    """Capability: a drawing of the board for people, in lines of plain text."""

    def draw(self, state: StateT_contra) -> str: ...


@runtime_checkable
class Scenic(Protocol[StateT_contra]):
    """Capability: the board as a list of cells, from which every picture of it is drawn. See `ggp.scene`."""

    def scene(self, state: StateT_contra) -> Scene: ...


@runtime_checkable
class Explained(Protocol[StateT_contra, ActionT_contra]):
    """Capability: what an action does, in words."""

    def explain(self, state: StateT_contra, action: ActionT_contra) -> str:
        """Return a clause or two for people, without the mover's name: "sows 4 seeds from C, and captures 5"."""


@runtime_checkable
class Solved(Protocol[StateT_contra, ActionT]):
    """Capability: what some states are worth is known, because they have been solved."""

    def known_values(self, state: StateT_contra) -> Mapping[ActionT, float]:
        """Return the exact value to MAX of actions of a state, a best one among them; {} where it is not known."""


@runtime_checkable
class Levelled(Protocol):
    """Capability: how strong its machine players are, by name, the weakest first."""

    @property
    def levels(self) -> Mapping[str, str]:
        """For each level a searcher with options and limits, as it is written on the command line. It thinks in one
        thread, and its limits are of depth or nodes: so that it plays the same game everywhere."""
