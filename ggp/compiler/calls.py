"""Calls: functions compiled separately, and functions inlined into the caller."""

import ast
import builtins
import enum
import functools
import inspect
import types as pytypes
from collections.abc import Callable, Hashable
from typing import Any

from llvmlite import ir

from ggp.bits import Bits
from ggp.compiler.frames import Frame, Names
from ggp.compiler.llvm_types import STATUS, has_list, is_large, llvm_type
from ggp.compiler.program import Special
from ggp.compiler.purity import is_impure, is_pure
from ggp.compiler.rows import GROWING
from ggp.compiler.source import Source, function_source
from ggp.compiler.types import BOTTOM, NONE, List, Optional, RecordOf, Tuple, in_one_order
from ggp.compiler.values import (
    Closure,
    Generated,
    Iterated,
    Known,
    Lazy,
    Mapping,
    Method,
    Pack,
    Partial,
    Super,
    Truth,
    Val,
    Value,
    known_values,
)

MOST_INLINED = 24
"""Maximum depth of inlined calls; deeper calls must be recursion."""
ORDERLESS = (len, sorted, sum, any, all, set, frozenset, isinstance)
"""Functions whose result does not depend on the order of a set."""
LISTING = ("actions", "outcomes", "order")
"""Methods that list the possible actions: their results are iterated over and never stored."""


