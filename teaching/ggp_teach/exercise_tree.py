"""Game trees for exercises, which students' searchers search. Every node is a separate state.

So a visit of a state shows which node of the tree is visited. If a tree shows a fault, it can be reduced to the
smallest tree that still shows the fault.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any, ClassVar

import attrs

from ggp.capabilities import evaluation, notation
from ggp.errors import IllegalActionError, NotationError, UsageError
from ggp.game import CHANCE, MAX, MIN, AnyGame, Evaluation, Player, State

MOST_NODES = 400
"""Maximum number of nodes of a tree that is taken from a game."""


@attrs.frozen
class Edge:
    """A branch: its label, the probability of the outcome (1 if a player moves), and the node below it."""

    label: str
    probability: float
    node: "TreeNode"


@attrs.frozen
class TreeNode:
    """A node; a node without branches is a leaf."""

    mover: Player
    worth: float
    """The value to MAX: a leaf's utility, or the estimate of an inner node."""
    edges: tuple[Edge, ...] = ()

    @property
    def size(self) -> int:
        """The number of nodes, including this node."""
        return 1 + sum(edge.node.size for edge in self.edges)

    @property
    def height(self) -> int:
        """The number of plies to the deepest leaf."""
        return max((1 + edge.node.height for edge in self.edges), default=0)

    @property
    def alternates(self) -> bool:
        """Whether the players move in turn, apart from chance."""
        return self._alternates(self.mover)

    def _alternates(self, turn: Player) -> bool:
        if not self.edges:
            return True
        if self.mover not in (CHANCE, turn):
            return False
        following = turn if self.mover == CHANCE else 1 - turn
        return all(edge.node._alternates(following) for edge in self.edges)

    def has(self, mover: Player) -> bool:
        """Return whether this player, or chance, moves anywhere in the tree."""
        return any(each.mover == mover and each.edges for each in self.nodes())

    def nodes(self) -> Iterator["TreeNode"]:
        """Yield all nodes, each before the nodes below it."""
        yield self
        for edge in self.edges:
            yield from edge.node.nodes()

    def as_data(self) -> list[Any]:
        """Return the tree as a value of JSON; `from_data` is the inverse."""
        return [self.mover, self.worth, [[edge.label, edge.probability, edge.node.as_data()] for edge in self.edges]]

    @classmethod
    def from_data(cls, data: list[Any]) -> "TreeNode":
        """Return the tree that `as_data` describes."""
        mover, worth, edges = data
        return cls(mover, worth, tuple(Edge(label, share, cls.from_data(below)) for label, share, below in edges))


