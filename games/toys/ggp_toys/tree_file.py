"""Read a game tree from a JSON file.

    {"root": "A",
     "nodes": {
       "A": {"player": "max", "actions": {"left": "B", "right": "C"}},
       "B": {"player": "chance", "actions": {"heads": "D", "tails": "C"}, "probabilities": ["1/3", "2/3"]},
       "C": {"utility": 2},
       "D": {"utility": -1.5}}}

The same tree may be written as nested lists, `[[3, 12, 8], [2, 4, 6]]`, as nested objects (see `ggp_toys.nested_tree`),
or as a test of CS188 (see `ggp_toys.cs188_tree`).

A node is a leaf with a utility to MAX, or it has a player (max, min or chance) and actions; each action names the node
that it leads to. A node of chance has a probability for every action, in order; a probability is a number, or a
fraction as text. Several branches may lead to one node, but no branch leads back up.

An inner node may have an `estimate`. It may also have `quiet`: a list of its quiet actions, true if all of them are
quiet, or false if none is. The tree may have `bounds`, two numbers between which all leaves and estimates are known to
lie.
"""

import collections
import fractions
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

import attrs
import msgspec

from ggp import CHANCE, MAX, MIN, OptionError
from ggp.files import open_regular
from ggp_toys.cs188_tree import cs188_nodes, is_cs188
from ggp_toys.nested_tree import TreeFault, nested_nodes, quiet_labels
from ggp_toys.tree_graph import LEAF, Branch, Graph, Node

PLAYERS: Final = {"max": MAX, "min": MIN, "chance": CHANCE}
LARGEST: Final = 2**53
"""Maximum size of a utility; larger numbers are not exact as floats."""
LONGEST: Final = 100_000_000
"""Maximum length of a file, in characters."""
TOLERANCE: Final = 1e-9
"""Maximum difference between 1 and the sum of a node's probabilities."""


StructT = TypeVar("StructT", bound=msgspec.Struct)
FoundT = TypeVar("FoundT")


class _Fault(Exception):
    """A fault in a file, without the file's name."""


class _Tree(msgspec.Struct, forbid_unknown_fields=True):
    root: str
    nodes: Any
    bounds: tuple[float | int, float | int] | None = None


class _Node(msgspec.Struct, forbid_unknown_fields=True):
    player: str | None = None
    actions: dict[str, str] | None = None
    probabilities: list[float | str] | None = None
    utility: int | float | None = None
    estimate: int | float | None = None
    quiet: bool | list[str] | None = None


class _Object(dict[str, object]):
    """A JSON object that remembers which keys were given twice."""

    def __init__(self, pairs: Iterable[tuple[str, object]]) -> None:
        pairs = list(pairs)
        super().__init__(pairs)
        left = collections.Counter(key for key, _ in pairs) - collections.Counter(self.keys())
        self.twice = next(iter(left), None)


def read_text(path: str) -> str:
    """Return the text of the file.

    Raises:
        OptionError: the file does not exist, or cannot be read as text.
    """
    try:
        with io.TextIOWrapper(open_regular(path), encoding="utf-8") as file:
            text = file.read(LONGEST + 1)
    except FileNotFoundError:
        raise OptionError(f"tree file {path}: there is no such file") from None
    except UnicodeDecodeError:
        raise OptionError(f"tree file {path}: it is not text in UTF-8") from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or error
        raise OptionError(f"tree file {path} cannot be read: {reason}") from None
    if len(text) > LONGEST:
        raise OptionError(f"tree file {path} cannot be read: it is longer than {LONGEST:,} characters")
    return text


