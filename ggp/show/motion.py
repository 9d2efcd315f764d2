"""The animation of a move: which things leave which cell, where they land, and how the cells look in between.

The animation is computed from the scenes before and after the move, so a game needs no code for it. Seeds are sown one
by one, captures fly together, pieces go from cell to cell, pieces that are placed or removed appear or vanish, and dice
roll.
"""

import itertools
import json
from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs

from ggp.game import Action
from ggp.scene import TEXTS, Cell, Scene
from ggp.show.board_svg import cell_drawer


@attrs.frozen
class Flight:
    """Things that fly together from one cell to another."""

    start: str | None
    """The name of the cell from which the things fly; None if they appear."""
    end: str | None
    """The name of the cell to which the things fly; None if they vanish."""
    count: int = 0
    """The number of things; 0 for a single piece, which has no count."""
    falls: bool = False
    """Whether the piece falls into its cell from the upper edge of the board."""


@attrs.frozen
class Beat:
    """Flights that begin and end together."""

    flights: tuple[Flight, ...]
    leaving: Mapping[str, Cell]
    """The cells that change when the flights begin."""
    landed: Mapping[str, Cell]
    """The cells that change when the flights end."""
    flips: tuple[str, ...] = ()
    """The names of cells whose piece or die is turned over; this takes as long as a flight."""


def motion(before: Scene, after: Scene, action: Action) -> tuple[Beat, ...]:
    """Return the beats that animate `action`, from one scene to the other; none if nothing moves."""
    old, new = (
        {cell.name: cell for cell in scene.cells if cell.shape not in TEXTS or cell.piece} for scene in (before, after)
    )
    rolled = tuple(_rolled(old, new))
    for beat in rolled:
        old |= beat.landed
    return (*rolled, *_counted(old, new, before, action), *_pieces(old, new, before, action))


def scenes(before: Scene, beats: Sequence[Beat]) -> Iterator[Scene]:
    """Yield the scene after each beat."""
    shown = before
    for beat in beats:
        changed = {**beat.leaving, **beat.landed}
        shown = attrs.evolve(shown, cells=tuple(changed.get(cell.name, cell) for cell in shown.cells))
        yield shown


def motion_json(before: Scene, after: Scene, action: Action) -> str:
    """Return the animation of `action` for `motion.js`: flights by the names of cells, and the cells as SVG."""
    there = {cell.name for cell in before.cells}
    new = tuple(cell for cell in after.cells if cell.name not in there)
    draw = cell_drawer(attrs.evolve(before, cells=before.cells + new, lines=(), moves=()))
    beats = [
        {
            "flights": [
                {"from": each.start, "to": each.end, "count": each.count, "falls": each.falls} for each in beat.flights
            ],
            "flips": beat.flips,
            "leaving": {name: draw(cell) for name, cell in beat.leaving.items()},
            "landed": {name: draw(cell) for name, cell in beat.landed.items()},
        }
        for beat in motion(before, after, action)
    ]
    return json.dumps(beats, separators=(",", ":"))


def way(before: Scene, after: Scene, action: Action) -> tuple[str, str] | None:
    """Return the names of the two cells between which an arrow shows a move.

    For a move within one cell, such as placing a piece, return the same name twice. Return None if no cell changes.

    Seeds move from the hollow that is emptied towards the hollow of the last seed.
    """
    for move in before.moves:
        if move.action == action:
            return move.start, move.end
    names = {cell.name for cell in before.cells}
    chosen = next((cell.name for cell in before.cells if action is not None and cell.action == action), None)
    flights = [beat.flights for beat in motion(before, after, action) if beat.flights]
    if not flights:
        return (chosen, chosen) if chosen else None
    start, end = flights[0][0].start, flights[0][0].end
    for each in flights[1:]:
        if len(each) > 1 or each[0].start != end or each[0].end is None:
            break
        end = each[0].end
    ends = [name for name in (start, end) if name in names]
    return (ends[0], ends[-1]) if ends else None


# ---- dice


def _rolled(old: Mapping[str, Cell], new: Mapping[str, Cell]) -> Iterator[Beat]:
    """Yield the beats in which a die shows one face after another, and finally the one that was thrown."""
    for name, cell in new.items():
        if cell.shape == "die" and cell.text and name in old and _look(old[name]) != _look(cell):
            passed = [FACES[(FACES.index(cell.text) + step) % 6] for step in (2, 4)] if cell.text in FACES else []
            for face in (*passed, cell.text):
                yield Beat((), {}, {name: _still(attrs.evolve(cell, text=face))}, (name,))


