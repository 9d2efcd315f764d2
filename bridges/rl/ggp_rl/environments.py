"""The environments.

An action is the index of a move among the legal ones; `action_mask` shows how many legal moves there are.

An observation is the board as its scene shows it, and who is to move. For each cell, the observation has the owner (1
MAX, 2 MIN), the count, and a number for the text. The environment itself plays the moves of chance, with the seed of
`reset`.
"""

import random
import zlib
from typing import Any

import gymnasium
import numpy
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from ggp import capabilities, load_registry, repetition
from ggp.description import most_actions
from ggp.errors import IllegalActionError
from ggp.game import CHANCE, MAX, State
from ggp.play import make_player

LONGEST = 2000
"""Number of moves after which an episode is cut short."""
LETTERS = 997
"""The maximum of the numbers that stand for texts of cells."""


class Play:
    """A game in progress, with the spaces of its environments."""

    def __init__(self, name: str, parameters: dict[str, Any]) -> None:
        self.registry = load_registry()
        self.game: Any = self.registry.game(name, **parameters)
        self.actions = most_actions(self.game, games=10, plies=200)
        self.cells = self._cells(self.game.initial_state())
        board = Box(-1e9, 1e9, (3 * len(self.cells) + 1,), numpy.float32)
        mask = Box(0, 1, (self.actions,), numpy.int8)
        self.space = Dict({"observation": board, "action_mask": mask})
        self.reset(None)

    def _cells(self, state: State) -> list[str]:
        return [cell.name for cell in capabilities.scene(self.game, state).cells if cell.shape != "button"]

    def reset(self, seed: int | None) -> None:
        """Begin an episode."""
        self.dice = random.Random(seed)
        self.states: list[State] = [self.game.initial_state()]
        self._roll()

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return repetition.is_over(self.game, self.states)

    def play(self, index: int) -> None:
        """Play the move with an index, and then the moves of chance.

        Raises:
            IllegalActionError: there is no move with this index.
        """
        legal = capabilities.legal_actions(self.game, self.state)
        if not 0 <= index < len(legal):
            raise IllegalActionError(
                f"action {index} is not legal: there are {len(legal)} legal actions (see action_mask)"
            )
        self.states.append(self.game.result(self.state, legal[index]))
        self._roll()

    def _roll(self) -> None:
        while not self.over and self.game.to_move(self.state) == CHANCE:
            outcomes, weights = zip(*self.game.outcomes(self.state), strict=True)
            self.states.append(self.game.result(self.state, self.dice.choices(outcomes, weights)[0]))

    def utility(self) -> float:
        """Return the utility to MAX of a game that is over."""
        if self.game.terminal_test(self.state):
            return float(self.game.utility(self.state, MAX))
        return repetition.repetition_value(self.game, self.state)

    def observation(self) -> dict[str, Any]:
        """Return the board and the mask of legal actions."""
        cells = {cell.name: cell for cell in capabilities.scene(self.game, self.state).cells}
        numbers: list[float] = [-1 if self.over else self.game.to_move(self.state)]
        for name in self.cells:
            cell = cells.get(name)
            owner = 0 if cell is None or cell.owner is None else cell.owner + 1
            text = zlib.crc32(cell.text.encode()) % LETTERS if cell and cell.text else 0
            numbers += [owner, -1 if cell is None or cell.count is None else cell.count, text]
        mask = numpy.zeros(self.actions, numpy.int8)
        mask[: 0 if self.over else len(capabilities.legal_actions(self.game, self.state))] = 1
        return {"observation": numpy.array(numbers, numpy.float32), "action_mask": mask}


class TurnEnvironment(AECEnv):  # type: ignore[misc]
    """A game for PettingZoo; the agents are the players."""

    def __init__(self, name: str, parameters: dict[str, Any], render_mode: str | None = None) -> None:
        super().__init__()
        self.played, self.render_mode = Play(name, parameters), render_mode
        self.metadata = {"render_modes": ["ansi"], "name": f"ggp_{name}_v0", "is_parallelizable": False}
        names = capabilities.players(self.played.game)
        self.possible_agents = [f"player_{index}" for index in range(len(names))]
        self.agents = [*self.possible_agents]
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.played.space)
        self.action_spaces = {agent: Discrete(self.played.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: object = None) -> None:
        """Begin an episode."""
        self.played.reset(seed)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._mover()

    def _mover(self) -> str:
        played = self.played
        return self.possible_agents[0 if played.over else played.game.to_move(played.state)]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent; only the agent to move has legal actions."""
        observation = self.played.observation()
        if agent != self.agent_selection:
            observation["action_mask"][:] = 0
        return observation

    def step(self, action: Any) -> None:
        """Play an action of the agent to move."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.played.play(int(action))
        if self.played.over:
            value = self.played.utility()
            self.rewards = dict(zip(self.agents, (value, -value), strict=False))
            self.terminations = dict.fromkeys(self.agents, True)
        elif len(self.played.states) > LONGEST:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._mover()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the board as text."""
        return capabilities.draw(self.played.game, self.played.state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing, since there is nothing to close."""


class SoloEnvironment(gymnasium.Env[Any, Any]):
    """A game for Gymnasium: the agent is MAX, and a player of ggp the opponent. An agent that chooses an illegal action
    loses the game.
    """

    def __init__(
        self, name: str, parameters: dict[str, Any], opponent: str = "random", render_mode: str | None = None
    ) -> None:
        self.played, self.render_mode, self._opponent = Play(name, parameters), render_mode, opponent
        self.metadata = {"render_modes": ["ansi"]}
        make_player(self.played.registry, opponent, self.played.game)
        self.observation_space, self.action_space = self.played.space, Discrete(self.played.actions)

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and play it up to the agent's first move."""
        super().reset(seed=seed)
        own = int(self.np_random.integers(2**31))
        self.played.reset(own)
        self._other = make_player(self.played.registry, self._opponent, self.played.game, seed=own)
        self._answer()
        return self.played.observation(), {}

    def _answer(self) -> None:
        played = self.played
        while not played.over and played.game.to_move(played.state) != MAX:
            legal = capabilities.legal_actions(played.game, played.state)
            played.play(legal.index(self._other.choose(played.game, played.state).action))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action of the agent, and then the opponent's answers."""
        if self.played.over:
            return self.played.observation(), 0.0, True, False, {}
        try:
            self.played.play(int(action))
        except IllegalActionError as error:
            return self.played.observation(), -1.0, True, False, {"illegal": str(error)}
        self._answer()
        over = self.played.over
        reward = self.played.utility() if over else 0.0
        return self.played.observation(), reward, over, len(self.played.states) > LONGEST, {}

    def render(self) -> Any:
        """Return the board as text."""
        return capabilities.draw(self.played.game, self.played.state) if self.render_mode == "ansi" else None
