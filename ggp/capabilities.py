"""Optional capabilities of games, with a default for each."""

import ast
import contextlib
import enum
import functools
import itertools
import re
import textwrap
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

import attrs

from ggp import game as contract
from ggp.bits import Bits
from ggp.engine_dialect import PROTOCOLS, Dialect
from ggp.errors import FaultError, IllegalActionError, NotationError, UnknownNameError
from ggp.escapes import escaped, short
from ggp.frozen_states import (
    FrozenArray,
    FrozenObject,
    array_of,
    declared_names,
    freeze,
    frozen_attributes,
    has_own_text,
    made_of,
    thaw,
    told,
)
from ggp.game import CHANCE, Action, ActionT, AnyGame, Evaluation, Game, Notated, Ranking, State, StateT, capable
from ggp.options import options_of, values_of
from ggp.plain_board import plain_board
from ggp.scene import Cell, Scene


def is_stochastic(game: AnyGame) -> bool:
    """Return whether chance may move. A game with `outcomes` may set `stochastic = False`."""
    return bool(getattr(game, "stochastic", hasattr(game, "outcomes")))


DECLARATIONS: Mapping[str, object] = {
    "arithmetic": "checked",
    "compiled": True,
    "compiling_seconds": 2.0,
    "deferred": False,
    "occurrences": 2,
    "player_names": ("MAX", "MIN"),
    "repetition": None,
    "repetition_rule": "",
}
"""The plain attributes that a game may have, with their defaults; see the protocols of `ggp.game`."""


def declared(game: object, name: str) -> Any:
    """Return an optional attribute of a game or of a class of games, or else the attribute's default.

    Raises:
        KeyError: no game can have an attribute with this name.
    """
    return getattr(game, name, DECLARATIONS[name])


def name_of(plugin: object) -> object:
    """Return the attribute `name` of a game or a searcher, or of its class; None if there is none. In a faulty plugin,
    the name may be something other than a text.
    """
    return getattr(plugin, "name", None)


def method_of(game: object, name: str) -> Callable[..., Any] | None:
    """Return an optional method of a game; None if the game lacks it."""
    method = getattr(game, name, None)
    return method if callable(method) else None


def function_name(function: object) -> str:
    """Return the name of a function or a class; for any other callable object, return the name of its class."""
    return str(getattr(function, "__name__", type(function).__name__))


def module_name(thing: object) -> str:
    """Return the name of the module that a function or a class is from; "" if it has none."""
    return getattr(thing, "__module__", None) or ""


def bound_object(function: object) -> object:
    """Return the object that a bound method belongs to; None for any other callable object."""
    return getattr(function, "__self__", None)


def own_attributes(thing: object) -> Mapping[str, object]:
    """Return the attributes of an object itself, without attributes of its class and attributes in slots."""
    return getattr(thing, "__dict__", {})


def variables_of(thing: object) -> tuple[str, ...]:
    """Return the `variables` of a search object: the names of attributes that change while machine code runs."""
    return getattr(type(thing), "variables", ())


def shared_variables_of(thing: object) -> tuple[str, ...]:
    """Return those of an object's `variables` that all threads of a search share."""
    return getattr(type(thing), "shared", ())


def code_of(function: object) -> CodeType | None:
    """Return the code of a function that is written in Python; None for any other callable object."""
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


def player_names(game: object) -> tuple[str, str]:
    """Return the names of MAX and MIN in a game, or in a class of games; see `ggp.game.Personal`."""
    first, *others = players(game)
    return first, others[0] if others else "nobody"


def players(game: object) -> tuple[str, ...]:
    """Return the names of the players of a game, or of a class of games: two names, or one for a puzzle."""
    names = declared(game, "player_names")
    return tuple(names) if isinstance(names, tuple | list) else ("MAX", "MIN")  # a class may have a property


def title(game: AnyGame | type[AnyGame]) -> str:
    """Return the title of a game, or of a class of games."""
    name: str = getattr(game, "title", "") or game.name
    return name[:1].upper() + name[1:]


