"""A tree as nodes, as nested lists, or as the leaves of a binary tree."""

from collections.abc import Iterator
from typing import Any, NoReturn

from ggp_teach.grading.recorder import Recorder


class _Number(float):
    """A number that may also be called as a function, since programs write `node.value` as well as `node.value()`."""

    def __call__(self, *_: object) -> float:
        return float(self)


class _Flag(int):
    def __call__(self, *_: object) -> bool:
        return bool(self)

    def __repr__(self) -> str:
        return repr(bool(self))


class _Children(list["RecordedNode"]):
    def __call__(self, *_: object) -> "_Children":
        return self


class RecordedNode:
    """A node with its children."""

    def __init__(self, number: int, recorder: Recorder) -> None:
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "recorder", recorder)

    def __setattr__(self, name: str, value: object) -> None:
        if name in ("children", "value", "parent"):
            self.recorder.change(f"sets the attribute {name} of a node")  # type: ignore[attr-defined]
        object.__setattr__(self, name, value)  # students keep values at nodes

    def _look(self) -> tuple[Recorder, int]:
        recorder: Recorder = object.__getattribute__(self, "recorder")
        number: int = object.__getattribute__(self, "number")
        recorder.see(number)
        return recorder, number

    @property
    def children(self) -> _Children:
        """The nodes below."""
        recorder, number = self._look()
        return _Children(RecordedNode(child, recorder) for child in recorder.tree.below[number].values())

    successors = childs = get_children = children

    @property
    def is_terminal(self) -> _Flag:
        """Whether the node is a leaf."""
        recorder, number = self._look()
        return _Flag(not recorder.tree.below[number])

    is_leaf = terminal = leaf = isTerminal = terminal_test = game_over = is_over = is_terminal  # noqa: N815

    @property
    def value(self) -> _Number:
        """The value of a leaf, or the estimate of an inner node."""
        recorder, number = self._look()
        return _Number(recorder.tree.nodes[number].worth)

    utility = heuristic = evaluate = score = heuristic_value = eval = evaluation = static_value = val = value

    @property
    def name(self) -> str:
        """The node's name."""
        return object.__getattribute__(self, "recorder").tree.names[object.__getattribute__(self, "number")]  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator["RecordedNode"]:
        return iter(self.children)

    def __len__(self) -> int:
        return len(self.children)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: int) -> "RecordedNode":
        return self.children[index]

    def __repr__(self) -> str:
        return f"<node {self.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecordedNode) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


class NestedTree(list[Any]):
    """An inner node as a list of its children; a leaf is a number."""

    def __init__(self, number: int, recorder: Recorder) -> None:
        self.number, self.recorder = number, recorder
        tree = recorder.tree
        super().__init__(
            NestedTree(child, recorder) if tree.below[child] else _plain(tree.nodes[child].worth)
            for child in tree.below[number].values()
        )

    def __iter__(self) -> Iterator[Any]:
        for index in range(len(self)):
            yield self[index]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        child = list(self.recorder.tree.below[self.number].values())[index]
        self.recorder.see(self.number)
        self.recorder.see(child)
        return super().__getitem__(index)

    def __setitem__(self, index: object, value: object) -> NoReturn:
        self.recorder.change("changes the list of a node")

    def _changed(self, *_: object) -> NoReturn:
        self.recorder.change("changes the list of a node")

    append = pop = remove = clear = insert = extend = sort = reverse = _changed  # type: ignore[assignment]


class Leaves(list[float]):
    """The leaves of a full binary tree, from left to right."""

    def __init__(self, recorder: Recorder) -> None:
        tree = recorder.tree
        self._recorder = recorder
        self._numbers = [number for number, node in enumerate(tree.nodes) if not node.edges]
        super().__init__(_plain(tree.nodes[number].worth) for number in self._numbers)

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            self._recorder.see(self._numbers[index])
        return super().__getitem__(index)


def _plain(value: float) -> float:
    return int(value) if value == int(value) else value
