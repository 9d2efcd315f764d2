"""The animation of a move: which things leave which cell, where they land, and how the cells look in between.

It is computed from the scenes before and after the move, so a game needs no code for it. Seeds are sown one by one,
captures fly together, pieces go from cell to cell, and pieces that are placed or removed appear or vanish.
"""

import itertools
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import attrs

from ggp.game import Action
from ggp.scene import TEXTS, Cell, Scene
from ggp.show.board_svg import cell_drawer


@attrs.frozen
class Flight:
    """Things that fly together from one cell to another."""

    start: str | None
    """The name of the cell that they leave; None if they appear."""
    end: str | None
    """The name of the cell that they reach; None if they vanish."""
    count: int = 0
    """The number of things; 0 for a single piece, which has no count."""


@attrs.frozen
class Beat:
    """Flights that begin and end together."""

    flights: tuple[Flight, ...]
    leaving: Mapping[str, Cell]
    """The cells that change when the flights begin."""
    landed: Mapping[str, Cell]
    """The cells that change when the flights end."""


def motion(before: Scene, after: Scene, action: Action) -> tuple[Beat, ...]:
    """Return the beats that animate `action`, from one scene to the other; none if nothing moves."""
    old, new = ({cell.name: cell for cell in scene.cells if cell.shape not in TEXTS} for scene in (before, after))
    return (*_counted(old, new, before, action), *_pieces(old, new, before, action))


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
            "flights": [{"from": each.start, "to": each.end, "count": each.count} for each in beat.flights],
            "leaving": {name: draw(cell) for name, cell in beat.leaving.items()},
            "landed": {name: draw(cell) for name, cell in beat.landed.items()},
        }
        for beat in motion(before, after, action)
    ]
    return json.dumps(beats, separators=(",", ":"))


# ---- heaps of things: seeds, stones, points

Counts = dict[str, int]


def _counts(cells: Mapping[str, Cell], among: Collection[str]) -> Counts:
    return {name: cells[name].count or 0 for name in cells if name in among and cells[name].count is not None}


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
    """Return the cell that is emptied: the chosen one, or else the cell that has lost most."""
    chosen = [name for name in first if action is not None and old[name].action == action and first[name]]
    chosen += [move.start for move in before.moves if move.action == action and first.get(move.start)]
    lost = max(first, key=lambda name: first[name] - last[name])
    return next(iter(chosen), lost if first[lost] > last[lost] else None)


def _sowing(old: Mapping[str, Cell], first: Counts, last: Counts, source: str) -> list[str] | None:
    """Return the cells into which the things of `source` were sown, one for each thing; None if nothing was sown.

    Sowing goes round the hollows in the order of the scene or backwards. It may skip the source, and also one other
    hollow or all hollows of another size (the stores). The path that explains most of the changes is chosen. Among
    equal paths, it is the one after which the fewest cells have lost what was sown there; the last cell does not count,
    since it decides captures.
    """
    ring = [name for name in first if old[name].shape == "round"]
    size = old[source].width, old[source].height
    stores = tuple(name for name in ring if (old[name].width, old[name].height) != size)
    left_out = [(), stores, *((name,) for name in ring if first[name] == last[name] and name != source)]
    left_out += [(source, *names) for names in left_out]
    best, found = (_distance(first, last), len(first)), None
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
            best, found = unexplained, sown
    return found


def _distance(one: Counts, other: Counts) -> int:
    return sum(abs(one[name] - other[name]) for name in one)


def _carried(old: Mapping[str, Cell], counts: Counts, last: Counts) -> Iterator[Beat]:
    """Yield the beat of the remaining changes: surplus things fly to cells that lack them, first to those of the same
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
            flights.append(Flight(move.start, move.end))
    for name in appeared:
        start = next((each for each in vanished if old[each].text == new[name].text != ""), None)
        if all(flight.end != name for flight in flights):
            flights.append(Flight(start, name))
            vanished = [each for each in vanished if each != start]
    gone = {flight.start for flight in flights}
    flights += [Flight(name, None) for name in vanished if name not in gone]
    if flights or changed:
        landed = {name: _still(new[name]) for name in (*changed, *appeared) if name not in vanished}
        leaving = {name: _still(new[name]) for name in changed if not _stands(new[name])}
        yield Beat(tuple(flights), leaving, {name: cell for name, cell in landed.items() if name not in leaving})


def _look(cell: Cell) -> tuple[Any, ...]:
    return cell.text, cell.owner, cell.shape


def _stands(cell: Cell) -> bool:
    """Return whether the cell holds a piece."""
    return cell.text.strip() not in ("", "·", ".") or cell.shape == "piece"


def _still(cell: Cell) -> Cell:
    return attrs.evolve(cell, action=None, hint="")