def rules(game: object) -> str:
    """Return the rules of a game, or of a class of games, in words; "" if it has none."""
    return getattr(game, "rules", "") or " ".join((getattr(game, "__doc__", "") or "").split())


def mover_name(game: AnyGame, state: State) -> str:
    """Return the name of the player to move in `state`."""
    mover = game.to_move(state)
    return "chance" if mover == CHANCE else player_names(game)[mover]


def parameters(game: AnyGame) -> dict[str, Any]:
    """Return the game's parameters and their values."""
    return values_of(game)


def changed_parameters(game: AnyGame) -> dict[str, object]:
    """Return the parameters that do not have their default values."""
    usual = {option.name: option.default for option in options_of(type(game))}
    return {name: value for name, value in parameters(game).items() if usual.get(name) != value}


def summary(factory: object) -> str:
    """Return the first line of a plugin's docstring."""
    lines = (factory.__doc__ or "").strip().splitlines()
    return lines[0].strip() if lines else ""


def evaluations(game: AnyGame) -> Mapping[str, Evaluation]:
    """Return the game's evaluations by name; empty if it has none."""
    offered: Mapping[str, Callable[..., float]] = getattr(game, "evaluations", {})
    return {name: each if isinstance(each, Evaluation) else Evaluation(each) for name, each in offered.items()}


def evaluation(game: AnyGame, wanted: str | Callable[..., float] = "default") -> Evaluation:
    """Return an evaluation. `wanted` is the name of the evaluation, or "default"; a function of a state is returned
    unchanged.

    The default is the first evaluation of the game. If the game has none, the default is 0 for every state.

    Raises:
        UnknownNameError: the game has no evaluation of that name; the message lists the names of its evaluations.
    """
    if isinstance(wanted, Evaluation):
        return wanted
    if callable(wanted):
        return Evaluation(wanted, "the caller's own")
    offered = evaluations(game)
    if wanted in offered:
        return offered[wanted]
    if wanted == "default":
        return next(iter(offered.values()), UNKNOWN)
    has = f"it has {', '.join(offered)}" if offered else "it has none"
    raise UnknownNameError(f"{game.name} has no evaluation {wanted!r}: {has}")


def _unknown(state: State) -> int:
    return 0


UNKNOWN = Evaluation(_unknown, "0 for every unfinished game")


def score_and_key(game: AnyGame) -> tuple[Callable[[State], float], Callable[[State], Hashable]]:
    """Return the game's `score` and `key` (see `ggp.game.Scored`). A game without these methods has score 0, and each
    state is its own key.
    """
    if isinstance(game, contract.Scored):
        return game.score, game.key
    return (lambda state: 0), (lambda state: state)


def canonical(game: AnyGame) -> Callable[[State], State]:
    """Return the game's `canonical` (see `ggp.game.Symmetric`). In a game without this method, every state is
    canonical.
    """
    return game.canonical if isinstance(game, contract.Symmetric) else itself


def itself(state: State) -> State:
    """Return the state unchanged: the `canonical` of a game without symmetries."""
    return state


def ranking(game: AnyGame) -> Ranking[State] | None:
    """Return the game's numbering of states; None if the game has none for its parameters (see `ggp.game.Ranked`)."""
    return getattr(game, "ranking", None)


def notation(game: AnyGame) -> Notated[State, Action]:
    """Return the game's own notation. If the game has no notation, states are written by `repr`, and actions by their
    index.
    """
    return capable(game) if _is_notated(type(game)) else PlainNotation(game)


@functools.lru_cache(256)
def _is_notated(cls: type) -> bool:
    """Return whether games of this class have a notation. The answer is cached: pictures of trees need it often."""
    return issubclass(cls, Notated)


