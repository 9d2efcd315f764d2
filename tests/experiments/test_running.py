"""Experiments as they are played: the same games wherever and in whatever order, results, failures."""

import contextlib
import multiprocessing
import pathlib
import time
from concurrent.futures import Executor, Future

import dying
import pytest
from comparable import comparable

import ggp
from ggp.experiments import Experiment, Results, Workshop, gauntlet, outcomes, round_robin, workshop
from ggp.experiments.experiment import as_texts, check_players, play_at
from ggp.experiments.report import _first_player, data
from ggp.experiments.results import points_of
from ggp.play.records import TimeControl


def test_every_couple_plays_two_games_from_each_start_with_sides_swapped(experiment):
    tournament = experiment("nim", "easy", "medium", "random", pairs=4)
    jobs = list(tournament.jobs())
    assert len(jobs) == tournament.games == 2 * 4 * 3
    for one, other in zip(jobs[::2], jobs[1::2], strict=True):
        assert one.players == other.players[::-1]
        assert (one.start, one.seed) == (other.start, other.seed)
    assert {frozenset(job.players) for job in jobs} == {
        frozenset(pair) for pair in (("easy", "medium"), ("easy", "random"), ("medium", "random"))
    }
    assert [job.start for job in jobs[:6]] == [tournament.starts[0]] * 6


def test_who_meets_whom():
    assert round_robin(3) == ((0, 1), (0, 2), (1, 2))
    assert gauntlet(4) == ((0, 1), (0, 2), (0, 3))


def test_seeds_differ_from_game_to_game_and_with_the_seed_of_the_experiment(experiment):
    jobs = list(experiment("nim", "random", "random:seed=1", pairs=10).jobs())
    seeds = [seed for job in jobs for seed in job.seeds]
    assert len(set(seeds)) == len(seeds)
    assert {job.seed for job in jobs}.isdisjoint(job.seed for job in experiment("nim", "a", "b", seed=1).jobs())


@pytest.mark.parametrize("game", ["tictactoe", "pig", "kalah"])
def test_the_same_seed_gives_the_same_games_and_another_gives_others(experiment, played, game):
    match = experiment(game, "random", "mcts:nodes=5", pairs=3)
    assert played(match)[1] == played(match)[1]
    assert played(match)[1] != played(experiment(game, "random", "mcts:nodes=5", pairs=3, seed=1))[1]


@pytest.mark.slow
def test_one_process_and_two_play_the_same_games_and_count_them_in_the_same_order(experiment, played):
    match = experiment("kalah", "random", "mcts:nodes=10", "alphabeta:depth=2", pairs=4)
    alone, together = played(match), played(match, workshop(2))
    assert alone[1] == together[1]
    assert alone[0].meetings == together[0].meetings


