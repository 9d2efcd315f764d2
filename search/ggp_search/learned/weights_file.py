"""Files of learned weights: what a network has learned about a game, and everything that is needed to continue
learning.
"""

import lzma
import pathlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import attrs

from ggp.capabilities import evaluations
from ggp.errors import StoreError, UsageError
from ggp.game import AnyGame
from ggp.storage import Format, encoded
from ggp_search.learned.compact_network import CompactNetwork
from ggp_search.learned.network import CellBoard, CellReader, ColourSymmetry, Network, NetworkPlan, OwnEvaluation
from ggp_search.learned.state_words import Floats, state_text
from ggp_search.learned.weights_path import learn_command, plain_parameters

FORMAT: Final = Format("learned weights", 1, StoreError, "remove it to start again", 16 << 30)
ARRAYS = 3
"""Each entry of a table has three numbers: its weight, and the two sums of its step size."""
FINE = 8
"""Minimum number of units in one standard deviation of the packed weights."""
COARSEST, FINEST = 64, 4096
"""Minimum and maximum number of units in a packed weight of 1. A network that only plays needs no finer units."""
MOST_STEPS = 1 << 16
"""Maximum number of steps into which the range of a game's own evaluation is divided."""
SEEN = 8.0
"""A weight whose errors sum up to less than this has learned almost nothing, and is packed as 0."""


@attrs.frozen(kw_only=True)
class Milestone:
    """The state of the learning at one time."""

    seconds: float
    games: int
    elo: float
    """The strength without search, measured by matches against the weights of the last milestone; 0 before learning."""
    right: float | None = None
    """The share of best moves without search, 0 to 1, in positions with exact values; None if it was not measured."""