@attrs.frozen
class PlainNotation:
    """The notation of games that define none.

    States are written by `repr`; actions by `str`, or by their index among the actions.
    """

    game: AnyGame

    def format_state(self, state: State) -> str:
        text = _with_short_members(repr(state))
        # The address of an object says nothing, and a text by the author may say too little to be read back.
        if " object at 0x" in text or (_contains_own_text(state) and not self._reads(text, state)):
            return _with_short_members(repr(told(state)))
        return text

    def _reads(self, text: str, state: State) -> bool:
        """Return whether reading `text` gives `state`."""
        try:
            return bool(self._read(text) == state)
        except Exception:
            return False

    def _read(self, text: str) -> State:
        names = {"frozenset": frozenset, "Bits.of": Bits.of, **dict(_names(self.game.initial_state()))}
        return freeze(_read(ast.parse(text.strip(), mode="eval").body, names))  # type: ignore[no-any-return]

    def parse_state(self, text: str) -> State:
        try:
            state = self._read(text)
            if not self.game.terminal_test(state):
                all_actions(self.game, state)
        except Exception:
            example = self.format_state(self.game.initial_state())
            raise NotationError(
                f"{text!r} is not a state of {self.game.name}: a state is written like {example}"
            ) from None
        return state

    def format_action(self, state: State, action: Action) -> str:
        actions = all_actions(self.game, state)
        names = list(map(str, actions))
        return str(action) if names.count(str(action)) == 1 else str(actions.index(action))

    def parse_action(self, state: State, text: str) -> Action:
        by_name: dict[str, Action] = {
            self.format_action(state, action): action for action in all_actions(self.game, state)
        }
        if text.strip() in by_name:
            return by_name[text.strip()]
        alike = [action for name, action in by_name.items() if _bare(name) == _bare(text)]
        if len(alike) == 1:
            return alike[0]
        raise IllegalActionError(
            f"{text.strip()!r} is not an action here:"
            f" in {self.format_state(state)} the actions are {', '.join(by_name)}"
        )


def _bare(name: str) -> str:
    """Return an action's text without the brackets around it and without spaces, such as `9,1` for `(9, 1)`."""
    return "".join(name.split()).strip("(),")


def _names(part: object) -> Iterator[tuple[str, object]]:
    """Yield the names that the text of a state may contain: classes of the state and its parts, and members of
    enumerations.
    """
    if isinstance(part, enum.Enum):
        yield from ((f"{type(part).__name__}.{member.name}", member) for member in type(part))
    elif isinstance(part, FrozenObject):
        yield part.frozen_class.__name__, functools.partial(made_of, part.frozen_class)
        for each in part.frozen_values:
            yield from _names(each)
    elif isinstance(part, FrozenArray):
        yield "array", functools.partial(array_of, part.dtype)
    elif isinstance(part, type):
        yield part.__name__, part
    elif has_own_text(part) and not isinstance(part, tuple):
        yield type(part).__name__, functools.partial(_made, type(part))
        for each in frozen_attributes(part).frozen_values:
            yield from _names(each)
    elif isinstance(part, tuple | frozenset):
        yield type(part).__name__, type(part)
        for each in part:
            yield from _names(each)


def _made(cls: type, /, *items: object, **values: object) -> object:
    """Return an object of an author's class: call the class if it declares fields; otherwise, set the attributes."""
    if declared_names(cls):
        with contextlib.suppress(TypeError):
            return cls(*items, **values)
    return thaw(made_of(cls, **values))


def _contains_own_text(value: object) -> bool:
    parts: tuple[object, ...] = value.frozen_values if isinstance(value, FrozenObject) else ()
    if isinstance(value, tuple | frozenset):
        parts = tuple(value)
    return has_own_text(value) or any(map(_contains_own_text, parts))


def _with_short_members(text: str) -> str:
    """Replace each member of an enumeration in a text by its name, such as `<Side.LEFT: 1>` by `Side.LEFT`."""
    return re.sub(r"<(\w+\.\w+): [^<>]*>", r"\1", text)