def parse_tree(text: str, path: str) -> Graph:
    """Return the tree that a file's text describes; `path` is the file's name in errors.

    Raises:
        OptionError: the text is not such a tree; the message names the file, the node and the error.
    """
    try:
        bounds: tuple[float, float] | None
        if is_cs188(text):
            root, nodes, bounds = cs188_nodes(text)
            return _graph(root, nodes, bounds)
        raw = _json(text)
        if isinstance(raw, list | int | float) or (isinstance(raw, dict) and {"nodes", "root"}.isdisjoint(raw)):
            root, nodes, bounds = nested_nodes(raw)
            return _graph(root, nodes, bounds)
        tree = _convert(raw, _Tree)
        nodes = {name: _in_node(name, _node, value) for name, value in _named(tree.nodes)}
        _check_links(tree.root, nodes)
        _check_ways(tree.root, nodes)
        return _graph(
            tree.root,
            nodes,
            tree.bounds,
            any(isinstance(value, dict) and value.get("estimate") is not None for value in tree.nodes.values()),
        )
    except (_Fault, TreeFault) as fault:
        raise OptionError(f"tree file {path}: {fault}") from None


def _graph(
    root: str, nodes: Mapping[str, Node], bounds: tuple[float, float] | None, estimated: bool | None = None
) -> Graph:
    """Return the tables of a tree, after checking that its numbers lie within the bounds."""
    some = any(node.mover != LEAF and node.utility for node in nodes.values()) if estimated is None else estimated
    for name, node in nodes.items():
        given = node.mover == LEAF or some
        if bounds is not None and given and not bounds[0] <= node.utility <= bounds[1]:
            raise _Fault(f"node {name!r}: {node.utility:g} is not within the bounds {bounds[0]:g} to {bounds[1]:g}")
        if not abs(node.utility) <= LARGEST:
            raise _Fault(f"node {name!r}: the number has to be finite, at most 2**53 in size")
    if bounds is not None and not some:  # searches use bounds only if estimates lie within them, too
        middle = min(max(0, bounds[0]), bounds[1])
        inner = {name: attrs.evolve(node, utility=middle) for name, node in nodes.items() if node.mover != LEAF}
        nodes, some = {**nodes, **inner}, True
    return Graph.of(root, nodes, bounds, estimated=some)


