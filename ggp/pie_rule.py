"""The pie rule: after the first player's first turn, the second player may swap sides instead of moving.

The pie rule is an option of every game for two players: `ggp play kalah --option swap=yes`.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any, ClassVar, NamedTuple

import attrs

from ggp import capabilities
from ggp.errors import NotationError, OptionError
from ggp.frozen_games import same_options
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, CapableGame, Evaluation, Levelled, Player, State
from ggp.options import Option, ValueT, constant, option, options_of, values_of
from ggp.scene import Cell, Scene

OPEN, OFFERED, KEPT, SWAPPED = range(4)
"""The phases: before the offer; during the offer; after the offer, if nobody has swapped; after a swap."""
MARKS = {OPEN: "open", OFFERED: "swap?", KEPT: "kept", SWAPPED: "swapped"}
"""The last word of a state's text in each phase. The initial state and the states after `KEPT` have no such word."""
WORD = "swap"
"""The text of the action, and the name of the option."""
RULE = Option(WORD, bool, False, "the second player may swap sides after the first turn")
"""The option that is added to every game without an option of this name."""


class SwapState(NamedTuple):
    """A state of the game itself, and the phase of the pie rule."""

    inner: State
    phase: int


@attrs.frozen
class SwapGame:
    """A game with the pie rule. `with_swap` makes a subclass for each game, which has the game's options."""

    name: ClassVar[str]
    game_class: ClassVar[type[AnyGame]]
    """The class of the game itself."""
    swap: ClassVar[bool] = True
    """Whether the pie rule holds; subclasses declare this as an option."""

    inner: CapableGame = constant(lambda game: game.game_class(**{name: getattr(game, name) for name in game.own}))
    """The game itself."""

    @property
    def own(self) -> list[str]:
        """The names of the game's own options."""
        return [each.name for each in options_of(self.game_class)]

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self.game_class, values_of(self))

    # the game

    @property
    def swap_action(self) -> Action:
        """The action of swapping; it has the type of the game's own actions, if they are numbers."""
        first = next(iter(self.inner.actions(self.inner.initial_state())))
        return -1 if isinstance(first, int) else WORD

    def initial_state(self) -> SwapState:
        return SwapState(self.inner.initial_state(), OPEN)

    def to_move(self, state: SwapState) -> Player:
        mover: Player = self.inner.to_move(state.inner)
        return 1 - mover if state.phase == SWAPPED and mover != CHANCE else mover

    def actions(self, state: SwapState) -> Iterator[Action]:
        if state.phase == OFFERED:
            yield self.swap_action
        yield from self.inner.actions(state.inner)

    def outcomes(self, state: SwapState) -> Iterable[tuple[Action, float]]:
        return self.inner.outcomes(state.inner)

    @property
    def stochastic(self) -> bool:
        return capabilities.is_stochastic(self.inner)

    def result(self, state: SwapState, action: Action) -> SwapState:
        if state.phase == OFFERED and action == self.swap_action:
            return SwapState(state.inner, SWAPPED)
        after = self.inner.result(state.inner, action)
        if state.phase == OFFERED:
            return SwapState(after, KEPT)
        ended = self.inner.terminal_test(after)
        offers = self.swap and state.phase == OPEN and not ended and self.inner.to_move(after) == MIN
        return SwapState(after, OFFERED if offers else state.phase)

    def terminal_test(self, state: SwapState) -> bool:
        return bool(self.inner.terminal_test(state.inner))

    def utility(self, state: SwapState, player: Player) -> float:
        return float(self.inner.utility(state.inner, 1 - player if state.phase == SWAPPED else player))

    # what searches and front ends use

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        def turned(evaluation: Evaluation, state: SwapState) -> float:
            value = evaluation(state.inner)
            return -value if state.phase == SWAPPED else value

        own = capabilities.evaluations(self.inner)
        return {name: Evaluation(functools.partial(turned, each), each.meaning) for name, each in own.items()}

    @property
    def repetition(self) -> float | str | Callable[[SwapState], float] | None:
        """See `ggp.game.Repeating`."""
        declared = capabilities.declared(self.inner, "repetition")
        return (lambda state: declared(state.inner)) if callable(declared) else declared

    def format_state(self, state: SwapState) -> str:
        text = capabilities.notation(self.inner).format_state(state.inner)
        first = state.inner == self.inner.initial_state()
        plain = state.phase == OPEN if first else state.phase == KEPT
        return text if plain else f"{text} {MARKS[state.phase]}"

    def parse_state(self, text: str) -> SwapState:
        phases = {mark: phase for phase, mark in MARKS.items()}
        board, _, mark = text.strip().rpartition(" ")
        if mark in phases:
            return SwapState(capabilities.notation(self.inner).parse_state(board), phases[mark])
        try:
            inner = capabilities.notation(self.inner).parse_state(text)
        except NotationError as error:
            raise NotationError(f"{error}; the last word may be {', '.join(phases)}") from None
        return self.initial_state() if inner == self.inner.initial_state() else SwapState(inner, KEPT)

    def format_action(self, state: SwapState, action: object) -> str:
        if state.phase == OFFERED and action == self.swap_action:
            return WORD
        return capabilities.notation(self.inner).format_action(state.inner, action)

    def parse_action(self, state: SwapState, text: str) -> Action:
        if state.phase == OFFERED and text.strip().lower() == WORD:
            return self.swap_action
        return capabilities.notation(self.inner).parse_action(state.inner, text)

    def draw(self, state: SwapState) -> str:
        board = capabilities.draw(self.inner, state.inner)
        return f"{board}\nThe players have swapped sides." if state.phase == SWAPPED else board

    def scene(self, state: SwapState) -> Scene:
        scene = capabilities.scene(self.inner, state.inner)
        if state.phase == SWAPPED:
            return attrs.evolve(scene, caption=f"{scene.caption} (the players have swapped sides)")
        if state.phase != OFFERED:
            return scene
        bottom = max(cell.y + cell.height for cell in scene.cells)
        hint = "take the other side"
        button = Cell(WORD, 0, bottom + 0.5, 1.5, 0.75, "button", text=WORD, action=self.swap_action, hint=hint)
        return attrs.evolve(scene, cells=(*scene.cells, button))

    def explain(self, state: SwapState, action: object) -> str:
        if state.phase == OFFERED and action == self.swap_action:
            return "takes the other side"
        return capabilities.explain(self.inner, state.inner, action) or f"plays {self.format_action(state, action)}"


