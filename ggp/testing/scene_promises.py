"""The promises of a scene: cells have different names, do not overlap, and offer the legal actions."""

import math
from collections import Counter
from collections.abc import Iterator

import attrs

from ggp.game import CHANCE, MAX, MIN, Action, Scenic, State
from ggp.scene import Cell, Scene
from ggp.testing.promises import Examination
from ggp.testing.rule_promises import Observation

TOLERANCE = 1e-9
"""Tolerance for overlaps, in sides of an ordinary cell."""


def check_scenes(exam: Examination, path: list[tuple[State, Observation]], index: int) -> None:
    """Check the scenes at the end of a play and at `index`. An index beyond the end counts from the start again."""
    if isinstance(exam.game, Scenic):
        first = exam.game.scene(path[0][0])
        for state, seen in (path[index % len(path)], path[-1]):
            exam.at(state)
            scene = exam.game.scene(state)
            exam.expect("scene", isinstance(scene, Scene), "scene returns {}", scene)
            exam.expect(
                "determinism",
                exam.game.scene(state) == scene,
                "asked twice for the scene, the game gives two different ones",
            )
            _check_sides(exam, scene, first)
            _check_cells(exam, scene)
            _check_actions(exam, state, scene, seen[2])
        _check_changes(exam, path)


def _check_sides(exam: Examination, scene: Scene, first: Scene) -> None:
    """Check that `below` and `gravity` of the board are the same as at the beginning of the play."""
    if not (isinstance(scene, Scene) and isinstance(first, Scene)):
        return
    exam.expect(
        "scene", scene.below in (None, MAX, MIN), "below is {}; it must be ggp.MAX, ggp.MIN or None", scene.below
    )
    same = (scene.below, scene.gravity) == (first.below, first.gravity)
    exam.expect(
        "scene",
        same,
        "below and gravity are {}; they were {} at the beginning of the play, and must not change",
        (scene.below, scene.gravity),
        (first.below, first.gravity),
    )


def _check_changes(exam: Examination, path: list[tuple[State, Observation]]) -> None:
    """Check that the scene changes during a play; a change of what can be clicked does not count."""
    first, last = path[0][0], path[-1][0]
    if len(path) > 2 and last != first:
        exam.at(last)
        beginning = _picture(exam.game.scene(first))  # type: ignore[attr-defined]
        changes = any(_picture(exam.game.scene(state)) != beginning for state, _ in path[1:])  # type: ignore[attr-defined]
        exam.expect("scene", changes, "it looks the same as {}, and so do all states between", first)


def _picture(scene: Scene) -> Scene:
    """Return a scene without its actions and its caption."""
    cells = tuple(attrs.evolve(cell, action=None, hint="") for cell in scene.cells)
    return attrs.evolve(scene, cells=cells, moves=(), caption="")


def _check_cells(exam: Examination, scene: Scene) -> None:
    fault = next(_faults(scene), "")
    exam.expect("scene", not fault, "{}", fault)


def _faults(scene: Scene) -> Iterator[str]:
    """Yield the faults of a scene."""
    names = Counter(cell.name for cell in scene.cells)
    yield from (f"{count} cells are called {name!r}" for name, count in names.items() if count > 1)
    for cell in scene.cells:
        corner, sides = (cell.x, cell.y), (cell.width, cell.height)
        if not cell.name:
            yield "a cell has no name"
        if not all(map(math.isfinite, corner + sides)) or min(sides) <= 0:
            yield f"the cell {cell.name!r} has its corner at {corner} and sides of {sides}"
    yield from (f"the cells {one.name!r} and {other.name!r} overlap" for one, other in overlapping(scene))
    routes = Counter((move.start, move.end) for move in scene.moves)
    yield from (f"{count} moves lead from {a!r} to {b!r}" for (a, b), count in routes.items() if count > 1)
    for move in scene.moves:
        yield from (f"a move joins {end!r}, which is not a cell" for end in (move.start, move.end) if end not in names)
    for line in scene.lines:
        yield from (f"a line joins {end!r}, which is not a cell" for end in (line.start, line.end) if end not in names)


def overlapping(scene: Scene) -> Iterator[tuple[Cell, Cell]]:
    """Yield the pairs of cells whose interiors overlap."""
    near: list[Cell] = []
    for cell in sorted(scene.cells, key=lambda cell: cell.y):
        near = [other for other in near if other.y + other.height > cell.y + TOLERANCE]
        for other in near:
            if min(cell.x + cell.width, other.x + other.width) - max(cell.x, other.x) > TOLERANCE:
                yield other, cell
        near.append(cell)


def _check_actions(exam: Examination, state: State, scene: Scene, legal: tuple[Action, ...]) -> None:
    """Check that cells and moves have the actions of the state, or no actions if the game is over.

    Actions of chance need not be shown, since nobody chooses them.
    """
    offered = {cell.action: None for cell in scene.cells if cell.action is not None}
    offered |= {move.action: None for move in scene.moves}
    is_chance = bool(legal) and exam.game.to_move(state) == CHANCE
    missing = [action for action in legal if action not in offered and not is_chance]
    exam.expect("scene's actions", not missing, "no cell stands for the action {}", *missing[:1])
    wrong = list(offered.keys() - set(legal))
    exam.expect("scene's actions", not wrong, "a cell stands for {}, which is not a legal action", *wrong[:1])