FACES = ("1", "2", "3", "4", "5", "6")


# ---- heaps of things: seeds, stones, points

Counts = dict[str, int]


def _counts(cells: Mapping[str, Cell], among: Collection[str]) -> Counts:
    return {name: cells[name].count or 0 for name in cells if name in among and _is_counted(cells[name])}


def _is_counted(cell: Cell) -> bool:
    return cell.count is not None and cell.shape != "tray"


def _counted(old: Mapping[str, Cell], new: Mapping[str, Cell], before: Scene, action: Action) -> Iterator[Beat]:
    """Yield the beats of a move that changes the counts in cells."""
    first, last = _counts(old, new), _counts(new, old)
    if first.keys() != last.keys() or first == last:
        return
    counts = dict(first)
    source = _source(old, first, last, before, action)
    sown = _sowing(old, first, last, source) if source and old[source].shape == "round" else None
    if source and sown:
        counts[source], at = 0, source
        leaving = {source: _holding(old[source], 0)}
        for carried, name in zip(range(len(sown), 0, -1), sown, strict=True):
            counts[name] += 1
            yield Beat((Flight(at, name, carried),), leaving, {name: _holding(old[name], counts[name])})
            at, leaving = name, {}
    yield from _carried(old, counts, last)


def _source(old: Mapping[str, Cell], first: Counts, last: Counts, before: Scene, action: Action) -> str | None:
    """Return the cell that is emptied: the chosen cell, or else the cell with the greatest loss."""
    chosen = [name for name in first if action is not None and old[name].action == action and first[name]]
    chosen += [move.start for move in before.moves if move.action == action and first.get(move.start)]
    lost = max(first, key=lambda name: first[name] - last[name])
    return next(iter(chosen), lost if first[lost] > last[lost] else None)


def _sowing(old: Mapping[str, Cell], first: Counts, last: Counts, source: str) -> list[str] | None:
    """Return the cells into which the things of `source` were sown, a cell for each thing. Return None if nothing was
    sown.

    Sowing goes round the hollows in the order of the scene or backwards. Sowing may skip the source, and also one other
    hollow or all hollows of another size (the stores). The path that explains most of the changes is chosen. If several
    paths explain equally many changes, the path with the fewest cells that lack their seed is chosen. The last cell
    does not count, since captures happen in it.
    """
    ring = [name for name in first if old[name].shape == "round"]
    size = old[source].width, old[source].height
    stores = tuple(name for name in ring if (old[name].width, old[name].height) != size)
    left_out = [(), stores, *((name,) for name in ring if first[name] == last[name] and name != source)]
    left_out += [(source, *names) for names in left_out]
    best, sowing = (_distance(first, last), len(first)), None
    for way, names in itertools.product((1, -1), left_out):
        start = ring.index(source)
        order = [ring[(start + way * step) % len(ring)] for step in range(1, len(ring) + 1)]
        order = [name for name in order if name not in names]
        if not order:
            continue
        sown = list(itertools.islice(itertools.cycle(order), first[source]))
        counts = {**first, source: 0}
        for name in sown:
            counts[name] += 1
        given_up = sum(counts[name] > last[name] for name in {*sown} - {*sown[-1:]})
        unexplained = _distance(counts, last), given_up
        if unexplained < best:
            best, sowing = unexplained, sown
    return sowing


def _distance(one: Counts, other: Counts) -> int:
    return sum(abs(one[name] - other[name]) for name in one)


def _carried(old: Mapping[str, Cell], counts: Counts, last: Counts) -> Iterator[Beat]:
    """Yield the beat of the remaining changes: surplus things fly to cells that lack things, first to cells of the same
    owner.
    """
    surplus = {name: counts[name] - last[name] for name in counts if counts[name] > last[name]}
    wanted = {name: last[name] - counts[name] for name in counts if counts[name] < last[name]}
    flights: list[Flight] = []
    for own in (True, False):
        for start, end in itertools.product(surplus, wanted):
            number = min(surplus[start], wanted[end])
            if number and (not own or old[start].owner == old[end].owner):
                flights.append(Flight(start, end, number))
                surplus[start] -= number
                wanted[end] -= number
    flights += [Flight(name, None, number) for name, number in surplus.items() if number]
    flights += [Flight(None, name, number) for name, number in wanted.items() if number]
    if flights:
        leaving = {name: _holding(old[name], last[name]) for name in surplus}
        yield Beat(tuple(flights), leaving, {name: _holding(old[name], last[name]) for name in wanted})


