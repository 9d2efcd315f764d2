"""Statements: one method for each class of `ast`, and the function as a whole."""

import ast
import importlib
from collections.abc import Hashable
from types import FunctionType
from typing import Any

from llvmlite import ir

from ggp.compiler.calls import cells_of
from ggp.compiler.demotion import demote
from ggp.compiler.expressions import words
from ggp.compiler.frames import Frame
from ggp.compiler.llvm_types import POINTER, STATUS, is_large, llvm_type
from ggp.compiler.patterns import Patterns
from ggp.compiler.program import Special
from ggp.compiler.source import function_source
from ggp.compiler.standard_library import Beyond
from ggp.compiler.types import BOTTOM, NONE, NotRepresentable
from ggp.compiler.values import FAILS, SSA, Known, Refused, Val, Value, known_values


def uses_error(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler uses its exception other than in a `raise`."""
    raised = {id(part) for each in ast.walk(handler) if isinstance(each, ast.Raise) for part in ast.walk(each)}
    used = [each for each in ast.walk(handler) if isinstance(each, ast.Name) and each.id == handler.name]
    return any(id(each) not in raised for each in used)


class Body(Patterns):
    """The translation of one function."""

    handler_passed: Any = None
    """The block for failures that the last `except` does not catch."""

    def specialised(self, function: FunctionType, arguments: dict[str, Value]) -> Special:
        """Return a function for these arguments; constant arguments become part of it."""
        program = self.program
        key = (function, tuple((name, program.key_of(value)) for name, value in arguments.items()))
        if key in program.specials:
            if program.specials[key].open:
                program.mark(("recursive", key))
            return program.specials[key]
        result_key = ("result", key)
        kind = program.facts.get(result_key, BOTTOM)
        runtime = {name: value for name, value in arguments.items() if isinstance(value, Val)}
        kinds = [POINTER, *([POINTER] if is_large(kind) else [])]
        kinds += [POINTER if is_large(value.kind) else llvm_type(value.kind) for value in runtime.values()]
        result = STATUS if is_large(kind) or kind == NONE else ir.LiteralStructType([llvm_type(kind), STATUS])
        name = f"{function.__qualname__}.{program.next_number()}"
        made = ir.Function(program.module, ir.FunctionType(result, kinds), name)
        made.linkage = "internal"
        special = program.specials[key] = Special(made, result_key, kind)
        body = Body(program, made)
        body.result_kind = kind
        parameters = list(made.args[1:])
        if is_large(kind):
            body.large_result = parameters.pop(0)
        given: dict[str, Any] = {}
        for name, value in arguments.items():
            if isinstance(value, Val):
                parameter = parameters.pop(0)
                large = is_large(value.kind)
                given[name] = Val(value.kind, address=parameter) if large else Val(value.kind, ssa=parameter)
            else:
                given[name] = value
        frame = Frame(
            function_source(function), key, function.__globals__, program.is_checked(function), cells_of(function)
        )
        program.aliases(frame.source)
        if ("recursive", key) in program.marks:
            body.guard_stack()
        body.translate(frame, given, result_key)
        special.open = False
        if made.name in program.resumed:
            demote(made)
        return special

    def translate(self, frame: Frame, arguments: dict[str, Value], result_key: Hashable) -> None:
        """Emit the whole function; `arguments` are values of this function."""
        self.frame = frame
        self.checked = frame.checked
        self.result_key = result_key
        if ("lists", result_key) in self.program.marks:
            self.uses_arena = True
            _ = self.arena_mark
        for name, value in arguments.items():
            self.bind(name, value)
        frame.on_return = self.give_back
        self.run(frame.source.body)
        if not self.dead:
            self.give_back(Known(None))
        self.finish()

    def give_back(self, value: Value) -> None:
        """Return from the function."""
        if self.dead:
            return
        have = self.kind_of(value)
        if have is None:
            value = self.runtime(value)
            have = value.kind
        before = self.result_kind
        kind = self.program.widen(self.result_key, have, self.refuse)
        if kind != before or kind == BOTTOM or self.dead:
            if not self.dead:
                self.builder.unreachable()  # this attempt is given up: the function returns something else
            return
        if self.large_result is not None:
            self.place_value(value, kind, self.large_result)
            self.leave(self.status(0), None)
            return
        value = self.converted(value, kind)
        self.leave(self.status(0), self.ssa(value) if kind != NONE else None)

    def status(self, number: int) -> SSA:
        """Return a constant status."""

        return ir.Constant(STATUS, number)

    def run(self, statements: list[ast.stmt]) -> None:
        """Emit statements."""
        for statement in statements:
            if self.dead:
                return
            self.node = statement
            before = self.place
            self.place = (self.frame.source.file, statement.lineno)
            method = getattr(self, f"run_{type(statement).__name__}", None)
            if method is None:
                raise self.refuse(f"{words(type(statement).__name__)} is not compiled")
            try:
                method(statement)
            except Refused:
                raise
            except NotRepresentable as error:
                raise self.refuse(str(error)) from None
            except Exception as error:
                raise self.refuse(f"{FAILS} here ({type(error).__name__}: {error})") from error
            self.place = before

    def run_Pass(self, node: ast.Pass) -> None:
        """Emit nothing."""

    def run_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, (ast.Yield, ast.YieldFrom)):
            self.give(node.value)
            return
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and node.value.func.id == "print":
            raise self.refuse("print is not compiled")
        self.evaluate(node.value)

    def give(self, node: ast.Yield | ast.YieldFrom) -> None:
        """Emit a `yield`."""
        frame: Frame | None = self.frame
        while frame is not None and frame.on_yield is None:
            frame = frame.parent
        if frame is None or frame.on_yield is None:
            raise self.refuse("a generator can only be compiled where its items are iterated over")
        if isinstance(node, ast.YieldFrom):
            self.iterate(self.frozen(self.evaluate(node.value)), frame.on_yield)
        else:
            frame.on_yield(self.evaluate(node.value) if node.value else Known(None))

    def run_Return(self, node: ast.Return) -> None:
        frame = self.frame
        if frame.lists and frame.on_yield is not None:
            if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
                self._give_all(node.value, frame)
            frame.on_return(None)
            return
        frame.on_return(self.evaluate(node.value) if node.value else Known(None))

    def _give_all(self, value: ast.expr, frame: Frame) -> None:
        """Emit a `yield` for each item of the returned value."""
        assert frame.on_yield is not None
        if isinstance(value, ast.IfExp):
            truth = self.condition(value.test)
            if isinstance(truth, bool):
                self._give_all(value.body if truth else value.orelse, frame)
                return
            yes, no, end = self.block("yes"), self.block("no"), self.block("end")
            self.branch(truth, yes, no)
            for block, part in ((yes, value.body), (no, value.orelse)):
                self.at(block)
                self._give_all(part, frame)
                self.jump(end)
            self.at(end)
            return
        self.iterate(self.frozen(self.evaluate(value)), frame.on_yield)

    def run_If(self, node: ast.If) -> None:
        truth = self.condition(node.test)
        if isinstance(truth, bool):
            self.run(node.body if truth else node.orelse)
            return
        yes, no, end = self.block("yes"), self.block("no"), self.block("end")
        self.branch(truth, yes, no)
        self.ways([(yes, lambda: self.run(node.body)), (no, lambda: self.run(node.orelse))], end)

    def run_While(self, node: ast.While) -> None:
        frame = self.frame
        head, inside, over, end = self.block("head"), self.block("inside"), self.block("over"), self.block("end")
        self.jump(head)
        self.at(head)
        self.node = node
        truth = self.condition(node.test)
        entered = set(frame.assigned)
        if isinstance(truth, bool):
            self.jump(inside if truth else over)
        else:
            self.branch(truth, inside, over)
        self.at(inside)
        if truth is False:
            self.builder.unreachable()
        frame.loops.append((end, head))
        self.run(node.body)
        frame.loops.pop()
        self.jump(head)
        frame.assigned = entered
        self.at(over)
        if truth is True:
            self.builder.unreachable()
        self.run(node.orelse)
        self.jump(end)
        frame.assigned = entered
        self.at(end)

    def run_For(self, node: ast.For) -> None:
        frame = self.frame
        items = self.frozen(self.evaluate(node.iter))
        self.node = node
        end, entered = self.block("end"), set(frame.assigned)

        def body(value: Value) -> None:
            outer, outer_place = self.node, self.place
            after = self.block("next")
            frame.loops.append((end, after))
            before = set(frame.assigned)
            self.store(node.target, value)
            self.run(node.body)
            frame.loops.pop()
            frame.assigned = before
            self.jump(after)
            self.at(after)
            self.node, self.place = outer, outer_place

        self.iterate(items, body)
        self.node = node
        self.run(node.orelse)
        frame.assigned = entered
        self.jump(end)
        self.at(end)

    def run_Break(self, node: ast.Break) -> None:
        self.jump(self.frame.loops[-1][0])

    def run_Continue(self, node: ast.Continue) -> None:
        self.jump(self.frame.loops[-1][1])

    def run_Raise(self, node: ast.Raise) -> None:
        """Emit a `raise`; the exception's text is dropped."""
        for name, slot in self.caught[::-1]:
            if node.exc is None or (isinstance(node.exc, ast.Name) and node.exc.id == name):
                self.fail(self.builder.load(slot, typ=STATUS))
                return
        error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        kind = self._raised(error)
        self.fail_with(kind if isinstance(kind, type) else type(kind))

    def _raised(self, error: ast.expr | None) -> Any:
        """Return the exception that is raised, or its class; if it is not known, `Beyond`, which no handler catches."""
        if isinstance(error, ast.IfExp) or error is None:
            return Beyond
        found = self.evaluate(error)
        kind = found.value if isinstance(found, Known) else Beyond
        known = isinstance(kind, BaseException) or (isinstance(kind, type) and issubclass(kind, BaseException))
        return kind if known else Beyond

    def run_Assert(self, node: ast.Assert) -> None:
        truth = self.condition(node.test)
        self.fail_if(
            self.bit(not truth) if isinstance(truth, bool) else self.builder.not_(truth),
            self.program.status_of(AssertionError),
        )

    def run_Delete(self, node: ast.Delete) -> None:
        """Emit `del name`, after which the name has no value; or `del items[index]`."""
        for each in node.targets:
            if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name):
                if isinstance(each.slice, ast.Slice):
                    raise self.refuse(f"del {ast.unparse(each)} is not compiled")
                self._owner(each.value)
                self.popped(each.value.id, [self.evaluate(each.slice)])
                continue
            if not isinstance(each, ast.Name):
                raise self.refuse("del can only be compiled for names and items of lists")
            self.name(each.id)
            self.program.mark(("runtime", self.frame.key, each.id))
            self.program.mark(("flag", self.frame.key, each.id))
            self.builder.store(self.bit(False), self.flag(self.frame, each.id))
            self.frame.assigned.discard(each.id)

    def run_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            raise self.refuse(f"the inner function {node.name} has a decorator, which cannot be compiled")
        self.bind(node.name, self.closure(node))

    def run_Import(self, node: ast.Import) -> None:

        for each in node.names:
            module = importlib.import_module(each.name)
            name = each.asname or each.name.partition(".")[0]
            self.bind(name, Known(module if each.asname else importlib.import_module(name)))

    def run_ImportFrom(self, node: ast.ImportFrom) -> None:

        module = importlib.import_module("." * node.level + (node.module or ""), self.frame.globals.get("__package__"))
        for each in node.names:
            self.bind(each.asname or each.name, Known(getattr(module, each.name)))

    def run_Try(self, node: ast.Try) -> None:
        """Emit a `try` with handlers for exceptions that compiled code raises."""
        if node.finalbody or any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(node)):
            raise self.refuse("a `try` with `finally`, or with a `yield` in it, cannot be compiled")
        handler_block, end, slot = self.block("except"), self.block("end"), self.reserve(STATUS)
        entered = set(self.frame.assigned)
        with self.handled(handler_block, slot):
            self.run(node.body)
        self.run(node.orelse)
        ends: list[set[str]] = []
        self._end_way(ends, end)
        self.at(handler_block)
        status = self.builder.load(slot, typ=STATUS)
        for handler in node.handlers:
            self.frame.assigned = set(entered)
            self._handle(handler, status, slot)
            self._end_way(ends, end)
            self.at(self.handler_passed)
        self.fail(status)
        self.frame.assigned = set.intersection(*ends) if ends else entered
        self.at(end)
        if not ends:
            self.builder.unreachable()

    def _end_way(self, ends: list[set[str]], end: ir.Block) -> None:
        """Jump to where several paths join, and record the names that have a value at the end of this path."""
        if not self.dead:
            ends.append(self.frame.assigned)
            self.builder.branch(end)

    def _handle(self, handler: ast.ExceptHandler, status: SSA, slot: Any) -> None:
        """Emit one `except`; if it does not apply, the program continues at `handler_passed`."""
        if handler.name and uses_error(handler):
            raise self.refuse(f"{handler.name} cannot be used: compiled code does not have the exception itself")
        found = self.evaluate(handler.type) if handler.type is not None else Known(BaseException)
        classes = found.value if isinstance(found, Known) else tuple(known_values(self.items(found) or ()) or ())
        caught = self.bit(False)
        for _error, number in self.program.statuses_of(classes):
            same = self.builder.icmp_signed("==", status, self.status(number))
            caught = self.builder.or_(caught, same)
        yes, passed = self.block("caught"), self.block("passed")
        self.branch(caught, yes, passed)
        self.at(yes)
        self.caught.append((handler.name, slot))
        self.run(handler.body)
        self.caught.pop()
        self.handler_passed = passed
