"""The session: the registry that commands share, the position that a command is about, and the options that set it."""

import functools
import re
import shlex
from collections.abc import Callable, Sequence

import attrs
import click

from ggp import capabilities, repetition
from ggp.cli import completion
from ggp.cli.console import assignments, say
from ggp.cli.number_options import CommandT
from ggp.errors import OptionError, PluginError, UsageError
from ggp.game import Action, AnyGame, State
from ggp.options import given_twice, parse_options, split_options
from ggp.plugins import Registry, load_registry
from ggp.searcher import Limits, Searcher

DEFAULT_SECONDS = 3
"""Maximum seconds of a search that was started on the command line without a limit."""


@attrs.frozen
class Position:
    """A game and one of its states."""

    game: AnyGame
    state: State
    way: tuple[State, ...] = ()
    """The earlier states, from the start on, if the command line gives moves."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return repetition.is_over(self.game, (*self.way, self.state))

    def head(self) -> dict[str, object]:
        """Return the first entries of all JSON output about a position."""
        return {
            "game": self.game.name,
            "parameters": capabilities.parameters(self.game),
            "state": capabilities.notation(self.game).format_state(self.state),
            "to_move": None if self.over else capabilities.mover_name(self.game, self.state),
        }

    def rows(self) -> dict[str, str]:
        """Return the first rows of all printed output about a position."""
        head = self.head()
        turn = f"{head['to_move']} to move" if head["to_move"] else "the game is over"
        game = f"{head['game']} {assignments(capabilities.parameters(self.game))}".rstrip()
        return {"game": game, "state": f"{head['state']}, {turn}"}

    def format_line(self, actions: Sequence[Action]) -> list[str]:
        """Return the texts of actions that are played in sequence from this position."""
        return capabilities.format_line(self.game, self.state, actions)

    def after(self, texts: Sequence[str]) -> "Position":
        """Return the position after these actions, which are in the game's notation.

        Raises:
            NotationError, IllegalActionError: a text is not an action, or the action is not legal.
        """
        from ggp.play.controller import played  # not every command plays

        state, way = self.state, [*self.way]
        for before, action in played(self.game, state, texts, way):
            way.append(before)
            state = self.game.result(before, action)
        return Position(self.game, state, tuple(way))


class Session:
    """One run of the program."""

    def __init__(self) -> None:
        self.files: tuple[str, ...] = ()
        self.traceback = False
        self.default: str | None = None
        """The searcher that the command uses because the user has named none."""
        self.interrupted = False
        """Whether Ctrl-C was pressed."""

    @functools.cached_property
    def registry(self) -> Registry:
        """The installed plugins and the plugins of `--plugin`. Problems with the installed plugins are printed on
        standard error.

        Raises:
            UsageError: a file of `--plugin` cannot be used.
        """
        registry = load_registry(lambda problem: say(f"warning: {problem}"))
        for file in self.files:
            try:
                registry.load_file(file)
            except PluginError as error:
                raise UsageError(str(error)) from None
        return registry

    def program(self) -> str:
        """Return the beginning of a command with the same plugins: `ggp`, with `--plugin` for each file."""
        return "".join(["ggp", *[f" --plugin {shlex.quote(file)}" for file in self.registry.files]])

    def loaded_registry(self) -> Registry | None:
        """Return the registry if it has been loaded; otherwise None."""
        return vars(self).get("registry")

    def game(self, name: str, parameters: Sequence[str]) -> AnyGame:
        """Return the game of that name, with parameters as they were typed."""
        texts: dict[str, str] = {}
        for each in parameters:
            given = split_options(each)
            if not given:
                raise OptionError("--option needs NAME=VALUE; got ''")
            for parameter in given.keys() & texts.keys():
                raise given_twice(parameter)
            texts |= given
        return self.registry.parse_game(name, texts)

    def sound_game(self, name: str, parameters: Sequence[str]) -> AnyGame:
        """Return the game of that name; the rules of its first states are checked before it is used."""
        from ggp.plugin_faults import require_sound  # lists need none of it

        game = self.game(name, parameters)
        require_sound(game, game.initial_state(), self.registry.game_entry(name))
        return game

    def searcher(self, text: str | None, game: AnyGame) -> tuple[Searcher, Limits]:
        """Return the searcher that `text` describes, or the preferred searcher for `game`, and its limits."""
        if text is None:
            self.default = text = self.registry.preferred_searcher(game)
        searcher, limits = self.registry.parse_searcher(text)
        self.registry.require(searcher, game)
        return searcher, limits

    def position(self, name: str, parameters: Sequence[str], board: str | None, moves: str | None) -> Position:
        """Return the position that the command line describes."""
        game = self.sound_game(name, parameters)
        state = capabilities.notation(game).parse_state(board) if board is not None else game.initial_state()
        return Position(game, state).after(split_actions(moves or ""))


def split_actions(text: str) -> list[str]:
    """Split actions at commas and blanks, except within brackets."""
    return [part for part in re.split(r"[,\s]+(?![^(\[{]*[)\]}])", text) if part]


def limits_from(texts: dict[str, str | None], limits: Limits) -> Limits:
    """Return `limits`, changed to the values that are given on the command line."""
    given = {name: text for name, text in texts.items() if text is not None}
    return attrs.evolve(limits, **parse_options(Limits, "a search", given))


def takes_game(command: CommandT) -> CommandT:
    """Add the argument GAME and the option `--option`."""
    return click.argument("name", metavar="GAME", shell_complete=completion.games)(_parameter_option(command))


def _parameter_option(command: CommandT) -> CommandT:
    return click.option(
        "--option",
        "parameters",
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=completion.parameters,
        help="Set a parameter of the game (see `ggp games GAME`). May be repeated.",
    )(command)


def position_options(command: CommandT) -> CommandT:
    """Add the options `--option`, `--position` and `--moves`."""
    command = click.option("--moves", metavar="A,B,...", help="Start after these moves.")(command)
    command = click.option(
        "--position", "board", metavar="TEXT", help="Start from this position, in the game's notation."
    )(command)
    return _parameter_option(command)


def takes_position(command: Callable[..., object]) -> Callable[..., object]:
    """Add the argument GAME and the options `--option`, `--position` and `--moves`. The command receives the session
    and a `Position`.
    """

    @click.pass_obj
    def with_position(
        session: Session, /, name: str, parameters: Sequence[str], board: str | None, moves: str | None, **rest: object
    ) -> object:
        return command(session, session.position(name, parameters, board, moves), **rest)

    wrapped: Callable[..., object] = functools.update_wrapper(with_position, command)
    return click.argument("name", metavar="GAME", shell_complete=completion.games)(position_options(wrapped))


opens_files = click.option(
    "--open-files", is_flag=True, help="Allow the file to open other files; use only if you trust its author."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
takes_searcher = click.option(
    "--searcher",
    metavar="NAME[:OPTION=VALUE,...]",
    shell_complete=completion.searchers,
    help="Searcher and its options (default: chosen by the game; see `ggp searchers`).",
)
