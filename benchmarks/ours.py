"""ggp's own searches as contenders: the recursion alone, or everything that the searcher does."""

import functools

import attrs
from ggp_search import TreeSearcher
from ggp_search.engine import compiled_engine
from ggp_search.engine.limits import Control

import ggp
from benchmarks.rounds import Contender, Unavailable
from ggp import GGPError, Limits, SearchResult, compiler
from ggp.game import AnyGame

PLAIN = "table=0,ordering=none,bounds=no"
"""The options of a searcher that make it a plain search, as in textbooks."""


@functools.cache
def registry() -> ggp.Registry:
    """Return the registry of this process."""
    return ggp.load_registry()


def recursion(game: AnyGame, searcher: str, depth: int) -> Contender:
    """Call the searcher's recursion once with the full window; compile or prepare it before the clock starts.

    Arguments:
        searcher: a text such as `alphabeta:table=64`; limits in this text are ignored.
        depth: plies to look ahead.

    Raises:
        Unavailable: there is no such searcher, or it has no such option, or machine speed is not possible.
    """
    try:
        made, _ = registry().parse_searcher(searcher)
        if not isinstance(made, TreeSearcher):
            raise Unavailable(f"{searcher} cannot be timed: it has no recursion")
        state = game.initial_state()
        engine = compiled_engine.choose_engine(made.plan(game, state, Limits(depth=depth)))
    except GGPError as error:
        raise Unavailable(str(error)) from error
    Control().watch(engine.counter)

    def count() -> int:
        before = engine.states
        engine.value(state, depth)
        return engine.states - before

    return Contender(lambda: engine.value(state, depth), count, engine.next_iteration)


def perft(game: AnyGame, depth: int) -> Contender:
    """Count the sequences of `depth` moves from the start of a game, in machine code."""
    code = compiler.compile(_sequences, game, compiler.STATE, compiler.INT, game=game)
    variables, state = code.variables(), game.initial_state()

    def count() -> int:
        return int(code(variables, state, depth))

    return Contender(count, count)


def _sequences(game: AnyGame, state: object, depth: int) -> int:
    if depth == 0:
        return 1
    if game.terminal_test(state):
        return 0
    total = 0
    for action in game.actions(state):
        total += _sequences(game, game.result(state, action), depth - 1)
    return total


@attrs.define
class Whole:
    """A whole search as a contender: everything from making the engine to finding the principal variation."""

    game: AnyGame
    searcher: str
    depth: int
    found: SearchResult | None = None
    """The result of the last run."""

    def run(self) -> SearchResult:
        """Search once."""
        made, limits = registry().parse_searcher(self.searcher)
        self.found = made.search(self.game, self.game.initial_state(), attrs.evolve(limits, depth=self.depth))
        return self.found

    def contender(self) -> Contender:
        """Return the search as a contender that counts the states of all iterations.

        Raises:
            Unavailable: there is no such searcher, or it has no such option.
        """
        try:
            registry().parse_searcher(self.searcher)
        except GGPError as error:
            raise Unavailable(str(error)) from error
        return Contender(self.run, lambda: self.run().statistics.nodes)
