"""Views: the contents of the pages, ready for the templates."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from markupsafe import Markup

from ggp import capabilities
from ggp.game import AnyGame
from ggp.play import Participant
from ggp.play.controller import Advice, result
from ggp.scene import Scene
from ggp.show.board_svg import Pick, board_svg
from ggp.show.motion import motion_json
from ggp.show.worth import in_words
from ggp.web import quotas
from ggp.web.address import PANELS, joined
from ggp.web.branches import Opened
from ggp.web.findings import Finding
from ggp.web.history import GameHistory
from ggp.web.problems import TooMuchError
from ggp.web.review import Judged, share, summary
from ggp.web.value_store import StateValue

FRAMES = 10
"""Moves that the script shows one after the other, at most: the visitor's own, and those that follow it."""

LISTED = 500_000
"""Characters of addresses in the list of moves, about; each move's has all moves in it."""

COLOURS = {("red", "blue"), ("black", "white"), ("white", "black")}
"""Colours of players that are named after a colour; the others are blue and red."""

BROAD = 13
"""Boards of more cells in a row than this are not made as narrow as a phone, but can be scrolled there."""
UPRIGHT = 1.8
"""Ratio of width to height from which a board stands upright on a phone."""
SMALL = 6
"""Boards of fewer are not made as large as the page."""


@attrs.frozen
class Listed:
    """A move in the list of moves."""

    number: int
    mover: str
    side: int
    move: str
    words: str
    judged: Judged | None
    url: str
    current: bool


@attrs.frozen
class Extra:
    """Parts of a page that are shown on request."""

    hint: Advice | None = None
    finding: Finding | None = None
    opened: Opened | None = None
    curve: Markup | None = None
    values: Sequence[StateValue | None] = ()
    """Of all states of the game, where the curve is shown."""
    review: Sequence[Judged | None] = ()
    """Of all moves of the game, where the curve is shown."""
    worth: StateValue | None = None
    """The best that is known of the position, where a hint is shown."""
    solution: str = ""
    """The only move that wins in a puzzle, once a move has been made."""
    trouble: Mapping[str, str] = attrs.field(factory=dict)
    """Why a panel is empty, by its name."""


def picture(scene: Scene, **more: Any) -> Markup:
    """Return the picture of a scene as SVG; its texts are escaped, so that it may stand in a page."""
    if len(scene.cells) > quotas.CHOICES:
        raise TooMuchError(
            f"the board has more than {quotas.CHOICES:,} cells, too many for a page: choose a smaller game"
        )
    return Markup(board_svg(scene, **more))  # noqa: S704 - the drawing escapes what it is given


def play(course: GameHistory, extra: Extra, *, moving: bool, thinking: bool = False) -> dict[str, Any]:
    """Return the page of a game.

    Arguments:
        moving: whether to include the moves since the visitor's own, to show them one by one.
        thinking: whether a machine is about to move.
    """
    address, scene = course.address, course.scene(course.address.seen)
    changed = scene.changed_since(course.scene(address.seen - 1)) if address.seen else ()
    links = _links(course)
    picking = scene.picked(address.picked or "")
    return {
        "title": capabilities.title(course.game),
        "colours": colours(course.game),
        "rules": capabilities.rules(course.game),
        "outcome": result(course.match()) if course.over and address.seen == len(course.actions) else "",
        "happened": _happened(course),
        "task": _task(course, extra),
        "next_puzzle_url": f"/puzzle/{address.game}?number={address.puzzle + 1}" if address.puzzle is not None else "",
        "fresh_url": address.anew().url(),
        "swapped_url": attrs.evolve(address.anew(), players=address.players[::-1]).url(),
        "setup_url": attrs.evolve(address.anew(), shown=(), view=None, start=None, puzzle=None).url("new"),
        "turned_url": "" if scene.lines else attrs.evolve(address, view=(course.quarters + 2) % 4, command=None).url(),
        "upright_url": _upright(course, scene),
        "parameters": _parameters(course),
        "address": address,
        "course": course,
        "caption": scene.caption,
        "board": picture(
            _open(_pointing(picking, extra.hint), links),
            link=links.get,
            pick=_pick(course) if links else None,
            changed=changed,
            title=scene.caption,
        ),
        "size": "broad" if _breadth(scene) > BROAD else "small" if max(_breadth(scene), _height(scene)) < SMALL else "",
        "frames": [_frame(course, place) for place in _between(course) if moving],
        "thinking": thinking,
        "answer_url": address.url() if thinking else None,
        "others": _others(course, scene, links),
        "on_board": not scene.actions.isdisjoint(links),
        "moves": _moves(course, extra.review),
        "summary": summary(course, extra.review) if extra.curve else [],
        "share": _share(course, extra),
        "worth": in_words(course.game, extra.worth.value, exact=extra.worth.exact) if extra.worth else "",
        "line": joined(address.moves),
        "announcement": _announcement(course, scene),
        "players": _players(course),
        "panels": {panel: address.toggled(panel).url() for panel in PANELS},
        "extra": extra,
        "back": _back(course),
        "resign_url": _resign(course),
        "hint_url": attrs.evolve(address, command="hint").url() if course.mover in (0, 1) and not thinking else None,
        "step_url": attrs.evolve(address.after(), command="move").url()
        if _machine_waits(course) and not thinking
        else None,
        "stream_url": address.url("analysis"),
        "compare_url": "" if course.over else _compare_url(course),
    }