def _read(written: ast.expr, names: Mapping[str, object]) -> object:
    """Return the value of an expression that consists of literals and the names in `names`."""
    if isinstance(written, ast.Call):
        values = {each.arg or "": _read(each.value, names) for each in written.keywords}
        named = names[ast.unparse(written.func)]
        if not callable(named):
            raise TypeError(f"{ast.unparse(written.func)} cannot be called")
        return named(*(_read(each, names) for each in written.args), **values)
    if isinstance(written, ast.Attribute | ast.Name):
        return names[ast.unparse(written)]
    if isinstance(written, ast.Tuple | ast.Set):
        parts = (_read(each, names) for each in written.elts)
        return tuple(parts) if isinstance(written, ast.Tuple) else set(parts)
    if isinstance(written, ast.List):
        return [_read(each, names) for each in written.elts]
    if isinstance(written, ast.Dict):
        pairs = zip(written.keys, written.values, strict=True)
        return {_read(key, names): _read(value, names) for key, value in pairs if key is not None}
    return ast.literal_eval(written)


def dialects(game: AnyGame) -> Mapping[str, Dialect]:
    """Return the notation of each protocol in which engines play the game; see `ggp.game.Spoken`."""
    text = notation(game)
    offered: dict[str, Dialect] = {
        "ugi": Dialect(
            action=lambda state, action: "_".join(text.format_action(state, action).split()),  # blanks end a word
            state=text.format_state,
            parse_state=text.parse_state,
        )
    }
    if isinstance(game, contract.Spoken):
        offered |= {protocol: own for protocol in PROTOCOLS if (own := game.dialect(protocol))}
    return offered


def format_line(game: AnyGame, state: State, actions: Iterable[Action]) -> list[str]:
    """Return the texts of actions that are played in sequence from `state`."""
    text, line = notation(game), []
    for action in actions:
        line.append(text.format_action(state, action))
        state = game.result(state, action)
    return line


def draw(game: AnyGame, state: State) -> str:
    """Return the board as lines of plain text; the state's notation if the game has no drawing."""
    return game.draw(state) if isinstance(game, contract.Drawn) else notation(game).format_state(state)


def scene(game: AnyGame, state: State, way: Sequence[State] = ()) -> Scene:
    """Return the scene of a state.

    A game without a scene gets the first of these that exists: the lines of its drawing, the board that its states show
    (see `ggp.plain_board`), or the notation of the state with a button for each action.

    Arguments:
        way: the states that led to this one, if they are known. If `state` alone does not show the owners of cells, the
        states in `way` do; see `ggp.Scene.after`.
    """
    drawn = _scene(game, state)
    if not way or not any(cell.unowned for cell in drawn.cells):
        return drawn
    shown = _scene(game, way[0])
    for before, after in itertools.pairwise((*way, state)):
        mover, rolled = game.to_move(before), None
        if mover == CHANCE:
            rolled = next((each for each in all_actions(game, before) if game.result(before, each) == after), None)
        shown = _scene(game, after).after(shown, mover, rolled)
    return shown


def _scene(game: AnyGame, state: State) -> Scene:
    if isinstance(game, contract.Scenic):
        return game.scene(state)
    names = {action: notation(game).format_action(state, action) for action in legal_actions(game, state)}
    board = None if isinstance(game, contract.Drawn) else plain_board(game, state, names)
    board = board or _board_of_lines(_drawn_lines(game, state))
    top = max(cell.y + cell.height for cell in board.cells) + SIGN[1]
    placed = board.actions
    elsewhere = {action: name for action, name in names.items() if action not in placed}
    buttons = list(_buttons(game, state, elsewhere, top))
    width = max(cell.x + cell.width for cell in board.cells)
    broad = max((cell.x + cell.width for cell in buttons), default=0)  # one in the middle of the other
    cells = (
        *(attrs.evolve(cell, x=cell.x + max(0, broad - width) / 2) for cell in board.cells),
        *(attrs.evolve(cell, x=cell.x + max(0, width - broad) / 2) for cell in buttons),
    )
    caption = "The game is over" if game.terminal_test(state) else f"{mover_name(game, state)} to move"
    return attrs.evolve(board, cells=cells, caption=caption)