class Calls(Names):
    """Translates calls."""

    def condition(self, node: ast.expr) -> Truth:
        """Return whether an expression is true."""
        raise NotImplementedError

    def changes_list(self, node: ast.Call) -> bool:
        """Emit `name.append(item)` and similar calls; return whether this was one."""
        raise NotImplementedError

    def specialised(self, function: pytypes.FunctionType, arguments: dict[str, Value]) -> Special:
        """Return a version of the function for these arguments."""
        raise NotImplementedError

    def value_Call(self, node: ast.Call) -> Value:
        owner = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "pop" else None
        if isinstance(owner, ast.Name) and owner.id in self.frame.source.appended:
            return self.popped(owner.id, [self.evaluate(each) for each in node.args])
        if isinstance(node.func, ast.Attribute) and node.func.attr in GROWING and self.changes_list(node):
            return Known(None)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return self._super()
        if ast.unparse(node.func).endswith(".count") and (counted := self._ones(node)) is not None:
            return counted
        function = self.evaluate(node.func)
        positional: list[Any] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                known = self.fixed(self.evaluate(each.value))
                if known is None:
                    raise self.refuse("*arguments can only be compiled if their number is constant")
                positional.extend(map(self.frozen, known))
            else:
                positional.append(self.frozen(self.evaluate(each)))
        named = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                named.update(self._spread(self.evaluate(keyword.value)))
                continue
            named[keyword.arg] = self.frozen(self.evaluate(keyword.value))
        self.node = node
        found = self.call(function, positional, named, node)
        aliases = self.program.aliases(self.frame.source)
        for name, place in aliases.owned.get(node, ()):
            if not self._returns_own(function, place):
                raise self.refuse(
                    f"{name} is changed, but it may be another name for a list; write list(...) to copy it"
                )
        if node in aliases.risky and not self._is_scalar(found):
            raise self.refuse(
                "a list that is changed later is passed to a function that may return it; pass tuple(...) of it"
            )
        return found

    def _returns_own(self, function: Value, place: int | None) -> bool:
        """Return whether a function returns a list that nothing else refers to; in a place of a tuple, or as it is."""
        called = function.function if isinstance(function, Method) else getattr(function, "value", None)
        called = called.__func__ if isinstance(called, pytypes.MethodType) else called
        if not isinstance(called, pytypes.FunctionType) or hasattr(called, "__wrapped__"):
            return False
        source = function_source(called)
        return not source.generates and self.program.aliases(source).returns_own(place)

    def _is_scalar(self, value: Value) -> bool:
        """Return whether a value neither is nor contains a list."""
        if isinstance(value, Known):
            return not isinstance(value.value, (tuple, list))
        kind = (
            value.kind.item
            if isinstance(value, Val) and isinstance(value.kind, Optional)
            else getattr(value, "kind", None)
        )
        return isinstance(value, Val) and not isinstance(kind, (Tuple, RecordOf, List))

    def _super(self) -> Super:
        """Return `super()` of the method that contains this place."""
        frame: Frame | None = self.frame
        while frame is not None and "__class__" not in frame.cells:
            frame = frame.parent
        if frame is None or not parameters(frame.source):
            raise self.refuse("super() can only be compiled in a method")
        return Super(frame.cells["__class__"], self.name(parameters(frame.source)[0].arg))

    def _spread(self, value: Value) -> dict[str, Any]:
        """Return the arguments that `**value` stands for."""
        if isinstance(value, Mapping):
            return value.entries
        if isinstance(value, Known) and isinstance(value.value, dict):
            return {name: Known(each) for name, each in value.value.items()}
        raise self.refuse("**arguments can only be compiled if their names are constants")

    def _ones(self, node: ast.Call) -> Value | None:
        """Compile `bin(number).count("1")`; None for any other expression."""
        assert isinstance(node.func, ast.Attribute)
        owner = node.func.value
        if not (isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "bin"):
            return None
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Constant) or node.args[0].value != "1":
            return None
        return self.method(Method(None, self.evaluate(owner.args[0]), "bit_count"), [], {})

    def call(self, function: Value, positional: list[Value], named: dict[str, Value], node: ast.AST | None) -> Value:
        if isinstance(function, Closure):
            return self._call_closure(function, positional, named)
        if isinstance(function, Partial):
            return self.call(function.function, [*function.positional, *positional], function.named | named, node)
        if isinstance(function, Method):
            if function.function is None:
                return self.method(function, positional, named)
            return self.call(Known(function.function), [function.receiver, *positional], named, node)
        if not isinstance(function, Known):
            if isinstance(function, Val) and function.kind == BOTTOM:
                return function
            raise self.refuse("the value called here is not a function or a class")
        called, fact = function.value, None
        if isinstance(called, functools.partial):
            positional = [*map(Known, called.args), *positional]
            named = {**{name: Known(each) for name, each in called.keywords.items()}, **named}
            called = called.func
        if isinstance(called, pytypes.MethodType):
            fact = self.program.contract(called)
            positional = [Known(called.__self__), *positional]
            if fact == ("state",) and called.__name__ == "result":
                positional = [*positional[:2], *map(self._played, positional[2:])]
            called = called.__func__
        if isinstance(called, functools._lru_cache_wrapper):
            called = called.__wrapped__
        return self._call_known(called, fact, positional, named)

    def _call_known(self, called: Any, fact: Hashable, positional: list[Value], named: dict[str, Value]) -> Value:
        known = self._known_call(called, positional, named) if fact is None else None
        if known is not None:
            return known
        if is_impure(called) or is_impure(
            next((each.value for each in positional[:1] if isinstance(each, Known)), None)
        ):
            raise self.refuse(f"{described(called)} is not compiled: what it returns differs from call to call")
        if not isinstance(called, pytypes.FunctionType):
            made: Value = self.builtin(called, positional, named)
            method = getattr(called, "__call__", None)  # noqa: B004  the method itself is wanted
            if made is NotImplemented and isinstance(method, pytypes.MethodType) and not isinstance(called, type):
                return self.call(Known(method), positional, named, None)
            if made is NotImplemented:
                raise self.refuse(f"{described(called)} is not compiled")
            return made
        replaced: Value = self.builtin(called, positional, named)
        if replaced is not NotImplemented:
            return replaced
        called = inspect.unwrap(called) if getattr(called, "__wrapped__", None) and _same_call(called) else called
        arguments = self._arguments(called, positional, named)
        if function_source(called).generates or called.__name__ in LISTING:
            return Generated(called, {name: self.frozen(each) for name, each in arguments.items()}, self.node, fact)
        if any(isinstance(each, (Closure, Method, Partial, Mapping, *Lazy)) for each in arguments.values()):
            return self._inlined(called, arguments)
        value = self.called(called, arguments)
        if fact is not None:
            value = self.in_shape_of(fact, value)
        return value

    def _played(self, action: Value) -> Value:
        """Return an action that is played, as a value that is not None (unless an action of the game may be None).

        A search uses None for "no action". Without this, a state that holds the action played would need room for None.
        """
        may_be_none = isinstance(self.program.facts.get(("action",)), Optional)
        return action if may_be_none or not isinstance(action, Val) else self.unwrapped(action)

    def in_shape_of(self, fact: Hashable, value: Value) -> Val:
        """Return a state or an action in the common type of all of them; widen that type if necessary."""
        value = self.runtime(value)
        return self.converted(value, self.program.widen(fact, value.kind, self.refuse))

    def _known_call(self, called: Any, positional: list[Value], named: dict[str, Value]) -> Known | Iterated | None:
        """Return the result of a call with constant arguments; None if it must be computed at run time."""
        values, options = known_values(positional), known_values(named.values())
        if values is None or options is None:
            return None
        if called in (builtins.next, builtins.print, builtins.zip, builtins.iter, builtins.map, builtins.filter):
            return None
        if any(map(self.program.has_variables, [*values, *options])):
            return None
        if (called not in ORDERLESS or options) and any(
            isinstance(each, (set, frozenset)) and not in_one_order(each) for each in values
        ):
            return None
        if getattr(called, "__module__", "") == "ggp.compiler.intrinsics" or not is_pure(called):
            return None
        try:
            found = called(*values, **dict(zip(named, options, strict=True)))
            if hasattr(found, "__next__"):
                return Iterated(Known(tuple(found)))
        except Exception:
            return None
        return Known(found)

    def _arguments(
        self, function: Callable[..., Any], positional: list[Value], named: dict[str, Value]
    ) -> dict[str, Any]:
        signature = self.program.signature(function)
        try:
            bound = signature.bind(*positional, **named)
        except TypeError as error:
            raise self.refuse(f"{function.__name__}: {error}") from error
        arguments = dict(bound.arguments)
        for name, parameter in signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                arguments[name] = Pack(tuple(arguments.get(name, ())))
            elif parameter.kind is parameter.VAR_KEYWORD:
                arguments[name] = Mapping(arguments.get(name, {}))
            elif name not in arguments:
                arguments[name] = Known(parameter.default)
        return arguments

    def called(self, function: pytypes.FunctionType, arguments: dict[str, Value]) -> Val:
        """Emit a call of a function that is compiled separately."""
        passed: dict[str, Any] = {}
        for name, value in arguments.items():
            if isinstance(value, Known) and self._stays_known(value.value):
                passed[name] = value
            else:
                passed[name] = self.runtime(value)
                if passed[name].kind == BOTTOM:
                    return self.bottom()
        special = self.specialised(function, passed)
        kind = self.program.facts.get(special.result_key, BOTTOM)
        if special.kind != kind:
            return self.bottom() if isinstance(kind, List) else self.undefined(kind)
        llvm_arguments = [self.context]
        out = None
        if is_large(kind):
            out = self.reserve(llvm_type(kind))
            llvm_arguments.append(out)
        for value in passed.values():
            if isinstance(value, Val):
                llvm_arguments.append(self.address(value) if is_large(value.kind) else self.ssa(value))
        tail = "notail" if special.open else ""  # Python has a limit of recursion, so it must not become a loop
        found = self.builder.call(special.function, llvm_arguments, tail=tail)
        simple = out is not None or kind == NONE
        status = found if simple else self.builder.extract_value(found, 1)
        self.fail_if(self.builder.icmp_signed("!=", status, ir.Constant(STATUS, 0)), status)
        if has_list(kind):
            self.use_lists()
        if out is not None:
            return Val(kind, address=out)
        if kind in (NONE, BOTTOM):  # what has no type yet in the last attempt never returns, but may fail
            return Val(kind, ssa=self.bit(False))
        return Val(kind, ssa=self.builder.extract_value(found, 0))

    def _stays_known(self, value: Value) -> bool:
        if value is None or isinstance(value, (bool, str)):
            return True
        if isinstance(value, (int, float, enum.Enum)):
            return False
        if isinstance(value, (tuple, list)):
            return len(value) > 4 or not all(isinstance(each, (int, float, str, type(None))) for each in value)
        return not isinstance(value, Bits) and type(value) not in self.program.value_classes()

    def _inlined(self, function: pytypes.FunctionType, arguments: dict[str, Value]) -> Value:
        """Inline a function, since one of its arguments is an iterator or a function."""
        source = function_source(function)
        self.program.aliases(source)
        frame = Frame(
            source,
            ("inline", self.here(), function.__qualname__),
            function.__globals__,
            self.program.is_checked(function),
            cells_of(function),
            depth=self.frame.depth + 1,
        )
        return self._run_inline(frame, arguments)

    def _call_closure(self, closure: Closure, positional: list[Value], named: dict[str, Value]) -> Value:
        node, outer = closure.node, closure.frame
        source = self.program.parsed(node, outer.source.file)
        self.program.aliases(source)
        if source.generates:
            raise self.refuse(f"the inner function {source.name} has a yield; make it a method")
        names = [each.arg for each in parameters(source)]
        arguments = closure.defaults | dict(zip(names, positional, strict=False)) | named
        if len(positional) > len(names) - len(node.args.kwonlyargs):
            raise self.refuse(f"the arguments of this call do not match {source.name}({', '.join(names)})")
        if set(arguments) != set(names):
            raise self.refuse(f"the arguments of this call do not match {source.name}({', '.join(names)})")
        key = ("inline", self.here(), node.lineno, node.col_offset)
        frame = Frame(source, key, outer.globals, outer.checked, outer.cells, outer, depth=self.frame.depth + 1)
        return self._run_inline(frame, arguments)

    def _run_inline(self, frame: Frame, arguments: dict[str, Value]) -> Value:
        if frame.depth > MOST_INLINED:
            raise self.refuse(f"{frame.source.name} calls itself; make it a method or a function of the module")
        body = frame.source.body
        outer, place = self.frame, self.place
        checked, self.checked = self.checked, frame.checked
        self.frame = frame
        self.unset_all(frame)
        for name, value in arguments.items():
            self.bind(name, value)
        if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
            value = self.evaluate(body[0].value)
            self.frame, self.checked, self.place = outer, checked, place
            return value
        key = ("returned", frame.key)
        slot, end = self.slot(key), self.block("returned")

        def give_back(value: Value) -> None:
            if not self.dead:
                self.assign(slot, key, value)
                self.jump(end)

        frame.on_return = give_back
        self.run(body)
        give_back(Known(None))
        self.frame, self.checked, self.place = outer, checked, place
        self.at(end)
        return self.read(slot, borrowed=False)


def parameters(source: Source) -> list[ast.arg]:
    arguments = source.node.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def cells_of(function: Callable[..., Any]) -> dict[str, Any]:
    names, cells = function.__code__.co_freevars, function.__closure__ or ()
    return {name: cell.cell_contents for name, cell in zip(names, cells, strict=True)}


def _same_call(function: Callable[..., Any]) -> bool:
    """Return whether a decorated function only caches results, which `functools.wraps` does not guarantee."""
    return isinstance(function, functools._lru_cache_wrapper)


def described(value: Value) -> str:
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    return str(name) if name else f"a {type(value).__name__}"
