"""A tree in the form of other courses: as the states of CS188's Pacman, or as a game of easyAI. Small modules take the
place of the courses' own modules.
"""

import contextlib
import os
import sys
import types
from math import inf
from typing import Any, NoReturn

from ggp_teach.grading.recorder import Illegal, Recorder


class PacmanState:
    """A state as in CS188: the agents move in turn, and Pacman moves first."""

    def __init__(self, number: int, recorder: Recorder, agents: int) -> None:
        self.number, self.recorder, self._agents = number, recorder, agents

    def getNumAgents(self) -> int:  # noqa: N802 - CS188's name
        """Return the number of agents."""
        return self._agents

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:  # noqa: N802, N803
        """Return the actions."""
        self.recorder.see(self.number)
        return list(self.recorder.tree.actions(self.number))

    getLegalPacmanActions = getLegalActions  # noqa: N815

    def generateSuccessor(self, agentIndex: int, action: str) -> "PacmanState":  # noqa: N802, N803
        """Return the state after an action."""
        after = self.recorder.step(self.number, action)
        self.recorder.see(after)
        return PacmanState(after, self.recorder, self._agents)

    def generatePacmanSuccessor(self, action: str) -> "PacmanState":  # noqa: N802
        """Return the state after an action of Pacman."""
        return self.generateSuccessor(0, action)

    def getScore(self) -> float:  # noqa: N802
        """Return the score, which is the number at the node."""
        return self.recorder.tree.nodes[self.number].worth

    def isWin(self) -> bool:  # noqa: N802
        """Return whether Pacman has won."""
        return not self.recorder.tree.below[self.number] and self.getScore() >= 0

    def isLose(self) -> bool:  # noqa: N802
        """Return whether Pacman has lost."""
        return not self.recorder.tree.below[self.number] and self.getScore() < 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PacmanState) and other.number == self.number

    def __hash__(self) -> int:
        return hash(self.number)


class EasyGame:
    """A game as in easyAI: its moves change it, and the players alternate."""

    players = ("MAX", "MIN")

    def __init__(self, number: int, recorder: Recorder, current: int) -> None:
        self.number, self.recorder, self.current_player = number, recorder, current
        self.ai_move: Any = None

    @property
    def nplayer(self) -> int:
        """The player to move, 1 or 2, under the name that old versions use."""
        return self.current_player

    @property
    def opponent_index(self) -> int:
        """The other player, 1 or 2."""
        return 3 - self.current_player

    @property
    def player(self) -> str:
        """The player to move."""
        return self.players[self.current_player - 1]

    def possible_moves(self) -> list[str]:
        """Return the moves."""
        self.recorder.see(self.number)
        return list(self.recorder.tree.actions(self.number))

    def make_move(self, move: str) -> None:
        """Play a move."""
        self.number = self.recorder.step(self.number, move)

    def unmake_move(self, move: str) -> None:
        """Take a move back."""
        above = self.recorder.tree.above[self.number]
        if above < 0 or self.recorder.tree.below[above].get(move) != self.number:
            self.recorder.illegal = self.recorder.illegal or f"takes back {move!r}, which is not the last move"
            raise Illegal(self.recorder.illegal)
        self.number = above

    def switch_player(self) -> None:
        """Make the other player the player to move."""
        self.current_player = 3 - self.current_player

    def is_over(self) -> bool:
        """Return whether the game is over."""
        self.recorder.see(self.number)
        return not self.recorder.tree.below[self.number]

    def scoring(self) -> float:
        """Return the score for the player to move."""
        self.recorder.see(self.number)
        worth = self.recorder.tree.nodes[self.number].worth
        return worth if self.current_player == 1 else -worth

    def lose(self) -> bool:
        """Return whether the player to move has lost."""
        return self.is_over() and self.scoring() < 0

    def win(self) -> bool:
        """Return whether the player to move has won."""
        return self.is_over() and self.scoring() > 0

    def copy(self) -> "EasyGame":
        """Return a copy of the game that can be played on independently."""
        return EasyGame(self.number, self.recorder, self.current_player)

    def __copy__(self) -> "EasyGame":
        return self.copy()

    def __deepcopy__(self, memory: object) -> "EasyGame":
        return self.copy()

    def ttentry(self) -> int:
        """Return a key of the game for a table."""
        return self.number


def install_stubs(folder: str) -> None:
    """Provide the modules that CS188's and AIMA's files import, unless they are beside the file or installed."""

    class Agent:
        def __init__(self, index: int = 0) -> None:
            self.index = index

    class MultiAgentSearchAgent(Agent):
        def __init__(self, evalFn: object = None, depth: str = "2") -> None:  # noqa: N803
            super().__init__(0)
            self.depth = int(depth)
            self.evaluationFunction = lambda state, *_: state.getScore()

    def argmax(sequence: Any, key: Any = lambda each: each) -> object:
        return max(sequence, key=key)

    directions = types.SimpleNamespace(NORTH="North", SOUTH="South", EAST="East", WEST="West", STOP="Stop")
    stubs: dict[str, dict[str, object]] = {
        "util": {
            "manhattanDistance": lambda a, b: abs(a[0] - b[0]) + abs(a[1] - b[1]),
            "lookup": lambda name, space: space.get(name, lambda state, *_: state.getScore()),
            "raiseNotDefined": _not_defined,
        },
        "game": {"Agent": Agent, "Directions": directions},
        "pacman": {"GameState": PacmanState},
        "multiAgents": {"MultiAgentSearchAgent": MultiAgentSearchAgent, "scoreEvaluationFunction": None},
        "utils": {"argmax": argmax, "infinity": inf, "inf": inf},
        "games": {"Game": object, "StochasticGame": object},
    }
    for name, members in stubs.items():
        if os.path.exists(os.path.join(folder, f"{name}.py")) or name in sys.modules:
            continue
        with contextlib.suppress(ImportError):
            stub = types.ModuleType(name)
            vars(stub).update(members)
            sys.modules[name] = stub


def _not_defined() -> NoReturn:
    raise NotImplementedError("the method is not written yet")
