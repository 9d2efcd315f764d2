"""The tree of a Monte Carlo search in machine words: its layout in memory, and how to read it.

The tree begins with a header, and nodes follow. The children of a node are adjacent, in the order of the actions.
States and actions are not stored: a walk down the tree recomputes them.

Several threads may play in one tree without locks. Each thread has a header of its own: it draws its own random words,
and puts its nodes where no other thread puts nodes. Other threads see a node only when it is complete. A count is
increased in one step, and proved bounds only become narrower. If two threads narrow a bound at once, the wider bound
may remain: it is also correct.

Source for threads without locks: M. Enzenberger and M. Mueller, A lock-free multithreaded Monte-Carlo tree search
algorithm, Advances in Computer Games 2009.
"""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import attrs

from ggp.compiler import Variables
from ggp.compiler.intrinsics import add_float_to, add_to, bits_of, load, mix, publish, save, value_of
from ggp.game import CHANCE, MAX, Action, AnyGame, State
from ggp_search.constants import HUGE
from ggp_search.memory.allocator import Allocator
from ggp_search.memory.buffer import Buffer

# The words of the header, in bytes from its beginning.
START, USED, END, RANDOM, EXPLORATION, LEAST, GREATEST, WINNING = range(0, 8 * 8, 8)
"""Offsets in the header.

A header begins with three addresses: the node where playouts begin, the first free byte, and the end of the memory.
Then come the number of random words drawn, and four floats: the weight of exploration, the least and the greatest
result so far, and the weight of winning.
"""
HEADER = 8 * 8

# The words of a node, in bytes from its beginning.
VISITS, TOTAL, WINS, LOWER, UPPER, FAMILY = range(0, 6 * 8, 8)
"""Offsets in a node.

A node has the number of playouts through it, and four floats: the sum of their results, their wins minus their losses,
and two proved bounds of the node's value to MAX. The children come last. The address of the first child and the number
of children share one word (0 if the node has no children yet), so that a node takes less of the cache.
"""
NODE = 6 * 8
ESTIMATE = FAMILY
"""Offset of a child's estimate in the child's second node, which has no children of its own."""
SOON = 4
"""At a player's next move, the new state is looked up in the tree, down to this number of plies. Extra turns and
outcomes of chance are plies, too.
"""
WIDTH = 60
"""Maximum number of states at each ply that are followed to find the player's next state."""
MOST_ACTIONS = 1 << 14
"""Maximum number of different actions whose playouts are counted for all moves as first (RAVE)."""
COUNTED = 16
"""Number of bits for a node's number of children."""


