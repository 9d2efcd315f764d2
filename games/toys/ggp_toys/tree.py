"""A game given as an explicit tree, from a file or at random: an exercise for any searcher.

The operations are written once for both speeds, over tables: tuples when interpreted, arrays when compiled.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import attrs

from ggp import CHANCE, MAX, CompiledForm, IllegalActionError, NotationError, OptionError, Player, Scene, option
from ggp_toys.tree_graph import LEAF, Graph, nodes_in_full, random_graph

State = tuple[int]
"""The number of a node."""
LARGEST = 1_000_000
"""Nodes that a random tree may have."""
TABLED = 100_000
"""Nodes, and branches, of the largest tree at machine speed: larger tables are not made constants of the code."""
PARAMETERS = ("file", "depth", "branching", "low", "high", "seed", "chance")
OPERATIONS = ("to_move", "actions", "result", "outcomes", "terminal_test", "bounds")


@attrs.frozen
class Tree:
    """A tree from a JSON file, or a random one: any exercise, chance nodes included.

    With `file`, that tree, and the other parameters are not looked at; without, a random tree of `depth` plies in
    which the players alternate. A state holds a node's number, an action is the number of a branch, counted from
    0; the notation has their names. The bounds are the least and the greatest utility of all leaves.

    Raises:
        OptionError: the file is not there or is no such tree, or the random tree would be too large.
    """

    name: ClassVar[str] = "tree"

    file: str | None = option(None, "JSON file that holds the tree; without one the tree is random", path=True)
    depth: int = option(4, "height of the random tree in plies", minimum=0, maximum=20)
    branching: int = option(3, "branches of each node of the random tree", minimum=1, maximum=1000)
    low: int = option(-9, "least utility of a leaf of the random tree", minimum=-(10**9), maximum=10**9)
    high: int = option(9, "greatest utility of a leaf of the random tree", minimum=-(10**9), maximum=10**9)
    seed: int = option(0, "seed of the random tree", minimum=0)
    chance: float = option(0.0, "share of the nodes below the root at which chance moves", minimum=0, maximum=1)

    text: str | None = attrs.field(init=False, repr=False)
    """What the file held when the game was made."""
    graph: Graph = attrs.field(init=False, eq=False, repr=False)

    # the rules' functions themselves: no part of the game's identity
    to_move: Callable[[State], int] = attrs.field(init=False, eq=False, repr=False)
    actions: Callable[[State], Sequence[int]] = attrs.field(init=False, eq=False, repr=False)
    result: Callable[[State, int], State] = attrs.field(init=False, eq=False, repr=False)
    outcomes: Callable[[State], Iterator[tuple[int, float]]] = attrs.field(init=False, eq=False, repr=False)
    terminal_test: Callable[[State], bool] = attrs.field(init=False, eq=False, repr=False)
    _utility: Callable[[State], float] = attrs.field(init=False, eq=False, repr=False)
    bounds: Callable[[State], tuple[float, float]] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.file is None:
            self._set_up(None, self._random())
        else:
            from ggp_toys import tree_file  # needs msgspec and json, which a random tree does not

            text = tree_file.read_text(self.file)
            self._set_up(text, tree_file.parse_tree(text, self.file))

    def _random(self) -> Graph:
        if self.low > self.high:
            raise OptionError(f"low cannot be {self.low}: it is at most high, which is {self.high}")
        nodes = nodes_in_full(self.depth, self.branching)
        if nodes > LARGEST:
            size = f"a tree of depth {self.depth} and branching {self.branching} has more than {LARGEST:,} nodes"
            raise OptionError(f"{size}: take a lower depth or branching")
        return random_graph(self.depth, self.branching, (self.low, self.high), self.chance, self.seed)

    def _set_up(self, text: str | None, graph: Graph) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "graph", graph)
        form = rules(graph, tuple, lambda function: function)
        for operation in OPERATIONS:
            object.__setattr__(self, operation, getattr(form, operation))
        object.__setattr__(self, "_utility", form.utility)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (tuple(getattr(self, name) for name in PARAMETERS), self.text)

    def compiled(self, compile: Callable[[Any], Any]) -> CompiledForm:
        try:
            import numpy
        except ImportError:
            return rules(self.graph, tuple, compile)
        return rules(self.graph, numpy.array, compile)

    @property
    def stochastic(self) -> bool:
        """Whether the tree has a chance node."""
        return CHANCE in self.graph.movers

    @property
    def value_step(self) -> int | None:
        """1 where all values are whole numbers, else None."""
        return 1 if not self.stochastic and all(type(leaf) is int for leaf in self.graph.leaves) else None

    def initial_state(self) -> State:
        return (self.graph.root,)

    def utility(self, state: State, player: Player) -> float:
        return self._utility(state) if player == MAX else -self._utility(state)

    def format_state(self, state: State) -> str:
        return self.graph.names[state[0]]

    def parse_state(self, text: str) -> State:
        name = text.strip()
        if name not in self.graph.names:
            raise NotationError(f"{name!r} is not a node of the tree: the nodes are {_some(self.graph.names)}")
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
            raise IllegalActionError(f"{label!r} is not possible at {here}: {right}")
        raise NotationError(f"{label!r} is no action anywhere in the tree; at {here} {right}")

    def draw(self, state: State) -> str:
        graph, node = self.graph, state[0]
        if graph.movers[node] == LEAF:
            return f"{graph.names[node]}: {graph.utilities[node]:g}"
        mover = ("MAX", "MIN", "chance")[graph.movers[node]]
        return "\n".join([f"{graph.names[node]}: {mover} to move", *map(self._branch, graph.branches(node))])

    def scene(self, state: State) -> Scene:
        """The node with the branches below it, two levels deep where they are few."""
        from ggp_toys import tree_picture  # an import of its own: most trees are searched, not looked at

        return tree_picture.scene(self.graph, state[0])

    def _branch(self, branch: int) -> str:
        graph, target = self.graph, self.graph.targets[branch]
        share = f" ({graph.probabilities[branch]:.3g})" if graph.probabilities[branch] < 1 else ""
        worth = f": {graph.utilities[target]:g}" if graph.movers[target] == LEAF else ""
        return f"  {graph.labels[branch]}{share} to {graph.names[target]}{worth}"


def _some(names: Sequence[str]) -> str:
    """The names, or the first of them where they are many."""
    return ", ".join(names) if len(names) <= 12 else f"{', '.join(names[:10])} and {len(names) - 10} more"


def _remade(values: tuple[Any, ...], text: str | None) -> Tree:
    """A tree as it was pickled: its file is not read again."""
    if text is None:
        return Tree(*values)
    from ggp_toys import tree_file

    tree = Tree.__new__(Tree)
    for name, value in zip(PARAMETERS, values, strict=True):
        object.__setattr__(tree, name, value)
    tree._set_up(text, tree_file.parse_tree(text, tree.file or ""))
    return tree


def rules(graph: Graph, table: Callable[[list[Any]], Any], compile: Callable[[Any], Any]) -> CompiledForm:
    """The operations of the game, each passed through `compile`; `table` makes their tables of lists."""
    stochastic = CHANCE in graph.movers
    exact = not stochastic and all(type(leaf) is int for leaf in graph.leaves)
    number: Callable[[float], float] = int if exact else float
    least, greatest = number(min(graph.leaves)), number(max(graph.leaves))
    movers, first, targets = table(list(graph.movers)), table(list(graph.first)), table(list(graph.targets))
    utilities = table([number(utility) for utility in graph.utilities])
    probabilities = table(list(graph.probabilities))

    @compile
    def to_move(state: State) -> int:
        mover: int = movers[state[0]]
        return mover

    @compile
    def actions(state: State) -> range:
        return range(first[state[0] + 1] - first[state[0]])

    @compile
    def outcomes(state: State) -> Iterator[tuple[int, float]]:
        start = first[state[0]]
        for outcome in range(first[state[0] + 1] - start):
            yield outcome, probabilities[start + outcome]

    @compile
    def result(state: State, action: int) -> State:
        return (targets[first[state[0]] + action],)

    @compile
    def terminal_test(state: State) -> bool:
        leaf: bool = movers[state[0]] == LEAF
        return leaf

    @compile
    def utility(state: State) -> float:
        worth: float = utilities[state[0]]
        return worth

    @compile
    def bounds(state: State) -> tuple[float, float]:
        return least, greatest

    def encode(state: State) -> State:
        size = max(len(graph.names), len(graph.labels))
        if size > TABLED:
            raise OverflowError(f"a tree of {size:,} nodes or branches is too large for machine code: {TABLED:,} do")
        return state

    return CompiledForm(
        encode=encode,
        decode=lambda position: (int(position[0]),),
        to_move=to_move,
        actions=actions,
        result=result,
        outcomes=outcomes,
        terminal_test=terminal_test,
        utility=utility,
        bounds=bounds,
    )