@attrs.frozen(kw_only=True)
class WeightsHeader:
    """The header of a file of weights."""

    game: str
    parameters: dict[str, object]
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
    """The number of random words that each thread has used."""
    milestones: list[Milestone]
    count: int
    """The number of entries that have ever been used; all other entries are 0."""
    packed: bool = False
    """Whether the file has only the weights, rounded, which are enough to play."""
    unit: int = 256
    """Packed weights are whole multiples of 1 / `unit`."""
    halved: bool = False
    """Whether only every other set of tables is packed, since symmetric players have opposite weights."""
    places: list[list[Any]] = attrs.field(factory=list)
    """The places in a state from which its words are read, if machine code has no words for states."""
    own: OwnEvaluation | None = None
    colours: ColourSymmetry | None = None


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
    packed: bool = False,
) -> None:
    """Write a file of weights, completely or not at all.

    Arguments:
        packed: whether to write only the weights, rounded, in a small file.

    Raises:
        StoreError: the file cannot be written.
    """
    np = _numpy()
    plan, board, game = network.plan, network.plan.board, network.game
    arrays = numbers_of_network(network)
    used = arrays[ARRAYS - 1].copy()  # threads may be learning meanwhile
    places = np.flatnonzero(used).astype(np.uint32)
    weights = np.where(used < SEEN, 0.0, arrays[0])
    halved = plan.twins() is not None
    if halved:
        weights = weights.reshape(plan.sides, plan.entries)[::2]
    unit = _unit(weights[weights != 0.0])
    header = WeightsHeader(
        game=game.name,
        parameters=plain_parameters(game),
        state=state_text(game),
        words=board.words,
        cells=[[list(cell.bits), list(cell.contents), cell.base] for cell in board.cells],
        places=[[path_in_state, list(things)] for path_in_state, things in board.places],
        neighbours=[list(each) for each in board.neighbours],
        symmetries=[list(each) for each in board.symmetries],
        tuples=[list(each) for each in plan.tuples],
        middle=plan.middle,
        scale=plan.scale,
        sides=plan.sides,
        own=plan.own,
        colours=board.colours,
        longest=longest,
        seed=seed,
        games=games,
        seconds=seconds,
        drawn=drawn,
        milestones=milestones,
        count=len(places),
        packed=packed,
        unit=unit,
        halved=halved,
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FORMAT.unwritable(path, error) from error
    if packed:
        rounded = np.clip(np.rint(weights * unit), -(1 << 15), (1 << 15) - 1)
        # High and low bytes apart: the high ones are nearly all the same.
        content = [lzma.compress(rounded.astype("<i2").view(np.uint8).reshape(-1, 2).T.tobytes(), preset=9)]
    else:
        content = [places.tobytes(), *(array[places].tobytes() for array in arrays)]
    FORMAT.write(path, encoded(header), *content)


def _unit(weights: Floats) -> int:
    """Return how many units of packed weights make 1: a power of two, large enough to distinguish the weights."""
    spread = float(weights.std()) if len(weights) else 1.0
    unit = COARSEST
    while unit < FINEST and unit * spread < FINE:
        unit *= 2
    return unit


def load_weights(path: pathlib.Path, game: AnyGame) -> tuple[WeightsHeader, Network]:
    """Return a file's header, and its network with everything that is needed to continue learning.

    Raises:
        StoreError: the file cannot be read, is damaged, belongs to another game, or is packed.
    """
    header, body = _read(path, game)
    if header.packed:
        raise StoreError(f"{path} is packed for playing: learning cannot continue from it (--restart begins anew)")
    network = Network(game, _plan(path, header), ARRAYS)
    for array, learned in zip(numbers_of_network(network), _unpacked(path, header, body, network.plan), strict=True):
        array[:] = learned
    return header, network


def load_compact(path: pathlib.Path, game: AnyGame) -> CompactNetwork:
    """Return the network in a file, to play with.

    Raises:
        StoreError: the file cannot be read, is damaged, belongs to another game, or has learned from no game yet.
    """
    header, body = _read(path, game)
    if not header.games:
        raise StoreError(f"{path} has learned from no game yet: `{learn_command(game, path)}` continues the learning")
    plan = _plan(path, header)
    return CompactNetwork(game, plan, next(_unpacked(path, header, body, plan)))


def _numpy() -> ModuleType:
    """Return the module numpy.

    Raises:
        UsageError: NumPy is not installed.
    """
    try:
        import numpy
    except ImportError:
        raise UsageError("what was learned needs an extra: pip install 'ggp[fast]'") from None
    return numpy


def _read(path: pathlib.Path, game: AnyGame) -> tuple[WeightsHeader, bytes]:
    header, body = FORMAT.read_with_header(path, WeightsHeader)
    ours = plain_parameters(game)
    if (header.game, header.parameters) != (game.name, ours):
        both = [_listed(header.game, header.parameters), _listed(game.name, ours)]
        raise StoreError(f"{path} has weights of {both[0]}, not of {both[1]}: type `{learn_command(game)}` first")
    before = ""
    if header.own is not None and header.own.name not in evaluations(game):
        before = f"had an evaluation {header.own.name!r}"
    elif header.state != state_text(game):
        before = f"had other states ({header.state[:60]})"
    if before:
        again = f"{learn_command(game, path)} --restart"
        raise StoreError(f"{path} was learned when {game.name} {before}: type `{again}` to learn it again")
    return header, body


def _listed(name: str, parameters: dict[str, object]) -> str:
    return " ".join([name, *(f"{key}={value}" for key, value in parameters.items())])


def _unpacked(path: pathlib.Path, header: WeightsHeader, body: bytes, plan: NetworkPlan) -> Iterator[Floats]:
    """Yield arrays with a number for each entry.

    The arrays are the weights and, unless they are packed, the numbers that only a learner needs.
    """
    np = _numpy()
    entries = plan.entries * plan.sides
    if header.packed:
        twins = plan.twins() if header.halved else None
        size = 2 * entries // (1 if twins is None else 2)
        try:
            content = lzma.LZMADecompressor().decompress(body, size + 1)
        except lzma.LZMAError:
            content = b""
        if len(content) != size:
            raise FORMAT.damaged(path, "its number of weights is wrong")
        weights = np.frombuffer(content, np.uint8).reshape(2, -1).T.copy().view("<i2").ravel() / max(1, header.unit)
        if twins is not None:
            weights = weights.reshape(-1, plan.entries)
            weights = np.stack([weights, -weights[:, twins]], axis=1).ravel()
        yield weights
        return
    if len(body) != header.count * (4 + 8 * ARRAYS):
        raise FORMAT.damaged(path, "its number of weights is wrong")
    places = np.frombuffer(body, np.uint32, header.count)
    if header.count and int(places.max()) >= entries:
        raise FORMAT.damaged(path, "its weights belong to other tuples")
    for number in range(ARRAYS):
        array = np.zeros(entries)
        array[places] = np.frombuffer(body, np.float64, header.count, header.count * (4 + 8 * number))
        yield array


def _plan(path: pathlib.Path, header: WeightsHeader) -> NetworkPlan:
    """Return the plan that is described in a header."""
    try:
        cells = tuple(CellReader(tuple(bits), tuple(contents), base) for bits, contents, base in header.cells)
        neighbours, symmetries = (tuple(map(tuple, each)) for each in (header.neighbours, header.symmetries))
        places = tuple((path_in_state, tuple(things)) for path_in_state, things in header.places)
        board = CellBoard(header.words, cells, neighbours, symmetries, places=places, colours=header.colours)
        if places and len(places) != board.words:
            raise ValueError
        for cell in cells:
            fits = len(cell.contents) == 1 << len(cell.bits) and all(0 <= bit < 64 * board.words for bit in cell.bits)
            if not fits or not all(0 <= each < cell.base for each in cell.contents):
                raise ValueError
        if header.colours is not None:
            changes = zip(cells, header.colours.contents, strict=True)
            if any(sorted(contents) != list(range(cell.base)) for cell, contents in changes):
                raise ValueError
        for permutation in (*symmetries, *((header.colours.cells,) if header.colours else ())):
            if sorted(permutation) != list(range(len(cells))):
                raise ValueError
        if not all(0 <= cell < len(cells) for each in header.tuples for cell in each) or header.sides not in (2, 4):
            raise ValueError
        if header.own is not None and not (header.own.width > 0 and 0 < header.own.steps <= MOST_STEPS):
            raise ValueError
    except (ValueError, TypeError):
        raise FORMAT.damaged(path, "its board is wrong") from None
    tuples = tuple(map(tuple, header.tuples))
    return NetworkPlan(board, tuples, header.middle, header.scale, header.sides, header.own)


def numbers_of_network(network: Network) -> list[Floats]:
    """Return a learning network's memory as arrays of floats: the weights, and numbers that only a learner needs."""
    np = _numpy()
    count = network.size // 8
    return [
        np.frombuffer(network.weights_memory.memory, np.float64, count, number * network.size)
        for number in range(ARRAYS)
    ]
