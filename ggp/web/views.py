"""Views: the contents of the pages, as data for the templates."""

import contextlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal
from urllib.parse import quote, urlencode

import attrs
from markupsafe import Markup

from ggp import capabilities
from ggp.game import CHANCE, MAX, MIN, Action, State
from ggp.play.controller import Advice, result
from ggp.play.review import LEVELS, Judged, praise, share, summary
from ggp.plugin_hooks import LinkedPage
from ggp.scene import Cell, Scene
from ggp.show.board_layout import BORDER, UNIT
from ggp.show.board_svg import CLOSE, Arrow, Link, Pick, board_svg, colour_classes
from ggp.show.effects import moves_again, told_by_boards
from ggp.show.motion import motion_json, way
from ggp.show.value_text import unit, value_text
from ggp.web import visitor_players
from ggp.web.address import PANELS, Address, joined
from ggp.web.branches import Opened
from ggp.web.game_history import GameHistory
from ggp.web.game_review import GameReview
from ggp.web.live_match import can_begin, first_game, live_match
from ggp.web.live_results import Finding
from ggp.web.problems import TooMuchError
from ggp.web.value_store import StateValue

FRAMES = 10
"""Maximum number of moves that the script animates: the visitor's own and those that follow it."""

LISTED = 500_000
"""Approximate maximum number of characters of the addresses in the list of moves; each address holds all moves."""

MATCH = 10
"""Number of games of a match that the page offers."""
BROAD = 13
"""Diagrams broader than this number of cells are not shrunk to the width of a phone; they scroll instead."""
TOUCH, PHONE = 2.5, 22.5
"""The least width of a cell that can be touched, and the width of a phone. The unit is the page's font size (16
pixels).
"""
ACROSS = (24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 96)
"""Minimum widths of boards on a phone, in the same unit. The style sheet has a rule for each width, such as
`across-24`.
"""
RIM = 2 * (BORDER + CLOSE) / UNIT
"""How much broader a picture is than its cells, in units of a cell."""
UPRIGHT = 1.8
"""Ratio of width to height above which a board is turned upright on a phone."""


@attrs.frozen
class ShownMove:
    """A move that is listed, or has just happened."""

    number: int
    mover: str
    side: int
    move: str
    effect: str
    judged: Judged | None
    value: str
    """The value after the move in words, and how reliable it is; "" if it is not known."""
    lead: float | None
    """The value to MAX after the move."""
    url: str
    current: bool


@attrs.frozen
class Extra:
    """Optional parts of a page."""

    hint: Advice | None = None
    finding: Finding | None = None
    opened: Opened | None = None
    curve: Markup | None = None
    values: Sequence[StateValue | None] = ()
    """The value of each state of the game, if the curve is shown."""
    review: GameReview = attrs.field(factory=GameReview)
    """The review of the game, if the curve is shown, or the visitor learns from it."""
    tried: Judged | None = None
    """The review of the move that the visitor has tried instead of a mistake."""
    worth: StateValue | None = None
    """The best known value of the position, if a hint is shown."""
    certainty: str = ""
    """A clause that says whether the level `perfect` knew the exact value at its last move;  "" if it has not moved."""
    solution: str = ""
    """The only winning move of a puzzle, shown after the visitor's move."""
    explanation: str = ""
    """Why that move wins."""
    trouble: Mapping[str, str] = attrs.field(factory=dict)
    """The reason why a panel is empty, by the name of the panel."""


def picture(
    scene: Scene,
    *,
    link: Link | None = None,
    pick: Pick | None = None,
    changed: Collection[str] = (),
    arrows: Collection[Arrow] = (),
    title: str = "",
    identity: str = "board",
) -> Markup:
    """Return the picture of a scene as SVG. The texts of the scene are escaped, so the picture can be included in a
    page.
    """
    if len(scene.cells) > visitor_players.CHOICES:
        raise TooMuchError(
            f"the board has more than {visitor_players.CHOICES:,} cells, too many for a page: choose a smaller game"
        )
    drawn = board_svg(scene, link=link, pick=pick, changed=changed, arrows=arrows, title=title, identity=identity)
    return Markup(drawn)  # noqa: S704 - the drawing escapes what it is given


