"""The smallest failing tree as text and as a picture, and a page with all grades."""

from collections.abc import Iterator, Sequence
from html import escape
from math import inf

from ggp.game import CHANCE, MAX
from ggp.number_text import number
from ggp.show.document import document
from ggp.show.node_text import probability
from ggp.show.search_tree import SearchTree
from ggp.show.tree_svg import tree_svg
from ggp.trace import Cut, Enter, Event, Leaf, Leave, Try
from ggp_teach.exercise_tree import ExerciseTree, minimax
from ggp_teach.grading.checking import CRITERIA
from ggp_teach.grading.departure import Failure
from ggp_teach.grading.grading import Grade
from ggp_teach.grading.mistakes import MISTAKES

PLAYERS = {MAX: "MAX", 1: "MIN", CHANCE: "chance"}


def tree_lines(failure: Failure) -> Iterator[str]:
    """Yield the lines of the tree. Each node has its value and the searches that visit it, and an arrow where the
    searches differ.
    """
    case, reply, right = failure.checked.case, failure.checked.reply, failure.checked.right
    depth, tree = case.given_depth, case.game
    window = "" if case.window is None else f", window {case.window[0]:g} to {case.window[1]:g}"
    yield f"The smallest tree that fails ({case.topic}, depth {depth}{window}):"
    yield ""
    ours, theirs = set(right.visited), set(reply.visited)
    rows = list(_rows(tree, 0, depth, "", ""))
    width = max(len(text) for _, text in rows)
    for state, text in rows:
        who = {(True, True): "", (True, False): "only the textbook", (False, True): "only yours"}.get(
            (state in ours, state in theirs), "cut"
        )
        arrow = " <--" if state == failure.mark else ""
        yield f"  {text:<{width}}  {who}{arrow}".rstrip()
    yield ""
    yield f"Step {failure.step}: {failure.sentence}."
    truth = minimax(case.tree, depth)
    if case.window is None:
        returned = reply.error or ("no value" if reply.value is None else number(reply.value))
        move = f" by {reply.action}" if reply.action else ""
        yield f"Value {number(truth)}; yours: {returned}{move}."


def _rows(tree: ExerciseTree, state: int, depth: float, before: str, branch: str) -> Iterator[tuple[int, str]]:
    node = tree.nodes[state]
    leaf = not node.edges or depth <= 0
    estimate = " (estimate)" if node.edges and depth <= 0 else ""
    value = number(minimax(node, depth), 4)
    text = f"{value}{estimate}" if leaf else f"{tree.names[state]} {PLAYERS[node.mover]} {value}"
    yield state, f"{branch}{text}"
    if leaf:
        return
    for index, edge in enumerate(node.edges):
        last = index == len(node.edges) - 1
        share = f" {probability(edge.probability)}" if node.mover == CHANCE else ""
        child = tree.below[state][edge.label]
        head = f"{before}{'└─' if last else '├─'} {edge.label}{share}: "
        yield from _rows(tree, child, depth - 1, before + ("   " if last else "│  "), head)


def picture(failure: Failure) -> str:
    """Return the tree that the student's search visits, as SVG. The first step that differs from the textbook's search
    is marked.
    """
    return _svg(failure, failure.checked.reply.visited, "yours", failure.mark)


def _svg(failure: Failure, visited: Sequence[int], whose: str, mark: int | None) -> str:
    case = failure.checked.case
    tree = case.game
    grown = SearchTree(tree)
    for event in _events(tree, 0, case.given_depth, visited):
        grown.add(event)
    drawn = tree_svg(grown, labels="ranges", identity=whose, title=f"{whose}: {case.topic}")
    order = {state: index for index, state in enumerate(_preorder(tree, 0, case.given_depth, set(visited)), 1)}
    if mark is not None and mark in order:
        key = f'data-key="{order[mark]}"'
        index = drawn.find(key)
        start = drawn.rfind('class="mark ', 0, index)
        drawn = drawn[:start] + drawn[start:].replace('class="mark ', 'class="mark current ', 1)
    return drawn