def _holding(cell: Cell, count: int) -> Cell:
    return attrs.evolve(cell, count=count, action=None, hint="")


# ---- pieces: marks in cells, and cells that are pieces themselves


def _pieces(old: Mapping[str, Cell], new: Mapping[str, Cell], before: Scene, action: Action) -> Iterator[Beat]:
    """Yield the beat of a move that changes the pieces in cells, if any."""
    changed = [name for name in old if name in new and _look(old[name]) != _look(new[name])]
    vanished = [name for name in changed if not _stands(new[name]) and _stands(old[name])]
    vanished += [name for name in old if name not in new and old[name].shape == "piece"]
    appeared = [name for name in changed if _stands(new[name]) and not _stands(old[name])]
    appeared += [name for name in new if name not in old and new[name].shape == "piece"]
    flights = []
    for move in before.moves:
        if move.action == action and move.start in vanished and move.end in changed:
            if move.via:
                yield from _jumps(old, new, (move.start, *move.via, move.end), vanished)
                return
            flights.append(Flight(move.start, move.end))
    for name in appeared:
        start = next((each for each in vanished if old[each].text == new[name].text != ""), None)
        if all(flight.end != name for flight in flights):
            flights.append(Flight(start, name, falls=before.gravity and start is None))
            vanished = [each for each in vanished if each != start]
    gone = {flight.start for flight in flights}
    flights += [Flight(name, None) for name in vanished if name not in gone]
    ends = {flight.end for flight in flights}
    flips = tuple(name for name in changed if _is_turned(old[name], new[name]) and name not in ends)
    changed = [name for name in changed if name not in flips]
    if flights or changed:
        landed = {name: _still(new[name]) for name in (*changed, *appeared) if name not in vanished}
        leaving = {name: _still(new[name]) for name in changed if not _stands(new[name])}
        yield Beat(tuple(flights), leaving, {name: cell for name, cell in landed.items() if name not in leaving})
    if flips:
        yield Beat((), {}, {name: _still(new[name]) for name in flips}, flips)


def _is_turned(before: Cell, after: Cell) -> bool:
    """Return whether a disc shows its other side."""
    return before.stands == after.stands == "disc" and before.owner != after.owner


def _jumps(
    old: Mapping[str, Cell], new: Mapping[str, Cell], way: Sequence[str], vanished: Collection[str]
) -> Iterator[Beat]:
    """Yield a beat for each jump of a chain. In the beat, the piece that was jumped over vanishes."""
    piece = old[way[0]]
    for start, end in itertools.pairwise(way):
        over = [name for name in vanished if name != way[0] and _is_between(old[name], old[start], old[end])]
        left = new[start] if start == way[0] else old[start]
        there = attrs.evolve(old[end], text=piece.text, owner=piece.owner, piece=piece.piece)
        leaving = {name: _still(new[name]) for name in over} | {start: _still(left)}
        flights = (Flight(start, end), *(Flight(name, None) for name in over))
        yield Beat(flights, leaving, {end: _still(new[end] if end == way[-1] else there)})


def _is_between(cell: Cell, start: Cell, end: Cell) -> bool:
    """Return whether a cell is on the straight line from one cell to another."""
    across, along = end.x - start.x, end.y - start.y
    on_line = abs((cell.x - start.x) * along - (cell.y - start.y) * across) < 1e-6
    return on_line and 0 < (cell.x - start.x) * across + (cell.y - start.y) * along < across**2 + along**2


def _look(cell: Cell) -> tuple[object, ...]:
    return cell.text, cell.owner, cell.shape, cell.count if cell.shape == "tray" else None


def _stands(cell: Cell) -> bool:
    """Return whether the cell holds a piece."""
    return cell.text.strip() not in ("", "·", ".") or cell.shape in ("piece", "tray")


def _still(cell: Cell) -> Cell:
    return attrs.evolve(cell, action=None, hint="")
