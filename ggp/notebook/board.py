"""A board to play on in a notebook.

The browser asks (`asked`), Python decides. What comes of it is in traits that are synchronized, so that cells of a
reactive notebook that look at them run again.
"""

import importlib.resources
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import anywidget
import traitlets

from ggp import capabilities
from ggp.errors import GGPError, UsageError
from ggp.game import CHANCE
from ggp.play import Human, Machine, Match, Move
from ggp.show.board import board_svg
from ggp.show.numbers import number


def resource(name: str) -> str:
    """The text of a file of this package."""
    return importlib.resources.files("ggp.notebook").joinpath(name).read_text(encoding="utf-8")


class BoardWidget(anywidget.AnyWidget):
    """A board that shows a match, on which humans play by clicking; the other players answer.

    `moves` and `state` are in the game's notation. Setting `moves` goes to that position. `match` is the match
    itself, as `ggp.play` has it.
    """

    _esm = resource("board.js")
    _css = resource("board.css")

    moves: Any = traitlets.List(traitlets.Unicode(), help="The moves, chance's included.").tag(sync=True)
    state: Any = traitlets.Unicode(read_only=True, help="The present state.").tag(sync=True)
    status: Any = traitlets.Unicode(read_only=True, help="What has happened, in a sentence.").tag(sync=True)
    over: Any = traitlets.Bool(read_only=True, help="Whether the match is over.").tag(sync=True)
    board: Any = traitlets.Unicode(read_only=True, help="The picture.").tag(sync=True)
    wishes: Any = traitlets.List(traitlets.Unicode(), read_only=True, help="The buttons that do something now.").tag(
        sync=True
    )
    asked: Any = traitlets.Dict(help="What was asked for last in the browser.").tag(sync=True)

    def __init__(self, match: Match, adviser: Callable[[], Machine] | None = None) -> None:
        """Show `match`, of which whoever is no human plays at once; `adviser` makes the player who gives hints."""
        super().__init__()
        self.match = match
        self._adviser = adviser
        self._answer()

    @traitlets.validate("moves")
    def _legal(self, proposal: Any) -> list[str]:
        """Moves that the rules allow, as they are written."""
        try:
            replayed = self._replayed(proposal["value"])
        except GGPError as error:
            raise traitlets.TraitError(str(error)) from None
        return _texts(replayed)

    @traitlets.observe("moves")
    def _jumped(self, change: Any) -> None:
        """Somebody has set the moves."""
        if change["new"] != _texts(self.match):
            self.match = self._replayed(change["new"])
            self._publish(f"After {len(self.match.moves)} moves.")

    def _replayed(self, texts: list[str]) -> Match:
        """The same match with other moves."""
        old = self.match
        match = Match(old.game, old.players, old.start, old.seed)
        text = capabilities.notation(old.game)
        for each in texts:
            if match.over:
                raise UsageError(
                    f"{each!r} cannot be played in {text.format_state(match.state)}: the game is over there"
                )
            match.play(text.parse_action(match.state, each))
        return match

    @traitlets.observe("asked")
    def _on_asked(self, change: Any) -> None:
        """Do what the browser asks for, unless it is about a position of the past."""
        wish, after = change["new"].get("wish"), change["new"].get("after")
        if after != len(self.match.moves):
            return
        try:
            match wish:
                case "play":
                    self._play(str(change["new"].get("move")))
                case "pick":
                    cell = str(change["new"].get("cell"))
                    self._publish(self.status, picked="" if cell == self._picked else cell)
                case "back":
                    self._take_back()
                case "new":
                    self._begin_again()
                case "hint":
                    self._publish(self._hint())
                case "go":
                    self._step()
                    self._answer()
        except GGPError as error:
            self._publish(_sentence(str(error)))
        except KeyboardInterrupt:
            self._publish("Interrupted. “Go on” lets the next player move.")

    def _play(self, text: str) -> None:
        """A human's move, and what follows."""
        if not self._is_humans():
            raise UsageError("it is not a human's turn")
        action = capabilities.notation(self.match.game).parse_action(self.match.state, text)
        self.match.play(action)
        self._answer()

    def _begin_again(self) -> None:
        """The same players from the same start, with other dice."""
        old = self.match
        self.match = Match(old.game, old.players, old.start, old.seed + 1)
        self._answer()

    def _take_back(self) -> None:
        """The last move of a human and all after it; where no human plays, the last move of all."""
        movers = [move.mover for move in self.match.moves if move.mover != CHANCE]
        own = [mover for mover in movers if isinstance(self.match.players[mover], Human)] if self._has_human else movers
        if not own:
            raise UsageError("there is no move to take back")
        taken = self.match.take_back(own[-1])
        self._publish(f"Taken back: {taken} move{'s' if taken != 1 else ''}.")

    def _answer(self) -> None:
        """Let machines and chance move until it is a human's turn; where no human plays, only show."""
        try:
            while self._has_human and not self.match.over and not self._is_humans():
                self._step()
        except GGPError as error:
            self._publish(_sentence(str(error)))
        except KeyboardInterrupt:
            self._publish("Interrupted. “Go on” lets the next player move.")
        else:
            self._publish(self._told())

    def _step(self) -> None:
        """Let whoever is to move play, and say so while they think."""
        if self.match.over:
            raise UsageError("the game is over")
        mover = self.match.game.to_move(self.match.state)
        if mover != CHANCE:
            self._publish(f"{self._told()} {self._who(mover)} thinks …".strip())
        self.match.step()

    @property
    def _has_human(self) -> bool:
        """Whether a human plays at all."""
        return any(isinstance(player, Human) for player in self.match.players)

    def _is_humans(self) -> bool:
        """Whether a human is to move."""
        if self.match.over:
            return False
        mover = self.match.game.to_move(self.match.state)
        return mover != CHANCE and isinstance(self.match.players[mover], Human)

    def _hint(self) -> str:
        if self._adviser is None or not self._is_humans():
            return "There is nobody to advise."
        adviser, match = self._adviser(), self.match
        choice = adviser.choose(match.game, match.state)
        move = capabilities.notation(match.game).format_action(match.state, choice.action)
        worth = f", worth {number(choice.thinking.value)} to {self._name(0)}" if choice.thinking else ""
        return f"{adviser.name} would play {move}{worth}."

    def _name(self, side: int) -> str:
        return capabilities.player_names(self.match.game)[side]

    def _who(self, side: int) -> str:
        return f"{self._name(side)} ({self.match.players[side].name})"

    def _told(self) -> str:
        """The last moves in words, those since a human's, and how the match has ended."""
        moves, ending = self.match.moves, self.match.ending
        human = [place for place, move in enumerate(moves) if self._is_by_human(move)]
        since = moves[human[-1] + 1 :] if human else []
        told = [self._told_move(move) for move in since or moves[-1:]]
        if ending:
            how = " by repetition" if ending.how == "repetition" else ""
            told.append(f"A draw{how}." if ending.winner is None else f"{self._who(ending.winner)} wins{how}.")
        return " ".join(told)

    def _is_by_human(self, move: Move) -> bool:
        return move.mover != CHANCE and isinstance(self.match.players[move.mover], Human)

    def _told_move(self, move: Move) -> str:
        game = self.match.game
        action = capabilities.notation(game).format_action(move.before, move.action)
        words = capabilities.explain(game, move.before, move.action)
        who = "Chance" if move.mover == CHANCE else f"{self._who(move.mover)} plays"
        return _sentence(f"{who} {action}: {words}" if words else f"{who} {action}")

    def _publish(self, status: str, picked: str = "") -> None:
        """Show the position as it is now, with this status, and the cell that is picked as the first of a move."""
        self._picked = picked
        match = self.match
        before = match.moves[-1].before if match.moves else match.state
        scene, earlier = (capabilities.scene(match.game, state) for state in (match.state, before))
        humans = self._is_humans()
        picture = board_svg(
            scene.picked(picked) if humans else scene,
            link=self._link if humans else None,
            pick=(lambda name: "?" + quote(name)) if humans else None,
            changed=scene.changed_since(earlier),
            identity=f"board-{self.model_id or id(self)}",
        )
        wishes = {
            "back": bool(match.moves),
            "new": bool(match.moves),
            "hint": humans and self._adviser is not None,
            "go": not match.over and not humans,
        }
        with self.hold_sync():
            self.set_trait("state", capabilities.notation(match.game).format_state(match.state))
            self.set_trait("status", status)
            self.set_trait("over", match.over)
            self.set_trait("board", picture)
            self.set_trait("wishes", [wish for wish, holds in wishes.items() if holds])
            self.moves = _texts(match)

    def _link(self, action: Any) -> str:
        return "#" + quote(capabilities.notation(self.match.game).format_action(self.match.state, action))


def _texts(match: Match) -> list[str]:
    """The moves in the game's notation."""
    text = capabilities.notation(match.game)
    return [text.format_action(move.before, move.action) for move in match.moves]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