class Reversing(Executor):
    """Finishes what it is given in the reverse order, a batch at a time."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, /, *arguments):
        future = Future()
        self.waiting.append((future, function, arguments))
        if len(self.waiting) == 4:
            self.work()
        return future

    def work(self):
        while self.waiting:
            future, function, arguments = self.waiting.pop()
            future.set_result(function(*arguments))

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.work()


def test_games_are_counted_in_their_order_whatever_the_order_in_which_they_end(experiment, played):
    match = experiment("nim", "random", "easy", pairs=8)
    assert played(match, Workshop(Reversing, 4))[1] == played(match)[1]


def test_whoever_stops_early_stops_the_rest(experiment):
    begun = []

    def play(job):
        begun.append(job.number)
        return dying.play_job(job)

    games = outcomes(experiment("nim", "random", "easy", pairs=50), play=play)
    next(games)
    games.close()
    assert len(begun) < 5


def test_a_process_that_dies_is_replaced_and_its_game_played_again(experiment, played, tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_TEST_FLAG", str(tmp_path / "flag"))
    match = experiment("nim", "random", "easy", pairs=6)
    again = [comparable(outcome) for outcome in outcomes(match, workshop(2), play=dying.dies_once)]
    assert pathlib.Path(tmp_path / "flag").exists()
    assert again == played(match)[1]


@pytest.mark.slow
def test_processes_that_die_again_and_again_are_given_up(experiment):
    games = outcomes(experiment("nim", "random", "easy"), workshop(2), play=dying.dies)
    with pytest.raises(ggp.GGPError, match="the worker processes died 3 times in a row, at game 1 or soon after"):
        list(games)


def test_a_player_that_fails_is_told_with_its_game(experiment):
    match = experiment("pig", "random", "alphabeta", pairs=1)
    with pytest.raises(
        ggp.GGPError, match=r"game 1, random against alphabeta from .*, failed: alphabeta cannot search"
    ):
        list(outcomes(match))


def test_what_an_executor_cannot_do_is_told(experiment):
    class Failing(Executor):
        def submit(self, function, /, *arguments):
            future = Future()
            future.set_exception(MemoryError("no room"))
            return future

    with pytest.raises(ggp.GGPError, match="a game could not be played: MemoryError: no room"):
        list(outcomes(experiment("nim", "random", "easy"), Workshop(lambda: contextlib.nullcontext(Failing()), 1)))


def test_players_are_checked_before_the_first_game(registry):
    with pytest.raises(ggp.UsageError, match="a human cannot play here"):
        check_players(registry, registry.game("nim"), ["easy", "human"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slurm:here", "there is no executor 'slurm:here': write dask:ADDRESS"),
        ("dask", "there is no executor 'dask'"),
    ],
)
def test_an_executor_that_is_not_there_is_refused(text, message):
    with pytest.raises(ggp.UsageError, match=message):
        workshop(None, text)


def interrupted(number):
    """Have processes work for a long time, and be interrupted once all of them do."""
    with workshop(number).open() as pool:
        running = [pool.submit(time.sleep, 600) for _ in range(number)]
        while not all(future.running() for future in running):
            time.sleep(0.01)
        raise KeyboardInterrupt


def test_where_the_work_is_interrupted_no_process_goes_on():
    before = set(multiprocessing.active_children())
    with pytest.raises(KeyboardInterrupt):
        interrupted(2)
    assert set(multiprocessing.active_children()) <= before


def test_without_its_extra_dask_is_refused(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ggp.UsageError, match=r"the executor dask needs an extra: pip install 'ggp\[cluster\]'"):
        workshop(None, "dask:localhost:8786")


@pytest.mark.parametrize(
    ("name", "parameters"), [("nim", {"heaps": (1, 5)}), ("kalah", {"majority": True}), ("tree", {})]
)
def test_parameters_as_texts_make_the_same_game(registry, name, parameters):
    game = registry.game(name, **parameters)
    assert registry.parse_game(name, as_texts(game)) == game


def test_results_are_what_the_games_say(experiment):
    match = experiment("tictactoe", "alphabeta", "random", pairs=20)
    results = Results(match)
    games = list(outcomes(match))
    for outcome in games:
        results.add(outcome)
    first = [
        points_of(outcome.record) if outcome.number % 2 == 0 else 1 - points_of(outcome.record) for outcome in games
    ]
    (meeting,) = results.meetings
    assert (meeting.wins, meeting.draws, meeting.losses) == tuple(first.count(points) for points in (1, 0.5, 0))
    assert meeting.points == [one + other for one, other in zip(first[::2], first[1::2], strict=True)]
    assert meeting.pairs.share == pytest.approx(sum(first) / 40)
    assert sum(first) > 28
    assert results.sides.pairs.share == pytest.approx(sum(points_of(each.record) for each in games) / 40)
    assert results.tally(0) == results.tally(1)[::-1]
    assert results.games == 40
    assert results.lengths == [len(outcome.record.moves) for outcome in games]
    moves = sum(len(outcome.record.moves) for outcome in games)
    assert sum(len(cost.seconds) for cost in results.costs) == moves
    assert results.costs[0].nodes > results.costs[1].nodes > 0


def test_margins_are_of_the_player_and_of_the_side(experiment, played):
    results, _ = played(experiment("kalah", "alphabeta:depth=2", "random", pairs=10))
    (meeting,) = results.meetings
    assert [abs(margin) for margin in meeting.margins] == [abs(margin) for margin in results.sides.margins]
    assert sum(meeting.margins) > 0
    assert meeting.margins[::2] == results.sides.margins[::2]
    assert meeting.margins[1::2] == [-margin for margin in results.sides.margins[1::2]]


def test_a_pair_with_a_game_that_did_not_end_by_the_rules_has_no_utility(experiment, played):
    results, _ = played(experiment("nim", "random", "random:seed=1", pairs=4))
    results.sides.margins = [1.0, 1.0, None, -1.0, 1.0, None, 1.0, -1.0]
    figures = data(results, ggp.load_registry().game("nim"))["first_player"]
    assert (figures["utility"], figures["utility_games"]) == (0.5, 4)
    assert "utility +0.50 ± 0.98 (4 games)" in _first_player(figures)


def test_games_that_are_too_long_are_draws(experiment, played):
    results, games = played(experiment("kalah", "random", "random:seed=1", pairs=2, longest=3))
    assert results.unfinished == 4
    assert results.meetings[0].draws == 4
    assert all(len(moves) == 3 for _, _, _, moves, _ in games)


def test_games_that_are_played_twice_are_seen(registry, played):
    match = Experiment(game="fig52", players=("alphabeta", "minimax"), couples=((0, 1),), starts=("A", "A", "B"))
    results, _ = played(match)
    assert (results.games, results.different) == (6, 4)


class Sleeper:
    """A searcher that takes its time."""

    name = "sleeper"

    def unsupported_reason(self, game):
        return None

    def search(self, game, state, limits=ggp.Limits(), *, report=None):
        time.sleep(0.02)
        return ggp.SearchResult(action=next(iter(game.actions(state))), value=0, complete=True)

    analyse = search


def test_a_player_that_takes_longer_than_its_clock_loses(experiment):
    registry = ggp.load_registry()
    registry.register(Sleeper)
    match = experiment("nim", "sleeper", "random", pairs=1, clock=TimeControl(move=0.01))
    found = play_at(registry, registry.game("nim"), match.job(0))
    assert (found.record.ending.how, found.record.ending.winner) == ("time", ggp.MIN)
    assert found.record.clock == match.clock
    results = Results(match)
    results.add(found)
    assert results.forfeits == {0: ["out of time"]}
    assert results.sides.margins == [None]