@attrs.frozen(eq=False)
class ExerciseTree:
    """A tree as a game. A state is the number of a node in preorder, 0 for the root; an action is a branch's label."""

    name: ClassVar[str] = "exercise"
    title: ClassVar[str] = "Exercise"
    rules: ClassVar[str] = "The players choose branches in turn; the number at the leaf is what MAX gets."
    compiled: ClassVar[bool] = False

    root: TreeNode
    slack: float = 0
    """The distance by which the declared bounds lie outside the values of the tree."""
    nodes: tuple[TreeNode, ...] = attrs.field(init=False)
    below: tuple[Mapping[str, int], ...] = attrs.field(init=False)
    """For each node, the number of the node after each action."""
    above: tuple[int, ...] = attrs.field(init=False)
    """For each node, the number of its parent; -1 for the root."""
    names: tuple[str, ...] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        nodes: list[TreeNode] = []
        below: list[dict[str, int]] = []
        above: list[int] = []

        def number(node: TreeNode, parent: int) -> int:
            own = len(nodes)
            nodes.append(node)
            below.append({})
            above.append(parent)
            for edge in node.edges:
                below[own][edge.label] = number(edge.node, own)
            return own

        number(self.root, -1)
        object.__setattr__(self, "nodes", tuple(nodes))
        object.__setattr__(self, "below", tuple(below))
        object.__setattr__(self, "above", tuple(above))
        object.__setattr__(self, "names", node_names(nodes, above))

    @property
    def stochastic(self) -> bool:
        """Whether chance moves anywhere."""
        return self.root.has(CHANCE)

    @property
    def evaluations(self) -> Mapping[str, Evaluation]:
        return {"estimate": Evaluation(self._worth, "the number written at the node", bounded=True)}

    def initial_state(self) -> int:
        return 0

    def to_move(self, state: int) -> Player:
        return self.nodes[state].mover

    def actions(self, state: int) -> tuple[str, ...]:
        return tuple(self.below[state])

    def outcomes(self, state: int) -> tuple[tuple[str, float], ...]:
        return tuple((edge.label, edge.probability) for edge in self.nodes[state].edges)

    def result(self, state: int, action: str) -> int:
        return self.below[state][action]

    def terminal_test(self, state: int) -> bool:
        return not self.below[state]

    def utility(self, state: int, player: Player) -> float:
        return self.nodes[state].worth if player == MAX else -self.nodes[state].worth

    def bounds(self, state: int) -> tuple[float, float]:
        worths = [node.worth for node in self.nodes]
        return min(worths) - self.slack, max(worths) + self.slack

    def format_state(self, state: int) -> str:
        return self.names[state]

    def parse_state(self, text: str) -> int:
        if text.strip() not in self.names:
            raise NotationError(f"{text.strip()!r} is not a node: the nodes are {', '.join(self.names)}")
        return self.names.index(text.strip())

    def format_action(self, state: int, action: str) -> str:
        return action

    def parse_action(self, state: int, text: str) -> str:
        if text not in self.below[state]:
            right = ", ".join(self.below[state]) or "none: the game is over"
            raise IllegalActionError(f"{text!r} is not possible at {self.names[state]}: the actions are {right}")
        return text

    def _worth(self, state: int) -> float:
        return self.nodes[state].worth

    def path(self, state: int) -> str:
        """Return the labels of the branches from the root to a node."""
        labels: list[str] = []
        while self.above[state] >= 0:
            parent = self.above[state]
            labels += [label for label, child in self.below[parent].items() if child == state]
            state = parent
        return " ".join(reversed(labels)) or "the root"


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def node_names(nodes: list[TreeNode], above: list[int]) -> tuple[str, ...]:
    """Return a name for each node: letters for inner nodes, level by level, and a letter and a number for a leaf."""
    depth = [0] * len(nodes)
    for index in range(1, len(nodes)):
        depth[index] = depth[above[index]] + 1
    names = [""] * len(nodes)
    inner = sorted((index for index, node in enumerate(nodes) if node.edges), key=lambda index: (depth[index], index))
    for number, index in enumerate(inner):
        names[index] = letters(number)
    count: dict[int, int] = {}
    for index, node in enumerate(nodes):
        if not node.edges:
            parent = above[index]
            count[parent] = count.get(parent, 0) + 1
            names[index] = f"{names[parent] if parent >= 0 else 'A'}{count[parent]}"
    return tuple(names)


