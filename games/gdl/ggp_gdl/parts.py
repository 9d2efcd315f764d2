"""Independent parts of a game: groups of facts and moves that are connected only by the game's end and goals.

Two facts or moves are in the same part if both decide whether a move is legal, or whether a fact holds after a move.
Some facts do not depend on which moves are made, such as whose turn it is, and the number of moves. They belong to no
part: all parts may read them.

Source: M. Günther, S. Schiffel and M. Thielscher, Factoring general games, Workshop on General Intelligence in
Game-Playing Agents (2009).
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from ggp_gdl.automaton import Automaton
from ggp_gdl.description import format_term, term_of
from ggp_gdl.net import TRUE

MOST_TOLD = 8
"""Maximum number of parts that a listing shows."""


class Part(NamedTuple):
    """An independent part: the numbers of its facts and of its moves, without moves that only wait."""

    facts: list[int]
    moves: list[int]


def independent_parts(automaton: Automaton) -> list[Part]:
    """Return the independent parts that have facts and moves, in the order of their first facts."""
    net = automaton.net
    movable = _movable(automaton)
    parent = {node: node for node in movable}

    def top(node: int) -> int:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    def join(node: int, other: int) -> None:
        if node in movable and other in movable:
            parent[top(node)] = top(other)

    pairs = [*zip(net.bit_nodes, automaton.next, strict=True), *zip(net.move_nodes, automaton.legal, strict=True)]
    seen: set[int] = set()
    for node, root in pairs:
        join(node, abs(root))
        pending = [abs(root)]
        while pending:
            gate = pending.pop()
            if gate not in seen and gate != TRUE:
                seen.add(gate)
                for part in net.gates[gate] or ():
                    join(gate, abs(part))
                    pending.append(abs(part))
    parts: dict[int, Part] = defaultdict(lambda: Part([], []))
    for bit, node in enumerate(net.bit_nodes):
        if node in movable:
            parts[top(node)].facts.append(bit)
    for number, node in enumerate(net.move_nodes):
        if number not in automaton.waits:
            parts[top(node)].moves.append(number)
    return [part for part in parts.values() if part.facts and part.moves]


def _movable(automaton: Automaton) -> set[int]:
    """Return the nodes that depend on a move, now or earlier in the game."""
    net = automaton.net
    users: dict[int, list[int]] = defaultdict(list)
    for node, key in net.gates.items():
        for part in key or ():
            users[abs(part)].append(node)
    for bit, root in enumerate(automaton.next):
        users[abs(root)].append(net.bit_nodes[bit])
    nodes: set[int] = set()
    pending = list(net.move_nodes)
    while pending:
        node = pending.pop()
        if node not in nodes:
            nodes.add(node)
            pending.extend(users[node])
    return nodes


def sentences(automaton: Automaton) -> Iterator[str]:
    """Yield lines for people about unread facts and independent parts."""
    fact = [format_term(term_of(*bit)) for bit in automaton.net.bits]
    unread, parts = sorted(automaton.unread), independent_parts(automaton)
    if unread:
        yield f"Facts on which no legal move, goal or end depends: {len(unread)}, such as {fact[unread[0]]}."
    if len(parts) > 1:
        yield f"{len(parts)} independent parts, which are connected only by the end and the goals:"
        for part in parts[:MOST_TOLD]:
            facts, moves = _number(len(part.facts), "fact"), _number(len(part.moves), "move")
            yield f"- {facts} such as {fact[part.facts[0]]}, {moves} such as {automaton.move_text(part.moves[0])}"
        if len(parts) > MOST_TOLD:
            yield f"- and {len(parts) - MOST_TOLD} more"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
