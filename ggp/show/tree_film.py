"""The steps of a search: its tree at every step, explained in sentences, with questions for the reader."""

import itertools
from collections.abc import Iterable, Iterator, Sequence

import attrs

from ggp.show.search_tree import SearchTree, Visit, best_so_far, steps, uses_windows
from ggp.show.tree_layout import TreeLayout, largest, lay_out, size
from ggp.show.tree_marks import Labels, Mark, marks, note_marks, visit_mark
from ggp.show.tree_story import may_matter, question, rest_of, tell
from ggp.trace import Cut, Event, Leaf, Leave


@attrs.frozen
class Version:
    """The look of a mark from one step until its next version."""

    step: int
    mark: Mark | None
    """If None, the mark is removed: the search has come back, and visits a branch that was cut."""


@attrs.frozen
class Question:
    """A question about a visit that has untried actions: will they be cut?"""

    at: str
    """The key of the visit's mark."""
    text: str
    cut: bool
    why: str


@attrs.frozen
class Step:
    """One step of a search."""

    at: str
    """The key of the mark that shows the visit of this step."""
    line: int | None
    """The line of the searcher's source that runs in this step."""
    say: str
    visits: int
    """Number of visits up to this step."""
    question: Question | None = None
    """A question for the reader before the next step."""


@attrs.frozen
class Film:
    """All steps of a search, and the look of every mark at each of them."""

    steps: list[Step]
    versions: dict[str, list[Version]]
    """The versions of each mark, by key, in the order of their steps, which are counted from 1."""
    marks: list[Mark]
    """All marks in their last version; marks that were removed come last."""
    tree: SearchTree
    """The finished tree."""

    def at(self, step: int) -> dict[str, Mark]:
        """Return the marks that are visible at a step."""
        seen = {key: [each for each in made if each.step <= step] for key, made in self.versions.items()}
        return {key: mark for key, made in seen.items() if made and (mark := made[-1].mark)}

    def layout(self) -> TreeLayout:
        """Return positions for all marks, with room for every version."""
        sizes = {key: largest(size(each.mark) for each in made if each.mark) for key, made in self.versions.items()}
        return lay_out(self.marks, sizes)


def film(tree: SearchTree, events: Iterable[Event], labels: Labels = "window", source: Sequence[str] = ()) -> Film:
    """Add the events to an empty tree, and store its look after each step."""
    events = list(events)
    tree.windowed = uses_windows(events)
    cuts = {id(event) for event, after in itertools.pairwise(events) if isinstance(after, Cut)}
    shown: list[Step] = []
    versions: dict[str, list[Version]] = {}
    seen = _Seen()
    for number, event in enumerate(steps(tree, events), start=1):
        current = tree.current
        if current is None or tree.latest is None:
            continue
        line = event.line if source and tree.latest.shown else None
        say = tell(tree, event)
        if isinstance(event, Cut) and shown and shown[-1].question:
            shown[-1] = attrs.evolve(shown[-1], question=attrs.evolve(shown[-1].question, why=say))
        question = _question(tree, event, id(event) in cuts) if cuts else None
        shown.append(Step(str(current.order), line, say, tree.visits, question))
        for mark in _touched(tree, current, labels, seen):
            made = versions.setdefault(mark.key, [])
            if not made or made[-1].mark != mark:
                made.append(Version(number, mark))
        for key in seen.gone:
            versions[key].append(Version(number, None))
    left = [made[-2].mark for made in versions.values() if made[-1].mark is None]
    return Film(shown, versions, marks(tree, labels) + [mark for mark in left if mark], tree)


def _question(tree: SearchTree, event: Event, cut: bool) -> Question | None:
    """Return the question to ask when a visit is left and its parent has untried actions."""
    parent = tree.path[-1] if tree.path else None
    if parent is None or not isinstance(event, Leaf | Leave) or not parent.shown:
        return None
    rest = rest_of(tree, parent)
    if not rest:
        return None
    return Question(str(parent.order), question(tree, parent, rest), cut, "" if cut else may_matter(tree, parent, rest))


@attrs.define
class _Seen:
    """The former contents of marks, so that only changed marks are built again."""

    visits: dict[int, object] = attrs.field(factory=dict)
    """The former contents of visits, by the visits' numbers."""
    principal: list[tuple[Visit, Visit | None]] = attrs.field(factory=list)
    """The principal variation: each visit with its parent."""
    notes: dict[int, set[str]] = attrs.field(factory=dict)
    """For each visit, by number, the keys of the marks that stand below it for cut branches and for hidden visits."""
    gone: set[str] = attrs.field(factory=set)
    """The keys in `notes` that the last step removed."""


def _touched(tree: SearchTree, current: Visit, labels: Labels, seen: _Seen) -> Iterator[Mark]:
    """Yield the marks that the last step may have changed.

    These marks belong to the visit of that step, to the path to this visit, and to the principal variation.
    """
    line = tree.principal_variation()
    principal = list(zip(line, [None, *line], strict=False))
    shown = [visit for visit in tree.path if visit.shown]
    if not shown or shown[-1] is not current:
        shown.append(current)
    best = {visit.order for visit in line}
    changed = {visit.order: (visit, parent) for visit, parent in zip(shown, [None, *shown], strict=False)}
    if [visit for visit, _ in principal] != [visit for visit, _ in seen.principal]:
        changed |= {visit.order: (visit, parent) for visit, parent in (*seen.principal, *principal)}
    seen.principal = principal
    for visit, parent in changed.values():
        now = (*visit.changing(), best_so_far(visit), visit.order in best)
        if seen.visits.get(visit.order) != now:
            seen.visits[visit.order] = now
            yield visit_mark(tree, visit, parent, labels, principal=visit.order in best)
    notes = note_marks(tree, current)
    keys = {mark.key for mark in notes}
    seen.gone = seen.notes.get(current.order, set()) - keys
    seen.notes[current.order] = keys
    yield from notes