@attrs.frozen
class PlayoutNode:
    """A node of the tree."""

    address: int

    @property
    def visits(self) -> int:
        """Number of playouts through the node."""
        return load(self.address + VISITS)

    @property
    def lower(self) -> float:
        """The proved lower bound of the node's value to MAX."""
        return value_of(load(self.address + LOWER))

    @property
    def upper(self) -> float:
        """The proved upper bound of the node's value to MAX."""
        return value_of(load(self.address + UPPER))

    @property
    def proved(self) -> bool:
        """Whether the node's value is proved."""
        return self.lower >= self.upper

    @property
    def expanded(self) -> bool:
        """Whether the node's children are in the tree."""
        return load(self.address + FAMILY) != 0

    @property
    def number_of_children(self) -> int:
        """The number of the node's children; 0 if it is not expanded."""
        return load(self.address + FAMILY) & ((1 << COUNTED) - 1)

    def child(self, index: int) -> "PlayoutNode":
        """Return the child that belongs to the action, or outcome of chance, with this index."""
        return PlayoutNode((load(self.address + FAMILY) >> COUNTED) + index * NODE)

    def as_first(self, index: int) -> "PlayoutNode":
        """Return the node that counts the playouts through this node in which the child's action was played later."""
        return self.child(self.number_of_children + index)

    def estimate(self, index: int) -> float:
        """Return the present estimate of the child with this index."""
        return value_of(load(self.as_first(index).address + ESTIMATE))

    def set_estimate(self, child: "PlayoutNode", estimate: float) -> None:
        """Set the estimate of one of the node's children."""
        save(child.address + self.number_of_children * NODE + ESTIMATE, bits_of(estimate))

    def children(self) -> Sequence["PlayoutNode"]:
        """Return the node's children in the order of the actions; none if the node has not been expanded."""
        return [self.child(index) for index in range(self.number_of_children)]

    def mean_value(self, unvisited: float = 0.0) -> float:
        """Return the mean of the node's playouts (`unvisited` if it has none), limited to its proved bounds."""
        if self.visits == 0:
            return min(max(unvisited, self.lower), self.upper)
        return min(max(value_of(load(self.address + TOTAL)) / self.visits, self.lower), self.upper)

    def mean_win(self) -> float:
        """Return the node's wins minus its losses as a share of its playouts, limited to its proved bounds."""
        win = value_of(load(self.address + WINS)) / self.visits
        return min(max(win, sign_of(self.lower)), sign_of(self.upper))

    def bound(self, sign: int) -> float:
        """Return the proved lower bound of the node's value to MAX (`sign` 1), or the upper bound (-1)."""
        return self.lower if sign > 0 else self.upper

    def begin(self, lower: float, upper: float) -> None:
        """Set the bounds of the value of a new node."""
        save(self.address + LOWER, bits_of(lower))
        save(self.address + UPPER, bits_of(upper))

    def prove(self, lower: float, upper: float) -> None:
        """Narrow the bounds of the node's value to what is proved."""
        # Another thread may have proved more since this one read the bounds.
        if lower > self.lower:
            save(self.address + LOWER, bits_of(lower))
        if upper < self.upper:
            save(self.address + UPPER, bits_of(upper))

    def count(self, result: float, playouts: int = 1) -> None:
        """Count some playouts with this result."""
        save(self.address + VISITS, self.visits + playouts)
        save(self.address + TOTAL, bits_of(value_of(load(self.address + TOTAL)) + playouts * result))
        save(self.address + WINS, bits_of(value_of(load(self.address + WINS)) + playouts * sign_of(result)))

    def best(self, mover: int) -> int | None:
        """Return the index of the best child for `mover`, the first of `best_children`; None if there is none."""
        return next(iter(self.best_children(mover)), None)

    def best_children(self, mover: int) -> list[int]:
        """Return the indexes of the best children for `mover`: the most visited children that are not proved worse than
        another child.

        If no child promises more than the best proved value, the children with that value are the best. There are none
        if no child was visited, or if CHANCE moves.
        """
        sign = 1 if mover == MAX else -1
        visited = {index: child for index, child in enumerate(self.children()) if child.visits}
        if mover == CHANCE or not visited:
            return []
        safe = sign * max(sign * child.bound(sign) for child in visited.values())
        hopeful = [index for index, child in visited.items() if sign * child.bound(-sign) > sign * safe]
        most = max((visited[index].visits for index in hopeful), default=0)
        best = [index for index in hopeful if visited[index].visits == most]
        if best and sign * visited[best[0]].mean_value() >= sign * safe:
            return best
        return [index for index, child in visited.items() if child.bound(sign) == safe]


@attrs.frozen
class Scale:
    """A scale from -1 to 1 for results to MAX: a part of it is for winning or losing, the rest for the margin."""

    winning: float
    """Weight of winning."""
    margin: float
    """Weight of one point of the result."""

    def worth(self, node: PlayoutNode) -> float:
        """Return the mean worth of a node's playouts; the node must have at least one playout."""
        mean = self.margin * node.mean_value()
        return mean if self.winning == 0.0 else self.winning * node.mean_win() + mean

    def worth_of(self, result: float) -> float:
        """Return the worth of a result."""
        return self.winning * sign_of(result) + self.margin * result


