"""Retrograde analysis: find values and distances backwards from the terminal positions, for positions on cycles.

Values above the value of endless play are processed in descending order. For each of these values, the positions from
which MAX can force the value are found frontier by frontier. Each frontier is one ply farther from the end than the
previous one. A position in which MAX moves is solved as soon as one successor is solved. A position in which MIN moves
is solved when all successors are solved. Values below the value of endless play are processed in ascending order, with
the roles of the players exchanged. In the other positions neither player can force an end: they have the value of
endless play.

Only the predecessors of positions are stored, in as few bits as they need. Two passes over the positions find the
predecessors: the first pass counts them, the second lists them. If there is enough memory, the edges that the first
pass finds are kept for the second. The column of distances holds another number for a position as long as it is
unsolved.

Threads work in two alternating steps. First, each thread processes some positions, and posts the changes of other
positions in its box. Then each thread reads all boxes, and changes the positions that it owns.
"""

from collections.abc import Callable
from typing import ClassVar, Final

from ggp_search.tablebases.best_play import FOREVER

from ggp.errors import UsageError
from ggp.game import MAX, State
from ggp_solve.enumeration.enumeration import UNSOLVED, Enumeration, successor
from ggp_solve.memory.columns import width_for

BOX: Final = 1 << 16
"""Maximum number of posts in a thread's box; a post is one position or two."""
MOST_KEPT: Final = 1 << 28
"""Maximum size in bytes of the edges that are kept; the layers of tablebases have no other limit."""
BLOCK: Final = 1 << 12
"""Number of neighbouring positions in a block that one thread owns."""
GROUP: Final = 8
"""Number of neighbouring positions that share one stored offset."""
NUMBERS: Final = 2 + 4 / GROUP
"""Number of bytes for a position, not counting its predecessors, if no position has many predecessors."""
SMALL: Final = 1 << 12
"""Minimum number of positions of a frontier for which using several threads is worth the cost."""
MOST_ACTIONS: Final = 32_767
"""Maximum number of actions of a position on a cycle: this number and one more bit are stored in two bytes."""