def _json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_Object)
    except RecursionError:
        raise _Fault("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        if not text.strip():
            raise _Fault("it is empty") from None
        what = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise _Fault(f"it is not JSON: {what} at line {error.lineno}, column {error.colno}") from None
    except ValueError as error:
        raise _Fault(f"it is not JSON: {error}") from None


def _convert(value: object, wanted: type[StructT]) -> StructT:
    """Read `value` as one of the structures above; a key that is repeated or unknown is an error."""
    if isinstance(value, _Object) and value.twice is not None:
        raise _Fault(f"{value.twice!r} is given twice")
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError as error:
        raise _Fault(_error_text(str(error))) from None


TYPES: Final = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
"""The names of JSON's types."""


def _error_text(message: str) -> str:
    """Return msgspec's message in ggp's own words, with the accepted and the given value."""
    what, _, path = message.partition(" - at `$.")
    field = re.fullmatch(r"Object (missing required|contains unknown) field `(.*)`", what)
    if field:
        return f"{field[2]!r} is missing" if field[1].startswith("missing") else f"the entry {field[2]!r} is unknown"
    types = re.fullmatch(r"Expected `(.*)`, got `(.*)`", what)
    if not types:
        return message
    wanted = [TYPES[kind] for kind in types[1].replace("int | float", "float").split(" | ") if kind != "null"]
    name, within, _ = path.rstrip("`").partition("[")
    subject = f"each of its {name}" if within else name or "it"
    return f"{subject} has to be {' or '.join(wanted)}, and {'one ' if within else ''}is {TYPES[types[2]]}"


def _named(nodes: object) -> Iterator[tuple[str, object]]:
    if not isinstance(nodes, _Object):
        raise _Fault("the nodes have to be an object with the nodes by name")
    if nodes.twice is not None:
        raise _Fault(f"node {nodes.twice!r} is given twice")
    for name, value in nodes.items():
        if not name or name != name.strip():
            raise _Fault(f"node {name!r}: a name must not be empty, nor begin or end with a space")
        yield name, value


def _in_node(name: str, read: Callable[..., FoundT], *arguments: object) -> FoundT:
    try:
        return read(*arguments)
    except _Fault as fault:
        raise _Fault(f"node {name!r}: {fault}") from None


def _node(value: object) -> Node:
    node = _convert(value, _Node)
    assert isinstance(value, _Object)  # else it is no such structure
    if node.utility is not None:
        if node.estimate is not None or node.quiet is not None:
            raise _Fault("a node with a utility is a leaf: it has no estimate and no quiet actions")
        return _leaf(node, node.utility)
    if node.player is None:
        raise _Fault("it has neither a utility nor a player who moves")
    if node.player not in PLAYERS:
        raise _Fault(f"the player {node.player!r} is unknown: a player is max, min or chance")
    labels = _labels(value.get("actions"), node.actions)
    mover = PLAYERS[node.player]
    shares = _shares(node, mover, len(labels))
    quiet = quiet_labels(node.quiet, list(labels))
    branches = (
        Branch(label, labels[label], share, label in quiet) for label, share in zip(labels, shares, strict=True)
    )
    return Node(mover, tuple(branches), node.estimate or 0)


def _leaf(node: _Node, utility: float) -> Node:
    if node.player is not None or node.actions is not None or node.probabilities is not None:
        raise _Fault("a node with a utility is a leaf: it has no player, no actions and no probabilities")
    if not abs(utility) <= LARGEST:
        raise _Fault("the utility has to be finite, at most 2**53 in size")
    return Node(LEAF, utility=utility)


def _labels(given: object, actions: dict[str, str] | None) -> dict[str, str]:
    if not actions:
        raise _Fault("it has a player and no actions: a node where the game is over has a utility instead")
    if isinstance(given, _Object) and given.twice is not None:
        raise _Fault(f"the action {given.twice!r} is given twice")
    for label in actions:
        if not label or label != label.strip():
            raise _Fault(f"the action {label!r}: a name must not be empty, nor begin or end with a space")
    return actions


def _shares(node: _Node, mover: int, count: int) -> list[float]:
    if mover != CHANCE:
        if node.probabilities is not None:
            raise _Fault(
                'only a node where chance moves can have probabilities; remove them, or write "chance" as its player'
            )
        return [1.0] * count
    if node.probabilities is None or len(node.probabilities) != count:
        given = len(node.probabilities or ())
        raise _Fault(f"chance needs one probability for each action: got {given} probabilities for {count} actions")
    shares = [_share(given) for given in node.probabilities]
    if not abs(math.fsum(shares) - 1) <= TOLERANCE:
        raise _Fault(f"the probabilities must add up to 1; they add up to {math.fsum(shares):.9g}")
    return shares


def _share(given: float | str) -> float:
    share = math.nan
    if isinstance(given, float):
        share = given
    elif re.fullmatch(r"0*[1-9]\d{0,8}/0*[1-9]\d{0,8}", given, re.ASCII):
        share = float(fractions.Fraction(given))
    if not 0 < share <= 1:
        raise _Fault(f"{given!r} is not a probability: it is a number above 0 and up to 1, or a fraction like '1/6'")
    return share


def _check_links(root: str, nodes: Mapping[str, Node]) -> None:
    if root not in nodes:
        raise _Fault(f"the root {root!r} is not among the nodes")
    for name, node in nodes.items():
        for branch in node.branches:
            if branch.target not in nodes:
                raise _Fault(f"node {name!r}: {branch.label!r} leads to {branch.target!r}, which is missing")


def _check_ways(root: str, nodes: Mapping[str, Node]) -> None:
    """Check that there is no cycle, and that every node can be reached, by following every branch once."""
    below = {root: iter(nodes[root].branches)}  # the way from the root, with the branches still to walk
    done = set()
    while below:
        name, branches = next(reversed(below.items()))
        branch = next(branches, None)
        if branch is None:
            done.add(name)
            del below[name]
        elif branch.target in below:
            way = list(below)
            circle = [*way[way.index(branch.target) :], branch.target]
            raise _Fault(f"node {branch.target!r} leads back to itself: {_way(circle)}")
        elif branch.target not in done:
            below[branch.target] = iter(nodes[branch.target].branches)
    for name in nodes:
        if name not in done:
            raise _Fault(f"node {name!r} cannot be reached from the root {root!r}")


def _way(names: list[str]) -> str:
    shown = names if len(names) <= 8 else [*names[:4], "...", *names[-3:]]
    return " to ".join(shown)