class PlayoutTree:
    """A tree in memory, which has one node at first."""

    variables: ClassVar[tuple[str, ...]] = ("address",)

    def __init__(
        self,
        size: int,
        seed: int,
        exploration: float,
        winning: float,
        memory: Allocator | None = None,
        *,
        all_moves: bool = False,
        references: bool = False,
        estimates: bool = False,
        threads: int = 1,
    ) -> None:
        """Create a tree with room for `size` bytes.

        Arguments:
            memory: the allocator of the memory that is not part of the tree.
            all_moves: whether each child has a second node, which counts the playouts in which its action was played
                later.
            references: whether nodes use the counts of ancestors.
            estimates: whether each child has a second node, with its estimate.
            threads: the number of threads that play in the tree.
        """
        self.doubled = all_moves or estimates
        self.shared = threads > 1
        self.actions: Any = memory.action_index(MOST_ACTIONS) if memory and all_moves else None
        self.played: Any = memory.integers(2 * MOST_ACTIONS) if memory and all_moves else None
        self.referred: Any = memory.integers(2 * MOST_ACTIONS) if memory and references else None
        """For each player and action, the number of the last playout in which `refer` stored a node for them."""
        self.references: Any = memory.integers(2 * MOST_ACTIONS) if memory and references else None
        """For each player and action, the address of the node that `refer` stored last. The node belongs to the nearest
        ancestor.
        """
        self.largest: Any = memory.floats(1) if memory and estimates else None
        """The largest absolute value of an estimate so far."""
        size = max(size, HEADER * threads + NODE)
        self.buffer = Buffer(size)
        self.address = self.buffer.address
        self.headers = [self.address + HEADER * number for number in range(threads)]
        """The address of each thread's header."""
        self.top = self.address + HEADER * threads
        """The address of the root."""
        first, share = self.top + NODE, (size - HEADER * threads - NODE) // threads // 8 * 8
        for number, header in enumerate(self.headers):
            save(header + USED, first + share * number)
            save(header + END, first + share * (number + 1) if self.shared else self.address + size)
            save(header + RANDOM, first_number(seed + number))
            save(header + EXPLORATION, bits_of(exploration))
            save(header + WINNING, bits_of(winning))
            save(header + LEAST, bits_of(float("inf")))
            save(header + GREATEST, bits_of(float("-inf")))
        self.root.begin(-HUGE, HUGE)
        self.begin_at(self.root)

    @property
    def root(self) -> PlayoutNode:
        """The node of the root state."""
        return PlayoutNode(self.top)

    def give(self, variables: Variables, number: int) -> None:
        """Give a thread its header, in the variables of its code; `number` counts from 1, after the first thread."""
        variables.set(self, "address", self.headers[number])

    @property
    def share_used(self) -> float:
        """The share of the memory that the tree uses."""
        free = sum(load(header + END) - load(header + USED) for header in self.headers)
        return 1 - free / self.buffer.size

    def take_root(self, node: PlayoutNode) -> None:
        """Make a node the root. Nodes outside the subtree of the new root are lost, but their memory is not freed."""
        self.top = node.address
        self.begin_at(node)

    def find(self, game: AnyGame, state: State, wanted: State) -> PlayoutNode | None:
        """Return the node of the state `wanted`; None if the tree does not have it within `SOON` plies below the root.

        Arguments:
            state: the state of the root.
        """
        reached = [(state, self.root)]
        for _ in range(SOON):
            following = []
            for each, node in reached:
                children = node.children() if not game.terminal_test(each) else ()
                for action, child in zip(game.actions(each), children, strict=False):
                    below = game.result(each, action)
                    if below == wanted:
                        return child
                    following.append((below, child))
            # The most visited nodes are the most likely ones, and the others have little worth keeping.
            reached = sorted(following, key=lambda pair: -pair[1].visits)[:WIDTH]
        return None

    @property
    def start(self) -> PlayoutNode:
        """The node where playouts begin."""
        return PlayoutNode(load(self.address + START))

    def begin_at(self, node: PlayoutNode) -> None:
        """Let playouts begin at this node from now on."""
        for header in self.headers:
            save(header + START, node.address)

    def best(self, node: PlayoutNode, mover: int) -> int | None:
        """Return the index of the best child; see `PlayoutNode.best`."""
        return next(iter(self.best_children(node, mover)), None)

    def best_children(self, node: PlayoutNode, mover: int) -> list[int]:
        """Return the indexes of the best children; see `PlayoutNode.best_children`."""
        return node.best_children(mover)

    def expand(self, node: PlayoutNode, count: int) -> bool:
        """Add `count` children to a node if there is room; return whether there was room."""
        first = load(self.address + USED)
        size = 2 * count * NODE if self.doubled else count * NODE
        if first + size > load(self.address + END) or count >> COUNTED != 0:
            return False
        for index in range(count):
            # The parent still has the game's own bounds. These only narrow along a play, so they hold for the children,
            # too.
            PlayoutNode(first + index * NODE).begin(node.lower, node.upper)
            if self.doubled:
                PlayoutNode(first + (count + index) * NODE).begin(-HUGE, HUGE)
        if not node.expanded:  # nor by another thread
            save(self.address + USED, first + size)
            publish(node.address + FAMILY, first << COUNTED | count)
        return True

    def count(self, node: PlayoutNode, result: float, playouts: int = 1) -> None:
        """Count some playouts of a node with this result."""
        if self.shared:
            add_to(node.address + VISITS, playouts)
            add_float_to(node.address + TOTAL, playouts * result)
            add_float_to(node.address + WINS, playouts * sign_of(result))
        else:
            node.count(result, playouts)

    def expect(self, node: PlayoutNode, result: float) -> None:
        """Add a result to a node without counting a playout; the playout may still be running, or may have ended."""
        add_float_to(node.address + TOTAL, result)
        add_float_to(node.address + WINS, result)

    def refer(self, action: Action, mover: int, playout: int, first: PlayoutNode) -> None:
        """Remember the node in which an ancestor counts the playouts where this player played this action."""
        number = self.actions.number(action)
        if number >= 0:
            self.referred[2 * number + mover] = playout
            self.references[2 * number + mover] = first.address

    def reference(self, action: Action, mover: int, playout: int, own: PlayoutNode) -> PlayoutNode:
        """Return the node that counts the playouts where this player played this action, below the nearest ancestor
        with enough playouts.

        Return `own` if there is no such ancestor.
        """
        number = self.actions.number(action)
        if number >= 0 and self.referred[2 * number + mover] == playout:
            return PlayoutNode(self.references[2 * number + mover])
        return own

    def weigh(self, estimate: float) -> float:
        """Return an estimate as a share, from -1 to 1, of the largest estimate so far."""
        largest: float = max(self.largest[0], abs(estimate))
        self.largest[0] = largest
        return estimate / largest if largest > 0 else 0.0

    def play(self, action: Action, mover: int, playout: int) -> None:
        """Remember that this player played this action in the playout with this number."""
        number = self.actions.number(action)
        if number >= 0:
            self.played[2 * number + mover] = playout

    def was_played(self, action: Action, mover: int, playout: int) -> bool:
        """Return whether this player played this action in the playout with this number."""
        number = self.actions.number(action)
        return number >= 0 and self.played[2 * number + mover] == playout

    def meet(self, result: float) -> None:
        """Extend the range of the results so far to `result`."""
        save(self.address + LEAST, bits_of(min(result, value_of(load(self.address + LEAST)))))
        save(self.address + GREATEST, bits_of(max(result, value_of(load(self.address + GREATEST)))))

    def scale(self) -> Scale:
        """Return the scale of results, given the range of the results so far."""
        least, greatest = value_of(load(self.address + LEAST)), value_of(load(self.address + GREATEST))
        winning, most = value_of(load(self.address + WINNING)), max(-least, greatest)
        # In a game of win, draw and loss, the results themselves are the scale: wins need not be counted apart.
        return Scale(winning, (1.0 - winning) / most) if most > 1.0 else Scale(0.0, 1.0)

    def exploration(self, scale: Scale) -> float:
        """Return the weight of exploration, scaled by the range of the results so far."""
        least, greatest = value_of(load(self.address + LEAST)), value_of(load(self.address + GREATEST))
        span = scale.worth_of(greatest) - scale.worth_of(least) if least < greatest else 0.0
        return span * value_of(load(self.address + EXPLORATION))

    def random_word(self) -> int:
        """Return the next random machine word."""
        number = load(self.address + RANDOM) + 1
        save(self.address + RANDOM, number)
        return random_word_of(number)


def first_number(seed: int) -> int:
    """Return the start of the counter of random words; starts for different seeds are far apart."""
    return mix(mix(0, seed), 1) >> 2


def random_word_of(number: int) -> int:
    """Return the machine word with this number in the sequence of random words."""
    # A hashed counter: its whole state is one word, so both speeds draw the same numbers from the same seed.
    return mix(mix(0, number), number)


def sign_of(result: float) -> float:
    """Return 1 for a win of MAX, -1 for a win of MIN, and 0 for a draw."""
    if result > 0:
        return 1.0
    return -1.0 if result < 0 else 0.0


def path(game: AnyGame, state: State, tree: PlayoutTree) -> Iterator[tuple[int, Action]]:
    """Yield the mover and the action at each step from the root to the end of the tree.

    The action is a player's best one, or the most visited outcome of chance.
    """
    root = tree.root
    while not game.terminal_test(state):
        mover, children = game.to_move(state), root.children()
        index = tree.best(root, mover)
        if mover == CHANCE and children:
            index = max(range(len(children)), key=lambda each: children[each].visits)
        if index is None or not children[index].visits:
            break
        action = list(game.actions(state))[index]
        yield mover, action
        state, root = game.result(state, action), children[index]
