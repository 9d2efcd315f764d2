"""Learning on a cluster: rounds of workers, and how they are merged."""

import math
import os
import signal
from concurrent.futures import Future

import pytest
from ggp_learn import rounds
from ggp_learn.rounds import learn_together, merge
from ggp_learn.training import Training
from ggp_search.learned.weights_file import numbers_of_network

import ggp
from ggp.experiments.executors import HERE, Here, Workshop, workshop


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setattr("ggp_learn.cells.GAMES", 40)


@pytest.fixture
def training():
    return Training.begin(ggp.load_registry().game("tictactoe"))


def test_workers_play_as_many_games_together_as_were_asked_for(training, tmp_path):
    told = []
    found = learn_together(training, HERE, 3, math.inf, 12, path=tmp_path / "weights", report=told.append)
    assert (found.games, found.games_now, len(told)) == (12, 12, 1)
    assert Training.resume(training.game, tmp_path / "weights").games == 12


def test_a_weight_that_one_worker_met_is_its_own_and_one_that_two_met_is_their_mean(training, tmp_path):
    training.save(tmp_path / "before")
    contents = []
    for number, (place, weight, path) in enumerate([(3, 0.5, 2.0), (7, 1.0, 1.0), (7, -0.5, 2.0)]):
        worker = Training.resume(training.game, tmp_path / "before")
        weights, drifts, paths = numbers_of_network(worker.network)
        weights[place], drifts[place], paths[place] = weight, math.copysign(path, weight), path
        worker.games = 10
        worker.save(tmp_path / str(number))
        contents.append((tmp_path / str(number)).read_bytes())
    merge(training, contents)
    weights, drifts, paths = numbers_of_network(training.network)
    assert (weights[3], weights[7]) == (0.5, 0.0)
    assert (drifts[7], paths[7], training.games) == (-1.0, 3.0, 30)


class Dying(Here):
    """Every other worker dies."""

    count = 0

    def submit(self, function, /, *arguments, **options):
        self.count += 1
        if self.count % 2:
            future = Future()
            future.set_exception(ConnectionError("the worker died"))
            return future
        return super().submit(function, *arguments, **options)


def test_a_worker_that_dies_loses_its_round_and_nothing_else(training, tmp_path):
    shop = Workshop(Dying, 1)
    assert learn_together(training, shop, 2, math.inf, 8, path=tmp_path / "weights").games >= 8


def test_if_all_die_it_says_so(training, tmp_path):
    with pytest.raises(ggp.GGPError, match="no worker finished its round: the worker died"):
        learn_together(training, Workshop(Dying, 1), 1, math.inf, 8, path=tmp_path / "weights")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # its own warnings are its own affair
def test_workers_of_dask_learn_and_one_may_be_killed(training, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(rounds, "ROUND", 3.0)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        shop = workshop(executor=f"dask:{cluster.scheduler_address}")
        found = learn_together(training, shop, 2, math.inf, 40, path=tmp_path / "weights")
    assert found.games >= 40
