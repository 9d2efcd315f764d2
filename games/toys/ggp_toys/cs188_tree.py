"""Trees in the tests of Berkeley's course CS188 (`GraphGameTreeTest`): a list of successors, and an evaluation.

Agent 0 is MAX; the other agents are MIN, or chance in a test of expectimax. The agents move in turn.
"""

import re
from typing import Final

from ggp import CHANCE, MAX, MIN
from ggp_toys.nested_tree import NamedNodes, TreeFault
from ggp_toys.tree_graph import LEAF, Branch, Node

_ENTRY: Final = re.compile(r'^(\w+):\s*(?:"""(.*?)"""|"([^"]*)"|(\S+))', re.MULTILINE | re.DOTALL)


def is_cs188(text: str) -> bool:
    """Return whether a text is one of CS188's tests."""
    return bool(re.search(r"^start_state:", text, re.MULTILINE) and re.search(r"^successors:", text, re.MULTILINE))


def cs188_nodes(text: str) -> NamedNodes:
    """Return the nodes of the tree of a test.

    Raises:
        TreeFault: an entry is missing or wrong; the message names the entry.
    """
    without_comments = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    entries = {name: next((each for each in values if each), "") for name, *values in _ENTRY.findall(without_comments)}
    for name in ("start_state", "successors", "evaluation"):
        if not entries.get(name, "").strip():
            raise TreeFault(f"the entry {name!r} of the test is missing")
    successors: dict[str, list[tuple[str, str]]] = {}
    for line in filter(None, map(str.strip, entries["successors"].splitlines())):
        parts = line.split()
        if len(parts) != 3:
            raise TreeFault(f"successors: a line is a state, an action and the next state; got {line!r}")
        successors.setdefault(parts[0], []).append((parts[1], parts[2]))
    worths: dict[str, float] = {}
    for line in filter(None, map(str.strip, entries["evaluation"].splitlines())):
        parts = line.split()
        try:
            number = float(parts[1])
            worths[parts[0]] = int(number) if number == int(number) else number
        except (IndexError, ValueError, OverflowError):
            raise TreeFault(f"evaluation: a line is a state and a number; got {line!r}") from None
    agents = _agents(entries.get("num_agents", "2"))
    other = CHANCE if "expect" in entries.get("alg", "").lower() else MIN
    nodes: dict[str, Node] = {}
    start = entries["start_state"].strip()
    _add(start, 0, successors, worths, agents, other, nodes, ())
    return start, nodes, None


def _agents(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d?", text.strip()):
        raise TreeFault(f"num_agents must be a whole number from 1 to 99; got {text!r}")
    return int(text)


def _add(
    state: str,
    depth: int,
    successors: dict[str, list[tuple[str, str]]],
    worths: dict[str, float],
    agents: int,
    other: int,
    nodes: dict[str, Node],
    way: tuple[str, ...],
) -> None:
    if state in way:
        raise TreeFault(f"the state {state!r} leads back to itself")
    if len(way) > 200:
        raise TreeFault("the tree is deeper than 200 plies")
    below = successors.get(state, [])
    if not below:
        if state not in worths:
            raise TreeFault(f"the state {state!r} has no successors, so it needs an evaluation")
        nodes[state] = Node(LEAF, utility=worths[state])
        return
    mover = MAX if depth % agents == 0 else other
    share = 1 / len(below) if mover == CHANCE else 1.0
    made = Node(mover, tuple(Branch(action, target, share) for action, target in below), worths.get(state, 0))
    if nodes.setdefault(state, made) != made:
        raise TreeFault(f"the state {state!r} is reached at different depths, where different agents move")
    for _, target in below:
        _add(target, depth + 1, successors, worths, agents, other, nodes, (*way, state))