def _compare_url(course: GameHistory) -> str:
    return attrs.evolve(course.address.looking_at(course.address.seen), shown=(), view=None, puzzle=None).url("compare")


def colours(game: AnyGame) -> str:
    """Return the names of the players where they are colours that the page shows them in; else ""."""
    first, second = map(str.lower, capabilities.player_names(game))
    return f"{first} {second}" if (first, second) in COLOURS else ""


def _breadth(scene: Scene) -> float:
    """Return the breadth of a board in units of an ordinary cell."""
    return max((cell.x + cell.width for cell in scene.cells), default=0) - min(
        (cell.x for cell in scene.cells), default=0
    )


def _height(scene: Scene) -> float:
    """Return the height of a board in units of an ordinary cell."""
    return max((cell.y + cell.height for cell in scene.cells), default=0) - min(
        (cell.y for cell in scene.cells), default=0
    )


def _links(course: GameHistory) -> dict[Any, str]:
    """Return for each action that the visitor can choose the address that it leads to."""
    if not course.visitor_moves:
        return {}
    actions = quotas.choices(course.game, course.state)
    return {action: course.address.after(course.text(action)).url() for action in actions}


def _pick(course: GameHistory) -> Pick:
    """Return where choosing the first cell of a move leads: to the same page with it picked, or put down again."""
    address = course.address
    return lambda name: attrs.evolve(address, picked=None if name == address.picked else name, command=None).url()


def _pointing(scene: Scene, hint: Advice | None) -> Scene:
    """Return the board with the cell of the hint highlighted."""
    if hint is None:
        return scene
    ends = {end for move in scene.moves if move.action == hint.action for end in (move.start, move.end)}
    cells = (
        attrs.evolve(cell, highlighted=cell.highlighted or cell.action == hint.action or cell.name in ends)
        for cell in scene.cells
    )
    return attrs.evolve(scene, cells=tuple(cells))


def _open(scene: Scene, links: Mapping[Any, str]) -> Scene:
    """Return the board on which only cells with a link can be chosen."""
    cells = (
        cell if cell.action is None or cell.action in links else attrs.evolve(cell, action=None) for cell in scene.cells
    )
    return attrs.evolve(scene, cells=tuple(cells))


@attrs.frozen
class MotionFrame:
    """A move to be seen, and the board after it; no board of the last one, which is the page's own."""

    number: int
    motion: str
    """As JSON: see `ggp.show.motion`."""
    board: Markup | None


def _frame(course: GameHistory, place: int) -> MotionFrame:
    before, after = course.scene(place), course.scene(place + 1)
    board = picture(after, identity=f"frame{place}") if place + 1 < course.address.seen else None
    return MotionFrame(place + 1, motion_json(before, after, course.actions[place]), board)


def _between(course: GameHistory) -> range:
    """Return the indices of the moves from the visitor's last one to the position shown."""
    own = course.own_move_before()
    seen = course.address.seen
    return range(max(own or 0, seen - FRAMES), seen)


def _others(course: GameHistory, scene: Scene, links: Mapping[Any, str]) -> list[tuple[str, str]]:
    """Return the moves that cannot be made by clicking on a cell."""
    there = scene.actions
    return [(course.text(action), url) for action, url in links.items() if action not in there]


