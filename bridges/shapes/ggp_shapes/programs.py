"""Games with the interfaces of python-chess, sunfish and AlphaZero_Gomoku, and of the courses CS50 and CS188.

Sources: N. Fiekas, python-chess; T. D. Ahle, sunfish; CS50's Introduction to Artificial Intelligence with Python,
project Tic-Tac-Toe; CS188 of Berkeley, project Multi-Agent Search; J. Song, AlphaZero_Gomoku.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import attrs

import ggp
from ggp.game import State
from ggp_shapes.adapted import Adapted, Theirs, written


@attrs.frozen
class CS50(Adapted):
    """The functions that CS50's project Tic-Tac-Toe requires in a module."""

    framework: ClassVar[str] = "cs50"
    shape: ClassVar[tuple[str, ...]] = ("initial_state", "player", "actions", "result", "terminal", "utility")

    first: Theirs = ggp.constant(lambda adapted: adapted.game.player(adapted.game.initial_state()))
    """The player who begins, as the game itself names this player."""

    def make(self) -> object:
        return self.theirs

    def start(self) -> object:
        return self.game.initial_state()

    def to_move(self, state: State) -> ggp.Player:
        return ggp.MAX if self.game.player(state) == self.first else ggp.MIN

    def actions(self, state: State) -> Iterable[object]:
        return sorted(self.game.actions(state))

    def result(self, state: Theirs, action: Theirs) -> object:
        return self.game.result(state, action)

    def terminal_test(self, state: State) -> bool:
        return bool(self.game.terminal(state))

    def worth(self, state: object) -> float:
        return self.game.utility(state)  # type: ignore[no-any-return]

    def picture(self, state: Theirs) -> str:
        return "\n".join(" ".join(str(cell or ".") for cell in row) for row in state)


@attrs.frozen
class CS188(Adapted):
    """A game of CS188's projects, whose states list the legal actions of each agent.

    Agent 0 is MAX, and all other agents are MIN.
    """

    framework: ClassVar[str] = "cs188"
    shape: ClassVar[tuple[str, ...]] = ("getLegalActions", "generateSuccessor", "isWin", "isLose", "getScore")

    agents: int = ggp.constant(lambda adapted: adapted.game.getNumAgents())

    def start(self) -> object:
        return self.game, 0

    def to_move(self, state: Theirs) -> ggp.Player:
        return ggp.MAX if state[1] == 0 else ggp.MIN

    def actions(self, state: Theirs) -> Iterable[object]:
        return list(state[0].getLegalActions(state[1]))

    def result(self, state: Theirs, action: Theirs) -> object:
        return state[0].generateSuccessor(state[1], action), (state[1] + 1) % self.agents

    def terminal_test(self, state: Theirs) -> bool:
        return state[0].isWin() or state[0].isLose() or len(state[0].getLegalActions(state[1])) == 0

    def worth(self, state: Theirs) -> float:
        return state[0].getScore()  # type: ignore[no-any-return]

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        return {"score": ggp.Evaluation(self.worth, "the game's own `getScore`")}

    def picture(self, state: Theirs) -> str:
        return written(state[0])


@attrs.frozen
class Chess(Adapted):
    """A board of a chess program: `push` plays a move, and `turn` is true if White is to move."""

    framework: ClassVar[str] = "chess"
    shape: ClassVar[tuple[str, ...]] = ("push", "pop", "result")

    player_names: ClassVar[tuple[str, str]] = ("White", "Black")

    def start(self) -> object:
        return self.game

    def to_move(self, state: Theirs) -> ggp.Player:
        return ggp.MAX if state.turn else ggp.MIN

    def actions(self, state: Theirs) -> Iterable[object]:
        return list(state.legal_moves)

    def result(self, state: Theirs, action: Theirs) -> object:
        state.push(action)
        return state

    def terminal_test(self, state: Theirs) -> bool:
        return bool(state.is_game_over())

    def worth(self, state: Theirs) -> float:
        result = state.result()
        return 1 if result == "1-0" else -1 if result == "0-1" else 0


@attrs.frozen
class Sunfish(Adapted):
    """A chess program in a module: The module has `Position`, the board as the player to move sees it, and `initial`,
    the first board.

    The program's moves may leave the king in check; such moves are left out here.
    """

    framework: ClassVar[str] = "sunfish"
    shape: ClassVar[tuple[str, ...]] = ("gen_moves", "move", "rotate", "value")

    player_names: ClassVar[tuple[str, str]] = ("White", "Black")

    def make(self) -> object:
        return self.theirs

    def start(self) -> object:
        return self.theirs.Position(self.theirs.initial, 0, (True, True), (True, True), 0, 0), ggp.MAX

    def to_move(self, state: Theirs) -> ggp.Player:
        return state[1]  # type: ignore[no-any-return]

    def actions(self, state: Theirs) -> Iterable[object]:
        return [move for move in state[0].gen_moves() if not takes_king(state[0].move(move))]

    def result(self, state: Theirs, action: Theirs) -> object:
        return state[0].move(action), 1 - state[1]

    def terminal_test(self, state: Theirs) -> bool:
        return len(self.actions(state)) == 0  # type: ignore[arg-type]

    def worth(self, state: Theirs) -> float:
        position, mover = state
        attacked = any(position.rotate().board[move.j] == "k" for move in position.rotate().gen_moves())
        return 0 if not attacked else -1 if mover == ggp.MAX else 1

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        def score(state: Theirs) -> float:
            return state[0].score if state[1] == ggp.MAX else -state[0].score  # type: ignore[no-any-return]

        return {"score": ggp.Evaluation(score, "the program's own `score`, in centipawns")}

    def picture(self, state: Theirs) -> str:
        position, mover = state
        board = position.board if mover == ggp.MAX else position.board[::-1].swapcase()
        return "\n".join(" ".join(row.strip()) for row in board.split("\n") if row.strip())


def takes_king(position: Theirs) -> bool:
    """Return whether the player to move can take the king, or a king that has castled through an attack."""
    return any(position.board[move.j] == "k" or abs(move.j - position.kp) < 2 for move in position.gen_moves())


@attrs.frozen
class Gomoku(Adapted):
    """A board of AlphaZero_Gomoku, which lists the remaining moves, and tells whether the game has ended."""

    framework: ClassVar[str] = "gomoku"
    shape: ClassVar[tuple[str, ...]] = ("init_board", "do_move", "game_end")

    def start(self) -> object:
        self.game.init_board()
        return self.game

    def to_move(self, state: Theirs) -> ggp.Player:
        return ggp.MAX if state.current_player == state.players[0] else ggp.MIN

    def actions(self, state: Theirs) -> Iterable[object]:
        return list(state.availables)

    def result(self, state: Theirs, action: Theirs) -> object:
        state.do_move(action)
        return state

    def terminal_test(self, state: Theirs) -> bool:
        ended, _ = state.game_end()
        return bool(ended)

    def worth(self, state: Theirs) -> float:
        _, winner = state.game_end()
        return 1 if winner == state.players[0] else -1 if winner == state.players[1] else 0