class Retrograde:
    """Solves the positions that sweeps leave unsolved: positions on cycles, and positions that lead to a cycle.

    Arguments:
        most: the maximum number of positions.

    For an unsolved position, the column of distances has another use. It counts the successors that are not yet known
        to be lost for the player to move. The number stored is twice that count, plus 1 if MAX is to move.

    Attributes:
        degrees: the number of predecessors of each position.
        left: the number of predecessors that are still to be listed.
        offsets: the index of the first predecessor for each group of positions.
        queue: for each thread and each of two frontiers, the positions of the frontier that the thread owns.
        lengths: the number of positions in each queue.
        seeds: solved positions with unsolved predecessors, by code and distance.
        heads: the index in `seeds` for each code and distance.
        boxes: the posts of each thread; `posted` is the number of posts in each box.
        spilled: for each thread, whether it owns a position with more predecessors than `degrees` can count.
        done: for each thread, the number of positions that it has solved.
    """

    variables: ClassVar[tuple[str, ...]] = ("threads", "room", "deepest", "distances", "codes")

    def __init__(self, solver: Enumeration, most: int) -> None:
        self.solver = solver
        self.threads = solver.run.threads
        self.room = self.deepest = self.distances = self.codes = 0
        self._kept: list[tuple[list[int], bytes]] = []
        """For each part, how many edges each thread has posted, and the boxes with these edges.

        Empty if the edges are not kept.
        """
        self.posted, self.lengths, self.spilled, self.done, self.at, self.slot = (
            solver.column(8, 2 * self.threads) for _ in range(6)
        )
        self.boxes, self.offsets, self.heads = (solver.column(4, 0) for _ in range(3))
        self.predecessors, self.queue, self.seeds = (solver.column(width_for(most), 0) for _ in range(3))
        self._widen(1)

    def _widen(self, width: int) -> None:
        """Set the number of bytes in which a position's number of predecessors is stored."""
        self.degrees, self.left = self.solver.column(width, 0), self.solver.column(width, 0)
        self.solver.run.forget()

    @property
    def least_memory(self) -> int:
        """The memory, in bytes, that is needed if no position is solved yet."""
        solver, number = self.solver, self.queue.width
        return int(solver.count * (2 * self.degrees.width + 4 / GROUP)) + number * solver.edges

    def solve_rest(self) -> None:
        """Solve every position.

        Raises:
            TooLargeError: the lists needed do not fit in memory.
            UsageError: a position has too many actions.
        """
        solver, run, count = self.solver, self.solver.run, self.solver.count
        if solver.degree > MOST_ACTIONS:
            raise UsageError(
                f"{solver.game.name} has cycles and positions with more than {MOST_ACTIONS:,} actions: it cannot be"
                " solved by enumeration"
            )
        solver.require_memory(self.least_memory)
        self.boxes.renew(2 * BOX * self.threads)
        # Few positions have 256 predecessors: one byte each is tried first, and all are counted again if it overflows.
        while not self._count():
            self._widen(self.degrees.width + 1)
        self.predecessors.renew(run(sum_degrees, self, count))
        self.left.renew(count)
        self._over_all(list_edges)
        self._kept.clear()
        self.left.free()
        # A frontier may hold all positions of a thread. The threads share whole blocks evenly; the last block may be
        # incomplete.
        self.room = (count // (BLOCK * self.threads) + 1) * BLOCK
        self.queue.renew(2 * self.threads * self.room)
        self.deepest = 0
        run(find_deepest, self, count)
        self.distances, self.codes = self.deepest + 1, len(solver.worths)
        # Seeds are sorted by counting, so that those of a code and distance lie together.
        self.heads.renew(self.codes * self.distances + 1)
        self.seeds.renew(run(count_seeds, self, count))
        run(list_seeds, self, count)
        # From the best value down: what MAX can force is solved before lesser values are tried.
        for code in range(len(solver.worths) - 1, solver.neutral, -1):
            self._force(code, 1)
        for code in range(1, solver.neutral):
            self._force(code, 0)
        run(leave_neutral, self, count)
        solver.solved = count
        for column in (self.offsets, self.degrees, self.predecessors, self.queue, self.heads, self.seeds, self.boxes):
            column.free()

    def _count(self) -> bool:
        """Count predecessors; return whether the columns are wide enough for the counts."""
        self.degrees.renew(self.solver.count)
        self.offsets.renew(self.solver.count // GROUP + 2)
        self.spilled.renew(self.threads)
        self._over_all(count_edges)
        return not any(map(self.spilled.get, range(self.threads)))

    def _over_all(self, apply: Callable[["Retrograde", int], int]) -> None:
        """Collect the edges of all unsolved positions, part by part, and apply a function to each part."""
        solver, threads = self.solver, self.threads
        calls = [(t,) for t in range(threads)]
        if self._kept:
            for posted, boxes in self._kept:
                self.boxes.fill(boxes)
                for thread, count in enumerate(posted):
                    self.posted.put(thread, count)
                solver.run.together(apply, self, calls)
                solver.look("cycles")
            return
        kept: list[tuple[list[int], bytes]] | None = []
        size = 0
        for first, last in solver.chunks("cycles"):
            size = -(-(last - first) // threads)
            parts = [(min(last, first + size * t), min(last, first + size * (t + 1))) for t in range(threads)]
            while any(begin < end for begin, end in parts):
                reached = solver.run.together(
                    gather_edges, self, [(t, *part, solver.start) for t, part in enumerate(parts)]
                )
                parts = [(at, end) for at, (_, end) in zip(reached, parts, strict=True)]
                solver.run.together(apply, self, calls)
                if kept is not None:
                    posted = [self.posted.get(t) for t in range(threads)]
                    boxes = self.boxes.content(2 * (BOX * (threads - 1) + posted[-1]))
                    kept.append((posted, boxes))
                    size += len(boxes)
                    if size > MOST_KEPT or not solver.has_memory(self.least_memory + size):
                        kept = None
            solver.look("cycles")
        self._kept = kept or []

    def _force(self, code: int, maximizes: int) -> None:
        """Solve the positions from which the player can force the value with a code."""
        solver, threads = self.solver, self.threads
        plies, waiting = 0, solver.run(enlist_seeds, self, code, 0)
        while waiting or plies < self.distances:
            # Threads wait for each other twice a turn, which costs more than a small frontier.
            if threads == 1 or waiting < SMALL:
                plies = solver.run(solve_frontiers, self, code, plies, maximizes, solver.run.chunk)
            else:
                self._solve_frontier(code, plies, maximizes)
                plies += 1
                solver.run(enlist_seeds, self, code, plies)
            waiting = sum(self.lengths.get(plies % 2 * threads + t) for t in range(threads))
            solver.solved += sum(map(self.done.get, range(threads)))
            self.done.renew(threads)
            solver.look("cycles")

    def _solve_frontier(self, code: int, plies: int, maximizes: int) -> None:
        """Solve predecessors of all positions of a frontier."""
        side, threads, together = plies % 2, range(self.threads), self.solver.run.together
        self.at.renew(self.threads)
        self.slot.renew(self.threads)
        while any(self.at.get(t) < self.lengths.get(side * self.threads + t) for t in threads):
            together(gather_predecessors, self, [(t, side) for t in threads])
            together(solve_predecessors, self, [(t, 0, code, plies, maximizes) for t in threads])


def owner_of(part: Retrograde, number: int) -> int:
    """Return the thread that owns a position."""
    return number // BLOCK % part.threads


# The predecessors


def gather_edges(part: Retrograde, thread: int, first: int, last: int, like: State) -> int:
    """Post an entry for each successor of the unsolved positions `first` to `last` - 1; store the number of entries.

    Returns: the first position whose entries did not fit in the thread's box; `last` if all positions fitted.
    """
    solver, posts, base = part.solver, 0, 2 * BOX * thread
    for number in range(first, last):
        if solver.values.get(number) == UNSOLVED:
            # A position is posted whole or not at all; the next turn begins with it.
            if posts + solver.degree > BOX and posts:
                part.posted.put(thread, posts)
                return number
            state = solver.positions.state(number, like)
            # As in `expand`, each successor is looked up one action late.
            degree, waiting = 0, state
            for action in solver.game.actions(state):
                child = successor(solver, state, action)
                solver.positions.prefetch(child)
                if degree > 0:
                    post_edge(part, base + 2 * (posts + degree - 1), waiting, number)
                waiting = child
                degree += 1
            if degree > 0:
                post_edge(part, base + 2 * (posts + degree - 1), waiting, number)
            posts += degree
            # The distance is not known before the value is, so its column holds the counter until then.
            solver.distances.put(number, 2 * degree + (1 if solver.game.to_move(state) == MAX else 0))
    part.posted.put(thread, posts)
    return last


def post_edge(part: Retrograde, at: int, child: State, number: int) -> None:
    """Post the number of a successor, and the number of the position that leads to it."""
    part.boxes.put(at, part.solver.positions.find(child))
    part.boxes.put(at + 1, number)


def count_edges(part: Retrograde, thread: int) -> int:
    """Count the predecessors of each position that the thread owns."""
    most = (1 << 8 * part.degrees.width) - 1
    # All threads read all boxes, but only the owner writes: no lock is needed, and their order does not matter.
    for other in range(part.threads):
        for post in range(part.posted.get(other)):
            child = part.boxes.get(2 * (BOX * other + post))
            if owner_of(part, child) == thread:
                degree = part.degrees.get(child)
                if degree == most:
                    part.spilled.put(thread, 1)
                else:
                    part.degrees.put(child, degree + 1)
    return 0


def sum_degrees(part: Retrograde, count: int) -> int:
    """Compute where the predecessors of each group begin, and return the total number of predecessors."""
    total = 0
    for number in range(count):
        if number % GROUP == 0:
            part.offsets.put(number // GROUP, total)
        total += part.degrees.get(number)
    return total


def offset_of(part: Retrograde, number: int) -> int:
    """Return the index of a position's first predecessor."""
    # A few additions each time cost less than eight times the memory for offsets.
    index: int = part.offsets.get(number // GROUP)
    for before in range(number // GROUP * GROUP, number):
        index += part.degrees.get(before)
    return index


def list_edges(part: Retrograde, thread: int) -> int:
    """List the predecessors of each position that the thread owns."""
    for other in range(part.threads):
        for post in range(part.posted.get(other)):
            slot = 2 * (BOX * other + post)
            child = part.boxes.get(slot)
            if owner_of(part, child) == thread:
                listed = part.left.get(child)
                part.left.put(child, listed + 1)
                part.predecessors.put(offset_of(part, child) + listed, part.boxes.get(slot + 1))
    return 0


# The seeds


def is_seed(part: Retrograde, number: int) -> bool:
    """Return whether a position is solved and its value may decide the values of unsolved predecessors."""
    code = part.solver.values.get(number)
    # Nobody has to force the neutral value: it is what remains.
    if code in (UNSOLVED, part.solver.neutral):
        return False
    return bool(part.degrees.get(number) > 0)


def find_deepest(part: Retrograde, count: int) -> None:
    """Find the greatest distance of a seed (see `is_seed`), and store it as `part.deepest`."""
    for number in range(count):
        if is_seed(part, number):
            part.deepest = max(part.deepest, part.solver.distances.get(number))


def head_of(part: Retrograde, number: int) -> int:
    """Return the index in `heads` for the code and the distance of a seed."""
    return part.solver.values.get(number) * part.distances + part.solver.distances.get(number)


def count_seeds(part: Retrograde, count: int) -> int:
    """Compute where the seeds of each code and distance end in `seeds`, and return the total number of seeds."""
    for number in range(count):
        if is_seed(part, number):
            index = head_of(part, number)
            part.heads.put(index, part.heads.get(index) + 1)
    total = 0
    for index in range(part.codes * part.distances + 1):
        total += part.heads.get(index)
        part.heads.put(index, total)
    return total


def list_seeds(part: Retrograde, count: int) -> None:
    """List the seeds; afterwards, `heads` says where the seeds of each code and distance begin in `seeds`."""
    for number in range(count):
        if is_seed(part, number):
            slot = head_of(part, number)
            part.heads.put(slot, part.heads.get(slot) - 1)
            part.seeds.put(part.heads.get(slot), number)


# The frontiers


def enlist(part: Retrograde, number: int, side: int) -> None:
    """Put a solved position into the queue of its owner."""
    queue = side * part.threads + owner_of(part, number)
    length = part.lengths.get(queue)
    part.queue.put(queue * part.room + length, number)
    part.lengths.put(queue, length + 1)


def enlist_seeds(part: Retrograde, code: int, plies: int) -> int:
    """Put the seeds with a code and a distance into the queues of the frontier; return the number of positions in the
    queues.
    """
    side, waiting = plies % 2, 0
    if plies < part.distances:
        slot = code * part.distances + plies
        for seed in range(part.heads.get(slot), part.heads.get(slot + 1)):
            enlist(part, part.seeds.get(seed), side)
    for thread in range(part.threads):
        waiting += part.lengths.get(side * part.threads + thread)
        part.lengths.put((1 - side) * part.threads + thread, 0)
    return waiting


def gather_predecessors(part: Retrograde, thread: int, side: int) -> int:
    """Post the unsolved predecessors of those positions of a frontier that the thread owns, until the thread's box is
    full.
    """
    posts, base, queue = 0, 2 * BOX * thread, side * part.threads + thread
    at, slot, length = part.at.get(thread), part.slot.get(thread), part.lengths.get(queue)
    while at < length and posts < BOX:
        number = part.queue.get(queue * part.room + at)
        offset, degree = offset_of(part, number), part.degrees.get(number)
        while slot < degree and posts < BOX:
            part.boxes.put(base + posts, part.predecessors.get(offset + slot))
            posts += 1
            slot += 1
        if slot == degree:
            at, slot = at + 1, 0
    part.posted.put(thread, posts)
    part.at.put(thread, at)
    part.slot.put(thread, slot)
    return 0


def solve_predecessors(part: Retrograde, thread: int, alone: int, code: int, plies: int, maximizes: int) -> int:
    """Solve the posted predecessors of a frontier: those that the thread owns, or all of them if `alone` is true."""
    solver, distance, solved = part.solver, min(plies + 1, FOREVER), 0
    for other in range(part.threads):
        for index in range(2 * BOX * other, 2 * BOX * other + part.posted.get(other)):
            number = part.boxes.get(index)
            if (alone or owner_of(part, number) == thread) and solver.values.get(number) == UNSOLVED:
                # The player who forces the value needs only one such successor. The other player must have no other
                # successor left.
                left = solver.distances.get(number)
                if left % 2 != maximizes and left >= 4:
                    solver.distances.put(number, left - 2)
                else:
                    solver.values.put(number, code)
                    solver.distances.put(number, distance)
                    enlist(part, number, 1 - plies % 2)
                    solved += 1
    part.done.put(thread, part.done.get(thread) + solved)
    return solved


def solve_frontiers(part: Retrograde, code: int, plies: int, maximizes: int, work: int) -> int:
    """Solve frontier by frontier, until no frontier is left, a frontier is large enough for threads, or `work`
    positions are done.

    Returns: the frontier that was reached; its positions are in the queue.
    """
    waiting = 1
    # Frontiers can be many and tiny. With this much work in a call, calls are rare, but Ctrl-C and the progress line
    # are prompt.
    while work > 0 and (waiting or plies < part.distances) and (part.threads == 1 or waiting < SMALL):
        solve_frontier(part, code, plies, maximizes)
        plies += 1
        waiting = enlist_seeds(part, code, plies)
        work -= waiting + 1
    return plies


def solve_frontier(part: Retrograde, code: int, plies: int, maximizes: int) -> None:
    """Solve predecessors of all positions of a frontier, in one thread."""
    side = plies % 2
    for thread in range(part.threads):
        part.posted.put(thread, 0)
    for thread in range(part.threads):
        part.at.put(thread, 0)
        part.slot.put(thread, 0)
        while part.at.get(thread) < part.lengths.get(side * part.threads + thread):
            gather_predecessors(part, thread, side)
            solve_predecessors(part, thread, 1, code, plies, maximizes)
        part.posted.put(thread, 0)


def leave_neutral(part: Retrograde, count: int) -> None:
    """Give all unsolved positions the value of endless play."""
    for number in range(count):
        if part.solver.values.get(number) == UNSOLVED:
            part.solver.values.put(number, part.solver.neutral)
            part.solver.distances.put(number, FOREVER)
