"""The trees on which a student's searcher is tested."""

import random
from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from ggp.errors import GGPError
from ggp.game import CHANCE, MAX, MIN, Player
from ggp.plugins import Registry
from ggp_teach.exercise_tree import (
    Edge,
    ExerciseTree,
    TreeNode,
    TreeShape,
    figure_5_2,
    minimax,
    random_tree,
    tree_of_game,
)
from ggp_teach.grading.shapes import Found
from ggp_teach.grading.textbook import VariantSearch

TOPICS = (
    "figure 5.2", "small trees", "ties", "MIN to move", "early ends", "depth limit", "extra turns", "passes", "chance",
    "transpositions", "real games", "windows",
)  # fmt: skip
"""The kinds of cases, in the order of the report."""

TURNS = ("extra turns", "passes", "real games")
"""Kinds of cases in which the players may not alternate."""
REAL: tuple[tuple[str, dict[str, str], tuple[int, ...], int], ...] = (
    ("tictactoe", {}, (0, 4, 8, 2, 6), 3),
    ("nim", {"heaps": "1,2,2"}, (), 5),
    ("kalah", {"houses": "3", "seeds": "2"}, (), 3),
    ("connectfour", {}, (3, 3, 2), 2),
    ("pig", {}, (), 2),
)
"""Games with parameters, the number of moves to play first, and the depth in plies."""


@attrs.frozen
class Case:
    """A tree to search."""

    topic: str
    tree: TreeNode
    depth: int | None = None
    """Number of plies to look ahead; None: to the end of the tree."""
    window: tuple[float, float] | None = None
    transposes: bool = False
    """Whether two states with the same tree below them count as the same state."""
    spare: int = 0
    """Number of plies by which the depth exceeds the height of the tree."""
    game: ExerciseTree = attrs.field(init=False, eq=False, repr=False)
    """The tree as a game."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "game", ExerciseTree(self.tree))

    @property
    def given_depth(self) -> int:
        """The depth that the student's searcher is given."""
        return self.tree.height + self.spare if self.depth is None else self.depth

    def question(self) -> dict[str, object]:
        """Return the question for the student's process."""
        return {
            "tree": self.tree.as_data(),
            "depth": self.given_depth,
            "window": self.window,
            "transposes": self.transposes,
        }


def cases(student: Found, registry: Registry, seed: int, number: int, *, chance: bool) -> list[Case]:
    """Return the cases for a searcher of this shape, small trees first in each kind.

    Arguments:
        number: the number of trees of each kind.
        chance: whether chance may move.
    """
    dice = random.Random(f"grade {seed}")
    make = {"cs188": _pacman_cases, "leaves": _leaf_cases}.get(student.shape, _tree_cases)
    made = list((_dice_cases if student.dice else make)(student, dice, number, chance))
    if student.shape in ("function", "aima") and not student.dice:
        made += real_cases(registry, student, chance)
    order = {topic: index for index, topic in enumerate(TOPICS)}
    return sorted(made, key=lambda case: (order[case.topic], case.tree.size))


def _tree_cases(student: Found, dice: random.Random, number: int, chance: bool) -> Iterator[Case]:
    """Yield trees for a searcher that can be tested on any tree."""
    span = (-1, 1) if student.shape == "cs50" else (-9, 9)
    near = (-1, 1) if student.shape == "cs50" else (-2, 2)
    limited = student.shape in ("function", "easyai", "nodes")

    def tree(span: tuple[int, int], depth: int, **more: object) -> TreeNode:
        return random_tree(dice, TreeShape(depth=depth, low=span[0], high=span[1], **more))  # type: ignore[arg-type]

    if student.shape != "cs50":
        yield Case("figure 5.2", figure_5_2())
    for index in range(number):
        depth = 2 + index % 3
        spare = 2 * (index % 2)
        yield Case("small trees", tree(span, depth), spare=spare)
        yield Case("ties", tree(near, depth), spare=spare)
        yield Case("MIN to move", tree(span if index % 2 else near, depth, first=MIN))
        yield Case("early ends", tree(near, depth + 1, ends=0.35), spare=spare)
        if limited:
            lower = tree(span, 4 if index % 2 else 3, branching=2 + index % 2)
            yield Case("depth limit", lower, depth=1 + index % 3)
        if student.shape in ("function", "aima", "cs50"):
            yield Case("extra turns", tree(span if index % 2 else near, depth + 1, again=0.4, branching=2), spare=spare)
            yield Case("passes", tree(span, depth + 1, passes=0.4), spare=spare)
            yield misleading(dice, "depths" if limited and index % 2 else "bounds")
        if student.has_window and student.shape in ("function", "nodes", "lists"):
            alpha = dice.randint(-8, 6)
            below = tree(span, 3)
            yield Case("windows", below, window=(alpha, alpha + dice.randint(1, 6)))
        if chance:
            again = 0.2 if student.shape == "function" else 0.0
            first: Player = MAX if index % 2 else MIN
            yield Case("chance", tree(span, depth, chance=0.5, again=again, first=first), spare=spare)


def _dice_cases(student: Found, dice: random.Random, number: int, chance: bool) -> Iterator[Case]:
    """Yield trees in which the dice are thrown after every move, as in backgammon."""
    for index in range(number):
        for topic, span, first, again, ends in (
            ("small trees", 9, MAX, 0.0, 0.0),
            ("ties", 2, MAX, 0.0, 0.0),
            ("MIN to move", 9, MIN, 0.0, 0.0),
            ("early ends", 9, MAX, 0.0, 0.4),
            ("extra turns", 9, MAX, 0.4, 0.2),
        ):
            yield Case(topic, _dice_tree(dice, first, 1 + index % 2, span, again, ends))