def play(history: GameHistory, extra: Extra, *, moving: bool, thinking: bool = False) -> dict[str, object]:
    """Return the page of a game.

    Arguments:
        moving: whether to include the animation of the moves since the visitor's own.
        thinking: whether a machine is about to move.
    """
    address, scene = history.address, history.scene(history.address.seen)
    lesson, match = learn(history, extra), live_match(history)
    links, idle = _links(history), history.mover is None or history.visitor_moves
    picking = scene.picked(address.picked or "")
    happened = _moves(history, _between(history))
    parameters, sides = capabilities.parameters(history.game), capabilities.players(history.game)
    return {
        "title": capabilities.title(history.game),
        "colours": colour_classes(scene),
        "rules": capabilities.rules(history.game),
        "outcome": result(history.match()) if history.over and address.seen == len(history.actions) else "",
        "happened": happened,
        "task": _task(history, extra),
        "tried": _tried(history, extra),
        "next_puzzle_url": f"/puzzle/{quote(address.game)}?number={address.puzzle + 1}"
        if address.puzzle is not None
        else "",
        "fresh_url": address.anew().url(),
        "swapped_url": attrs.evolve(address.anew(), players=address.players[::-1]).url(),
        "setup_url": _setup_url(address),
        "won": history.over and address.at is None and _has_won(history),
        "turned_url": _turned(history),
        "upright_url": _upright(history, scene),
        "parameters": {name: typed(parameters[name]) for name in address.parameters},
        "address": address,
        "history": history,
        "caption": scene.told,
        "board": picture(
            _open(_pointing(picking, extra.hint), links),
            link=links.get,
            pick=_pick(history) if links else None,
            changed=_last_moved(history),
            arrows=_arrows(history, extra, lesson),
            title=scene.caption,
        ),
        "size": _size(scene),
        "frames": [_frame(history, ply, told) for ply, told in zip(_between(history), happened, strict=True) if moving],
        "thinking": thinking,
        "answer_url": address.url() if thinking else None,
        "others": _others(history, scene, links),
        "on_board": not scene.actions.isdisjoint(links),
        "moves": _moves(history, _listed(history), extra),
        "lesson": lesson,
        "match": match,
        "match_url": first_game(history, MATCH).url() if can_begin(history) else "",
        "review": _review(history, extra) if extra.curve else None,
        "share": _share(history, extra),
        "worth": value_text(history.game, extra.worth.value, exact=extra.worth.exact) if extra.worth else "",
        "line": joined(address.moves),
        "announcement": _announcement(happened, scene),
        "players": [
            (name, history.players[side], history.mover == side, _score(history, scene, side))
            for side, name in enumerate(sides)
        ],
        "panels": {panel: address.toggled(panel).url() for panel in PANELS},
        "extra": extra,
        "back": _back(history),
        "resign_url": _resign(history),
        "hint_url": attrs.evolve(address, command="hint").url()
        if history.mover in (0, 1) and not thinking and not lesson
        else None,
        "step_url": _step(history, idle=idle or thinking),
        "continue_url": match.next_url if match and address.at is None else "",
        "stream_url": address.url("analysis"),
        "compare_url": "" if history.over else _compare_url(history),
        "more": _more(history),
    }


def _step(history: GameHistory, *, idle: bool) -> str | None:
    """Return the address that makes a machine or chance move once; None if nobody is to move."""
    return None if idle else attrs.evolve(history.address.after(), command="move").url()


def _setup_url(address: Address) -> str:
    alone = attrs.evolve(address.anew(), shown=(), view=None, start=None, puzzle=None, match=0, past=())
    return alone.url("new")


def _has_won(history: GameHistory) -> bool:
    """Return whether the visitor has won against a machine."""
    winner = history.match().winner
    return winner is not None and history.is_visitor(winner)


def _more(history: GameHistory) -> list[tuple[str, str]]:
    """Return the name and the address of each page of a plugin that is about a game; none if a plugin fails."""
    query = urlencode({"game": history.entry.name, **history.address.parameters})
    with contextlib.suppress(Exception):
        pages = history.registry.pages.values()
        return [(page.game_link, f"/learn/{page.name}?{query}") for page in pages if isinstance(page, LinkedPage)]
    return []


def _compare_url(history: GameHistory) -> str:
    address = history.address.looking_at(history.address.seen)
    return attrs.evolve(address, shown=(), view=None, puzzle=None, match=0, past=()).url("compare")


def _extent(cells: Sequence[Cell]) -> tuple[float, float]:
    """Return the width and the height of a board in units of an ordinary cell."""
    width = max(cell.x + cell.width for cell in cells) - min(cell.x for cell in cells)
    return width, max(cell.y + cell.height for cell in cells) - min(cell.y for cell in cells)


def _size(scene: Scene) -> str:
    """Return the class that keeps a board from being shrunk to the width of a phone, if its cells would be too small to
    touch.
    """
    width = _extent(scene.cells)[0] if scene.cells else 0
    if scene.lines:
        return "broad" if width > BROAD else ""
    least = TOUCH * (width + RIM)
    return "" if least <= PHONE else f"across-{next((each for each in ACROSS if each >= least), ACROSS[-1])}"