def _task(course: GameHistory, extra: Extra) -> str:
    """Return the question of a puzzle, or whether it was solved; "" for any other game."""
    if course.address.puzzle is None:
        return ""
    title = f"Puzzle {course.address.puzzle}"
    if not extra.solution:
        mover = capabilities.mover_name(course.game, course.states[0])
        return f"{title}: {mover} to move. Find the only move that wins."
    played = course.text(course.actions[0], 0)
    if played == extra.solution:
        return f"{title}: right, {played} is the only move that wins."
    return f"{title}: no, {played} does not win. Take it back, and try again."


def _share(course: GameHistory, extra: Extra) -> float | None:
    """Return the part of the bar beside the board that is MAX's, where a value is shown."""
    known = extra.values[course.address.seen] if extra.values else extra.worth
    return share(course.game, course.state, known.value) if known else None


def _moves(course: GameHistory, judged: Sequence[Judged | None]) -> list[Listed]:
    game, names, found = course.game, (*capabilities.player_names(course.game), "chance"), []
    for place in _listed(course):
        action = course.actions[place]
        before = course.states[place]
        mover = game.to_move(before)
        found.append(
            Listed(
                number=place + 1,
                mover=names[mover],
                side=mover,
                move=course.text(action, place),
                words=capabilities.explain(game, before, action),
                judged=judged[place] if judged else None,
                url=course.address.looking_at(place + 1).url(),
                current=place + 1 == course.address.seen,
            )
        )
    return found


def _listed(course: GameHistory) -> range:
    """Return the indices of the listed moves: those around the position shown, if there are too many."""
    last, most = len(course.actions), max(20, LISTED // len(course.address.url()))
    first = max(0, min(course.address.seen - most // 2, last - most))
    return range(first, min(last, first + most))


@attrs.frozen
class MoveText:
    """A move in words."""

    who: str
    side: int
    move: str
    words: str


def _happened(course: GameHistory) -> list[MoveText]:
    """Return the events since the visitor's last move, including that move."""
    names, own = (*capabilities.player_names(course.game), "chance"), course.own_move_before()
    found = []
    for place in range(own or 0, course.address.seen)[-FRAMES:]:
        action, before = course.actions[place], course.states[place]
        mover, words = course.game.to_move(before), capabilities.explain(course.game, before, action)
        found.append(MoveText(names[mover], mover, course.text(action, place), words))
    return found


def _announcement(course: GameHistory, scene: Scene) -> str:
    """Describe the last events and the position in words, for screen readers."""
    said = [f"{each.who}: {each.move}{f', {each.words}' if each.words else ''}" for each in _happened(course)]
    return ". ".join([*said, scene.caption.replace("\n", " ")])


def _upright(course: GameHistory, scene: Scene) -> str:
    """Return where a broad board stands upright, so that a phone has room for it; "" for any other."""
    if scene.lines or course.address.view is not None or not scene.cells:
        return ""
    if _breadth(scene) < UPRIGHT * _height(scene):
        return ""
    return attrs.evolve(course.address, view=(course.quarters + 1) % 4).url()


def _parameters(course: GameHistory) -> dict[str, str]:
    """Return the parameters that are not what they usually are."""
    values = capabilities.parameters(course.game)
    return {name: typed(values[name]) for name in course.address.parameters}


def typed(value: Any) -> str:
    """Return a value as it is written in an address."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(typed, value))
    return "none" if value is None else str(value)


def _players(course: GameHistory) -> list[tuple[str, Participant, bool]]:
    """Return for each side its name, its player, and whether it is to move."""
    names = capabilities.players(course.game)
    return [(name, course.players[side], course.mover == side) for side, name in enumerate(names)]


def _back(course: GameHistory) -> str | None:
    """Return where taking back leads."""
    number = course.own_move_before()
    return None if number is None else course.address.looking_at(number).after().url()


def _resign(course: GameHistory) -> str | None:
    """Return where resigning leads; None where the visitor is not to move, or plays alone."""
    address = course.address
    if not course.visitor_moves or len(capabilities.players(course.game)) == 1 or not address.seen:
        return None
    return attrs.evolve(address.after(), resigned=address.sides[course.mover or 0]).url()


def _machine_waits(course: GameHistory) -> bool:
    return not course.over and not course.visitor_moves and course.mover is not None