SIGN = 0.25, 0.5
"""The width and height of one character of a drawing, in units of an ordinary cell's side."""
LINE = 40
"""The greatest number of characters in a line, if a state is shown by its notation."""
BUTTONS = 5
"""The number of action buttons that fit side by side on a phone."""


def _drawn_lines(game: AnyGame, state: State) -> list[str]:
    """Return the lines of the drawing, padded to one length. If there is no drawing, return the lines of the state's
    notation.
    """
    drawing = draw(game, state)
    lines = drawing.splitlines() if isinstance(game, contract.Drawn) else textwrap.wrap(drawing, LINE)
    longest = max(map(len, lines), default=1)
    return [line.ljust(longest) for line in lines] or [" "]


def _board_of_lines(lines: Sequence[str]) -> Scene:
    width, height = max(map(len, lines)) * SIGN[0], SIGN[1]
    return Scene(
        tuple(
            Cell(f"line {row + 1} of the board", 0, row * height, width, height, "plain", text=line)
            for row, line in enumerate(lines)
        )
    )


def _buttons(game: AnyGame, state: State, names: Mapping[Action, str], top: float) -> Iterable[Cell]:
    for index, (action, name) in enumerate(names.items()):
        hint = explain(game, state, action) or f"play {name}"
        x, y = index % BUTTONS * 1.5, top + index // BUTTONS
        yield Cell(name, x, y, 1.25, 0.75, "button", text=name, action=action, hint=hint)


def explain(game: AnyGame, state: State, action: Action) -> str:
    """Explain the effect of `action` in `state`, in words; "" if the game has no explanations."""
    return game.explain(state, action) if isinstance(game, contract.Explained) else ""


def known_values(game: AnyGame, state: State) -> Mapping[Action, float]:
    """Return known values of actions in `state`, from MAX's point of view; {} if nothing is known without search. The
    best action is always included.
    """
    return game.known_values(state) if isinstance(game, contract.Solved) else {}


def legal_actions(game: Game[StateT, ActionT], state: StateT) -> tuple[ActionT, ...]:
    """Return the legal actions; none if the game is over.

    Raises:
        FaultError: there are more than `MOST_ACTIONS` actions.
    """
    return () if game.terminal_test(state) else all_actions(game, state)


MOST_ACTIONS = 100_000
"""Maximum number of actions of a state; a game with more is assumed to yield actions without end."""


def all_actions(game: Game[StateT, ActionT], state: StateT) -> tuple[ActionT, ...]:
    """Return the actions of a state that is not terminal. Raises as `legal_actions` does."""
    listed = tuple(itertools.islice(game.actions(state), MOST_ACTIONS + 1))
    if len(listed) > MOST_ACTIONS:
        where = short(escaped(notation(game).format_state(state)), 100)
        raise FaultError(f"{game.name} failed: actions({where}) yields more than {MOST_ACTIONS:,} actions")
    return listed


def parse_action(game: AnyGame, state: State, text: str) -> Action:
    """Return the action that a text from a file or a visitor describes.

    Refuse an illegal action, even if the notation reads it.
    """
    try:
        action = notation(game).parse_action(state, text)
    except Exception as error:
        raise IllegalActionError(short(" ".join(str(error).split()) or type(error).__name__, 400)) from error
    if action not in legal_actions(game, state):
        raise IllegalActionError(f"it is not legal in {notation(game).format_state(state)}")
    return action


def play(game: Game[StateT, ActionT], state: StateT, actions: Iterable[ActionT]) -> StateT:
    """Return the state after playing all of `actions`; each is checked against the rules.

    Raises:
        IllegalActionError: an action is not legal in its state; the message names the action and the legal actions.
    """
    for action in actions:
        legal = legal_actions(game, state)
        if action not in legal:
            text = notation(game)
            right = ", ".join(text.format_action(state, each) for each in legal) or "none: the game is over"
            raise IllegalActionError(
                f"{action!r} is not legal in {text.format_state(state)}: the legal actions are {right}"
            )
        state = game.result(state, action)
    return state