def _links(history: GameHistory) -> dict[Action, str]:
    """Return the address for each action that the visitor can choose."""
    if not history.visitor_moves:
        return {}
    actions, address = visitor_players.choices(history.game, history.state), history.address
    if address.learns:
        return {action: address.learning(address.seen + 1, history.text(action)).url() for action in actions}
    return {action: address.after(history.text(action)).url() for action in actions}


def _pick(history: GameHistory) -> Pick:
    """Return a function that is given a cell where moves start, and returns the link that selects or deselects the
    cell.
    """
    address = history.address
    command = address.command if address.learns else None
    return lambda name: attrs.evolve(
        address, picked=None if name == address.picked else name, command=command, tried=None
    ).url()


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


def _open(scene: Scene, links: Mapping[Action, str]) -> Scene:
    """Return the board in which only cells with a link can be selected."""
    cells = (
        cell if cell.action is None or cell.action in links else attrs.evolve(cell, action=None) for cell in scene.cells
    )
    return attrs.evolve(scene, cells=tuple(cells))


@attrs.frozen
class MotionFrame:
    """A move to animate, and the board after it. The last move has no board, since the page shows this board."""

    number: int
    motion: str
    """The animation as JSON; see `ggp.show.motion`."""
    board: Markup | None
    told: ShownMove
    again: str = ""
    """"extra turn" if the player moves again."""
    end: str = ""
    """The name of the cell in which the move ends."""
    scores: str = ""
    """The scores of the players after the move, as JSON; "" if nothing is counted."""


def _frame(history: GameHistory, index: int, told: ShownMove) -> MotionFrame:
    before, after = history.scene(index), history.scene(index + 1)
    board = picture(after, identity=f"frame{index}") if index + 1 < history.address.seen else None
    action, game = history.actions[index], history.game
    ends = way(before, after, action)
    again = moves_again(game, history.states[index], history.states[index + 1])
    return MotionFrame(
        index + 1,
        motion_json(before, after, action),
        board,
        told,
        "extra turn" if again and ends and not capabilities.is_stochastic(game) else "",
        ends[1] if ends else "",
        json.dumps([_score(history, after, side) for side in (MAX, MIN)]) if after.scores else "",
    )


def _between(history: GameHistory) -> range:
    """Return the indices of the moves from the visitor's last one to the position shown."""
    own = history.own_move_before()
    seen = history.address.seen
    return range(max(own or 0, seen - FRAMES), seen)


def _others(history: GameHistory, scene: Scene, links: Mapping[Action, str]) -> list[tuple[str, str]]:
    """Return the text and the address of each move that cannot be played by clicking on a cell."""
    there = scene.actions
    return [(history.text(action), url) for action, url in links.items() if action not in there]


def _score(history: GameHistory, scene: Scene, side: int) -> str:
    """Return a player's score in the game's words, and the number of captured pieces: "11 pieces, 2 captured"."""
    if side >= len(scene.scores):
        return ""
    score, (one, many) = scene.scores[side], scene.things
    points = f"{score:g} {one if score == 1 else many}".strip()
    at_start = history.scene_at_start.scores
    if len(at_start) != 2 or sum(scene.scores) >= sum(at_start):
        return points  # nothing has left the board
    return f"{points}, {at_start[1 - side] - scene.scores[1 - side]:g} captured"


def _task(history: GameHistory, extra: Extra) -> str:
    """Return the question of a puzzle, or a sentence that says whether the visitor has solved it; "" for any other
    game.
    """
    if history.address.puzzle is None or history.address.learns:
        return ""
    title = f"Puzzle {history.address.puzzle}"
    if not extra.solution:
        mover = capabilities.mover_name(history.game, history.states[0])
        return f"{title}: {mover} to move. Find the only move that wins."
    played = history.text(history.actions[0], 0)
    if _tried(history, extra) == "right":
        return f"{title}: right, {played} is the only move that wins. {extra.explanation}"
    return f"{title}: no, {played} does not win. Take it back, and try again."


def _tried(history: GameHistory, extra: Extra) -> str:
    """Return whether the move that was tried in a puzzle is "right" or "wrong"; "" before the try."""
    if not extra.solution:
        return ""
    return "right" if history.text(history.actions[0], 0) == extra.solution else "wrong"


def _share(history: GameHistory, extra: Extra) -> float | None:
    """Return MAX's share of the bar beside the board; None if no value is shown."""
    known = extra.values[history.address.seen] if extra.values else extra.worth
    return share(history.game, history.state, known.value) if known else None


