"""Training: several threads learn a game together, and the weights are measured at milestones and saved in a file.

training = Training.resume(game, default_path(game)) or Training.begin(game)
training.run(seconds=60)
training.save(path)
"""

import ctypes
import functools
import math
import pathlib
import threading
import time
from collections.abc import Callable, Sequence

import attrs
from ggp_search.learned.network import Network, NetworkPlan
from ggp_search.learned.state_words import Places, find_places, state_type, typed_words, words_at
from ggp_search.learned.temporal_differences import Learner, LearningStopped, duel, learn, outlook
from ggp_search.learned.weights_file import ARRAYS, Milestone, WeightsHeader, load_weights, save_weights
from ggp_search.memory.buffer import Buffer, ThreadMemory

from ggp import capabilities, compiler
from ggp.compiler.intrinsics import mix
from ggp.errors import GGPError, UnsupportedGameError
from ggp.game import MAX, AnyGame, Bounded, Scored, capable
from ggp.progress import lengthy
from ggp.searcher import stop_requested
from ggp_learn.accuracy import SolvedPosition
from ggp_learn.cells import find_board, find_own_evaluation, survey
from ggp_learn.tuples import choose_tuples

LONGEST = 600
"""Maximum number of plies of a game of self-play."""
LOOK = 0.1
"""Seconds between two checks of the threads."""
SAVED = 6.0
"""Seconds between two saves of the weights.

Saving takes time, too: in all, less than ten seconds of learning can be lost.
"""
FIRST_MILESTONE, GROWTH = 5.0, 1.5
"""Seconds of learning until the first milestone. The second number is the time of a milestone, divided by the time of
the one before.
"""
CLOSE = 1.25
"""Minimum ratio of the times of two milestones. A milestone that follows sooner is replaced by the next one."""
DUELS = 400
"""Number of games that are played between the present weights and the weights of the last milestone."""
SURE = 800.0
"""The greatest Elo difference that a milestone may report."""
ALWAYS = 1 << 62


@attrs.frozen(kw_only=True)
class TrainingProgress:
    """The state of a training."""

    games: int
    games_now: int
    """Number of games since this training began, or was continued."""
    seconds: float
    """Seconds of learning, including earlier runs."""
    rate: float
    """Games per second, in this run."""
    milestones: tuple[Milestone, ...]
    value: float
    """The value of the first state to MAX."""


