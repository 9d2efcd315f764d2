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
    """One LLVM function under way."""

    def __init__(self, program: Program, function: ir.Function) -> None:
        self.program = program
        self.function = function
        self.entry = function.append_basic_block("entry")
        self.builder = ir.IRBuilder(function.append_basic_block("body"))
        self.handlers: list[tuple[Any, Any]] = []
        """Where failures go inside `try`: block, and the slot for the status."""
        self.caught: list[tuple[str | None, Any]] = []
        """The names that the handlers around this place give to what they have caught, and the slots of its status."""
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
        """The address of all that changes while a program runs."""
        return self.function.args[0]

    @property
    def dead(self) -> bool:
        """Whether what follows is never reached."""
        return bool(self.builder.block.is_terminated)

    def block(self, name: str = "") -> ir.Block:
        """Append a block."""
        return self.function.append_basic_block(name)

    def jump(self, block: ir.Block) -> None:
        """Go to a block, unless this place is never reached."""
        if not self.dead:
            self.builder.branch(block)

    def branch(self, condition: SSA, yes: ir.Block, no: ir.Block) -> None:
        """Go to one block or the other."""
        if not self.dead:
            self.builder.cbranch(condition, yes, no)

    def at(self, block: ir.Block) -> None:
        """Continue at the end of a block."""
        self.builder.position_at_end(block)

    def reserve(self, kind: Any) -> SSA:
        """Return the address of new room on the stack for a value of an LLVM type."""
        with self.builder.goto_block(self.entry):
            return self.alloca(kind)

    def alloca(self, kind: Any) -> SSA:
        """Return the address of new room on the stack, made here."""
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
        """End the function, or go to the handler of the `try` around this place."""
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
        """Fail where the condition is true."""
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
        """Return the value of an expression that fails always: what follows it is never reached."""
        self.fail_with(error)
        self.at(self.block("never"))
        return self.bottom()

    def finish(self) -> None:
        """Put what all ends of the function share."""
        if not self.dead:
            self.builder.unreachable()
        if self.fail_block is not None:
            self.at(self.fail_block)
            self.leave(self.builder.load(self.fail_status, typ=STATUS), None)
        with self.builder.goto_block(self.entry):
            self.builder.branch(self.function.blocks[1])

    def leave(self, status: SSA, value: SSA) -> None:
        """Return a status, and a value where all is well."""
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
        """Note how far the stack may grow from here."""
        most = self.builder.load(self._first_word(2), typ=WORD)
        self.builder.store(self.builder.sub(self._frame_address(), most), self._first_word(3))

    def guard_stack(self) -> None:
        """Fail where the stack has grown too far, as Python does where recursion is too deep."""
        least = self.builder.load(self._first_word(3), typ=WORD)
        self.fail_if(self.builder.icmp_unsigned("<", self._frame_address(), least), OVERFLOW)

    def bottom(self) -> Val:
        """Return the value of what is not known yet."""
        return Val(BOTTOM, ssa=self.bit(False))

    @property
    def arena_mark(self) -> SSA:
        """The place of the beginning of the function's lists."""
        if self._arena_mark is None:
            with self.builder.goto_block(self.entry):
                self._arena_mark = self.alloca(WORD)
                self.builder.store(self.builder.load(self.context, typ=WORD), self._arena_mark)
        return self._arena_mark
