"""The app: the board, the last events, the list of moves, and the values of moves."""

import contextlib
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Input, Static

from ggp import capabilities
from ggp.errors import GGPError
from ggp.escapes import LAYOUT, escaped
from ggp.game import Action, State
from ggp.number_text import many
from ggp.scene import Scene
from ggp.searcher import SearchResult
from ggp.show.motion import motion, scenes
from ggp.show.result_chart import Analysis
from ggp.tui import background_match
from ggp.tui.background_match import AppMatch, BackgroundMatch
from ggp.tui.board_view import BoardView
from ggp.tui.human_input import Command

PANEL = 46
"""Columns of the panel beside the board."""
BOARD = 54
"""Minimum number of columns for the board if the panel is beside it."""
BELOW = 12
"""Rows of the panel if it is below the board."""
HIGH = 38
"""Minimum number of rows of a window for a panel below the board."""
HELP = (
    "Arrows and Enter, or a click, play a move. Keys: m (type a move), u (take back), h (hint), a (analyse), "
    "r twice (resign), q (leave)."
)
"""The keys, in words."""
SHOWN = 60
"""Number of moves in the list; the last ones are shown."""


class PlayApp(App[None]):
    """Plays a match to its end. The match runs in another thread, which waits for the human's entries."""

    CSS = f"""
    #title {{ height: 1; text-style: bold; padding: 0 1; background: $panel; }}
    #middle {{ height: 1fr; }}
    #board {{ width: 1fr; height: 100%; }}
    #panel {{ width: {PANEL}; height: 100%; padding: 0 1; border-left: solid $panel; }}
    #moves {{ margin-top: 1; color: $text-muted; }}
    #status {{ height: auto; max-height: 4; min-height: 2; padding: 0 1; }}
    #entry {{ height: 1; border: none; padding: 0 1; }}
    .narrow #panel {{ display: none; }}
    .below #middle {{ layout: vertical; }}
    .below #board {{ height: 1fr; }}
    .below #panel {{ width: 100%; height: {BELOW}; border-left: none; border-top: solid $panel; }}
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "command('back')", "Take back"),
        Binding("h", "hint", "Hint"),
        Binding("a", "analysis", "Analysis"),
        Binding("m", "focus_entry", "Enter a move"),
        Binding("r", "resign", "Resign"),
        Binding("question_mark", "help", "Help"),
        Binding("escape", "focus_board", "Board", show=False),
        Binding("q", "leave", "Quit"),
        Binding("ctrl+q,ctrl+c", "leave", "Quit", show=False, priority=True),
    ]

    def __init__(self, app_match: AppMatch) -> None:
        super().__init__()
        self.app_match = app_match
        self.match = app_match.match
        self.playing = BackgroundMatch(
            app_match, lambda sentence: self._later(self._show, sentence), lambda: self._later(self.action_leave)
        )
        self._position = 0
        """Number of the position that is shown. Results about an earlier position are ignored."""
        self._analysing = False
        self._resigning = -1
        """The position in which the key for resigning was pressed once."""
        self._shown = 0
        """Number of moves that the board shows."""

    def compose(self) -> ComposeResult:
        """See Textual."""
        game, players = self.match.game, self.match.players
        names = zip(capabilities.players(game), players, strict=False)
        sides = " against ".join(f"{name} ({player.name})" for name, player in names)
        yield Static(escaped(f"{capabilities.title(game)}: {sides}"), id="title", markup=False)
        with Horizontal(id="middle"):
            yield BoardView(id="board")
            with VerticalScroll(id="panel", can_focus=False):
                yield Static("", id="analysis", markup=False)
                yield Static("", id="moves", markup=False)
        yield Static("", id="status", markup=False)
        yield Input(placeholder="a move, or: hint, analyse, back, resign, quit", id="entry", compact=True)
        yield Footer()

    def on_mount(self) -> None:
        """Start the match."""
        self._board.focus()
        self._show("")
        self.playing.start()

    def on_resize(self, event: events.Resize) -> None:
        """Show the panel beside the board or below it, wherever there is room."""
        aside, below = event.size.width >= BOARD + PANEL, event.size.height >= HIGH
        self.screen.set_class(not aside and below, "below")
        self.screen.set_class(not aside and not below, "narrow")

    @property
    def _board(self) -> BoardView:
        return self.query_one("#board", BoardView)

    # What is shown.

    def _later(self, function: Callable[..., None], *arguments: object) -> None:
        """Call a function in the app's own thread, from any thread; after the app has ended, the call is ignored."""
        with contextlib.suppress(RuntimeError):
            self.call_later(function, *arguments)

    def show_message(self, position: int, sentence: str) -> None:
        """Show a message, if it is about the position on the board."""
        if position == self._position:
            self._say(sentence)

    def show_analysis(self, position: int, state: State, result: SearchResult) -> None:
        """Show the result of a search, if it is about the position on the board."""
        if position == self._position and self._analysing:
            self._put("analysis", repr(Analysis(self.match.game, state, result)))

    def _show(self, sentence: str) -> None:
        """Show the board, and below it the last events and what to do next."""
        match, game, text = self.match, self.match.game, capabilities.notation(self.match.game)
        scene = capabilities.scene(game, match.state)
        earlier = capabilities.scene(game, match.moves[-1].before) if match.moves else scene
        way: list[Scene] = []
        if len(match.moves) == self._shown + 1:
            way = [earlier, *scenes(earlier, motion(earlier, scene, match.moves[-1].action))]
        self._shown = len(match.moves)
        self._board.show(scene, scene.changed_since(earlier), way)
        awaited = f"{self.app_match.result(match)} (q leaves)" if match.over else scene.caption
        self._say(f"{sentence}\n{awaited}".strip())
        moves = [text.format_action(move.before, move.action) for move in match.moves]
        more = "… " if len(moves) > SHOWN else ""
        listed = f"{many(len(moves), 'move')}: {more}{' '.join(moves[-SHOWN:])}" if moves else ""
        self._put("moves", listed)
        self._position += 1
        self._analyse()

    def _put(self, widget: str, sentence: str) -> None:
        """Show a text, with control characters escaped since it may come from a file."""
        self.query_one(f"#{widget}", Static).update(escaped(sentence, LAYOUT))

    def _say(self, sentence: str) -> None:
        self._put("status", sentence)

    # What the human does.

    def on_board_view_chosen(self, message: BoardView.Chosen) -> None:
        """Play the chosen action."""
        self._play(message.cell.action)

    def on_board_view_missed(self, message: BoardView.Missed) -> None:
        """Show why the click did nothing."""
        self._say(message.sentence)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Play a move in the game's notation, or carry out a command."""
        entry = message.value.strip()
        message.input.clear()
        commands: dict[str, Callable[[], None]] = {
            "hint": self.action_hint,
            "analyse": self.action_analysis,
            "back": lambda: self.action_command("back"),
            "resign": lambda: self.action_command("resign"),
            "quit": self.action_leave,
        }
        if entry.lower() in commands:
            commands[entry.lower()]()
        elif self._is_humans():
            try:
                self._play(capabilities.notation(self.match.game).parse_action(self.match.state, entry))
            except GGPError as error:
                self._say(str(error))

    def _is_humans(self) -> bool:
        """Return whether a human is to move; show a message if not."""
        if not self.app_match.human_input.waits:
            self._say("The game is over." if self.match.over else "It is not your turn.")
        return self.app_match.human_input.waits

    def _play(self, action: Action) -> None:
        if self._is_humans():
            self.app_match.human_input.play(action)

    def action_command(self, command: Command) -> None:
        """Carry out "back" or "resign"."""
        if self._is_humans():
            self.app_match.human_input.command(command)

    def action_resign(self) -> None:
        """Resign if the key is pressed twice."""
        if not self._is_humans():
            return
        if self._resigning != self._position:
            self._resigning = self._position
            self._say("Press r once more to resign.")
            return
        self.action_command("resign")

    def action_help(self) -> None:
        """Show the keys."""
        self._say(HELP)

    def action_leave(self) -> None:
        """End the app, and stop a player who is thinking."""
        self.playing.leave()
        self.exit()

    def action_focus_entry(self) -> None:
        """Go to the line where moves are entered."""
        self.query_one("#entry", Input).focus()

    def action_focus_board(self) -> None:
        """Go to the board."""
        self._board.focus()

    # Advice.

    def _still(self, position: int) -> Callable[[], bool]:
        """Return a function that tells whether the board still shows the position with this number."""
        return lambda: position == self._position and not self.playing.left

    def _announce(self, position: int) -> Callable[[str], None]:
        """Return a function that shows messages about the position with this number."""
        return lambda sentence: self._later(self.show_message, position, sentence)

    def action_hint(self) -> None:
        """Show the move that a strong level would play."""
        position = self._position
        if self._is_humans():
            self._say("…")
            background_match.hint(self.app_match, self._still(position), self._announce(position))

    def action_analysis(self) -> None:
        """Show the value of each move, or hide the values."""
        if self.match.over:
            return
        if self.screen.has_class("narrow"):
            width, height = self.size
            self._say(
                f"The analysis needs {BOARD + PANEL} columns or {HIGH} rows; this window has {width} and {height}."
            )
            return
        self._analysing = not self._analysing
        self._position += 1
        self._analyse()

    def _analyse(self) -> None:
        panel, position = self.query_one("#analysis", Static), self._position
        if not self._analysing or self.match.over or self.app_match.controller.analyst is None:
            panel.update("" if self.match.over or self._analysing else "a: the value of each move")
            return
        panel.update("…")
        background_match.analyse(
            self.app_match,
            self._still(position),
            lambda state, result: self._later(self.show_analysis, position, state, result),
            self._announce(position),
        )


def run(app_match: AppMatch) -> None:
    """Run the app until the human leaves it.

    Raises:
        GGPError: a player failed.
    """
    app = PlayApp(app_match)
    app.run()
    app.playing.leave()
    app.playing.join()
    if app.playing.failure:
        raise app.playing.failure
