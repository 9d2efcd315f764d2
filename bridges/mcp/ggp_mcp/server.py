"""A server of the Model Context Protocol, by which assistants show, play, analyse and solve games.

A caller's input is data: it opens no file, runs no program, and is answered within a few seconds. The server stores no
position: each call describes its position by the game, the parameters, and the moves from the start.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import attrs

from ggp import capabilities
from ggp.description import describe, position
from ggp.errors import GGPError, UsageError
from ggp.escapes import short
from ggp.game import CHANCE, MAX, AnyGame, State
from ggp.play.controller import played
from ggp.plugins import Registry
from ggp.searcher import Limits, SearchResult
from ggp.show.board_svg import board_svg
from ggp.web import visitor_players

SECONDS = 10.0
"""Maximum length of a search, in seconds."""
MOVES = 1000
"""Maximum number of moves from the start to a position."""
LENGTH = 4000
"""Maximum number of characters of a position."""


@attrs.frozen
class Tools:
    """The tools, as functions from plain data to plain data.

    Each tool raises `GGPError` with a sentence for the caller.
    """

    registry: Registry

    def games(self) -> list[dict[str, str]]:
        """Return the name and a summary of every game."""
        return [{"name": name, "summary": entry.summary} for name, entry in self.registry.games.items()]

    def describe(
        self, game: str, parameters: Mapping[str, str] = {}, start: str = "", moves: tuple[str, ...] = ()
    ) -> dict[str, object]:
        """Return rules, parameters, players, levels, and a position with its legal moves and drawing."""
        made, state = self._at(game, parameters, start, moves)
        description = attrs.asdict(describe(self.registry, made, state))
        del description["position"]["scene"]
        return description

    def show(
        self, game: str, parameters: Mapping[str, str] = {}, start: str = "", moves: tuple[str, ...] = ()
    ) -> tuple[str, str]:
        """Return a position as text, and as a picture in SVG."""
        made, state = self._at(game, parameters, start, moves)
        shown = position(made, state)
        text = f"{shown.drawing}\n{shown.state}\n" + (
            f"{shown.to_move} to move" if shown.to_move else "the game is over"
        )
        return text, board_svg(capabilities.scene(made, state), title=made.name)

    def best_move(
        self, game: str, player: str = "hard", parameters: Mapping[str, str] = {}, start: str = "",
        moves: tuple[str, ...] = (),
    ) -> dict[str, object]:  # fmt: skip
        """Return the move of a level or a searcher, and the position after it."""
        made, state = self._to_move(game, parameters, start, moves)
        choice = visitor_players.make_visitor(self.registry, player, made).choose(made, state)
        text = capabilities.notation(made).format_action(state, choice.action)
        after = attrs.asdict(position(made, made.result(state, choice.action)))
        del after["scene"]
        explanation = capabilities.explain(made, state, choice.action)
        return {"move": text, "words": explanation, "value": _value(choice.thinking), "after": after}

    def analyse(
        self, game: str, parameters: Mapping[str, str] = {}, start: str = "", moves: tuple[str, ...] = (),
        seconds: float = 2.0,
    ) -> dict[str, object]:  # fmt: skip
        """Return the value of every legal move to the first player, by a search of `seconds`; `exact` says whether the
        values are proved.
        """
        made, state = self._to_move(game, parameters, start, moves)
        if not 0 < seconds <= SECONDS:
            raise UsageError(f"seconds must be more than 0, and at most {SECONDS:g}; got {seconds}")
        searcher = self.registry.searcher(self.registry.preferred_searcher(made))
        result = searcher.analyse(made, state, Limits(seconds=seconds))
        text = capabilities.notation(made)
        return {
            "value": result.value,
            "exact": result.exact,
            "depth": result.statistics.depth,
            "best": None if result.action is None else text.format_action(state, result.action),
            "line": capabilities.format_line(made, state, result.principal_variation),
            "values": {text.format_action(state, each): value for each, value in (result.values or {}).items()},
            "positive_is_good_for": capabilities.player_names(made)[MAX],
        }

    def solve(
        self, game: str, parameters: Mapping[str, str] = {}, start: str = "", moves: tuple[str, ...] = ()
    ) -> dict[str, object]:
        """Return the exact value of a position, or a message if the value is not found within `SECONDS`."""
        analysis = self.analyse(game, parameters, start, moves, SECONDS)
        if not analysis["exact"]:
            return {
                "solved": False,
                "reason": f"not proved within {SECONDS:g} s; the estimate is {analysis['value']:g} to the first player",
            }
        return {"solved": True, **analysis}

    def _at(
        self, name: str, parameters: Mapping[str, str], start: str, moves: tuple[str, ...]
    ) -> tuple[AnyGame, State]:
        """Return a game and a position."""
        if name not in self.registry.games and name not in self.registry.game_names(name.partition(":")[0]):
            raise UsageError(f"there is no game {short(name)!r}: the games are {', '.join(self.registry.games)}")
        if len(moves) > MOVES or len(start) > LENGTH:
            raise UsageError(f"a position has at most {MOVES} moves and {LENGTH} characters")
        texts = {str(key): str(value) for key, value in parameters.items()}
        entry = self.registry.game_entry(name)
        unknown = texts.keys() - {option.name for option in entry.options}
        if unknown:
            names = ", ".join(option.name for option in entry.options) or "none"
            raise UsageError(f"{name} has no parameter {short(min(unknown))!r}: its parameters are {names}")
        game = visitor_players.make_game(self.registry, entry, texts)
        state = capabilities.notation(game).parse_state(start) if start else game.initial_state()
        for before, action in played(game, state, [str(each) for each in moves]):
            state = game.result(before, action)
        return game, state

    def _to_move(
        self, name: str, parameters: Mapping[str, str], start: str, moves: tuple[str, ...]
    ) -> tuple[AnyGame, State]:
        game, state = self._at(name, parameters, start, moves)
        if game.terminal_test(state):
            raise UsageError("the game is over: there is no move")
        if game.to_move(state) == CHANCE:
            raise UsageError("chance is to move: add an outcome to the moves")
        return game, state


def _value(result: SearchResult | None) -> float | None:
    return None if result is None else result.value


def server(registry: Registry) -> Any:
    """Return the server with all tools.

    Raises:
        UsageError: the official SDK is not installed.
    """
    try:
        try:
            from mcp.server import MCPServer
            from mcp.server.mcpserver.exceptions import ToolError
        except ImportError:  # version 1 of the SDK
            from mcp.server.fastmcp import FastMCP as MCPServer  # type: ignore[no-redef, attr-defined, unused-ignore]
            from mcp.server.fastmcp.exceptions import ToolError  # type: ignore[no-redef, import-not-found, unused-ignore]
        from mcp.types import ImageContent, TextContent
    except ImportError:
        raise UsageError("ggp mcp needs an extra: pip install 'ggp[mcp]'") from None
    import base64

    tools, made = Tools(registry), MCPServer("ggp", instructions=INSTRUCTIONS)

    async def said(function: Any, *arguments: Any) -> Any:
        """Call a tool in a thread, so that the server can read further messages."""
        try:
            return await asyncio.to_thread(function, *arguments)
        except GGPError as error:
            raise ToolError(str(error)) from None

    @made.tool(description="List the games.")
    async def list_games() -> list[dict[str, str]]:
        return await said(tools.games)  # type: ignore[no-any-return]

    @made.tool(description="Rules, parameters, players, levels of a game, and a position with its legal moves.")
    async def describe_game(
        game: str, parameters: Texts = None, position: str = "", moves: tuple[str, ...] = ()
    ) -> dict[str, object]:
        return await said(tools.describe, game, parameters or {}, position, moves)  # type: ignore[no-any-return]

    @made.tool(description="Show a position as text and as a picture (SVG).", structured_output=False)
    async def show_position(
        game: str, parameters: Texts = None, position: str = "", moves: tuple[str, ...] = ()
    ) -> list[Any]:
        text, svg = await said(tools.show, game, parameters or {}, position, moves)
        picture = {"type": "image", "data": base64.b64encode(svg.encode()).decode(), "mimeType": "image/svg+xml"}
        return [TextContent(type="text", text=text), ImageContent.model_validate(picture)]

    @made.tool(description="Let a level (easy, medium, hard) or a searcher choose a move; return it with the position.")
    async def best_move(
        game: str, player: str = "hard", parameters: Texts = None, position: str = "", moves: tuple[str, ...] = ()
    ) -> dict[str, object]:
        return await said(tools.best_move, game, player, parameters or {}, position, moves)  # type: ignore[no-any-return]

    @made.tool(description="The value of every legal move, by a search of a few seconds (at most 10).")
    async def analyse(
        game: str, parameters: Texts = None, position: str = "", moves: tuple[str, ...] = (), seconds: float = 2.0
    ) -> dict[str, object]:
        return await said(tools.analyse, game, parameters or {}, position, moves, seconds)  # type: ignore[no-any-return]

    @made.tool(description="The exact value of a position, if it is found within 10 seconds.")
    async def solve(
        game: str, parameters: Texts = None, position: str = "", moves: tuple[str, ...] = ()
    ) -> dict[str, object]:
        return await said(tools.solve, game, parameters or {}, position, moves)  # type: ignore[no-any-return]

    return made


Texts = dict[str, str] | None
"""Parameters of a game, written as on the command line."""
INSTRUCTIONS = (
    "Play, analyse and solve two-player games. A position is given by a game, its parameters, and moves from the start "
    "(or from a position in the game's notation). To play a move, add it to the moves."
)
