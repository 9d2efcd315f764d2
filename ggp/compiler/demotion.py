"""Move registers to memory if they are used in places that LLVM cannot prove to come after their computation.

A generator's statements are left at each `yield` and entered again by a jump (see `Body.run_generator`). LLVM does not
know which path was taken, so it cannot see that a value computed before a `yield` is available after it. Memory needs
no such proof, and LLVM moves it back into registers wherever possible.
"""

from typing import Any

from llvmlite import ir


def demote(function: Any) -> None:
    """Store each value that does not dominate all of its uses in memory, and load it there."""
    blocks = function.blocks
    dominators = _dominators(blocks)
    home = {id(instruction): block for block in blocks for instruction in block.instructions}
    places: dict[int, tuple[Any, Any]] = {}
    entry = ir.IRBuilder(blocks[0])
    for block in blocks:
        for instruction in list(block.instructions):
            for operand in list(instruction.operands):
                where = home.get(id(operand))
                if where is None or where is block or where in dominators.get(block, ()):
                    continue
                if id(operand) not in places:
                    entry.position_at_start(blocks[0])
                    place = entry.alloca(operand.type)
                    place.type = ir.PointerType()
                    places[id(operand)] = operand, place
                before = ir.IRBuilder(block)
                before.position_before(instruction)
                _replace(instruction, operand, before.load(places[id(operand)][1], typ=operand.type))
    for value, place in places.values():
        after = ir.IRBuilder(home[id(value)])
        after.position_after(value)
        after.store(value, place)


def _replace(instruction: Any, old: Any, new: Any) -> None:
    instruction.replace_usage(old, new)
    # These print attributes of their own, and not their operands.
    if isinstance(instruction, ir.instructions.GEPInstr):
        instruction.pointer, instruction.indices = instruction.operands[0], list(instruction.operands[1:])
    if isinstance(instruction, (ir.instructions.ExtractValue, ir.instructions.InsertValue)):
        instruction.aggregate = instruction.operands[0]
    if isinstance(instruction, ir.instructions.InsertValue):
        instruction.value = instruction.operands[1]


def _dominators(blocks: list[Any]) -> dict[Any, set[Any]]:
    """Return for each block the blocks that are on every path to it."""
    followers = {block: _followers(block) for block in blocks}
    order: list[Any] = []
    seen = set()
    pending = [(blocks[0], iter(followers[blocks[0]]))]
    seen.add(blocks[0])
    while pending:
        block, rest = pending[-1]
        for each in rest:
            if each not in seen:
                seen.add(each)
                pending.append((each, iter(followers[each])))
                break
        else:
            order.append(block)
            pending.pop()
    order.reverse()
    before: dict[Any, list[Any]] = {block: [] for block in blocks}
    for block in order:
        for each in followers[block]:
            before[each].append(block)
    number = {block: index for index, block in enumerate(order)}
    parent: dict[Any, Any] = {order[0]: order[0]}
    changed = True
    while changed:  # K. Cooper, T. Harvey, K. Kennedy, A simple, fast dominance algorithm (2001)
        changed = False
        for block in order[1:]:
            known = [each for each in before[block] if each in parent]
            new = known[0]
            for each in known[1:]:
                new = _meet(new, each, parent, number)
            if parent.get(block) is not new:
                parent[block], changed = new, True
    found: dict[Any, set[Any]] = {order[0]: {order[0]}}
    for block in order[1:]:
        found[block] = found[parent[block]] | {block}
    return found


def _meet(one: Any, other: Any, parent: dict[Any, Any], number: dict[Any, int]) -> Any:
    while one is not other:
        while number[one] > number[other]:
            one = parent[one]
        while number[other] > number[one]:
            other = parent[other]
    return one


def _followers(block: Any) -> list[Any]:
    last = block.terminator
    if last is None:
        return []
    found = [each for each in last.operands if isinstance(each, ir.Block)]
    if isinstance(last, ir.instructions.SwitchInstr):
        found += [last.default, *[each for _, each in last.cases]]
    return found
