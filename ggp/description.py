"""Descriptions of games as plain data, which `ggp describe --json` prints and every interface to other programs uses.

The format is stable: `version` grows only when a field is removed or changes its meaning; fields may be added.
`schema` returns its JSON Schema.
"""

import functools
import random
from typing import Literal

import attrs
import msgspec

from ggp import capabilities, repetition
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp.levels import levels
from ggp.options import Option, ParameterValue, values_of
from ggp.plugins import Registry
from ggp.scene import Cell, Scene

ROOM = 4
"""Some interfaces need a fixed number of actions: the largest number seen, times this factor."""


@attrs.frozen(kw_only=True)
class DescribedParameter:
    """A parameter of a game."""

    name: str
    type: str
    """The accepted values, in words: "a whole number from 1 to 12"."""
    value: ParameterValue
    default: ParameterValue
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[ParameterValue, ...] | None = None
    meaning: str = ""


@attrs.frozen(kw_only=True)
class DescribedAction:
    """A legal action of a position."""

    action: str
    """The action in the game's notation."""
    words: str = ""
    """The effect of the action, if the game can explain it."""
    probability: float | None = None
    """The probability of an outcome, if chance is to move."""


@attrs.frozen(kw_only=True)
class DescribedCell:
    """A cell of the board, or a button beside it; see `ggp.scene.Cell`."""

    name: str
    x: float
    y: float
    width: float
    height: float
    shape: str
    text: str
    label: str
    count: int | None
    owner: int | None
    action: str | None
    """The action that is played by choosing the cell, in the game's notation."""
    highlighted: bool
    shade: str


@attrs.frozen(kw_only=True)
class DescribedMove:
    """An action that is played by choosing two cells."""

    start: str
    end: str
    action: str


@attrs.frozen(kw_only=True)
class DescribedScene:
    """The board as a list of cells, in units of an ordinary cell's side; x points to the right and y down."""

    cells: tuple[DescribedCell, ...]
    lines: tuple[tuple[str, str], ...]
    """Pairs of cells that are joined by a line."""
    moves: tuple[DescribedMove, ...]
    caption: str


@attrs.frozen(kw_only=True)
class DescribedPosition:
    """A position: who moves, what is legal, and the board."""

    state: str
    """The state in the game's notation."""
    to_move: str | None
    """The name of the player to move; "chance" if chance moves; None at the end of the game."""
    over: bool
    utility: float | None
    """The utility to the first player if the game is over; otherwise None."""
    actions: tuple[DescribedAction, ...]
    drawing: str
    """The board as lines of plain text."""
    scene: DescribedScene


@attrs.frozen(kw_only=True)
class GameDescription:
    """Everything that a program needs to know to play a game."""

    format: Literal["ggp game"] = "ggp game"
    version: Literal[1] = 1
    name: str
    title: str
    summary: str
    source: str
    """The plugin, and the distribution or the file that it comes from."""
    rules: str
    parameters: tuple[DescribedParameter, ...]
    players: tuple[str, ...]
    """The names of MAX and MIN; one name for a puzzle."""
    chance: bool
    repeats: bool
    """Whether a position can come back."""
    levels: dict[str, str]
    """The machine players by strength, the weakest first, each with the searcher that it stands for."""
    searchers: tuple[str, ...]
    evaluations: dict[str, str]
    protocols: tuple[str, ...]
    """The protocols in which engines play the game."""
    position: DescribedPosition


def describe(registry: Registry, game: AnyGame, state: State = None) -> GameDescription:
    """Return the description of a game and of one of its positions: `state`, or the initial one if `state` is None."""
    entry = registry.game_entry(game.name)
    values = values_of(game)
    searchers = registry.searchers_for(game)
    return GameDescription(
        name=game.name,
        title=capabilities.title(game),
        summary=entry.summary,
        source=entry.source,
        rules=capabilities.rules(game),
        parameters=tuple(_parameter(option, values.get(option.name, option.default)) for option in entry.options),
        players=capabilities.players(game),
        chance=capabilities.is_stochastic(game),
        repeats=repetition.may_repeat(game),
        levels=dict(levels(registry, game)) if searchers else {},
        searchers=searchers,
        evaluations={name: each.meaning for name, each in capabilities.evaluations(game).items()},
        protocols=tuple(capabilities.dialects(game)),
        position=position(game, game.initial_state() if state is None else state),
    )


def position(game: AnyGame, state: State) -> DescribedPosition:
    """Return the description of a position."""
    over = game.terminal_test(state)
    return DescribedPosition(
        state=capabilities.notation(game).format_state(state),
        to_move=None if over else capabilities.mover_name(game, state),
        over=over,
        utility=float(game.utility(state, MAX)) if over else None,
        actions=() if over else _actions(game, state),
        drawing=capabilities.draw(game, state),
        scene=_scene(game, state, capabilities.scene(game, state)),
    )


def most_actions(game: AnyGame, *, games: int, plies: int) -> int:
    """Return a number of actions that no state is likely to exceed: four times the largest one in some random games.

    Arguments:
        games: the number of random games.
        plies: the maximum length of a random game.
    """
    dice, most = random.Random(0), 1
    for _ in range(games):
        state = game.initial_state()
        for _ in range(plies):
            if game.terminal_test(state):
                break
            legal = tuple(game.actions(state))
            most = max(most, len(legal))
            state = game.result(state, dice.choice(legal))
    return ROOM * most


def _parameter(option: Option, value: object) -> DescribedParameter:
    return DescribedParameter(
        name=option.name,
        type=option.expected,
        value=_plain(value),
        default=_plain(option.default),
        minimum=option.minimum,
        maximum=option.maximum,
        choices=tuple(map(_plain, option.choices)) or None,
        meaning=option.meaning,
    )


def _plain(value: object) -> ParameterValue:
    """Return a value in a type of JSON; a value of any other type is written as text."""
    if isinstance(value, tuple | list):
        return tuple(each if isinstance(each, bool | int | float | str) else str(each) for each in value)
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _actions(game: AnyGame, state: State) -> tuple[DescribedAction, ...]:
    text = capabilities.notation(game)
    chances = dict(game.outcomes(state)) if game.to_move(state) == CHANCE else {}  # type: ignore[attr-defined]
    return tuple(
        DescribedAction(
            action=text.format_action(state, action),
            words=capabilities.explain(game, state, action),
            probability=float(chances[action]) if action in chances else None,
        )
        for action in game.actions(state)
    )


def _scene(game: AnyGame, state: State, scene: Scene) -> DescribedScene:
    text = capabilities.notation(game)

    def written(action: Action) -> str:
        return text.format_action(state, action)

    return DescribedScene(
        cells=tuple(_cell(cell, None if cell.action is None else written(cell.action)) for cell in scene.cells),
        lines=tuple((line.start, line.end) for line in scene.lines),
        moves=tuple(DescribedMove(start=each.start, end=each.end, action=written(each.action)) for each in scene.moves),
        caption=scene.caption,
    )


def _cell(cell: Cell, action: str | None) -> DescribedCell:
    names = [field.name for field in attrs.fields(DescribedCell) if field.name != "action"]
    return DescribedCell(action=action, **{name: getattr(cell, name) for name in names})


@functools.cache
def schema() -> dict[str, object]:
    """Return the JSON Schema of a description."""
    return msgspec.json.schema(GameDescription)
