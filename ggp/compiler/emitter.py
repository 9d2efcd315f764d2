"""The lowest layer of a function's translation: LLVM instructions, variables, conversions, failures."""

from typing import Any

from llvmlite import ir

from ggp.compiler.llvm_types import BIT, OVERFLOW, POINTER, STATUS, WORD, has_list
from ggp.compiler.program import Program
from ggp.compiler.types import (
    BOTTOM,
    NONE,
    Type,
)
from ggp.compiler.values import SSA, Val


class Emitter:
    """An LLVM function that is being built."""

    def __init__(self, program: Program, function: ir.Function) -> None:
        self.program = program
        self.function = function
        self.entry = function.append_basic_block("entry")
        self.builder = ir.IRBuilder(function.append_basic_block("body"))
        self.handlers: list[tuple[Any, Any]] = []
        """Where failures inside `try` go: a block, and the slot for the status."""
        self.caught: list[tuple[str | None, Any]] = []
        """For each enclosing handler, the name of the caught exception and the slot of its status."""
        self.fail_block: Any = None
        self.fail_status: Any = None
        self.large_result: Any = None
        self.result_kind: Type = BOTTOM
        self.checked = True
        self.result_key: Any = None
        self.uses_arena = False
        self._arena_mark: Any = None
        self.place: tuple[str, int] | None = None

    # Instructions ------------------------------------------------------------------------------------------------

    @property
    def context(self) -> SSA:
        """The address of everything that changes while a program runs."""
        return self.function.args[0]

    @property
    def dead(self) -> bool:
        """Whether the code that follows is never reached."""
        return bool(self.builder.block.is_terminated)

    def block(self, name: str = "") -> ir.Block:
        """Append a block."""
        self.program.count_block()
        return self.function.append_basic_block(name)

    def jump(self, block: ir.Block) -> None:
        """Jump to a block, unless this place is never reached."""
        if not self.dead:
            self.builder.branch(block)

    def branch(self, condition: SSA, yes: ir.Block, no: ir.Block) -> None:
        """Jump to one block or the other."""
        if not self.dead:
            self.builder.cbranch(condition, yes, no)

    def at(self, block: ir.Block) -> None:
        """Continue at the end of a block."""
        self.builder.position_at_end(block)

    def reserve(self, kind: Any) -> SSA:
        """Return the address of new stack memory for a value of an LLVM type, reserved at the function's beginning."""
        with self.builder.goto_block(self.entry):
            return self.alloca(kind)

    def alloca(self, kind: Any) -> SSA:
        """Return the address of new stack memory, allocated here."""
        place = self.builder.alloca(kind)
        place.type = POINTER
        return place

    def word(self, number: int) -> SSA:
        """Return a constant word."""
        return ir.Constant(WORD, number)

    def bit(self, truth: bool) -> SSA:
        """Return a constant truth value."""
        return ir.Constant(BIT, int(truth))

    def intrinsic(self, name: str, result: ir.Type, arguments: list[SSA]) -> SSA:
        """Call an intrinsic function of LLVM."""
        kinds = [each.type for each in arguments]
        function = self.program.declare(name, ir.FunctionType(result, kinds))
        return self.builder.call(function, arguments)

    # Failures ----------------------------------------------------------------------------------------------------

    def fail(self, status: int | Any) -> None:
        """End the function with a status, or jump to the handler of the enclosing `try`."""
        if self.dead:
            return
        code = ir.Constant(STATUS, status) if isinstance(status, int) else status
        if self.handlers:
            block, slot = self.handlers[-1]
            self.builder.store(code, slot)
            self.builder.branch(block)
            return
        if self.fail_block is None:
            self.fail_block, self.fail_status = self.block("fail"), self.reserve(STATUS)
        self.builder.store(code, self.fail_status)
        self.builder.branch(self.fail_block)

    def fail_if(self, condition: SSA, status: int | Any) -> None:
        """Fail if the condition is true."""
        if self.dead:
            return
        bad, good = self.block("bad"), self.block("good")
        branch = self.builder.cbranch(condition, bad, good)
        branch.set_weights([1, 100_000])
        self.at(bad)
        self.fail(status)
        self.at(good)

    def fail_with(self, error: type[BaseException]) -> None:
        """Fail as an exception does."""
        self.fail(self.program.status_of(error))

    def fails_here(self, error: type[BaseException]) -> Val:
        """Return the value of an expression that always fails: the code after it is never reached."""
        self.fail_with(error)
        self.at(self.block("never"))
        return self.bottom()

    def finish(self) -> None:
        """Emit the code shared by all ends of the function."""
        if not self.dead:
            self.builder.unreachable()
        if self.fail_block is not None:
            self.at(self.fail_block)
            self.leave(self.builder.load(self.fail_status, typ=STATUS), None)
        with self.builder.goto_block(self.entry):
            self.builder.branch(self.function.blocks[1])

    def leave(self, status: SSA, value: SSA) -> None:
        """Return a status, and a value if all is well."""
        if self.uses_arena and not has_list(self.result_kind):
            self.builder.store(self.builder.load(self.arena_mark, typ=WORD), self.context)
        if self.large_result is not None or self.result_kind == NONE:
            self.builder.ret(status)
            return
        result = ir.Constant(self.function.function_type.return_type, ir.Undefined)
        if value is not None:
            result = self.builder.insert_value(result, value, 0)
        self.builder.ret(self.builder.insert_value(result, status, 1))

    # Stack -------------------------------------------------------------------------------------------------------

    def _frame_address(self) -> SSA:
        found = self.intrinsic("llvm.frameaddress.p0", POINTER, [ir.Constant(STATUS, 0)])
        return self.builder.ptrtoint(found, WORD)

    def _first_word(self, index: int) -> SSA:
        return self.builder.gep(self.context, [self.word(index)], source_etype=WORD)

    def begin_stack(self) -> None:
        """Store how far the stack may grow."""
        most = self.builder.load(self._first_word(2), typ=WORD)
        self.builder.store(self.builder.sub(self._frame_address(), most), self._first_word(3))

    def guard_stack(self) -> None:
        """Fail if the stack has grown too far, as Python does if recursion is too deep."""
        least = self.builder.load(self._first_word(3), typ=WORD)
        self.fail_if(self.builder.icmp_unsigned("<", self._frame_address(), least), OVERFLOW)

    def bottom(self) -> Val:
        """Return the value of an expression that is not known yet."""
        return Val(BOTTOM, ssa=self.bit(False))

    @property
    def arena_mark(self) -> SSA:
        """The slot with the beginning of the function's lists in memory."""
        if self._arena_mark is None:
            with self.builder.goto_block(self.entry):
                self._arena_mark = self.alloca(WORD)
                self.builder.store(self.builder.load(self.context, typ=WORD), self._arena_mark)
        return self._arena_mark
