"""Expansion in several threads, in which positions get the same numbers as in a single thread.

A round has three steps, and each step runs in all threads. First, every thread expands some positions. The thread puts
successors that are not in the index into its box, with their hashes. Second, every thread goes through all boxes in
order. From the boxes, the thread enters the states that belong to its own part of the index. Third, every thread gives
numbers to the new states of its box. If there is not enough room for a state, a value or a wider word, a single thread
does the work.
"""

from typing import ClassVar, Final

from ggp.compiler.intrinsics import fits, is_packed, load, pack, save, save_byte, spread, unpack
from ggp.game import MAX, State
from ggp_solve.enumeration.enumeration import Enumeration, successor
from ggp_solve.memory.columns import Memory
from ggp_solve.memory.positions import SPARE, hash_of

BOX: Final = 1 << 21
"""Size of a thread's box in bytes."""
HEAD: Final = 40
"""Number of bytes before the first entry, for five counts: entries, solved positions, edges, most actions, and new
states.
"""
ENDED, SOLVED, EDGES, DEGREE, NEW = range(0, 40, 8)
KNOWN, LEFT = 0, -1
"""Two values of the second word of an entry. `KNOWN` means that the state is already known, `LEFT` that a single thread
will add it later. Every other value is the number of the state's slot plus 1.
"""
LEAST: Final = 256
"""Minimum number of positions for which using a thread is worth the cost."""


