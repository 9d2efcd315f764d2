"""A game given as an explicit tree, from a file or at random: an exercise for searchers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import attrs

import ggp
from ggp_toys import tree_picture
from ggp_toys.tree_graph import LEAF, Graph, nodes_in_full, random_graph

State = tuple[int]
"""The number of a node."""
LARGEST = 1_000_000
"""Maximum number of nodes of a random tree."""
TABLED = 100_000
"""Maximum number of nodes, and of branches, of a tree that is compiled. A larger tree takes longer to compile than to
search.
"""


@attrs.frozen
class Tree:
    """A tree from a file, or a random one: any exercise, chance nodes included.

    If `file` is given, the game is the tree in that file, and the other parameters are ignored. Otherwise, the game is
    a random tree of `depth` plies in which the players alternate. A state is the number of a node, and an action is the
    number of a branch, from 0. The notation uses the names of nodes and branches. The bounds are those in the file. If
    the file has none, they are the least and the greatest number of the tree.

    Raises:
        OptionError: the file does not exist or is not a tree, or the random tree would be too large.
    """

    name: ClassVar[str] = "tree"
    title: ClassVar[str] = "Game tree"
    rules: ClassVar[str] = (
        "The players choose branches in turn, from the root to a leaf; where chance moves, a branch is chosen "
        "at random. The number at the leaf is what MAX gets: MAX wants it high, MIN wants it low."
    )

    file: str | None = ggp.option(
        None, "file that holds the tree (JSON, nested lists, CS188); without a file, the tree is random", path=True
    )
    depth: int = ggp.option(4, "height of the random tree in plies", minimum=0, maximum=20)
    branching: int = ggp.option(3, "branches of each node of the random tree", minimum=1, maximum=1000)
    low: int = ggp.option(-9, "least utility of a leaf of the random tree", minimum=-(10**9), maximum=10**9)
    high: int = ggp.option(9, "greatest utility of a leaf of the random tree", minimum=-(10**9), maximum=10**9)
    seed: int = ggp.option(0, "seed of the random tree", minimum=0)
    chance: float = ggp.option(0.0, "share of the nodes below the root at which chance moves", minimum=0, maximum=1)

    text: str | None = attrs.field(
        init=False, repr=False, default=attrs.Factory(lambda game: _text(game), takes_self=True)
    )
    """The file's contents when the game was built."""
    graph: Graph = ggp.constant(lambda game: _graph(game))
    stochastic: bool = ggp.constant(lambda game: ggp.CHANCE in game.graph.movers)
    whole: bool = ggp.constant(
        lambda game: (
            not game.stochastic and all(type(each) is int for each in (*game.graph.numbers, *(game.graph.bounds or ())))
        )
    )
    """Whether all values are whole numbers."""
    utilities: tuple[float, ...] = ggp.constant(
        lambda game: tuple(map(int if game.whole else float, game.graph.utilities))
    )
    """The utility of every leaf, and the estimate of every inner node (0 if the tree has no estimates)."""
    interval: tuple[float, float] = ggp.constant(lambda game: game._interval())
    """The bounds in the file, or the least and the greatest number of the tree."""

    @property
    def compiled(self) -> bool:
        """Whether the tree is small enough to be compiled."""
        return max(len(self.graph.names), len(self.graph.labels)) <= TABLED

    def _interval(self) -> tuple[float, float]:
        cls = int if self.whole else float
        low, high = self.graph.bounds or (min(self.graph.numbers), max(self.graph.numbers))
        return cls(low), cls(high)

    # The rules

    def initial_state(self) -> State:
        return (self.graph.root,)

    def to_move(self, state: State) -> ggp.Player:
        return self.graph.movers[state[0]]

    def actions(self, state: State) -> range:
        return range(self.graph.first[state[0] + 1] - self.graph.first[state[0]])

    def outcomes(self, state: State) -> Iterator[tuple[int, float]]:
        start = self.graph.first[state[0]]
        for outcome in range(self.graph.first[state[0] + 1] - start):
            yield outcome, self.graph.probabilities[start + outcome]

    def result(self, state: State, action: int) -> State:
        return (self.graph.targets[self.graph.first[state[0]] + action],)

    def terminal_test(self, state: State) -> bool:
        return self.graph.movers[state[0]] == LEAF

    def utility(self, state: State, player: ggp.Player) -> float:
        return self.utilities[state[0]] if player == ggp.MAX else -self.utilities[state[0]]

    def bounds(self, state: State) -> tuple[float, float]:
        return self.interval

    @property
    def evaluations(self) -> Mapping[str, ggp.Evaluation]:
        if not self.graph.estimated:
            return {}
        return {"estimate": ggp.Evaluation(self._estimate, "the estimate written at the node", bounded=True)}

    def _estimate(self, state: State) -> float:
        return self.utilities[state[0]]

    def quiet(self, state: State, action: int) -> bool:
        return self.graph.quiet[self.graph.first[state[0]] + action]

    # What it looks like

    def format_state(self, state: State) -> str:
        return self.graph.names[state[0]]

    def parse_state(self, text: str) -> State:
        name = text.strip()
        if name not in self.graph.names:
            raise ggp.NotationError(f"{name!r} is not a node of the tree: the nodes are {_some(self.graph.names)}")
        return (self.graph.names.index(name),)

    def format_action(self, state: State, action: int) -> str:
        return self.graph.labels[self.graph.first[state[0]] + action]

    def parse_action(self, state: State, text: str) -> int:
        label, here = text.strip(), self.format_state(state)
        legal = [self.graph.labels[branch] for branch in self.graph.branches(state[0])]
        if label in legal:
            return legal.index(label)
        right = f"the actions there are {_some(legal)}" if legal else "the game is over"
        if label in self.graph.labels:
            raise ggp.IllegalActionError(f"{label!r} is not possible at {here}: {right}")
        raise ggp.NotationError(f"{label!r} is not an action anywhere in the tree; at {here} {right}")

    def draw(self, state: State) -> str:
        graph, node = self.graph, state[0]
        if graph.movers[node] == LEAF:
            return f"{graph.names[node]}: {graph.utilities[node]:g}"
        mover = ("MAX", "MIN", "chance")[graph.movers[node]]
        return "\n".join([f"{graph.names[node]}: {mover} to move", *map(self._branch, graph.branches(node))])

    def scene(self, state: State) -> ggp.Scene:
        """Return the scene of the node with the branches below it. If the branches are few, the scene has
        two levels.
        """
        return tree_picture.scene(self.graph, state[0])

    def _branch(self, branch: int) -> str:
        graph, target = self.graph, self.graph.targets[branch]
        share = f" ({graph.probabilities[branch]:.3g})" if graph.probabilities[branch] < 1 else ""
        worth = f": {graph.utilities[target]:g}" if graph.movers[target] == LEAF else ""
        return f"  {graph.labels[branch]}{share} to {graph.names[target]}{worth}"


def _some(names: Sequence[str]) -> str:
    """Return the names as text. If there are many, return only the first ones."""
    return ", ".join(names) if len(names) <= 12 else f"{', '.join(names[:10])} and {len(names) - 10} more"


def _text(game: Tree) -> str | None:
    """Return the content of the tree's file; None if it has no file."""
    if not isinstance(game.file, str):
        return None
    from ggp_toys import tree_file  # needs msgspec and json, which a random tree does not

    return tree_file.read_text(game.file)


def _graph(game: Tree) -> Graph:
    """Return the tree from the file, or the random tree.

    Raises:
        OptionError: the file does not hold a tree, or the random tree would be too large.
    """
    if game.text is not None:
        from ggp_toys import tree_file

        return tree_file.parse_tree(game.text, game.file or "")
    if game.low > game.high:
        raise ggp.OptionError(f"low must be at most high ({game.high}); got {game.low}")
    if nodes_in_full(game.depth, game.branching) > LARGEST:
        size = f"a tree of depth {game.depth} and branching {game.branching} has more than {LARGEST:,} nodes"
        raise ggp.OptionError(f"{size}: choose a lower depth or branching")
    return random_graph(game.depth, game.branching, (game.low, game.high), game.chance, game.seed)
