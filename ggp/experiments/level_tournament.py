"""The tournament behind the levels of a game. The tournament finds which searcher plays best in a given time, and the
Elo of each level.
"""

from collections.abc import Callable, Mapping

import attrs

from ggp import capabilities
from ggp.experiments.executors import HERE, Workshop
from ggp.experiments.experiment import Experiment, as_texts
from ggp.experiments.ratings import rate
from ggp.experiments.results import Meetings, Results
from ggp.experiments.runner import outcomes
from ggp.experiments.starts import even_starts, random_starts
from ggp.game import AnyGame
from ggp.levels import (
    BEGINNER,
    EASY,
    PERFECT,
    Grading,
    budgets,
    joined,
    levels_above_easy,
    usual_searcher,
    with_best_evaluation,
)
from ggp.options import split_options
from ggp.play import Machine, make_player
from ggp.plugins import Registry
from ggp.searcher import preference, samples

PREFERRED = 3
"""Number of searchers that take part by default, in addition to those that sample. All others are similar to these, or
are made for teaching.
"""
OPENING = 2
"""Number of random moves at the beginning of a game. If this number gives too few different starts, more moves are
random.
"""
LONGEST = 300
"""Number of moves after which a game of the tournament counts as a draw."""
SHARES = (0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Shares of weak moves, from which the share for the level easy is chosen."""
DEPTHS = (2, 3, 4)
"""Depths of the level easy. A greater depth is tried only if the one before is too weak even without weak moves."""
LOSSES = 0.35
"""Share of games that the level easy should lose against a beginner."""
TOO_MANY = 0.45
"""If the level easy loses more than this share of its games, its depth is increased. In small games, any player loses
from half of the starts; in games of luck, any player loses half of the games.
"""
TRIALS = 5
"""To test one share of weak moves, this many times as many games are played as between two levels. The games are quick.
"""
APART = 150
"""Elo points by which the level medium should be stronger than easy, and weaker than hard. If one of the two
differences is less, the preferred searcher with the game's own evaluation is tried as medium. That searcher plays
medium if its Elo is nearer to the middle between easy and hard.
"""

Say = Callable[[str], None]
"""Called with a text that says what the tournament is doing."""


@attrs.frozen(kw_only=True)
class LevelTournament:
    """A tournament of searchers and levels in one game."""

    registry: Registry
    game: AnyGame
    games: int = 20
    """Number of games between two players; an even number."""
    share: float = 0.1
    """The share of its usual seconds that each level may use in the tournament."""
    searchers: tuple[str, ...] = ()
    """The searchers that take part, with their options. If empty, the searchers with the greatest preference
    take part.
    """
    seed: int = 0
    workshop: Workshop = HERE
    plugins: tuple[str, ...] = ()
    say: Say = attrs.field(default=lambda text: None)
    _even: list[str] = attrs.field(factory=list, init=False)
    """The most even starts, once they have been found."""

    def run(self) -> Grading:
        """Return what the tournament finds.

        Raises:
            GGPError: no searcher can play the game, or a game failed.
        """
        preferred = self.registry.preferred_searcher(self.game)
        alone = len(capabilities.players(self.game)) == 1
        searcher = preferred if alone else self.best_searcher()
        easy = EASY if alone else self.best_easy(preferred)
        texts = {"easy": joined(preferred, easy), **levels_above_easy(self.registry, self.game, searcher)}
        results, elo = self.rate_levels(joined(preferred, BEGINNER), {} if alone else texts)
        medium = None
        weaker = joined(preferred, budgets(self.registry, preferred)["medium"])
        if not alone and distance(elo) < APART and weaker != texts["medium"]:
            other, other_elo = self.rate_levels(joined(preferred, BEGINNER), {**texts, "medium": weaker})
            if distance(other_elo) > distance(elo):
                results, elo, medium = other, other_elo, weaker
        perfect = self.finds_value(texts["master"])
        if perfect and elo:
            elo[PERFECT] = elo["master"]
        return Grading(
            game=self.game.name,
            parameters=capabilities.parameters(self.game),
            searcher=searcher,
            easy=easy,
            perfect=perfect,
            elo=elo,
            results=results,
            share=self.share,
            medium=medium,
        )

    def best_searcher(self) -> str:
        """Return the best searcher at the time limit of hard: the winner of each match meets the next searcher."""
        best, *others = self.searchers or self.usual_searchers()
        for other in others:
            meetings = self.meet(self.hurried(joined(best, "seconds=0.5")), self.hurried(joined(other, "seconds=0.5")))
            if meetings.pairs.share < 0.5:
                best = other
        return best

    def usual_searchers(self) -> tuple[str, ...]:
        """Return the searchers that take part by default, the preferred one first."""
        able = {name: self.registry.searchers[name].factory for name in self.registry.searchers_for(self.game)}
        ranked = sorted(able, key=lambda name: preference(able[name]), reverse=True)
        learned = with_best_evaluation(self.registry, self.game, ranked[0])
        own = ranked[:PREFERRED] + [name for name in ranked[PREFERRED:] if samples(able[name])][:1]
        return tuple([*own, learned] if learned else own)

    def best_easy(self, searcher: str) -> str:
        """Return the limits with which a searcher loses about the right share of its games to a beginner."""
        beginner, starts = joined(searcher, BEGINNER), self.any_starts(TRIALS * self.games // 2)

        def losses(limits: str) -> float:
            lost_by = self.meet(joined(searcher, limits), beginner, starts)
            return lost_by.losses / lost_by.games

        lost, depth = 1.0, DEPTHS[0]
        for deeper in DEPTHS:
            fewest = losses(f"depth={deeper},weak={SHARES[0]:g}")
            if fewest < lost:
                lost, depth = fewest, deeper
            if lost <= TOO_MANY:
                break
        limits = [f"depth={depth},weak={share:g}" for share in SHARES]
        low, high, lost_by = 0, len(limits) - 1, {0: lost}
        while high - low > 1:  # more weak moves lose more games
            middle = (low + high) // 2
            lost_by[middle] = losses(limits[middle])
            low, high = (low, middle) if lost_by[middle] > LOSSES else (middle, high)
        return limits[min(lost_by, key=lambda index: abs(lost_by[index] - LOSSES))]

    def rate_levels(
        self, beginner: str, texts: dict[str, str]
    ) -> tuple[dict[str, tuple[int, int, int]], dict[str, float]]:
        """Return the results of each level against the one below, and the Elo of each level; a beginner's Elo is 0."""
        results: dict[str, tuple[int, int, int]] = {}
        elo: dict[str, float] = {}
        below, rating = beginner, 0.0
        for name, text in texts.items():
            player = self.hurried(text)
            meetings = self.meet(player, below, () if results else self.any_starts(self.games // 2))
            one, other = rate({(0, 1): meetings.pairs}, 2).players
            rating += one.elo - other.elo
            results[name], elo[name], below = (meetings.wins, meetings.draws, meetings.losses), round(rating), player
        return results, elo

    def finds_value(self, master: str) -> bool:
        """Return whether master finds the value of the initial position in its time."""
        alone = without_book(master)  # a book would know the first move, and not what follows another one
        self.say(f"whether {alone} finds the value")
        player = make_player(self.registry, alone, self.game, seed=self.seed)
        if not isinstance(player, Machine):
            return False
        # Search the position instead of asking the player for a move, since chance may have the first move.
        return player.searcher.search(self.game, self.game.initial_state(), player.limits).exact

    def hurried(self, player: str) -> str:
        """Return a player for the tournament: with a share of its usual seconds, and without a book."""
        prefix, _, rest = without_book(player).partition(":")
        options = split_options(rest)
        if "seconds" in options:
            options["seconds"] = f"{self.share * float(options['seconds']):g}"
        return f"{prefix}:{','.join(f'{name}={value}' for name, value in options.items())}"

    def any_starts(self, number: int) -> tuple[str, ...]:
        """Return `number` positions, each after a few random moves."""
        return random_starts(self.game, self.game.initial_state(), number, None, self.seed, fewest=OPENING)

    def even_starts(self) -> tuple[str, ...]:
        """Return the start positions of the matches between levels, the most even ones first."""
        if not self._even:
            judge = self.searchers[0] if self.searchers else usual_searcher(self.registry, self.game)
            self._even.extend(
                even_starts(
                    self.registry,
                    self.game,
                    self.game.initial_state(),
                    self.games // 2,
                    seed=self.seed,
                    fewest=OPENING,
                    judge=self.hurried(joined(judge, "seconds=0.5")),  # the time of hard
                    say=self.say,
                )
            )
        return tuple(self._even)

    def meet(self, one: str, other: str, starts: tuple[str, ...] = ()) -> Meetings:
        """Return the result of a match from these starts; from even starts, if `starts` is empty."""
        experiment = Experiment(
            game=self.game.name,
            parameters=as_texts(self.game),
            players=(one, other),
            couples=((0, 1),),
            starts=starts or self.even_starts(),
            seed=self.seed,
            longest=LONGEST,
            plugins=self.plugins,
        )
        results = Results(experiment)
        for outcome in outcomes(experiment, self.workshop):
            results.add(outcome)
            meetings = results.meetings[0]
            self.say(f"{one} against {other}: +{meetings.wins} ={meetings.draws} -{meetings.losses}")
        return results.meetings[0]


def distance(elo: Mapping[str, float]) -> float:
    """Return how far medium is from its neighbours: the smaller of its two differences in Elo."""
    return min(elo["medium"] - elo["easy"], elo["hard"] - elo["medium"])


def without_book(player: str) -> str:
    """Return the same player without an opening book."""
    prefix, _, rest = player.partition(":")
    options = [f"{name}={value}" for name, value in split_options(rest).items() if name != "book"]
    return f"{prefix}:{','.join(options)}" if options else prefix