def letters(number: int) -> str:
    """Return the name of inner node `number`, from 0: A to Z, then AA, AB and so on."""
    return LETTERS[number] if number < 26 else letters(number // 26 - 1) + LETTERS[number % 26]


def minimax(node: TreeNode, depth: float = inf) -> float:
    """Return the value of a node to MAX, `depth` plies ahead; the function is simple, and independent of every
    searcher.
    """
    if not node.edges or depth <= 0:
        return node.worth
    values = [minimax(edge.node, depth - 1) for edge in node.edges]
    if node.mover == CHANCE:
        return sum(edge.probability * value for edge, value in zip(node.edges, values, strict=True))
    return max(values) if node.mover == MAX else min(values)


MOST_READ = 200
"""Maximum number of nodes of a tree that is read from a text."""


def read_tree(text: str, first: Player = MAX) -> TreeNode:
    """Return the tree that nested lists of numbers describe, such as [[3, 12, 8], [2, 4, 6]].

    The players move in turn. A list that begins with "chance" is a chance node with equally likely outcomes. After
    chance, the opponent of the player who moved last is to move.

    Raises:
        NotationError: the text is not such a list, or the tree is too large.
    """
    right = 'a tree is nested lists of numbers, such as [[3, 12, 8], [2, 4, 6]]; ["chance", 3, 5] is a chance node'
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise NotationError(f"{text[:40]!r} is not a tree: {right}") from None
    left = MOST_READ

    def node(data: Any, mover: Player, depth: int) -> TreeNode:
        nonlocal left
        left -= 1
        if left < 0 or depth > DEEPEST_READ:
            raise NotationError(f"the tree is too large: {MOST_READ} nodes and {DEEPEST_READ} plies are the most")
        if isinstance(data, int | float) and not isinstance(data, bool) and abs(data) < 1e9:
            return TreeNode(mover, data)
        drawn = isinstance(data, list) and data[:1] == ["chance"]
        below = data[1:] if drawn else data
        if not isinstance(below, list) or not below:
            raise NotationError(f"{json.dumps(data)[:40]} is not a node: {right}")
        letter = "c" if drawn else "ab"[mover]
        return TreeNode(
            CHANCE if drawn else mover,
            0,
            tuple(
                Edge(
                    f"{letter}{index}",
                    1 / len(below) if drawn else 1.0,
                    node(each, mover if drawn else 1 - mover, depth + 1),
                )
                for index, each in enumerate(below, 1)
            ),
        )

    return node(data, first, 0)


DEEPEST_READ = 12


# Trees ----------------------------------------------------------------------------------------------------------------


def figure_5_2() -> TreeNode:
    """Return the tree of AIMA's figure 5.2."""

    def below(name: str, *leaves: int) -> TreeNode:
        return TreeNode(MIN, 0, tuple(Edge(f"{name}{n}", 1, TreeNode(MAX, leaf)) for n, leaf in enumerate(leaves, 1)))

    parts = below("b", 3, 12, 8), below("c", 2, 4, 6), below("d", 14, 5, 2)
    return TreeNode(MAX, 0, tuple(Edge(f"a{n}", 1, part) for n, part in enumerate(parts, 1)))


@attrs.frozen(kw_only=True)
class TreeShape:
    """The kind of a random tree."""

    depth: int = 3
    branching: int = 3
    """Maximum number of branches of a node; a node has at least two branches, unless a player passes."""
    low: int = -9
    high: int = 9
    first: Player = MAX
    """The player to move at the root."""
    again: float = 0.0
    """The probability that a player moves again after a move."""
    passes: float = 0.0
    """Probability that a node has only one branch, named `pass`."""
    chance: float = 0.0
    """The probability that chance moves at a node below the root."""
    ends: float = 0.0
    """The probability that a node below the root is a leaf instead of an inner node."""
    even: bool = False
    """Whether all outcomes of a chance node are equally likely."""
    halves: bool = False
    """Whether probabilities are halves, quarters and so on, with which computers calculate without rounding."""
    full: bool = False
    """Whether every inner node has exactly `branching` branches."""


def random_tree(dice: random.Random, shape: TreeShape) -> TreeNode:
    """Return a random tree of this kind; the same random generator gives the same tree."""
    return _random_node(dice, shape, shape.first, shape.first, shape.depth)


def _random_node(dice: random.Random, shape: TreeShape, mover: Player, last: Player, depth: int) -> TreeNode:
    """Return a node `depth` plies above the deepest leaves; `last` is the player who moves here, or who moved last."""
    worth = dice.randint(shape.low, shape.high)
    if depth == 0 or (depth < shape.depth and dice.random() < shape.ends):
        return TreeNode(last if mover == CHANCE else mover, worth)
    if mover == CHANCE:
        number = dice.randint(2, max(2, shape.branching))
        weights = [1 if shape.even else dice.randint(1, 4) for _ in range(number)]
        if shape.halves:
            weights = _halves(dice, number)
    else:
        passes = dice.random() < shape.passes
        number = 1 if passes else shape.branching if shape.full else dice.randint(2, max(2, shape.branching))
        weights = [1] * number
    edges = []
    for index in range(number):
        following = last if mover != CHANCE and dice.random() < shape.again else 1 - last
        child = CHANCE if mover != CHANCE and dice.random() < shape.chance else following
        label = "pass" if mover != CHANCE and number == 1 else f"{'abc'[mover]}{index + 1}"
        share = weights[index] / sum(weights) if mover == CHANCE else 1.0
        edges.append(Edge(label, share, _random_node(dice, shape, child, following, depth - 1)))
    return TreeNode(mover, worth, tuple(edges))


def _halves(dice: random.Random, number: int) -> list[int]:
    """Return weights whose shares are powers of one half, in random order."""
    weights = [16]
    while len(weights) < number:
        most = weights.pop(weights.index(max(weights)))
        weights += [most // 2, most // 2]
    dice.shuffle(weights)
    return weights


def tree_of_game(game: AnyGame, state: State, depth: int, most: int = MOST_NODES) -> TreeNode:
    """Return the tree of a game below a state, with the game's evaluation at inner nodes.

    Raises:
        UsageError: the tree has more than `most` nodes.
    """
    estimate: Callable[[State], float] = evaluation(game)
    text, left = notation(game), most

    def node(state: State, depth: int, last: Player) -> TreeNode:
        nonlocal left
        left -= 1
        if left < 0:
            raise UsageError(f"the tree of {game.name} to depth {depth} has more than {most} nodes")
        if game.terminal_test(state):
            return TreeNode(1 - last, game.utility(state, MAX))
        mover, worth = game.to_move(state), estimate(state)
        if depth == 0:
            return TreeNode(1 - last if mover == CHANCE else mover, worth)
        drawn = dict(game.outcomes(state)) if mover == CHANCE else {}  # type: ignore[attr-defined]
        edges = [
            Edge(
                text.format_action(state, action),
                drawn.get(action, 1.0),
                node(game.result(state, action), depth - 1, last if mover == CHANCE else mover),
            )
            for action in game.actions(state)
        ]
        return TreeNode(mover, worth, tuple(edges))

    return node(state, depth, MIN)


def smaller(root: TreeNode) -> Iterator[TreeNode]:
    """Yield slightly smaller trees, the smallest tree first. Grading uses them to find the smallest tree on which a
    function fails.
    """
    for edge in root.edges:
        yield edge.node  # one branch alone
    yield from _pruned(root)


def _pruned(node: TreeNode) -> Iterator[TreeNode]:
    """Yield the node with one subtree replaced by a leaf, or with one branch removed."""
    for index, edge in enumerate(node.edges):
        if edge.node.edges:
            leaf = TreeNode(MAX if edge.node.mover == CHANCE else edge.node.mover, edge.node.worth)
            yield attrs.evolve(node, edges=_replaced(node.edges, index, attrs.evolve(edge, node=leaf)))
        if len(node.edges) > (2 if node.mover == CHANCE else 1):
            left = node.edges[:index] + node.edges[index + 1 :]
            if node.mover == CHANCE:
                whole = sum(each.probability for each in left)
                left = tuple(attrs.evolve(each, probability=each.probability / whole) for each in left)
            yield attrs.evolve(node, edges=left)
    for index, edge in enumerate(node.edges):
        for below in _pruned(edge.node):
            yield attrs.evolve(node, edges=_replaced(node.edges, index, attrs.evolve(edge, node=below)))


def _replaced(edges: tuple[Edge, ...], index: int, edge: Edge) -> tuple[Edge, ...]:
    return (*edges[:index], edge, *edges[index + 1 :])