def _preorder(tree: ExerciseTree, state: int, depth: float, visited: set[int]) -> Iterator[int]:
    """Yield the states that were visited, or that have a visited state below them, in the order of the picture."""
    yield state
    if depth > 0:
        for child in tree.below[state].values():
            if _reached(tree, child, visited):
                yield from _preorder(tree, child, depth - 1, visited)


def _reached(tree: ExerciseTree, state: int, visited: set[int]) -> bool:
    return state in visited or any(_reached(tree, child, visited) for child in tree.below[state].values())


def _events(tree: ExerciseTree, state: int, depth: int, visited: Sequence[int]) -> Iterator[Event]:
    """Yield the events of a search that visits these states."""
    seen = set(visited)
    yield Enter(state, depth, -inf, inf)
    node = tree.nodes[state]
    if not node.edges or depth <= 0:
        yield Leaf(node.worth, terminal=not node.edges)
        return
    left = []
    for label, child in tree.below[state].items():
        if not _reached(tree, child, seen):
            left.append(label)
            continue
        share = dict(tree.outcomes(state))[label] if node.mover == CHANCE else None
        yield Try(label, share)
        yield from _events(tree, child, depth - 1, visited)
    if left:
        yield Cut(tuple(left))
    truth = minimax(node, depth)
    yield Leave(truth, truth, None)


STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:1rem}
table{border-collapse:collapse;margin:.5rem 0}
th,td{padding:.2rem .7rem;border-bottom:1px solid #8888;text-align:right}
th:first-child,td:first-child{text-align:left}
.trees{display:flex;flex-wrap:wrap;gap:1.5rem}
figure{margin:0;overflow-x:auto;max-width:100%}
svg{max-width:none}
pre{overflow-x:auto}
"""


def grade_page(grades: Sequence[Grade]) -> str:
    """Return a page with all grades: marks, mistakes, and the smallest failing trees."""
    parts = [_section(grade, index) for index, grade in enumerate(grades)]
    return document("Grades", STYLE, f"<h1>Grades</h1>{''.join(parts)}")


def _section(grade: Grade, index: int) -> str:
    parts = [f"<section><h2>{escape(grade.path)}: {grade.marks:.0f} of 100</h2>"]
    if grade.problem:
        return f"{parts[0]}<p>{escape(grade.problem)}</p></section>"
    assert grade.found is not None
    parts.append(f"<p><code>{escape(grade.found.name)}</code>, graded as {grade.found.task}.</p>")
    if grade.mistake:
        mistake = MISTAKES[grade.mistake]
        sure = "" if grade.sure else "Probably: "
        parts.append(f"<p><strong>{sure}{escape(mistake.title)}.</strong> {escape(mistake.advice)}.</p>")
    rows = "".join(
        f"<tr><td>{topic}</td>"
        + "".join(f"<td>{'/'.join(map(str, criteria[each])) if each in criteria else ''}</td>" for each in CRITERIA)
        + "</tr>"
        for topic, criteria in grade.topics.items()
    )
    heads = "".join(f"<th>{each}</th>" for each in ("right of all", *CRITERIA))
    parts.append(f"<table><tr>{heads}</tr>{rows}</table>")
    parts += [f"<p>{escape(text)}</p>" for text in (*grade.errors, *grade.remarks)]
    if failure := grade.failure:
        case = failure.checked.case
        parts.append(f"<h3>The smallest tree that fails ({escape(case.topic)}, depth {case.given_depth})</h3>")
        parts.append(f"<p>Step {failure.step}: {escape(failure.sentence)}.</p>")
        ours = _svg(failure, failure.checked.right.visited, f"textbook{index}", failure.mark)
        theirs = _svg(failure, failure.checked.reply.visited, f"yours{index}", failure.mark)
        parts.append(
            f'<div class="trees"><figure><figcaption>The textbook’s search</figcaption>{ours}</figure>'
            f"<figure><figcaption>Yours</figcaption>{theirs}</figure></div>"
        )
    return "".join([*parts, "</section>"])
