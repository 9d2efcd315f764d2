"""Questions about a tree: each with its answer, and the line of the program that decides the answer."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

import attrs

from ggp.game import CHANCE, MAX, MIN
from ggp.plugins import Registry
from ggp.searcher import Limits
from ggp.show.search_tree import SearchTree, Visit
from ggp.trace import Cut, Enter, Event, Leaf, Leave, Try
from ggp_teach.exercise_tree import ExerciseTree, TreeNode
from ggp_teach.quizzes.answers import RightAnswer, number_text


@attrs.frozen(kw_only=True)
class QuizQuestion:
    """A question about a tree."""

    key: str
    """The kind of the question, and the node that it asks about. No two questions on a tree have the same key."""
    text: str
    answer: RightAnswer
    why: str
    line: str = ""
    """The line of the program that decides the answer."""


SLACK = 1
"""Distance of the known bounds from the values of leaves, so that no leaf lies exactly on a bound."""


class Watched:
    """A search of a tree by an installed searcher, with the events of the search."""

    def __init__(self, registry: Registry, name: str, root: TreeNode) -> None:
        self.tree = ExerciseTree(root, SLACK)
        self.name = name
        finder: Any = registry.searcher(name)
        self.source: tuple[str, ...] = finder.source
        self.events: list[Event] = list(finder.trace(self.tree, 0, Limits()))
        self.grown = SearchTree(self.tree, inf)
        self.by_event: list[Visit] = []
        """For each event, the visit to which it belongs."""
        for event in self.events:
            self.grown.add(event)
            assert self.grown.latest is not None
            self.by_event.append(self.grown.latest)
        self.visits = list(self.grown.all_shown())

    @property
    def root(self) -> Visit:
        """The visit of the root."""
        assert self.grown.root is not None
        return self.grown.root

    def line(self, state: int, cls: type[object], *, last: bool = True) -> str:
        """Return the program's line that caused the last event of this kind at a state; the first event if `last` is
        false.
        """
        lines = [
            event.line
            for event, visit in zip(self.events, self.by_event, strict=True)
            if isinstance(event, cls) and visit.state == state and event.line is not None
        ]
        return self.source[lines[-1 if last else 0]].strip() if lines else ""

    def leaves(self) -> list[int]:
        """Return the leaves that the search visits."""
        return list(dict.fromkeys(_number(visit) for visit in self.visits if visit.leaf))

    def unvisited(self) -> list[int]:
        """Return the leaves that the search does not visit."""
        seen = set(self.leaves())
        return [state for state in range(len(self.tree.nodes)) if self.tree.terminal_test(state) and state not in seen]

    def choices(self, state: int) -> list[str]:
        """Return the labels of the branches with the best value."""
        node = self.tree.nodes[state]
        values = {edge.label: _value(edge.node) for edge in node.edges}
        best = (max if node.mover == MAX else min)(values.values())
        return [label for label, value in values.items() if value == best]


def _number(visit: Visit) -> int:
    assert isinstance(visit.state, int)
    return visit.state


def _value(node: TreeNode) -> float:
    if not node.edges:
        return node.worth
    values = [_value(edge.node) for edge in node.edges]
    if node.mover == CHANCE:
        return sum(edge.probability * value for edge, value in zip(node.edges, values, strict=True))
    return max(values) if node.mover == MAX else min(values)


def _inner(tree: ExerciseTree) -> list[int]:
    return [state for state in range(len(tree.nodes)) if not tree.terminal_test(state)]


def _mean_text(tree: ExerciseTree, state: int) -> str:
    parts = [f"{number_text(edge.probability)} · {number_text(_value(edge.node))}" for edge in tree.nodes[state].edges]
    return " + ".join(parts)


# Values ---------------------------------------------------------------------------------------------------------------


def _value_questions(search: Watched) -> Iterator[QuizQuestion]:
    """Yield a question about the value of each inner node, and one about the move at the root."""
    tree = search.tree
    for state in _inner(tree):
        node, name = tree.nodes[state], tree.names[state]
        below = ", ".join(number_text(_value(edge.node)) for edge in node.edges)
        who = {MAX: "MAX takes the greatest", MIN: "MIN takes the least"}.get(node.mover)
        why = f"{who} of {below}" if who else f"chance: {_mean_text(tree, state)}"
        visit = next((each for each in search.visits if each.state == state), None)
        bounded = visit is not None and visit.lower != visit.upper
        yield QuizQuestion(
            key=f"value {state}",
            text=f"What is the {'expected ' if node.mover == CHANCE else ''}value of node {name} to MAX?",
            answer=RightAnswer("number", (number_text(_value(node)),)),
            why=why + (f" ({search.name} needs only a bound of it)" if bounded or visit is None else ""),
            line=search.line(state, Leave),
        )
    if tree.nodes[0].mover != CHANCE:
        best = search.choices(0)
        player = ("MAX", "MIN")[tree.nodes[0].mover]
        yield QuizQuestion(
            key="move",
            text=f"Which move is best for {player} at node {tree.names[0]}? (Name one.)",
            answer=RightAnswer("order", tuple(best)),
            why=f"it leads to the value {number_text(_value(tree.nodes[0]))}",
            line=search.line(0, Leave),
        )


def _count_questions(search: Watched) -> Iterator[QuizQuestion]:
    """Yield the question of how many leaves are visited."""
    leaves, missing = search.leaves(), search.unvisited()
    cut = f"all but {', '.join(search.tree.names[state] for state in missing)}" if missing else "all of them"
    yield QuizQuestion(
        key="leaves",
        text=f"How many leaves does {search.name} visit, from left to right?",
        answer=RightAnswer("number", (str(len(leaves)),)),
        why=cut,
        line=search.line(_number(search.visits[-1]), Leaf) if not missing else _cut_line(search),
    )


def _cut_line(search: Watched) -> str:
    """Return the line of the first cut."""
    return next(
        (search.source[event.line].strip() for event in search.events if isinstance(event, Cut) and event.line), ""
    )


# Windows and cuts -----------------------------------------------------------------------------------------------------


def _cut_questions(search: Watched) -> Iterator[QuizQuestion]:
    """Yield the question of which leaves are cut."""
    tree, missing = search.tree, search.unvisited()
    parts = []
    for event, visit in zip(search.events, search.by_event, strict=True):
        if isinstance(event, Cut):
            alpha, beta = visit.window
            bound = f"beta = {number_text(beta)}" if visit.mover == MAX else f"alpha = {number_text(alpha)}"
            if visit.mover == CHANCE:
                bound = f"the window [{number_text(alpha)}, {number_text(beta)}], whatever the rest is worth"
            parts.append(f"at {tree.names[_number(visit)]} the value has reached {bound}")
    yield QuizQuestion(
        key="cut",
        text=f"Which leaves does {search.name} not visit?",
        answer=RightAnswer("names", (" ".join(tree.names[state] for state in missing) or "none",)),
        why="; ".join(dict.fromkeys(parts)) or "no bound is reached",
        line=_cut_line(search),
    )


def _window_questions(search: Watched) -> Iterator[QuizQuestion]:
    """Yield a question about the window of each inner node, at the time when the search enters it."""
    tree = search.tree
    for visit in search.visits[1:]:
        if visit.leaf or visit.is_test:
            continue
        alpha, beta = visit.window
        yield QuizQuestion(
            key=f"window {visit.state}",
            text=f"With which window (alpha, beta) does {search.name} enter node {tree.names[_number(visit)]}?",
            answer=RightAnswer("window", (f"{number_text(alpha)} {number_text(beta)}",)),
            why="alpha is the best that MAX has higher up, beta the best that MIN has",
            line=search.line(tree.above[_number(visit)], Try, last=False),
        )


def _bound_questions(search: Watched) -> Iterator[QuizQuestion]:
    """Yield a question about each inner node whose value is only bounded, and about some with exact values."""
    tree = search.tree
    for visit in search.visits[1:]:
        if visit.leaf or visit.is_test or visit.mover == CHANCE:
            continue
        if visit.lower == visit.upper:
            text, why = f"= {number_text(visit.lower)}", "no branch is cut, and the value lies in the window"
        elif visit.upper < inf:
            text, why = f"<= {number_text(visit.upper)}", "the value has come down to alpha: it may be less"
        else:
            text, why = f">= {number_text(visit.lower)}", "the value has come up to beta: it may be more"
        yield QuizQuestion(
            key=f"bound {visit.state}",
            text=f"What does {search.name} know of the value of {tree.names[_number(visit)]} when it leaves the node?",
            answer=RightAnswer("bound", (text,)),
            why=why,
            line=search.line(_number(visit), Leave),
        )


# Ordering -------------------------------------------------------------------------------------------------------------


def _order_questions(registry: Registry, search: Watched) -> Iterator[QuizQuestion]:
    """Yield questions about the order of moves that causes the most cuts."""
    root = search.tree.root
    if len(root.edges) > MOST_ORDERED:
        return
    counts: dict[tuple[str, ...], int] = {}
    for edges in itertools.permutations(root.edges):
        reordered = Watched(registry, search.name, attrs.evolve(root, edges=edges))
        counts[tuple(edge.label for edge in edges)] = len(reordered.leaves())
    least, most = min(counts.values()), max(counts.values())
    best = [" ".join(order) for order, count in counts.items() if count == least]
    name = search.tree.names[0]
    line = search.line(0, Try, last=False)
    if least < most:
        yield QuizQuestion(
            key="order",
            text=f"In which order must the moves of {name} be searched so that alphabeta visits the fewest leaves?",
            answer=RightAnswer("order", tuple(best)),
            why=f"in this order, {least} leaves are visited; in the worst order, {most}",
            line=line,
        )
    yield QuizQuestion(
        key="least leaves",
        text=f"How many leaves does alphabeta visit if the moves of {name} are searched in the best order?",
        answer=RightAnswer("number", (str(least),)),
        why=f"in the order {best[0]}, for example",
        line=line,
    )
    yield QuizQuestion(
        key="most leaves",
        text=f"How many leaves does alphabeta visit if the moves of {name} are searched in the worst order?",
        answer=RightAnswer("number", (str(most),)),
        why=f"in the order {next(' '.join(order) for order, count in counts.items() if count == most)}, for example",
        line=line,
    )


MOST_ORDERED = 5
"""If a root has at most this many moves, all their orders are tried."""

# SCOUT ----------------------------------------------------------------------------------------------------------------


def _scout_questions(search: Watched) -> Iterator[QuizQuestion]:
    """Yield questions about tests, and about the actions that are evaluated after a test."""
    tree = search.tree
    children = [visit for visit in search.root.children if not visit.leaf]
    tested = [visit.state for visit in children if visit.is_test]
    evaluated = [visit.state for visit in children if not visit.is_test]
    again = [state for state in dict.fromkeys(tested) if state in evaluated]
    better = "more" if tree.nodes[0].mover == MAX else "less"
    if tested:
        yield QuizQuestion(
            key="again",
            text=f"Which inner nodes directly below {tree.names[0]} does scout evaluate after it has tested them?",
            answer=RightAnswer("names", (" ".join(tree.names[_int(state)] for state in again) or "none",)),
            why=f"those whose test shows that they are {better} than the best so far",
            line=search.line(0, Try, last=False),
        )
        yield QuizQuestion(
            key="tests",
            text=f"How many of the inner nodes directly below {tree.names[0]} does scout test?",
            answer=RightAnswer("number", (str(len(tested)),)),
            why="all but the first, which is evaluated at once; leaves need no program",
            line=search.line(0, Try, last=False),
        )
    yield QuizQuestion(
        key="entered",
        text="How many times does scout enter a node in all, tests and leaves included?",
        answer=RightAnswer("number", (str(sum(isinstance(event, Enter) for event in search.events)),)),
        why="every test and every evaluation enters a node",
        line=search.line(0, Enter),
    )


def _int(state: object) -> int:
    assert isinstance(state, int)
    return state


Maker = Callable[[Registry, Watched], Iterator[QuizQuestion]]


def _alone(*makers: Callable[[Watched], Iterator[QuizQuestion]]) -> Maker:
    return lambda registry, search: itertools.chain.from_iterable(make(search) for make in makers)


TOPICS: dict[str, tuple[str, Maker]] = {
    "minimax": ("minimax", _alone(_value_questions, _count_questions)),
    "alphabeta": (
        "alphabeta",
        _alone(_cut_questions, _window_questions, _count_questions, _bound_questions, _value_questions),
    ),
    "ordering": ("alphabeta", _order_questions),
    "scout": ("scout", _alone(_scout_questions, _value_questions)),
    "expectiminimax": ("expectiminimax", _alone(_value_questions)),
    "star1": ("star1", _alone(_cut_questions, _count_questions, _value_questions)),
}
"""For each topic: the searcher that is traced, and the questions about it."""
WITH_CHANCE = ("expectiminimax", "star1")


def questions(registry: Registry, topic: str, root: TreeNode) -> list[QuizQuestion]:
    """Return all questions of a topic on a tree."""
    name, make = TOPICS[topic]
    return list(make(registry, Watched(registry, name, root)))


def chosen(asked: Sequence[QuizQuestion], number: int, dice: random.Random) -> list[QuizQuestion]:
    """Return `number` of the questions in their original order; choose one of each kind before a second of any kind."""
    shuffled = list(asked)
    dice.shuffle(shuffled)
    counts: dict[str, int] = {}
    rank: dict[str, int] = {}
    for each in shuffled:
        topic = each.key.partition(" ")[0]
        counts[topic] = counts.get(topic, 0) + 1
        rank[each.key] = counts[topic]
    picked = {each.key for each in sorted(shuffled, key=lambda each: rank[each.key])[:number]}
    return [each for each in asked if each.key in picked]
