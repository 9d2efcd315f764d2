"""Learning on a cluster: in each round, every worker learns alone for a while; then their weights are merged."""

import pathlib
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Executor

import attrs
from ggp_search.learned.network import Network
from ggp_search.learned.weights_file import FORMAT, WeightsHeader, load_weights, numbers_of_network

from ggp.compiler.intrinsics import mix
from ggp.errors import GGPError
from ggp.experiments.executors import Workshop
from ggp.experiments.experiment import as_texts
from ggp.game import AnyGame
from ggp.plugins import load_registry
from ggp_learn.training import Training, TrainingProgress

ROUND = 8.0
"""Seconds of learning between two merges; at most this much is lost if the merging process is killed."""


@attrs.frozen(kw_only=True)
class RoundJob:
    """The task of a worker in one round."""

    game: str
    parameters: Mapping[str, str]
    """The parameters of the game, as they are typed on the command line."""
    plugins: tuple[str, ...]
    weights: bytes
    """The content of a file of weights."""
    drawn: int
    """The number of random words that a worker skips at the beginning, so that each worker plays different games."""
    seconds: float
    games: int | None


def learn_alone(job: RoundJob) -> bytes:
    """Return the content of a file with the weights after one round of a worker.

    Raises:
        GGPError: the worker does not know the game, or cannot learn it.
    """
    registry = load_registry()
    for file in job.plugins:
        registry.load_file(file)
    game = registry.parse_game(job.game, dict(job.parameters))
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "weights"
        path.write_bytes(job.weights)
        training = Training.resume(game, path)
        assert training is not None
        training.drawn = [job.drawn]
        training.run(job.seconds, job.games, measured=False)
        training.save(path)
        return path.read_bytes()


def learn_together(
    training: Training,
    workshop: Workshop,
    workers: int,
    seconds: float,
    games: int | None,
    *,
    plugins: Sequence[str] = (),
    path: pathlib.Path,
    report: Callable[[TrainingProgress], None] = lambda progress: None,
) -> TrainingProgress:
    """Learn with workers of a cluster, until a limit is reached or Ctrl-C is pressed. The weights are then in the file
    `path`.

    Arguments:
        workers: the number of workers that learn at the same time.
        seconds, games: as for `Training.run`.
        plugins: plugin files that the workers load.

    Raises:
        GGPError: no worker finished a round.
    """
    began, before = time.perf_counter(), training.games
    training.remember()
    with workshop.open() as executor:
        while (left := seconds - (time.perf_counter() - began)) > 0:
            missing = None if games is None else games - (training.games - before)
            if missing is not None and missing <= 0:
                break
            share = None if missing is None else max(1, -(-missing // workers))
            _round(training, executor, workers, min(ROUND, left), share, tuple(plugins), path)
            if training.is_due():
                training.measure()
            training.save(path)
            report(training.progress(before, time.perf_counter() - began))
    training.measure()
    training.save(path)
    return training.progress(before, time.perf_counter() - began)


def _round(
    training: Training,
    executor: Executor,
    workers: int,
    seconds: float,
    games: int | None,
    plugins: tuple[str, ...],
    path: pathlib.Path,
) -> None:
    training.save(path)
    game = training.game
    job = RoundJob(
        game=game.name, parameters=as_texts(game), plugins=plugins, weights=path.read_bytes(), drawn=0,
        seconds=seconds, games=games,
    )  # fmt: skip
    began = time.perf_counter()
    asked = [
        executor.submit(learn_alone, attrs.evolve(job, drawn=mix(mix(training.seed, training.games), number + 1) >> 2))
        for number in range(workers)
    ]
    results, trouble = [], ""
    for each in asked:
        try:
            results.append(each.result())
        except (GGPError, OSError, CancelledError) as error:
            trouble = str(error) or type(error).__name__
        except Exception as error:  # a worker that died; the others go on
            trouble = f"{type(error).__name__}: {error}"
    if not results:
        raise GGPError(f"no worker finished its round: {trouble}")
    merge(training, results)
    training.seconds += time.perf_counter() - began


def merge(training: Training, contents: Sequence[bytes]) -> None:
    """Add the results of workers to a training: what they have learned since they received its weights.

    Each weight becomes a mean of the workers' weights. A worker that saw more errors at that weight counts more. So if
    only one worker changed a weight, the weight is taken from that worker. If all workers changed a weight, it moves no
    farther than the greatest change by one worker.

    Arguments:
        contents: files of weights; the workers began with the weights of the training.
    """
    import numpy as np

    weights, drifts, paths = numbers_of_network(training.network)
    seen, moved, drifted = np.zeros_like(paths), np.zeros_like(paths), np.zeros_like(paths)
    games = training.games
    for content in contents:
        header, own = _learned(content, training.game)
        its_weights, its_drifts, its_paths = numbers_of_network(own)
        met = its_paths - paths
        seen += met
        moved += met * (its_weights - weights)
        drifted += its_drifts - drifts
        training.games += header.games - games
    weights += np.divide(moved, seen, out=np.zeros_like(moved), where=seen > 0)
    drifts += drifted
    paths += seen


def _learned(content: bytes, game: AnyGame) -> tuple[WeightsHeader, Network]:
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / f"{FORMAT.name}"
        path.write_bytes(content)
        return load_weights(path, game)