def _dice_tree(dice: random.Random, mover: Player, throws: int, span: int, again: float, ends: float) -> TreeNode:
    """Return a tree in which chance follows every move except the last; `again` and `ends` are as in `TreeShape`."""

    def after() -> TreeNode:
        worth, following = dice.randint(-span, span), mover if dice.random() < again else 1 - mover
        if not throws or dice.random() < ends:
            return TreeNode(following, worth)
        weights = [dice.randint(1, 4) for _ in range(dice.randint(2, 3))]
        shares = [weight / sum(weights) for weight in weights]
        below = [_dice_tree(dice, following, throws - 1, span, again, ends) for _ in shares]
        edges = [Edge(f"c{index}", *each) for index, each in enumerate(zip(shares, below, strict=True), 1)]
        return TreeNode(CHANCE, worth, tuple(edges))

    edges = [Edge(f"{'ab'[mover]}{index}", 1.0, after()) for index in range(1, dice.randint(2, 3) + 1)]
    return TreeNode(mover, dice.randint(-span, span), tuple(edges))


def misleading(dice: random.Random, table: Literal["bounds", "depths"]) -> Case:
    """Return a tree in which a search is wrong if its table treats bounds, or values of another depth, as exact."""
    while True:
        tree = transposing(dice, 4 if table == "bounds" else 5, 2)
        case = Case("transpositions", tree, depth=None if table == "bounds" else 4, transposes=True)
        search = VariantSearch(table=table, prunes=table == "bounds")
        if search.run(case.game, case.given_depth).value != minimax(tree, case.given_depth):
            return case


def transposing(dice: random.Random, depth: int, width: int) -> TreeNode:
    """Return a tree in which the players alternate and meet the same states again, at other depths, too.

    Arguments:
        width: the number of different states at a depth.
    """
    layers = [[TreeNode(depth % 2, dice.randint(-9, 9)) for _ in range(width)]]
    for ply in reversed(range(depth)):
        near = layers[0]
        far = [node for layer in layers[2::2] for node in layer]
        layers.insert(
            0,
            [
                TreeNode(
                    ply % 2,
                    dice.randint(-9, 9),
                    tuple(
                        Edge(f"{'ab'[ply % 2]}{index}", 1.0, dice.choice(far if far and dice.random() < 0.3 else near))
                        for index in range(1, 4 if ply < depth - 1 else 3)
                    ),
                )
                for _ in range(width)
            ],
        )
    return layers[0][0]


def _pacman_cases(student: Found, dice: random.Random, number: int, chance: bool) -> Iterator[Case]:
    """Yield trees for agents that move in turn.

    Pacman moves first, then each ghost; ghosts move at random if the task is about chance.
    """
    ghost = CHANCE if chance else MIN
    for index in range(number):
        for topic, ghosts, rounds, shown, span in (
            ("small trees", 1, 1 + index % 2, None, 9),
            ("ties", 1, 1 + index % 2, None, 2),
            ("extra turns", 2, 1 + index % 2, None, 9 if index % 2 else 2),
            ("depth limit", 1, 2, 1, 9),
        ):
            movers = ([MAX] + [ghost] * ghosts) * rounds
            branching = 2 if len(movers) > 3 else 3
            depth = None if shown is None else shown * (ghosts + 1)
            spare = (ghosts + 1) * (index % 2)
            yield Case(topic, leveled(dice, movers, branching, span, alike=True), depth=depth, spare=spare)


def _leaf_cases(student: Found, dice: random.Random, number: int, chance: bool) -> Iterator[Case]:
    """Yield full binary trees of three plies."""
    for _ in range(2 * number):
        for topic, first, span in (("small trees", MAX, 20), ("ties", MAX, 2), ("MIN to move", MIN, 9)):
            if first == MAX or "maximizing" in student.roles:
                movers = [first, 1 - first, first]
                yield Case(topic, leveled(dice, movers, 2, span, full=True))


def leveled(
    dice: random.Random,
    movers: Sequence[Player],
    branching: int,
    span: int,
    *,
    last: Player = MIN,
    alike: bool = False,
    full: bool = False,
) -> TreeNode:
    """Return a tree in which the same player moves everywhere on a level, and all leaves are on the last level.

    Arguments:
        last: the player before the first of `movers`.
        alike: whether all outcomes of chance are equally likely; otherwise their probabilities differ.
        full: whether every node has exactly `branching` branches.
    """
    worth = dice.randint(-span, span)
    if not movers:
        return TreeNode(1 - last, worth)
    number = branching if full else dice.randint(2, branching)
    weights = [1 if alike else dice.randint(1, 4) for _ in range(number)]
    edges = []
    for index in range(number):
        share = weights[index] / sum(weights) if movers[0] == CHANCE else 1.0
        mover = last if movers[0] == CHANCE else movers[0]
        below = leveled(dice, movers[1:], branching, span, last=mover, alike=alike, full=full)
        edges.append(Edge(f"{'abc'[movers[0]]}{index + 1}", share, below))
    return TreeNode(movers[0], worth, tuple(edges))


def real_cases(registry: Registry, student: Found, chance: bool) -> Iterator[Case]:
    """Yield positions of real games as trees, as far as the games are installed."""
    for name, parameters, moves, depth in REAL:
        try:
            game = registry.parse_game(name, parameters)
            state = game.initial_state()
            for move in moves:
                actions = list(game.actions(state))
                state = game.result(state, actions[move % len(actions)])
            tree = tree_of_game(game, state, depth)
        except GGPError:
            continue
        if chance or not tree.has(CHANCE):
            yield Case("real games", tree)
