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
Needed = Callable[[int], bool]
"""Returns whether the game with this number is still needed; called when all games before it have been yielded."""


def all_games(number: int) -> bool:
    """Return True: every game is played."""
    return True


def outcomes(
    experiment: Experiment,
    workshop: Workshop = HERE,
    journal: Journal | None = None,
    play: Play = play_job,
    needed: Needed = all_games,
) -> Iterator[Outcome]:
    """Yield the games of an experiment in their order, whatever the order in which they end.

    So the report is the same for any number of processes, and a sequential test stops after the same game.

    Arguments:
        workshop: opens the executor that plays the games.
        journal: the file of finished games: games in it are not played again, and new games are added to it.
        play: plays one game; for other processes it must be a function of a module.
        needed: games that are not needed any more are not yielded, even if a process has already played them.

    Raises:
        GGPError: a game failed, or the processes died repeatedly.
        StoreError: the journal cannot be written.
    """
    ready = dict(journal.games) if journal else {}
    following, failures = 0, 0

    def due() -> Iterator[Outcome]:
        """Yield the games that are next in order, as far as they have ended."""
        nonlocal following
        while following < experiment.games and (following in ready or not needed(following)):
            outcome = ready.pop(following, None)
            if outcome is not None and needed(following):
                yield outcome
            following += 1

    yield from due()
    while following < experiment.games:
        unplayed = [number for number in range(following, experiment.games) if number not in ready]
        missing = filter(needed, unplayed)  # as they are asked for: what is decided by then is not played
        try:
            for outcome in _finished(map(experiment.job, missing), workshop, play):
                failures = 0
                if journal:
                    journal.add(outcome)
                ready[outcome.number] = outcome
                yield from due()
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
