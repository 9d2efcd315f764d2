"""Run an experiment."""

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait

from ggp.errors import GGPError
from ggp.experiments.executors import HERE, Workshop
from ggp.experiments.experiment import Experiment, GameJob, Outcome, play_job
from ggp.experiments.journal import Journal

PATIENCE = 3
"""Number of times that processes may die in succession without finishing a game."""

Play = Callable[[GameJob], Outcome]


def outcomes(
    experiment: Experiment, workshop: Workshop = HERE, journal: Journal | None = None, play: Play = play_job
) -> Iterator[Outcome]:
    """Yield the games of an experiment in their order, whatever the order in which they end.

    So the report is the same for any number of processes, and so is the game after which a sequential test stops.

    Arguments:
        workshop: opens the executor that plays the games.
        journal: its games are not played again; new games are added to it.
        play: plays one game; for other processes it must be a function of a module.

    Raises:
        GGPError: a game failed, or the processes died repeatedly.
        StoreError: the journal cannot be written.
    """
    ready = dict(journal.games) if journal else {}
    following, failures = 0, 0
    while following < experiment.games:
        if following in ready:
            yield ready.pop(following)
            following += 1
            continue
        missing = [number for number in range(following, experiment.games) if number not in ready]
        try:
            for outcome in _finished(map(experiment.job, missing), workshop, play):
                failures = 0
                if journal:
                    journal.add(outcome)
                ready[outcome.number] = outcome
                while following in ready:
                    yield ready.pop(following)
                    following += 1
        except BrokenExecutor:
            failures += 1
            if failures == PATIENCE:
                raise GGPError(
                    f"the worker processes died {PATIENCE} times in a row, at game {following + 1} or soon after:"
                    " the machine may be out of memory; use fewer processes"
                ) from None


def _finished(jobs: Iterator[GameJob], workshop: Workshop, play: Play) -> Iterator[Outcome]:
    """Yield the games in the order in which they end."""
    with workshop.open() as executor:
        running: set[Future[Outcome]] = set()
        while True:
            running |= _submitted(jobs, executor, workshop.width - len(running), play)
            if not running:
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in sorted(ended, key=lambda future: future.exception() is not None):  # what is done is not lost
                yield _answer(future)


def _submitted(jobs: Iterator[GameJob], executor: Executor, number: int, play: Play) -> "set[Future[Outcome]]":
    return {executor.submit(play, job) for job in itertools.islice(jobs, number)}


def _answer(future: "Future[Outcome]") -> Outcome:
    try:
        return future.result()
    except (GGPError, BrokenExecutor):
        raise
    except Exception as error:
        raise GGPError(f"a game could not be played: {type(error).__name__}: {error}") from error
