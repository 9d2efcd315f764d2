"""The evaluation `learned`: the weights that `ggp learn` has found for a game, for every searcher."""

import functools
import os
import pathlib

from ggp.errors import GGPError, UnknownNameError
from ggp.game import AnyGame, Bounded, Evaluation
from ggp_search.learned.compact_network import CompactNetwork
from ggp_search.learned.weights_file import load_compact
from ggp_search.learned.weights_path import learn_command, learned_path

NAME = "learned"
"""The name of the evaluation; `learned:FILE` names a file of weights."""


def learned(game: AnyGame, name: str) -> Evaluation | None:
    """Return the learned evaluation of a game; None if `name` does not name a learned evaluation.

    Raises:
        UnknownNameError: nothing has been learned about this game, with these parameters.
        StoreError: the file is damaged, or belongs to another game.
    """
    prefix, _, file = name.partition(":")
    if prefix != NAME:
        return None
    path = pathlib.Path(file) if file else learned_path(game)
    if path is None:
        raise UnknownNameError(
            f"nothing has been learned about {game.name} with these parameters: `{learn_command(game)}` learns the game"
        )
    network = _network(path, _stamp(path), _Same(game))
    # Searches look at different states, so each has a view of its own.
    view = network.in_python() if network.plan.board.places else network.view()
    return Evaluation(view.estimate, f"learned from {path.name}", bounded=isinstance(game, Bounded))


def usable(game: AnyGame) -> str | None:
    """Return the name of the learned evaluation of a game; None if there are no weights that can be used."""
    try:
        learned(game, NAME)
    except GGPError:
        return None
    return NAME


def _stamp(path: pathlib.Path) -> tuple[int, int]:
    """Return a value that changes when a file is written again."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


class _Same:
    """A game as a key of a cache; a game itself may be unhashable."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and type(self.game) is type(other.game) and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.game.name)


@functools.lru_cache(4)
def _network(path: pathlib.Path, stamp: tuple[int, int], game: _Same) -> CompactNetwork:
    network = load_compact(path, game.game)
    # Find the type of the states now: the check of a search's new code needs it, and cannot compile anything itself.
    network.in_python()
    return network
