"""Small experiments that are over in a moment."""

import pytest
from comparable import comparable

import ggp
from ggp.experiments import Experiment, Results, outcomes, random_starts, round_robin


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """These tests are about results, not about machine speed."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")


@pytest.fixture(scope="session")
def registry():
    return ggp.load_registry()


@pytest.fixture
def experiment(registry):
    """`experiment("nim", "random", "easy", pairs=5)`: a round robin."""

    def make(name, *players, pairs=5, seed=0, **more):
        game = registry.game(name)
        starts = random_starts(game, game.initial_state(), pairs, None, seed)
        return Experiment(
            game=name, players=players, couples=round_robin(len(players)), starts=starts, seed=seed, **more
        )

    return make


@pytest.fixture
def played():
    """`played(experiment, ...)`: the results, and each game's number, players and moves."""

    def play(experiment, *arguments):
        results, games = Results(experiment), []
        for outcome in outcomes(experiment, *arguments):
            results.add(outcome)
            games.append(comparable(outcome))
        return results, games

    return play
