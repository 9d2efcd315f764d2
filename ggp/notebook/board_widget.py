"""A board to play on in a notebook.

The browser sends requests in `asked`; Python carries them out. The results are synchronized traits, so a cell of a
reactive notebook runs again if it reads them.
"""

import html
import importlib.resources
from urllib.parse import quote

import anywidget
import traitlets

from ggp import capabilities
from ggp.errors import GGPError, UsageError
from ggp.game import CHANCE, Action
from ggp.number_text import many
from ggp.play import Match
from ggp.play.controller import Controller, has_human, last_own, played, result, take_back
from ggp.show.board_svg import board_svg
from ggp.show.motion import motion_json


def resource(name: str, package: str = "ggp.notebook") -> str:
    """Return the text of a file of a package."""
    return importlib.resources.files(package).joinpath(name).read_text(encoding="utf-8")


FRAMES = 10
"""Maximum number of moves that are animated one after the other."""


class BoardWidget(anywidget.AnyWidget):
    """A board that shows a match; humans play by clicking, other players reply.

    `moves` and `state` are in the game's notation. Assigning to `moves` shows the position after these moves. `match`
    is the match that is shown, a `ggp.play.match.Match`.
    """

    _esm = resource("static/motion.js", "ggp.show") + resource("board.js")
    _css = resource("board.css")

    moves = traitlets.List(traitlets.Unicode(), help="The moves, chance's included.").tag(sync=True)
    state = traitlets.Unicode(read_only=True, help="The present state.").tag(sync=True)
    status = traitlets.Unicode(read_only=True, help="What has happened, in a sentence.").tag(sync=True)
    over = traitlets.Bool(read_only=True, help="Whether the match is over.").tag(sync=True)
    board = traitlets.Unicode(read_only=True, help="The picture, and the moves to be shown.").tag(sync=True)
    enabled = traitlets.List(traitlets.Unicode(), read_only=True, help="The buttons that do something now.").tag(
        sync=True
    )
    asked = traitlets.Dict(help="The last request from the browser.").tag(sync=True)

    def __init__(self, controller: Controller) -> None:
        """Show the controller's match; players other than humans move at once."""
        super().__init__()
        self.controller = controller
        self._answer()

    @property
    def match(self) -> Match:
        """The match on the board."""
        return self.controller.match

    @traitlets.validate("moves")
    def _legal(self, proposal: traitlets.Bunch) -> list[str]:
        """Return the moves that are assigned to `moves`, in the game's notation, after checking that they are legal."""
        match = self.match
        try:
            way = [*played(match.game, match.start, proposal["value"])]
        except GGPError as error:
            raise traitlets.TraitError(str(error)) from None
        return capabilities.format_line(match.game, match.start, [action for _, action in way])

    @traitlets.observe("moves")
    def _jumped(self, change: traitlets.Bunch) -> None:
        """Go to the moves that the user has assigned to `moves`."""
        if change["new"] != _texts(self.match):
            self.controller.go_to(change["new"])
            self._publish(f"After {len(self.match.moves)} moves.")

    @traitlets.observe("asked")
    def _on_asked(self, change: traitlets.Bunch) -> None:
        """Carry out the browser's request, unless it refers to an earlier position."""
        command, after = change["new"].get("command"), change["new"].get("after")
        if after != len(self.match.moves):
            return
        try:
            match command:
                case "play":
                    self.controller.play(str(change["new"].get("move")))
                    self._answer()
                case "pick":
                    cell = str(change["new"].get("cell"))
                    self._publish(self.status, picked="" if cell == self._picked else cell)
                case "back":
                    self._publish(f"Taken back: {many(take_back(self.match), 'move')}.")
                case "new":
                    self.controller.again()
                    self._answer()
                case "swap":
                    self.controller.again(swapped=True)
                    self._answer()
                case "hint":
                    self._publish(f"{self.controller.hint().sentence(self.match.game)}.")
                case "go":
                    self._step()
                    self._answer()
        except GGPError as error:
            self._publish(_sentence(str(error)))
        except KeyboardInterrupt:
            self._publish("Interrupted. “Go on” lets the next player move.")

    def _answer(self) -> None:
        """Let machines and chance move until it is a human's turn; without a human player, only update the board."""
        try:
            while has_human(self.match) and not self.match.over and not self.controller.humans_turn:
                self._step()
        except GGPError as error:
            self._publish(_sentence(str(error)))
        except KeyboardInterrupt:
            self._publish("Interrupted. “Go on” lets the next player move.")
        else:
            self._publish(self._announcement())

    def _step(self) -> None:
        """Let the player to move choose a move; meanwhile, show that the player is thinking."""
        if self.match.over:
            raise UsageError("the game is over")
        mover = self.match.game.to_move(self.match.state)
        if mover != CHANCE:
            who = f"{capabilities.player_names(self.match.game)[mover]} ({self.match.players[mover].name})"
            self._publish(f"{self._announcement()} {who} thinks …".strip())
        self.match.step()

    def _announcement(self) -> str:
        """Return the moves since the last move of a human, in words, and the result if the match has ended."""
        told = [_sentence(each) for each in self.controller.happened()]
        return " ".join([*told, result(self.match)]).strip()

    def _publish(self, status: str, picked: str = "") -> None:
        """Show the present position with this status; `picked` is the first cell of a move that the user has chosen."""
        self._picked = picked
        match = self.match
        before = match.moves[-1].before if match.moves else match.state
        scene, earlier = (capabilities.scene(match.game, state) for state in (match.state, before))
        humans = self.controller.humans_turn
        picture = board_svg(
            scene.picked(picked) if humans else scene,
            link=self._link if humans else None,
            pick=(lambda name: "?" + quote(name)) if humans else None,
            changed=scene.last_move(earlier),
            identity=f"board-{self.model_id or id(self)}",
        )
        enabled = {
            "back": bool(match.moves),
            "new": bool(match.moves),
            "swap": match.over,
            "hint": humans,
            "go": not match.over and not humans,
        }
        with self.hold_sync():
            self.set_trait("state", capabilities.notation(match.game).format_state(match.state))
            self.set_trait("status", status)
            self.set_trait("over", match.over)
            self.set_trait("board", picture + self._frames())
            self.set_trait("enabled", [command for command, holds in enabled.items() if holds])
            self.moves = _texts(match)

    def _frames(self) -> str:
        """Return the frames of a human's last move and of each move after it, from the board before the move to the
        board after.
        """
        match, own = self.match, last_own(self.match)
        places = range(max(own or 0, len(match.moves) - FRAMES), len(match.moves))
        return "".join(self._frame(index) for index in places)

    def _frame(self, index: int) -> str:
        match, move = self.match, self.match.moves[index]
        before, after = (capabilities.scene(match.game, state) for state in (move.before, move.after))
        board = board_svg(after, identity=f"frame{index}") if index + 1 < len(match.moves) else ""
        seen = html.escape(motion_json(before, after, move.action))
        return f'<template class="frame" data-number="{index + 1}" data-motion="{seen}">{board}</template>'

    def _link(self, action: Action) -> str:
        return "#" + quote(capabilities.notation(self.match.game).format_action(self.match.state, action))


def _texts(match: Match) -> list[str]:
    """Return the moves in the game's notation."""
    text = capabilities.notation(match.game)
    return [text.format_action(move.before, move.action) for move in match.moves]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