def _moves(history: GameHistory, places: range, extra: Extra | None = None) -> list[ShownMove]:
    """Return the moves with the indices `places`, in words."""
    game, names, moves = history.game, (*capabilities.player_names(history.game), "chance"), []
    judged, values = (extra.review.moves, extra.values) if extra else ((), ())
    for index in places:
        action = history.actions[index]
        before = history.states[index]
        mover = game.to_move(before)
        value = values[index + 1] if values else None
        moves.append(
            ShownMove(
                number=index + 1,
                mover=names[mover],
                side=mover,
                move=history.text(action, index),
                effect=_effect(history, index),
                judged=judged[index] if judged else None,
                value=f"{value_text(game, value.value, exact=value.exact)}, {value.sure}" if value else "",
                lead=value.value if value else None,
                url=history.address.looking_at(index + 1).url(),
                current=index + 1 == history.address.seen,
            )
        )
    return moves


@attrs.frozen(kw_only=True)
class ShownReview:
    """The review beside the curve: how much is done, the mistakes, and where they are."""

    summary: Sequence[str]
    done: int
    wanted: int
    running: bool
    unit: str
    """The unit of the numbers after the moves: "in seeds"."""
    first: str
    """The player whom positive values favour."""
    ahead: ShownMove | None
    """The move that was played in the position shown, if it is a mistake."""
    earlier_url: str
    later_url: str
    """The addresses of the mistakes before and after the position shown; "" if there is no such mistake."""
    learn_url: str
    """The address of the first mistake as a puzzle; "" if the visitor has made none."""
    deeper_url: str
    """The address of a deeper review; "" if this is the deepest."""


def _review(history: GameHistory, extra: Extra) -> ShownReview:
    address, reviewed, game = history.address, extra.review, history.game
    movers = [game.to_move(state) for state in history.states[:-1]]
    marked = reviewed.mistakes((MAX, MIN), history)
    earlier = [number for number in marked if number <= address.seen]
    later = [number for number in marked if number > address.seen + 1]
    own = reviewed.mistakes(_learners(history), history)
    deeper = attrs.evolve(address, deeper=address.deeper + 1) if address.deeper + 1 < LEVELS else None
    counted = unit(game, exact=False)
    return ShownReview(
        summary=summary(game, zip(movers, reviewed.moves, strict=False)),
        done=reviewed.done,
        wanted=reviewed.wanted,
        running=reviewed.running,
        unit=f" in {counted[1]}" if counted else "",
        first=capabilities.player_names(game)[MAX],
        ahead=_moves(history, range(address.seen, address.seen + 1), extra)[0] if address.seen + 1 in marked else None,
        earlier_url=address.looking_at(earlier[-1] - 1).url() if earlier else "",
        later_url=address.looking_at(later[0] - 1).url() if later else "",
        learn_url=address.learning(own[0]).url() if own else "",
        deeper_url=deeper.url() if deeper and reviewed.wanted else "",
    )


def _learners(history: GameHistory) -> list[int]:
    """Return the sides whose mistakes the visitor learns from: the visitor's own, or both."""
    own = [side for side in (MAX, MIN) if visitor_players.is_human(history.players[side])]
    return own or [MAX, MIN]


@attrs.frozen(kw_only=True)
class Lesson:
    """A mistake as a puzzle: the visitor looks for a better move."""

    task: str
    solved: bool
    answer_url: str
    """The address that shows the best move; "" once it is known."""
    next_url: str
    """The address of the next mistake; "" after the last one."""
    review_url: str


def learn(history: GameHistory, extra: Extra) -> Lesson | None:
    """Return the mistake that the visitor looks at, as a puzzle; None if the visitor is not learning from mistakes."""
    address = history.address
    if not address.learns:
        return None
    number = address.seen + 1
    own = extra.review.mistakes(_learners(history), history)
    mover, played = capabilities.mover_name(history.game, history.state), history.text(history.actions[address.seen])
    judged = extra.review.moves[address.seen] if extra.review.moves else None
    heading = f"Mistake {own.index(number) + 1} of {len(own)}" if number in own else f"Move {number}"
    task = f"{heading}: {mover} played {played}. Find a better move."
    solved = False
    if extra.tried and address.tried is not None:
        solved = not extra.tried.verdict
        if solved:
            action = capabilities.parse_action(history.game, history.state, address.tried)
            why = capabilities.explain(history.game, history.state, action)
            task = f"{heading}: right, {praise(extra.tried.compared, address.tried)}."
            task += f" It {why}." if why else ""
        else:
            task = f"{heading}: no, {address.tried} is a {extra.tried.verdict}, too: {extra.tried.loss}. Try again."
    following = [each for each in own if each > number]
    return Lesson(
        task=task,
        solved=solved,
        answer_url=address.learning(number, judged.compared.best).url() if judged and not solved else "",
        next_url=address.learning(following[0]).url() if following else "",
        review_url=attrs.evolve(address.looking_at(address.seen), shown=("curve",)).url(),
    )