class Training:
    """A network that learns."""

    def __init__(
        self, game: AnyGame, network: Network, *, longest: int, seed: int, header: WeightsHeader | None = None
    ) -> None:
        """Prepare a training; see `begin` and `resume`."""
        self.game, self.network, self.seed = game, network, seed
        self.learner = Learner(game, network, longest=longest)
        self.games = header.games if header else 0
        self.seconds = header.seconds if header else 0.0
        self.drawn = list(header.drawn) if header else []
        self.milestones = list(header.milestones) if header else []
        self.compiled = True
        self.note: str | None = None
        self.exam: tuple[SolvedPosition, ...] = ()
        """Positions with exact values; each milestone measures the share of them in which the network chooses a best
        move.
        """
        self._earlier: Buffer | None = None
        self._buffers: list[Buffer] = []

    @classmethod
    def begin(
        cls, game: AnyGame, *, seed: int = 0, tuples: int | None = None, own: bool = True, colours: bool = True
    ) -> "Training":
        """Return a new training, which knows only the rules of the game.

        Arguments:
            tuples: the number of tuples; see `choose_tuples`.
            own: whether the game's own evaluation, if it has one, is an input.
            colours: whether the players share what they learn, if they are alike.

        Raises:
            UnsupportedGameError: the game has no choices, or its states cannot be read.
        """
        _require_choices(game)
        with lengthy(f"looking at positions of {game.name}"):
            surveyed = survey(game, seed)
            places: Places = ()
            words = typed_words(game, surveyed.states)
            if words is None:
                places = find_places(surveyed.states)
                words = words_at(places)
            board = attrs.evolve(find_board(game, words, surveyed.states, seed), places=places)
        if not board.cells:
            raise UnsupportedGameError(f"{game.name} cannot be learned: no part of its states varies as a board does")
        middle, scale = (surveyed.least + surveyed.greatest) / 2, (surveyed.greatest - surveyed.least) / 2
        if isinstance(game, Bounded):
            least, greatest = map(float, game.bounds(game.initial_state()))
            middle, scale = (least + greatest) / 2, (greatest - least) / 2
        own_evaluation = find_own_evaluation(game, surveyed.states) if own else None
        if (middle and not isinstance(game, Scored)) or not colours:
            board = attrs.evolve(board, colours=None)
        if board.colours and own_evaluation:
            own_evaluation = own_evaluation.balanced()
        plan = NetworkPlan(
            board,
            choose_tuples(board, seed, tuples),
            middle,
            scale or 1.0,
            4 if capabilities.is_stochastic(game) else 2,
            own_evaluation,
        )
        longest = min(LONGEST, 4 * surveyed.plies + 20)
        return cls(game, Network(game, plan, ARRAYS), longest=longest, seed=seed)

    @classmethod
    def resume(cls, game: AnyGame, path: pathlib.Path) -> "Training | None":
        """Return the training whose weights are in a file; None if there is no such file. Raises as `load_weights`."""
        if not path.exists():
            return None
        header, network = load_weights(path, game)
        return cls(game, network, longest=header.longest, seed=header.seed, header=header)

    def save(self, path: pathlib.Path, *, packed: bool = False) -> None:
        """Write the weights to a file; with `packed`, rounded and compressed, for shipping the file with a game. Raises
        as `save_weights`.
        """
        save_weights(
            path,
            self.network,
            longest=self.learner.longest,
            seed=self.seed,
            games=self.games,
            seconds=self.seconds,
            drawn=self.drawn,
            milestones=self.milestones,
            packed=packed,
        )

    def run(
        self,
        seconds: float = math.inf,
        games: int | None = None,
        *,
        threads: int = 1,
        path: pathlib.Path | None = None,
        report: Callable[[TrainingProgress], None] | None = None,
        measured: bool = True,
    ) -> TrainingProgress:
        """Learn until a limit is reached, or Ctrl-C is pressed; what was learned is then in `path`.

        Arguments:
            seconds: the time to learn, not counting compilation.
            games: the number of games; None: no limit.
            threads: the number of threads. With one thread, the same seed gives the same weights.
            path: the file that is written every few seconds, and at the end.
            report: called several times a second.
            measured: whether to measure the strength at milestones and at the end.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        if path is not None and not self.games:  # looking at positions took some time, and compiling will
            self.save(path)
        workers = self._workers(threads, games)
        began, before, before_seconds = time.perf_counter(), self.games, self.seconds

        def progress() -> TrainingProgress:
            return self.progress(before, self.seconds - before_seconds)

        def update() -> None:
            self.games = before + sum(worker.games for worker in workers)
            self.seconds = before_seconds + time.perf_counter() - began
            for number, worker in enumerate(workers):
                self.drawn[number] = worker.drawn

        def save() -> None:
            if path is not None:
                update()
                self.save(path)

        self.remember()
        for worker in workers:
            worker.start()
        saver = _Saver(save)
        saver.start()
        try:
            while any(worker.is_alive() for worker in workers):
                workers[0].join(LOOK)
                update()
                if time.perf_counter() - began >= seconds or stop_requested() or saver.error is not None:
                    break
                if measured and self.is_due():
                    self.measure()
                if report is not None:
                    report(progress())
        finally:
            for worker in workers:
                worker.stop()
            saver.stop()
            for worker in workers:
                worker.join()
            update()
            for error in (*(worker.error for worker in workers), saver.error):
                if error is not None:
                    raise error
            if self.games > before:
                if measured:
                    self.measure()
                if path is not None:
                    self.save(path)
        return progress()

    def progress(self, before: int, spent: float) -> TrainingProgress:
        """Return how far the training has come.

        Arguments:
            before: the number of games before this run.
            spent: the seconds of this run.
        """
        now = self.games - before
        return TrainingProgress(
            games=self.games,
            games_now=now,
            seconds=self.seconds,
            rate=now / max(spent, 1e-6),
            milestones=tuple(self.milestones),
            value=self._view.value(self.game.initial_state()),
        )

    @functools.cached_property
    def _view(self) -> Network:
        """The network with the main thread's memory for states; each learning thread has memory of its own."""
        return self.network.in_python()

    def _workers(self, threads: int, games: int | None) -> "list[_Worker]":
        code = self._code(learn, self.learner)
        if code is None:
            threads = 1  # in Python, all threads would write the same records
            self.learner.network = self.network.in_python()
        while len(self.drawn) < threads:
            self.drawn.append(mix(mix(0, self.seed), len(self.drawn) + 1) >> 2)  # far from where others begin
        shares = [ALWAYS if games is None else games // threads + (n < games % threads) for n in range(threads)]
        return [_Worker(self, code, number, share) for number, share in enumerate(shares)]

    def _code(self, function: Callable[..., object], learner: Learner, *numbers: object) -> compiler.Code | None:
        """Return the machine code of a function of the learner; None if the game must be interpreted.

        The code gets the type of all states, since the first state may have fewer words than others.
        """
        from ggp_search.engine.settings import choose_speed

        if choose_speed("auto") == "interpreted":
            return None
        if self.network.plan.board.places:
            self.note = "machine code cannot hold its states"
            return None
        try:
            with lengthy(f"compiling {self.game.name} for learning"):
                return compiler.compile(function, self.game, learner, state_type(self.game), *numbers, game=self.game)
        except (compiler.Refused, compiler.NotRepresentable) as error:
            self.note = str(error)
            return None

    # Milestones -------------------------------------------------------------------------------------------------------

    def is_due(self) -> bool:
        """Return whether it is time for another milestone."""
        last = self.milestones[-1].seconds if self.milestones else FIRST_MILESTONE / GROWTH
        return self.seconds >= max(FIRST_MILESTONE, last * GROWTH)

    def remember(self) -> None:
        """Keep the present weights, to play against them later."""
        if self._earlier is None:
            self._earlier = Buffer(self.network.size)
        ctypes.memmove(self._earlier.address, self.network.weights, self.network.size)

    def measure(self) -> None:
        """Play against the weights of the last milestone, and record how much stronger the present weights are."""
        before = self.milestones[-1].elo if self.milestones else 0.0
        if len(self.milestones) > 1 and self.milestones[-1].seconds < CLOSE * self.milestones[-2].seconds:
            self.milestones.pop()  # many short runs leave no more milestones than a long one
        self.milestones.append(
            Milestone(
                seconds=round(self.seconds, 3),
                games=self.games,
                elo=round(before + self._gain(), 1),
                right=self._right() if self.exam else None,
            )
        )
        self.remember()

    def _right(self) -> float:
        """Return the share of the exam's positions in which the network, without search, chooses a best move."""
        network, game = self.network.in_python(), self.game
        right = 0
        for position in self.exam:
            sign = 1 if game.to_move(position.state) == MAX else -1
            worth = {
                action: sign * outlook(game, network, game.result(position.state, action)) for action in position.values
            }
            right += position.is_best(max(worth, key=worth.__getitem__))
        return right / len(self.exam)

    def _gain(self) -> float:
        assert self._earlier is not None
        if len(capabilities.players(self.game)) < 2:
            return 0.0
        code = self._code(duel, self.learner, compiler.INT, compiler.INT, compiler.INT)
        count = DUELS if code else 10
        memory = _thread_memory(code.objects if code else (self.learner,))
        if code is None:
            return 0.0
        variables = code.variables()
        _give(variables, memory)
        variables.set(self.learner, "drawn", mix(mix(1, self.seed), self.games) >> 2)
        try:
            rivals = self.network.weights, self._earlier.address
            points = code(variables, self.game.initial_state(), count, *rivals) / count
        except (GGPError, compiler.Fault, compiler.NotRepresentable):
            return 0.0
        points = min(max(points, 0.5 / count), 1 - 0.5 / count)
        return max(-SURE, min(SURE, 400 * math.log10(points / (1 - points))))


def _require_choices(game: AnyGame) -> None:
    if game.terminal_test(game.initial_state()):
        raise UnsupportedGameError(f"{game.name} cannot be learned: its first position is the end of the game")


def _thread_memory(objects: tuple[object, ...]) -> list[tuple[ThreadMemory, str, Buffer]]:
    """Return memory for one thread, ready for use, for each object that needs memory."""
    networks = []
    for thing in objects:
        if isinstance(thing, ThreadMemory):
            name, size = thing.room()
            buffer = Buffer(size, large_pages=False)
            thing.begin(buffer.address)
            networks.append((thing, name, buffer))
    return networks


def _give(variables: compiler.Variables, memory: Sequence[tuple[object, str, Buffer]]) -> None:
    for thing, name, buffer in memory:
        variables.set(thing, name, buffer.address)


class _Saver(threading.Thread):
    """A thread that saves the weights every few seconds, also while the main thread is busy with a long measurement."""

    def __init__(self, save: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.save = save
        self.error: Exception | None = None
        self._ended = threading.Event()

    def run(self) -> None:
        try:
            while not self._ended.wait(SAVED):
                self.save()
        except Exception as error:
            self.error = error

    def stop(self) -> None:
        """End the thread after the current save."""
        self._ended.set()
        self.join()


class _Worker(threading.Thread):
    """A thread that learns."""

    def __init__(self, training: Training, code: compiler.Code | None, number: int, games: int) -> None:
        super().__init__(daemon=True)
        self.training, self.code, self.share = training, code, games
        self.error: Exception | None = None
        learner = training.learner
        objects = code.objects if code else (learner,)
        self.memory = _thread_memory(objects)
        if code is None:
            learner.rows = next(buffer.address for thing, _, buffer in self.memory if thing is learner)
            learner.drawn, learner.games, learner.limit, learner.stopped = training.drawn[number], 0, games, 0
        else:
            self.variables = code.variables()
            _give(self.variables, self.memory)
            self.variables.set(learner, "drawn", training.drawn[number])
            self.variables.set(learner, "limit", games)
            self.variables.set(learner, "games", 0)

    def _get(self, name: str) -> int:
        learner = self.training.learner
        return int(self.variables.get(learner, name) if self.code else getattr(learner, name))

    @property
    def games(self) -> int:
        """Number of games so far."""
        return self._get("games")

    @property
    def drawn(self) -> int:
        """Number of random words drawn so far."""
        return self._get("drawn")

    def run(self) -> None:
        training = self.training
        start = training.game.initial_state()
        try:
            if self.code:
                self.code(self.variables, start)
            else:
                learn(capable(training.game), training.learner, start)
        except LearningStopped:
            pass
        except (compiler.Fault, compiler.NotRepresentable, OverflowError) as error:
            why = str(error) or "its states grow longer"
            self.error = UnsupportedGameError(f"{training.game.name} cannot be learned: {why}")
        except Exception as error:
            self.error = error

    def stop(self) -> None:
        """End the thread after the present game."""
        learner = self.training.learner
        if self.code:
            self.variables.set(learner, "limit", 0)
        else:
            learner.limit = 0
