"""Trees as nested lists and objects, as teachers write them.

    [[3, 12, 8], [2, 4, 6], [14, 5, 2]]

    {"player": "max", "bounds": [-9, 9], "moves": {
       "take": {"player": "min", "estimate": 5, "quiet": ["wait"], "moves": {"retake": -5, "wait": 5}},
       "wait": {"player": "chance", "probabilities": ["1/3", "2/3"], "moves": [1, [0, 2]]}}}

A number is a leaf, and a list is a node with unnamed moves. Where no player is given, players alternate, and MAX moves
first. If a node has no probabilities, its outcomes are equally likely.
"""

import fractions
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeGuard

from ggp import CHANCE, MAX, MIN
from ggp_toys.tree_graph import LEAF, Branch, Node

PLAYERS: Final = {"max": MAX, "min": MIN, "chance": CHANCE}
ENTRIES: Final = ("player", "moves", "probabilities", "estimate", "quiet", "utility", "name", "bounds")
DEEPEST: Final = 200
"""Maximum number of levels of a nested tree."""
TOLERANCE: Final = 1e-9

NamedNodes = tuple[str, dict[str, Node], tuple[float, float] | None]
"""The root's name, the nodes by name, and the bounds of the leaves, if they are given."""


class TreeFault(Exception):
    """A fault in a tree."""


def quiet_labels(quiet: bool | Sequence[str] | None, labels: Sequence[str]) -> frozenset[str]:
    """Return the quiet actions among `labels`.

    They are the actions that `quiet` lists; all actions if `quiet` is true or None; no action if it is false.

    Raises:
        TreeFault: a listed action is not an action of the node.
    """
    if quiet is None or isinstance(quiet, bool):
        return frozenset(labels if quiet in (None, True) else ())
    for label in quiet:
        if label not in labels:
            raise TreeFault(f"the quiet action {label!r} is not among its actions {', '.join(labels)}")
    return frozenset(quiet)


def nested_nodes(raw: object) -> NamedNodes:
    """Return the nodes of a nested tree.

    Raises:
        TreeFault: `raw` is not a nested tree; the message names the faulty node or entry.
    """
    bounds = None
    if isinstance(raw, Mapping) and "bounds" in raw:
        given = raw["bounds"]
        if not isinstance(given, list) or len(given) != 2 or not all(map(_is_number, given)) or given[0] > given[1]:
            raise TreeFault(f"bounds are two numbers, the lower one first; got {given!r}")
        bounds = (given[0], given[1])
    names = _names(raw)
    nodes: dict[str, Node] = {}
    _add(raw, MAX, (), names, nodes)
    return names[()], nodes, bounds


Place = tuple[int, ...]
"""The indices of the branches from the root to a node."""


def _below(raw: object) -> list[tuple[str, object]]:
    """Return the branches of a node, each with its label, or with "" if it has no label."""
    moves = raw.get("moves", []) if isinstance(raw, Mapping) else raw
    if isinstance(moves, Mapping):
        return list(moves.items())
    return [("", each) for each in moves] if isinstance(moves, list) else []


def _names(raw: object) -> dict[Place, str]:
    """Return a name for each node.

    Inner nodes get letters, level by level; a leaf gets its parent's name and a number.
    """
    names: dict[Place, str] = {}
    taken: set[str] = set()
    row: list[tuple[Place, object]] = [((), raw)]
    count = 0
    for _ in range(DEEPEST):
        following: list[tuple[Place, object]] = []
        for address, each in row:
            below = _below(each)
            name = each.get("name") if isinstance(each, Mapping) else None
            if name is None and (below or not address):
                name, count = _letters(count), count + 1
            elif name is None:
                name = f"{names[address[:-1]]}{address[-1] + 1}"
            if not isinstance(name, str) or not name.strip() or name in taken:
                raise TreeFault(f"the name {name!r} is empty or given twice")
            names[address] = name
            taken.add(name)
            following += [((*address, number), child) for number, (_, child) in enumerate(below)]
        row = following
        if not row:
            return names
    raise TreeFault(f"it is nested too deeply: a tree may have {DEEPEST} levels at most")


def _letters(number: int) -> str:
    return chr(65 + number) if number < 26 else _letters(number // 26 - 1) + chr(65 + number % 26)


def _add(raw: object, turn: int, address: Place, names: Mapping[Place, str], nodes: dict[str, Node]) -> None:
    """Add a node and the nodes below it; `turn` is the player to move if the node does not name one."""
    name = names[address]
    if _is_number(raw):
        nodes[name] = Node(LEAF, utility=raw)
        return
    node: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {"moves": raw}
    for entry in node:
        if entry not in ENTRIES:
            raise TreeFault(f"node {name}: the entry {entry!r} is unknown; known are {', '.join(ENTRIES)}")
    if "utility" in node:
        if not _is_number(node["utility"]) or "moves" in node:
            raise TreeFault(f"node {name}: a utility must be a number, and a node with a utility has no moves")
        nodes[name] = Node(LEAF, utility=node["utility"])
        return
    player = node.get("player")
    if player is not None and player not in PLAYERS:
        raise TreeFault(f"node {name}: the player {player!r} is unknown: a player is max, min or chance")
    mover = turn if player is None else PLAYERS[player]
    below = _below(node)
    if not below:
        raise TreeFault(f"node {name} has no moves: write a leaf as a number")
    estimate = node.get("estimate", 0)
    if not _is_number(estimate):
        raise TreeFault(f"node {name}: the estimate must be a number; got {estimate!r}")
    labels = [label or f"{name.lower()}{number}" for number, (label, _) in enumerate(below, 1)]
    shares = _shares(name, node.get("probabilities"), mover, len(below))
    try:
        quiet = quiet_labels(node.get("quiet"), labels)
    except TreeFault as fault:
        raise TreeFault(f"node {name}: {fault}") from None
    branches = [
        Branch(label, names[(*address, number)], share, label in quiet)
        for number, (label, share) in enumerate(zip(labels, shares, strict=True))
    ]
    nodes[name] = Node(mover, tuple(branches), estimate)
    following = turn if mover == CHANCE else 1 - mover
    for number, (_, child) in enumerate(below):
        _add(child, following, (*address, number), names, nodes)


def _shares(name: str, given: Iterable[object] | None, mover: int, count: int) -> list[float]:
    if mover != CHANCE:
        if given is not None:
            raise TreeFault(f'node {name}: only a node where chance moves has probabilities; write "player": "chance"')
        return [1.0] * count
    if given is None:
        return [1 / count] * count
    try:
        shares = [float(fractions.Fraction(str(each))) for each in given]
    except (ValueError, TypeError, ZeroDivisionError):
        shares = []
    if len(shares) != count or not all(0 < share <= 1 for share in shares) or abs(math.fsum(shares) - 1) > TOLERANCE:
        raise TreeFault(f"node {name}: {count} probabilities above 0 that add up to 1 are needed; got {given!r}")
    return shares


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