def _arrows(history: GameHistory, extra: Extra, lesson: Lesson | None) -> list[Arrow]:
    """Return arrows for a position under review: the best move, and the reply to the mistake that was played."""
    seen = history.address.seen
    judged = extra.review.moves[seen] if seen < len(extra.review.moves) else None
    if judged is None or (lesson and not lesson.solved):
        return []
    game, state, arrows = history.game, history.state, list[Arrow]()
    compared = judged.compared
    best = history.address.tried if lesson and history.address.tried else compared.best
    if judged.verdict and compared.reply and not lesson:
        after = history.states[seen + 1]
        arrows += _arrow(history, after, compared.reply, "threat")
    return arrows + _arrow(history, state, best, "best") if not game.terminal_test(state) else []


def _arrow(history: GameHistory, state: State, move: str, meaning: Literal["best", "threat"]) -> list[Arrow]:
    action = capabilities.parse_action(history.game, state, move)
    before, after = (
        capabilities.scene(history.game, each).turned(history.quarters)
        for each in (state, history.game.result(state, action))
    )
    ends = way(before, after, action)
    there = {cell.name for cell in history.scene(history.address.seen).cells}
    return [Arrow(*ends, meaning)] if ends and there.issuperset(ends) else []


def _effect(history: GameHistory, index: int) -> str:
    """Return the effect of a move in words; the words also say if the player moves again."""
    game, before, after = history.game, history.states[index], history.states[index + 1]
    explanation = capabilities.explain(game, before, history.actions[index])
    if explanation or game.to_move(before) == CHANCE:
        again = moves_again(game, before, after) and not re.search(r"\b(again|extra)\b", explanation)
        return f"{explanation}, and moves again" if again else explanation
    return told_by_boards(game, before, after, history.scene(index), history.scene(index + 1))


def _listed(history: GameHistory) -> range:
    """Return the indices of the moves to list: those around the position shown, if there are too many."""
    last, most = len(history.actions), max(20, LISTED // len(history.address.url()))
    first = max(0, min(history.address.seen - most // 2, last - most))
    return range(first, min(last, first + most))


def _announcement(happened: Sequence[ShownMove], scene: Scene) -> str:
    """Describe the last events and the position in words, for screen readers."""
    said = [f"{each.mover}: {each.move}{f', {each.effect}' if each.effect else ''}" for each in happened]
    return ". ".join([*said, scene.caption.replace("\n", " ")])


def _last_moved(history: GameHistory) -> frozenset[str]:
    """Return the names of the cells of a player's last move; moves of chance after it do not count."""
    places = range(history.address.seen, 0, -1)
    moved = (index for index in places if history.game.to_move(history.states[index - 1]) != CHANCE)
    index = next(moved, 0)
    return history.scene(index).last_move(history.scene(index - 1)) if index else frozenset()


def _turned(history: GameHistory) -> str:
    """Return the address of the board as the other side sees it; "" for a board that is never turned."""
    if not history.turnable:
        return ""
    return attrs.evolve(history.address, view=(history.quarters + 2) % 4, command=None).url()


def _upright(history: GameHistory, scene: Scene) -> str:
    """Return how a wide board is turned upright on a phone; "" for any other board."""
    if history.address.view is not None or not scene.cells:
        return ""
    width, height = _extent(scene.cells)
    if not (_size(scene) if scene.is_hexagonal else history.turnable and width >= UPRIGHT * height):
        return ""
    return attrs.evolve(history.address, view=(history.quarters + 1) % 4).url()


def typed(value: object) -> str:
    """Return a value as it is written in an address."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(typed, value))
    return "none" if value is None else str(value)


def _back(history: GameHistory) -> str | None:
    """Return the address for taking back a move."""
    number = history.own_move_before()
    return None if number is None else history.address.looking_at(number).after().url()


def _resign(history: GameHistory) -> str | None:
    """Return the address for resigning; None if the visitor is not to move, or plays both sides."""
    address = history.address
    if not history.visitor_moves or address.learns or len(capabilities.players(history.game)) == 1 or not address.seen:
        return None
    return attrs.evolve(address.after(), resigned=address.sides[history.mover or 0]).url()
