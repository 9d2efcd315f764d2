"""OpenSpiel's Monte Carlo tree search as a player: `openspiel-mcts:simulations=20000`.

If OpenSpiel has the same game (see `ggp.game.Spoken`, protocol "openspiel"), the search uses OpenSpiel's own fast
rules; otherwise, it uses ggp's rules.
"""

import itertools
from typing import Any, ClassVar

import attrs

import ggp
from ggp import capabilities, repetition
from ggp.errors import UsageError
from ggp.game import CHANCE, Action, AnyGame, State
from ggp.options import build, parse_options, split_options
from ggp.play.clock import UNTIMED, Clock
from ggp.play.players import ChosenAction
from ggp_openspiel.games import SpielGame, library
from ggp_openspiel.prefix import PREFIX

MEGABYTES = 1000
"""Memory of the tree."""
NEAR = 100_000
"""Maximum number of states to examine in looking for the moves that lead to the start of a match."""


@attrs.frozen
class MCTSOptions:
    """The options of OpenSpiel's search."""

    simulations: int = ggp.option(1000, "simulations for a move", minimum=1, maximum=100_000_000)
    uct: float = ggp.option(2.0, "the weight of exploration", minimum=0)
    rollouts: int = ggp.option(1, "random games from each leaf", minimum=1, maximum=1000)
    seed: int | None = ggp.option(None, "seed of the random choices", minimum=0)


@attrs.define(eq=False, slots=False)
class OpenSpielMCTS:
    """OpenSpiel's `MCTSBot`."""

    name: str
    text: str
    options: MCTSOptions
    game: AnyGame
    spiel: Any
    """The game in OpenSpiel."""
    words: Any = None
    """`words(state, action)` returns the number or the text that OpenSpiel uses for the action; if OpenSpiel needs
    several actions, they are separated by commas. If it is None, the action's index among the legal ones is used.
    """
    _ways: dict[State, Any] = attrs.field(factory=dict, init=False)
    """For each of ggp's states in the current game, the same state in OpenSpiel."""
    _ours: Any = attrs.field(default=None, init=False)
    """ggp's game wrapped for OpenSpiel, if OpenSpiel does not have the game."""

    written: ClassVar[str] = "openspiel-mcts:simulations=1000"

    @classmethod
    def parse(cls, rest: str, game: AnyGame, *, seed: int, name: str) -> "OpenSpielMCTS":
        """Return the player with these options; see `ggp.play.players.PlayerKind`."""
        prefix = "openspiel-mcts"
        options: MCTSOptions = build(MCTSOptions, prefix, parse_options(MCTSOptions, prefix, split_options(rest)))
        if options.seed is None:
            options = attrs.evolve(options, seed=seed % 2**31)
        given = ",".join(f"{key}={value}" for key, value in attrs.asdict(options).items())
        text = f"{prefix}:{given}"
        if isinstance(game, SpielGame):
            return cls(name, text, options, game, game.spiel, lambda state, action: str(action))
        dialect = capabilities.dialects(game).get(PREFIX)
        if dialect:
            return cls(name, text, options, game, library().load_game(dialect.variant), dialect.action)
        if repetition.may_repeat(game):
            raise UsageError(f"openspiel-mcts cannot play {game.name}, in which positions come back")
        library()
        return cls(name, text, options, game, None)

    def choose(self, game: AnyGame, state: State, clock: Clock = UNTIMED) -> ChosenAction:
        """See `ggp.play.players.Participant`."""
        there = self._there(state)
        if there is not None and there.is_terminal():
            # OpenSpiel ends some games as soon as the winner is known: any move will do.
            return ChosenAction(next(iter(capabilities.legal_actions(game, state))))
        legal = capabilities.legal_actions(game, state)
        if there is None:
            return ChosenAction(legal[self._bot_for_ours(state)])
        reached = {action: self._after(there, state, action) for action in legal}
        same: list[Action] = []
        while not same:  # one of our moves may be several of theirs, or be made in several ways
            there.apply_action(self._bot(there).step(there))
            same = [action for action, after in reached.items() if after.history() == there.history()]
            same = same or [action for action, after in reached.items() if str(after) == str(there)]
        return ChosenAction(same[0])

    def _bot(self, there: Any) -> Any:
        """Return OpenSpiel's bot for a game with rules in C++."""
        pyspiel, own = library(), self.options
        evaluator, selection = pyspiel.RandomRolloutEvaluator(own.rollouts, own.seed), pyspiel.ChildSelectionPolicy.UCT
        game = there.get_game()
        return pyspiel.MCTSBot(game, evaluator, own.uct, own.simulations, MEGABYTES, True, own.seed, False, selection)

    def _bot_for_ours(self, state: State) -> int:
        """Return the choice of OpenSpiel's bot in Python, for ggp's games: the bot in C++ cannot call their rules."""
        import numpy
        from open_spiel.python.algorithms import mcts

        from ggp_openspiel.ours import OurState, of

        if self._ours is None:
            self._ours = of(self.game, ggp.load_registry())
        there, own = OurState(self._ours), self.options
        there.played = (state,)
        dice = numpy.random.RandomState(own.seed)
        evaluator = mcts.RandomRolloutEvaluator(own.rollouts, dice)
        return int(mcts.MCTSBot(self._ours, own.uct, own.simulations, evaluator, random_state=dice).step(there))

    def _after(self, there: Any, state: State, action: Action) -> Any:
        """Return OpenSpiel's state after `action`; `there` is OpenSpiel's form of `state`, in which it is played."""
        after = there.clone()
        for word in self.words(state, action).split(","):
            after.apply_action(int(word) if word.isdecimal() else after.string_to_action(word))
        return after

    def _there(self, state: State) -> Any:
        """Return the state in OpenSpiel; None if ggp's rules are searched."""
        if isinstance(self.game, SpielGame):
            return state.spiel.clone()  # type: ignore[attr-defined]
        if self.spiel is None:
            return None
        path = [*repetition.states_played(), state]
        nearest = max((index for index, each in enumerate(path) if each in self._ways), default=None)
        if nearest is None:
            self._ways = {path[0]: self._way_to(path[0])}
            nearest = 0
        for before, after in itertools.pairwise(path[nearest:]):
            there = self._ways[before]
            if there is None:
                return None
            if there.is_terminal():
                self._ways[after] = there
                continue
            action = next(each for each in self.game.actions(before) if self.game.result(before, each) == after)
            self._ways[after] = self._after(there, before, action)
        ways = self._ways[path[-1]]
        return None if ways is None else ways.clone()

    def _way_to(self, start: State) -> Any:
        """Return the start of a match as a state of OpenSpiel, found by trying all moves from the initial state.

        Return None if the start is too far away.
        """
        seen: dict[State, Any] = {self.game.initial_state(): self.spiel.new_initial_state()}
        layer = dict(seen)
        while layer and len(seen) < NEAR:
            if start in seen:
                return seen[start]
            following = {}
            for state, at in layer.items():
                if self.game.terminal_test(state) or self.game.to_move(state) == CHANCE:
                    continue
                for action in () if at.is_terminal() else self.game.actions(state):
                    after = self.game.result(state, action)
                    if after not in seen:
                        following[after] = seen[after] = self._after(at, state, action)
            layer = following
        return seen.get(start)


OpenSpielMCTS.name = "openspiel-mcts"