def with_swap(game: AnyGame) -> AnyGame:
    """Return a game for two players with the pie rule, and with the name, the options and the levels of `game`."""
    return _made(type(game), values_of(game))


def _made(cls: type[AnyGame], values: dict[str, object]) -> AnyGame:
    return _subclass(cls)(**values)


@functools.cache
def _subclass(cls: type[AnyGame]) -> Callable[..., AnyGame]:
    fields = same_options(cls)
    fields[WORD] = option(True, RULE.meaning)
    fields[WORD].type = bool
    made: Any = attrs.make_class(f"Swap{cls.__name__}", fields, bases=(SwapGame,), frozen=True)
    made.name, made.game_class = cls.name, cls
    made.title = capabilities.title(cls)
    made.player_names = capabilities.players(cls)
    made.rules = (
        f"{capabilities.rules(cls)} After the first player's first turn, the second player may swap sides instead of"
        " moving."
    ).strip()
    if isinstance(cls, Levelled) and isinstance(cls.levels, Mapping):
        made.levels = cls.levels
    made.__doc__ = f"{capabilities.summary(cls)} With the pie rule."
    result: Callable[..., AnyGame] = made
    return result


@functools.cache
def is_offered(cls: Callable[..., AnyGame]) -> bool:
    """Return whether a class of games gets the option `swap`: the pie rule suits these games, and the class has no such
    option.
    """
    if any(each.name == WORD for each in options_of(cls)):
        return False
    try:
        return _has_two_in_turn(cls())
    except Exception:  # whoever makes the game gets the error
        return False


def _has_two_in_turn(game: AnyGame) -> bool:
    start = game.initial_state()
    return len(capabilities.players(game)) == 2 and not game.terminal_test(start) and bool(game.to_move(start) == MAX)


def taken(options: Iterable[Option], values: MutableMapping[str, ValueT]) -> bool:
    """Take the option `swap` out of `values`, and return whether it asks for the pie rule.

    If the game has an option `swap` of its own, leave it alone.

    Raises:
        OptionError: the value of the option is neither yes nor no.
    """
    if WORD not in values or any(each.name == WORD for each in options):
        return False
    value = values.pop(WORD)
    return bool(RULE.parse(value) if isinstance(value, str) else RULE.check(value))


def swapping(game: AnyGame, *, swaps: bool) -> AnyGame:
    """Return the game, with the pie rule if `swaps` is true.

    Raises:
        OptionError: the game is not for two players of whom the first one begins.
    """
    if not swaps:
        return game
    if not _has_two_in_turn(game):
        raise OptionError(f"{game.name} cannot have the pie rule: that is for two players, of whom the first begins")
    return with_swap(game)
