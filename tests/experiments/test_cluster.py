"""Games on a cluster of dask, with a worker killed in the middle."""

import os
import signal

import pytest
from comparable import comparable

import ggp
from ggp.experiments import executors, outcomes, workshop

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # its own warnings are its own affair


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as running:
        yield running


def test_the_games_are_the_same_though_a_worker_is_killed_in_the_middle(experiment, played, cluster):
    match = experiment("kalah", "random", "alphabeta:depth=2", pairs=10)
    games = []
    for outcome in outcomes(match, workshop(None, f"dask:{cluster.scheduler_address}")):
        games.append(comparable(outcome))
        if len(games) == 3:
            worker = next(iter(cluster.workers.values()))
            os.kill(worker.process.pid, signal.SIGKILL)
    assert games == played(match)[1]


def test_a_cluster_that_does_not_answer_is_told(experiment, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "CONNECTING", 1.0)
    games = outcomes(experiment("nim", "random", "easy"), workshop(None, "dask:127.0.0.1:1"))
    with pytest.raises(ggp.GGPError, match=r"no scheduler of dask answers at 127.0.0.1:1: "):
        next(games)