class Expansion:
    """The memory blocks (boxes) through which several threads expand positions together.

    Attributes:
        boxes: the address of the boxes.
        entry: the size of an entry in bytes: its hash, its slot, and the packed state.
        most: the maximum number of entries in a box.
    """

    variables: ClassVar[tuple[str, ...]] = ("boxes", "entry", "most", "threads")

    def __init__(self, solver: Enumeration) -> None:
        self.solver, self.positions = solver, solver.positions
        self.threads = solver.run.threads
        self.memory = Memory(BOX * self.threads)
        self.boxes = self.memory.address
        self.entry = self.most = 0

    def choose_size(self) -> int:
        """Return the number of positions in a round."""
        self.entry = 16 + 8 * (-(-self.positions.stride // 8))
        self.most = min((BOX - HEAD) // self.entry, SPARE // self.threads)
        return self.threads * max(LEAST, self.most // (2 * max(1, self.solver.degree)))

    def expand(self) -> bool:
        """Expand the next positions, and return whether nothing is left to do for a single thread."""
        solver, run, threads = self.solver, self.solver.run, range(self.threads)
        first = solver.expanded
        last = min(solver.count, first + self.choose_size())
        # Waking threads costs more than so few positions: one thread takes them.
        if last - first < LEAST * self.threads:
            return False
        part = -(-(last - first) // self.threads)
        calls = [(t, first + part * t, min(last, first + part * (t + 1)), solver.start) for t in threads]
        if any(
            ended < end for ended, (_, _, end, _) in zip(run.together(expand_part, self, calls), calls, strict=True)
        ):
            return False
        heads = [{name: load(self.boxes + BOX * t + name) for name in (SOLVED, EDGES, DEGREE)} for t in threads]
        if self.positions.count + sum(run.together(count_entries, self, [(t,) for t in threads])) > self.positions.room:
            return False
        run.together(enter, self, [(t, solver.start) for t in threads])
        run(enter_left, self, solver.start)
        bases, base = [], self.positions.count
        for t in threads:
            bases.append((t, base))
            base += load(self.boxes + BOX * t + NEW)
        run.together(number_new, self, bases)
        self.positions.count, solver.expanded = base, last
        solver.solved += sum(head[SOLVED] for head in heads)
        solver.edges += sum(head[EDGES] for head in heads)
        solver.degree = max(solver.degree, *(head[DEGREE] for head in heads))
        return True


def expand_part(part: Expansion, thread: int, first: int, last: int, like: State) -> int:
    """Set the values of the terminal positions among `first` to `last` - 1. Put the successors of all other positions
    into the thread's box, unless the index has them already.

    Returns: `last`; or the number of a position that must be left to a single thread.
    """
    solver, positions = part.solver, part.positions
    box, at, entries = part.boxes + BOX * thread, part.boxes + BOX * thread + HEAD, 0
    solved, all_edges, degree = 0, 0, 0
    for number in range(first, last):
        state = positions.state(number, like)
        solver.rule_calls.count += 1
        if solver.game.terminal_test(state):
            code = solver.codes.find(float(solver.game.utility(state, MAX)))
            if code == 0:
                return number
            solver.values.put(number, code)
            solved += 1
        else:
            edges = 0
            for action in solver.game.actions(state):
                child = successor(solver, state, action)
                hashed = hash_of(child)
                # Most successors are known already; looking here keeps them out of the boxes. Nothing is entered in
                # this step, so all threads may read the index.
                if positions.look_up(child, hashed) < 0:
                    if entries == part.most:
                        return number
                    if not fits(child, positions.layout):
                        return number
                    # Boxes are reused: bits of an older state would make equal states differ.
                    for index in range(8, part.entry, 8):
                        save(at + index, 0)
                    save(at, hashed)
                    pack(at + 16, child, positions.layout)
                    at += part.entry
                    entries += 1
                edges += 1
            all_edges += edges
            degree = max(degree, edges)
    save(box + ENDED, entries)
    save(box + SOLVED, solved)
    save(box + EDGES, all_edges)
    save(box + DEGREE, degree)
    save(box + NEW, 0)
    return last


def count_entries(part: Expansion, thread: int) -> int:
    """Return the number of entries in a box."""
    return load(part.boxes + BOX * thread + ENDED)


def entry_of(part: Expansion, number: int) -> int:
    """Return the address of the entry with a provisional number; such numbers begin after the states' numbers."""
    index = number - part.positions.count
    return part.boxes + BOX * (index // part.most) + HEAD + part.entry * (index % part.most)


def enter(part: Expansion, thread: int, like: State) -> int:
    """Enter into the index the states that belong to the thread's part of the index."""
    slots = part.positions.slots
    # Each thread writes to its own part of the index only, so that no slot needs a lock.
    low, high = slots * thread // part.threads, slots * (thread + 1) // part.threads
    for other in range(part.threads):
        box = part.boxes + BOX * other
        for index in range(load(box + ENDED)):
            at = box + HEAD + part.entry * index
            slot = spread(load(at), slots)
            if low <= slot < high:
                save(at + 8, slot_of(part, at, slot, high, part.positions.count + other * part.most + index, like))
    return 0


def slot_of(part: Expansion, at: int, slot: int, high: int, number: int, like: State) -> int:
    """Enter the state of the entry at `at` into the index, between `slot` and `high`.

    Returns:
        The state's slot + 1; KNOWN if the state is already in the index; LEFT if no slot was free.
    """
    positions, tag = part.positions, load(at) & part.positions.tags
    child = unpack(at + 16, like, positions.layout)
    while slot < high:
        entry = positions.index.get(slot)
        if entry == 0:
            positions.index.put(slot, number + 1 | tag)
            return slot + 1
        if entry & positions.tags == tag:
            other = (entry & positions.numbers) - 1
            if other < positions.count:
                if positions.holds(other, child):
                    return KNOWN
            elif is_packed(entry_of(part, other) + 16, child, positions.layout):
                return KNOWN
        slot += 1
    return LEFT


def enter_left(part: Expansion, like: State) -> None:
    """Enter the states that did not fit into a thread's part of the index, and count the new states of each box."""
    slots = part.positions.slots
    for other in range(part.threads):
        box, new = part.boxes + BOX * other, 0
        for index in range(load(box + ENDED)):
            at = box + HEAD + part.entry * index
            if load(at + 8) == LEFT:
                number = part.positions.count + other * part.most + index
                # Probing for this state left the thread's part of the index, perhaps beyond its end, so a single thread
                # continues.
                target = slot_of(part, at, spread(load(at), slots), slots, number, like)
                if target == LEFT:
                    target = slot_of(part, at, 0, slots, number, like)
                save(at + 8, target)
            if load(at + 8) > 0:
                new += 1
        save(box + NEW, new)


def number_new(part: Expansion, thread: int, number: int) -> int:
    """Give numbers, from `number` up, to the new states of a box; return the next free number."""
    positions, box = part.positions, part.boxes + BOX * thread
    for index in range(load(box + ENDED)):
        at = box + HEAD + part.entry * index
        # The slots hold provisional numbers, by box and place, which are greater than those of states. Now the final
        # numbers are known.
        slot = load(at + 8) - 1
        if slot >= 0:
            key = positions.keys + positions.stride * number
            for byte in range(positions.stride):
                save_byte(key + byte, load(at + 16 + byte) & 0xFF)
            positions.index.put(slot, number + 1 | load(at) & positions.tags)
            number += 1
    return number
