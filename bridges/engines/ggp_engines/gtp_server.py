"""ggp's players as engines that speak GTP."""

import importlib.metadata
from collections.abc import Callable

from ggp import capabilities
from ggp.errors import GGPError
from ggp.escapes import escaped
from ggp.game import MAX
from ggp.searcher import Limits
from ggp_engines.server import EngineServer


class GTPServer(EngineServer):
    """An engine that speaks GTP."""

    protocol = "gtp"
    _id: str = ""

    def is_end(self, tokens: list[str]) -> bool:
        """See `EngineServer`. The command is acknowledged, as GTP demands."""
        ends = self._words(tokens)[:1] == ["quit"]
        if ends:
            self.reply("=", "")
        return ends

    def _words(self, tokens: list[str]) -> list[str]:
        """Return a command without its number, which is kept for the answer, and without its comment."""
        text = " ".join(tokens).partition("#")[0].split()
        self._id = text.pop(0) if text and text[0].isdecimal() else ""
        return text

    def obey(self, tokens: list[str]) -> None:
        """See `EngineServer`."""
        text = self._words(tokens)
        if not text:
            return
        commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda rest: "2",
            "name": lambda rest: f"ggp {self.player.name}",
            "version": lambda rest: importlib.metadata.version("ggp"),
            "list_commands": lambda rest: "\n".join([*commands, "quit"]),
            "known_command": lambda rest: str(bool(rest) and rest[0] in [*commands, "quit"]).lower(),
            "boardsize": self.board_size,
            "clear_board": self.clear,
            "komi": lambda rest: "",
            "play": self.play,
            "genmove": lambda rest: self.generate(rest, plays=True),
            "reg_genmove": lambda rest: self.generate(rest, plays=False),
            "undo": self.undo,
            "showboard": lambda rest: "\n" + capabilities.draw(self.game, self.state),
            "final_score": self.score,
            "time_settings": lambda rest: "",
            "time_left": lambda rest: "",
        }
        if text[0] not in commands:
            self.complain("unknown command")
            return
        answer = commands[text[0]](text[1:])
        self.reply("=", answer)

    def reply(self, sign: str, text: str) -> None:
        """Write an answer; a blank line ends it."""
        lines = [line for line in f"{sign}{self._id} {text}".rstrip().split("\n") if line.strip()]
        with self._writing:
            print("\n".join(map(escaped, lines)) + "\n", file=self.output, flush=True)

    def complain(self, sentence: str) -> None:
        """See `EngineServer`."""
        self.reply("?", sentence)

    def board_size(self, rest: list[str]) -> str:
        """Accept the size of the present board, and no other size."""
        if rest != [str(self.dialect.size)]:
            raise GGPError(f"unacceptable size: start ggp with another size; this board has {self.dialect.size} rows")
        return self.clear([])

    def clear(self, rest: list[str]) -> str:
        """Begin a game."""
        if not self._warm:
            self.warm_up()
        self.states = [self.game.initial_state()]
        return ""

    def _require_turn(self, rest: list[str]) -> None:
        names = {"b": "b", "black": "b", "w": "w", "white": "w"}
        if not rest or rest[0].lower() not in names:
            raise GGPError("syntax error: a colour is black or white")
        mover = self.game.to_move(self.state)
        if self.over or self.dialect.colours[0 if mover == MAX else 1] != names[rest[0].lower()]:
            raise GGPError("illegal move: it is not that colour's turn")

    def play(self, rest: list[str]) -> str:
        """Play a move."""
        self._require_turn(rest)
        self.states.append(self.read("".join(rest[1:2])))
        return ""

    def generate(self, rest: list[str], *, plays: bool) -> str:
        """Return the player's move; if `plays` is true, also play it."""
        self._require_turn(rest)
        action = self.best_action(Limits())
        text = self.dialect.action(self.state, action)
        if plays:
            self.states.append(self.game.result(self.state, action))
        return text

    def undo(self, rest: list[str]) -> str:
        """Take a move back."""
        if len(self.states) == 1:
            raise GGPError("cannot undo")
        self.states.pop()
        return ""

    def score(self, rest: list[str]) -> str:
        """Return the result, such as B+12."""
        if not self.over:
            raise GGPError("cannot score: the game is not over")
        utility = self.game.utility(self.state, MAX)
        winner = self.dialect.colours[0 if utility > 0 else 1].upper()
        return "0" if utility == 0 else f"{winner}+{abs(utility):g}"
