"""Files of learned weights: what a network has learned about a game, and what is needed to go on learning."""

import hashlib
import json
import pathlib
import re
from typing import Any, Final

import attrs
import msgspec

from ggp.capabilities import parameters
from ggp.compiler.types import type_of
from ggp.errors import StoreError
from ggp.files import user_path
from ggp.game import AnyGame
from ggp.storage import Format, encoded
from ggp_search.learned.network import CellBoard, CellReader, Network, NetworkPlan

FORMAT: Final = Format("learned weights", 1, StoreError, "remove it to start again", 16 << 30)
SUFFIX = ".ggpw"
VARIABLE = "GGP_LEARNED"
"""The environment variable that names the default directory."""
ARRAYS = 3
"""Numbers for each entry of a table: its weight, and the two sums of its step size."""


@attrs.frozen(kw_only=True)
class Milestone:
    """The state of learning at one time."""

    seconds: float
    games: int
    elo: float
    """The strength without search, by matches against the weights of the last milestone; 0 before learning."""
    right: float | None = None
    """The share of best moves without search, 0 to 1, in positions with exact values; None if it was not measured."""


@attrs.frozen(kw_only=True)
class WeightsHeader:
    """The header of a file of weights."""

    game: str
    parameters: dict[str, Any]
    state: str
    """The type of the game's states."""
    words: int
    cells: list[list[Any]]
    """The cells of the board, each with bits, contents and number of contents."""
    neighbours: list[list[int]]
    symmetries: list[list[int]]
    tuples: list[list[int]]
    middle: float
    scale: float
    sides: int
    longest: int
    seed: int
    games: int
    seconds: float
    drawn: list[int]
    """The number of random words that each thread has drawn."""
    milestones: list[Milestone]
    count: int
    """The number of entries that have ever been used; the others are 0."""


def default_path(game: AnyGame) -> pathlib.Path:
    """Return the file of a game with its parameters, in the user's own directory."""
    text = json.dumps(_parameters(game), sort_keys=True)
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", game.name)[-60:]
    digest = hashlib.sha256(f"{game.name} {text}".encode()).hexdigest()[:8]
    return user_path("learned", VARIABLE) / f"{name}-{digest}{SUFFIX}"


def _parameters(game: AnyGame) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(msgspec.to_builtins(parameters(game)), default=str))
    return found


def save_weights(
    path: pathlib.Path,
    network: Network,
    *,
    longest: int,
    seed: int,
    games: int,
    seconds: float,
    drawn: list[int],
    milestones: list[Milestone],
) -> None:
    """Write a file of weights, completely or not at all.

    Raises:
        StoreError: the file cannot be written.
    """
    import numpy as np

    plan, board, game = network.plan, network.plan.board, network.game
    arrays = numbers_of_network(network, ARRAYS)
    used = arrays[ARRAYS - 1].copy()  # threads may be learning meanwhile
    places = np.flatnonzero(used).astype(np.uint32)
    header = WeightsHeader(
        game=game.name,
        parameters=_parameters(game),
        state=str(type_of(game.initial_state())),
        words=board.words,
        cells=[[list(cell.bits), list(cell.contents), cell.base] for cell in board.cells],
        neighbours=[list(each) for each in board.neighbours],
        symmetries=[list(each) for each in board.symmetries],
        tuples=[list(each) for each in plan.tuples],
        middle=plan.middle,
        scale=plan.scale,
        sides=plan.sides,
        longest=longest,
        seed=seed,
        games=games,
        seconds=seconds,
        drawn=drawn,
        milestones=milestones,
        count=len(places),
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FORMAT.unwritable(path, error) from error
    FORMAT.write(path, encoded(header), places.tobytes(), *(array[places].tobytes() for array in arrays))


def load_weights(path: pathlib.Path, game: AnyGame, *, arrays: int = 1) -> tuple[WeightsHeader, Network]:
    """Return the network in a file, and the file's header.

    Arguments:
        arrays: 1 for the weights alone, `ARRAYS` to go on learning.

    Raises:
        StoreError: the file cannot be read, is damaged, or belongs to another game.
    """
    import numpy as np

    header, body = FORMAT.read_with_header(path, WeightsHeader)
    if (header.game, header.parameters) != (game.name, _parameters(game)):
        options = "".join(f" {name}={value}" for name, value in header.parameters.items())
        raise StoreError(f"{path} has weights of {header.game}{options}: learn this game first, with `ggp learn`")
    if header.state != str(type_of(game.initial_state())):
        raise StoreError(
            f"{path} was learned when states of {game.name} were {header.state}: remove it, and learn again"
        )
    network = Network(game, _plan(path, header), arrays)
    if len(body) != header.count * (4 + 8 * ARRAYS):
        raise FORMAT.damaged(path, "its number of weights is wrong")
    places = np.frombuffer(body, np.uint32, header.count)
    if header.count and int(places.max()) * 8 >= network.size:
        raise FORMAT.damaged(path, "its weights belong to other tuples")
    for number, array in enumerate(numbers_of_network(network, arrays)):
        array[places] = np.frombuffer(body, np.float64, header.count, header.count * (4 + 8 * number))
    return header, network


def _plan(path: pathlib.Path, header: WeightsHeader) -> NetworkPlan:
    """Return the plan in a header."""
    try:
        cells = tuple(CellReader(tuple(bits), tuple(contents), base) for bits, contents, base in header.cells)
        neighbours, symmetries = (tuple(map(tuple, each)) for each in (header.neighbours, header.symmetries))
        board = CellBoard(header.words, cells, neighbours, symmetries)
        for cell in cells:
            fits = len(cell.contents) == 1 << len(cell.bits) and all(0 <= bit < 64 * board.words for bit in cell.bits)
            if not fits or not all(0 <= each < cell.base for each in cell.contents):
                raise ValueError
        for permutation in symmetries:
            if sorted(permutation) != list(range(len(cells))):
                raise ValueError
        if not all(0 <= cell < len(cells) for each in header.tuples for cell in each) or header.sides not in (2, 3):
            raise ValueError
    except (ValueError, TypeError):
        raise FORMAT.damaged(path, "its board is wrong") from None
    return NetworkPlan(board, tuple(map(tuple, header.tuples)), header.middle, header.scale, header.sides)


def numbers_of_network(network: Network, arrays: int) -> list[Any]:
    """Return the memory of a network as arrays of floats: the weights, and what a learner keeps besides."""
    import numpy as np

    count = network.size // 8
    return [np.frombuffer(network.memory.memory, np.float64, count, number * network.size) for number in range(arrays)]
