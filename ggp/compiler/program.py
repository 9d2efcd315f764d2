"""A whole program: a function and everything that it reaches, as one LLVM module.

This holds the facts found during translation, and the constants; see `ggp.compiler.translation`.
"""

import functools
import inspect
import math
import time
import types as pytypes
from collections.abc import Callable
from typing import Any

import attrs
from llvmlite import ir

from ggp.compiler.aliases import Aliases
from ggp.compiler.encoding import word_of
from ggp.compiler.llvm_types import FIRST_ERROR, OVERFLOW, POINTER, WORD, llvm_type, words_in
from ggp.compiler.source import Source, parsed
from ggp.compiler.standard_library import Beyond
from ggp.compiler.types import (
    ATOM,
    BOOL,
    BOTTOM,
    FLOAT,
    NONE,
    List,
    NotRepresentable,
    Optional,
    RecordOf,
    Tuple,
    Type,
    classes_in,
    field_names,
    in_shape,
    is_record,
    join,
    type_of,
)
from ggp.compiler.values import Refused, Val

FRAMEWORK = ("ggp", "ggp_search", "ggp_solve")
"""Packages whose arithmetic is not checked for overflow: their numbers are counters, hashes, and values below 2**40."""
MOST_BLOCKS = 3_000_000
"""Maximum number of blocks in all attempts at a translation; a block takes about a kilobyte while it is made."""
LOCAL = ("result", "returned", "if", "bool")
"""Kinds of facts about values that are not states; in these, tuples of different lengths become lists."""
FIRST_WORDS = 4
"""The first words of the context: the first free byte of the memory for lists, and its end; the size of the stack that
a program may use, and the address below which it must not grow.
"""


@attrs.define(eq=False)
class Special:
    """A function specialised for the types of its arguments."""

    function: Any
    result_key: Any
    kind: Type
    open: bool = True
    """Whether it is still being translated; a call from inside is then recursion."""


class Program:
    """A program that is being translated."""

    def __init__(self, unchecked: frozenset[str] = frozenset()) -> None:
        self.facts: dict[Any, Type] = {}
        self.marks: set[Any] = set()
        self.flags: dict[Any, list[str]] = {}
        """For each frame, by key, the names with a flag that says whether they have a value."""
        self.errors: list[type[BaseException]] = []
        self.layout: dict[tuple[int, str], tuple[Type, int]] = {}
        """The type and the offset in words of each variable of a known object."""
        self.contracts: dict[tuple[int, str], Any] = {}
        self.unchecked = unchecked
        self.size = FIRST_WORDS
        self.atoms: set[str] = set()
        """The texts in the program and in the first state."""
        self.asks_for_texts = False
        """Whether the code depends on which texts there are."""
        self._variables: list[tuple[Any, str]] = []
        self._alive: list[Any] = []
        self._holders: set[int] = set()
        self._signatures: dict[Any, inspect.Signature] = {}
        self._sources: dict[int, Source] = {}
        self._aliases: dict[int, Aliases] = {}
        self.may_loop = True
        """Whether loops that would be long when unrolled stay loops."""
        self.changed = True
        self.blocks = 0
        """The number of blocks of all attempts so far."""
        self.deadline = math.inf
        self.begin()

    def begin(self) -> None:
        """Begin an attempt at translation; the types found so far are kept."""
        self._lay_out()
        self.module = ir.Module("ggp")
        self.letters: dict[int, Val] = {}
        """Run-time texts known to have one character, by the identity of their LLVM values."""
        self.specials: dict[Any, Special] = {}
        self.resumed: set[str] = set()
        self._declared: dict[str, Any] = {}
        self._constants: dict[Any, Any] = {}
        self._count = 0

    # Known objects -------------------------------------------------------------------------------------------------

    def add_known(self, thing: Any) -> None:
        """Record a known object, so that it lives as long as the program."""
        self._alive.append(thing)

    def add_object(self, thing: Any) -> None:
        """Assign the variables of a known object their offsets in the context.

        A variable has the type of its present value; if that is None, also the types of the values assigned to it.
        """
        if id(thing) in self._holders:
            return
        self._holders.add(id(thing))
        self._alive.append(thing)
        for name in type(thing).variables:
            self._variables.append((thing, name))
            self.facts[("variable", id(thing), name)] = type_of(getattr(thing, name))

    def _lay_out(self) -> None:
        """Assign an offset to each variable."""
        self.layout = {}
        self.size = FIRST_WORDS
        for thing, name in self._variables:
            kind = self.facts["variable", id(thing), name]
            self.layout[id(thing), name] = (kind, self.size)
            self.size += words_in(kind)

    def variable(self, thing: Any, name: str) -> tuple[Type, int] | None:
        """Return the type and the offset of a variable; None if it is not a variable."""
        return self.layout.get((id(thing), name))

    def has_variables(self, thing: Any) -> bool:
        """Return whether an object, or an object that it refers to, has variables that change while a program runs."""
        return id(thing) in self._holders or any(id(each) in self._holders for each in _bound(thing))

    def contract(self, method: pytypes.MethodType) -> Any:
        """Return the fact for the type of a method's results; None if they may have any type, as those of an inherited
        method.
        """
        thing, name = method.__self__, method.__name__
        return self.contracts.get((id(thing), name)) if getattr(thing, name, None) == method else None

    def value_classes(self) -> set[type]:
        """Return the classes of states and actions: their instances are run-time values."""
        facts = {fact for fact in self.contracts.values() if fact is not None}
        return {each for fact in facts for each in classes_in(self.facts.get(fact, BOTTOM))}

    def is_checked(self, function: Any) -> bool:
        """Return whether the arithmetic of a function is checked."""
        module = function.__module__ or ""
        if module == "ggp.compiler.standard_library":
            return True
        return module.partition(".")[0] not in {*self.unchecked, *FRAMEWORK}

    # Facts ---------------------------------------------------------------------------------------------------------

    def widen(self, key: Any, kind: Type, refuse: Callable[[str], Refused]) -> Type:
        """Widen the type known for `key` to include the values of `kind`, and return it."""
        before = self.facts.get(key, BOTTOM)
        if key in (("state",), ("action",), ("key",)):
            kind = in_shape(kind, before)
        try:
            after = join(before, kind)
        except NotRepresentable as error:
            listed = _list_of_either(before, kind) if _is_local(key) else None
            if listed is None:
                raise refuse(_about(key, str(error))) from None
            after = listed
        if after != before:
            self.facts[key] = after
            self.changed = True
        return after

    def mark(self, mark: Any) -> None:
        """Note something for the next attempt."""
        if mark not in self.marks:
            self.marks.add(mark)
            if mark[0] == "flag":
                self.flags.setdefault(mark[1], []).append(mark[2])
            self.changed = True

    def count_block(self) -> None:
        """Count a new block.

        Raises:
            Refused: the program has grown too large, or its translation takes too long.
        """
        self.blocks += 1
        if self.blocks % 1000 == 0 and (self.blocks > MOST_BLOCKS or time.process_time() > self.deadline):
            raise Refused(
                "the code grows too large to be compiled: write loops that are shorter, or fewer of them nested"
            )

    def has_long_loops(self) -> bool:
        """Return whether a loop is not unrolled only because that would make it long."""
        return self.may_loop and any(isinstance(mark, tuple) and mark[0] == "long loop" for mark in self.marks)

    def status_of(self, error: type[BaseException]) -> int:
        """Return the status for an exception."""
        if error is Beyond:
            return OVERFLOW
        if error not in self.errors:
            self.errors.append(error)
            self.changed = True  # handlers that were emitted before do not know of it
        return FIRST_ERROR + self.errors.index(error)

    def statuses_of(self, classes: Any) -> list[tuple[type[BaseException], int]]:
        """Return the exceptions that are instances of these classes, with their statuses."""
        return [(each, FIRST_ERROR + index) for index, each in enumerate(self.errors) if issubclass(each, classes)]

    # Functions -----------------------------------------------------------------------------------------------------

    def next_number(self) -> int:
        """Return a number for a function of the program, so that all functions have different names."""
        self._count += 1
        return self._count

    def key_of(self, value: Any) -> Any:
        """Return the key of this argument, by which compiled functions are found."""
        if isinstance(value, Val):
            return value.kind
        self._alive.append(value.value)
        if isinstance(value.value, (bool, str, tuple, type(None))) or _is_frozen(value.value):
            try:
                hash(value.value)
                return "known", type(value.value), value.value
            except TypeError:
                pass
        return "object", id(value.value)

    def recursive(self) -> frozenset[str]:
        """Return the names of the functions that call themselves, directly or through others."""
        calls: dict[str, set[str]] = {special.function.name: set() for special in self.specials.values()}
        for name, called in calls.items():
            for block in self.module.get_global(name).blocks:
                called.update(
                    each.callee.name for each in block.instructions if isinstance(each, ir.instructions.CallInstr)
                )
        found = set()
        for name in calls:
            reached: set[str] = set()
            pending = list(calls[name])
            while pending:
                each = pending.pop()
                if each not in reached:
                    reached.add(each)
                    pending.extend(calls.get(each, ()))
            if name in reached:
                found.add(name)
        return frozenset(found)

    def signature(self, function: Any) -> inspect.Signature:
        """Return the signature of a function."""
        if function not in self._signatures:
            self._signatures[function] = inspect.signature(function, follow_wrapped=False)
        return self._signatures[function]

    def parsed(self, node: Any, file: str) -> Source:
        """Return the analysed source of an inner function."""
        return self.parsed_once(node, lambda: parsed(node, file))

    def parsed_once(self, node: Any, make: Callable[[], Source]) -> Source:
        """Return the analysed source of a node; `make` creates it at the first request."""
        if id(node) not in self._sources:
            self._alive.append(node)
            self._sources[id(node)] = make()
        return self._sources[id(node)]

    def aliases(self, source: Source) -> Aliases:
        """Check a function's lists and their aliases.

        Raises:
            Refused: a list may have two names when it is changed.
        """
        found = self._aliases.get(id(source))
        if found is None:
            found = self._aliases[id(source)] = Aliases(source)
            self._alive.append(source)
            problem = found.problem() if source.changed else None
            if problem is not None:
                raise Refused(problem[0], (source.file, problem[1]))
        return found

    def declare(self, name: str, kind: Any) -> Any:
        """Declare an external function with that name, and return it."""
        if name not in self._declared:
            self._declared[name] = ir.Function(self.module, kind, name)
        return self._declared[name]

    # Constants -----------------------------------------------------------------------------------------------------

    def table_type(self, values: tuple[Any, ...]) -> Type:
        """Return the type of a table. All items have one type, in which tuples of different lengths are lists.

        Raises:
            NotRepresentable: the items have no common type.
        """
        item: Type = BOTTOM
        for value in values:
            item = join(item, self.item_type(value))
        if item == BOTTOM:
            return Tuple(())
        return List(item)

    def item_type(self, value: Any) -> Type:
        """Return the type of an item of a table."""
        if isinstance(value, (list, range)):
            value = tuple(value)
        if not isinstance(value, tuple) or hasattr(value, "_fields"):
            return type_of(value)
        try:
            return type_of(value)
        except NotRepresentable:
            return self.table_type(value)

    def table(self, values: tuple[Any, ...], body: Any) -> Val:
        """Return a known table as a list in constant memory."""
        kind = self.ragged_type(values)
        return Val(kind, ssa=self.literal(values, kind))

    def ragged_type(self, values: tuple[Any, ...]) -> Type:
        """Return the type of a table, whose tuples of different length become lists."""
        try:
            return self.table_type(values)
        except NotRepresentable:
            if values and all(isinstance(each, (tuple, list)) for each in values):
                item: Type = BOTTOM
                for each in values:
                    item = join(item, self.ragged_type(tuple(each)))
                return List(item)
            raise

    def literal(self, value: Any, kind: Type) -> Any:
        """Return a known value as an LLVM constant."""
        made = llvm_type(kind)
        if isinstance(kind, List):
            items = tuple(value)
            memory = self._array(items, kind.item)
            return ir.Constant.literal_struct([memory, ir.Constant(WORD, len(items)), ir.Constant(WORD, len(items))])
        if isinstance(kind, Tuple):
            parts = [self.literal(*pair) for pair in zip(value, kind.items, strict=True)]
            return ir.Constant(made, parts) if parts else ir.Constant(made, [])
        if isinstance(kind, RecordOf):
            names = field_names(kind.kind)
            return ir.Constant(
                made, [self.literal(getattr(value, n), k) for n, k in zip(names, kind.items, strict=True)]
            )
        if isinstance(kind, Optional):
            inner = ir.Constant(llvm_type(kind.item), None) if value is None else self.literal(value, kind.item)
            return ir.Constant(made, [ir.Constant(ir.IntType(1), int(value is not None)), inner])
        if kind == FLOAT:
            return ir.Constant(made, float(value))
        if kind in (NONE, BOTTOM):
            return ir.Constant(made, 0)
        if kind == ATOM and value is not None:
            self.changed = self.changed or (self.asks_for_texts and value not in self.atoms)
            self.atoms.add(value)
        if kind == BOOL:
            return ir.Constant(made, int(value))
        return ir.Constant(made, word_of(value, kind))

    def _array(self, items: tuple[Any, ...], item: Type) -> Any:
        kind = ir.ArrayType(llvm_type(item), len(items))
        content = ir.Constant(kind, [self.literal(each, item) for each in items])
        return self._memory(content)

    def _memory(self, content: Any) -> Any:
        """Return the address of a constant."""
        key = str(content)
        if key not in self._constants:
            made = ir.GlobalVariable(self.module, content.type, f"constant.{len(self._constants)}")
            made.linkage, made.global_constant, made.initializer = "internal", True, content
            made.unnamed_addr, made.type = True, POINTER
            self._constants[key] = made
        return self._constants[key]

    def constant_memory(self, value: Any, kind: Type) -> Any:
        """Return the address of a known value."""
        return self._memory(self.literal(value, kind))


def _is_frozen(value: Any) -> bool:
    kind: Any = type(value)
    return bool(is_record(kind))


def _bound(thing: Any) -> list[Any]:
    return [thing.__self__] if isinstance(thing, pytypes.MethodType) else []


def _is_local(key: Any) -> bool:
    """Return whether a fact is about values that are not states, judging by its function's name."""
    return key[0] in LOCAL and not (key[0] == "result" and key[1][0].__name__ in ("initial_state", "result"))


def _list_of_either(one: Type, other: Type) -> List | None:
    """Return the type of a list that can hold the items of either tuple; None if they have no common type."""
    if not all(isinstance(each, Tuple) and each.kind is None for each in (one, other)):
        return None
    try:
        return List(functools.reduce(join, [*one.items, *other.items]))  # type: ignore[attr-defined]
    except (NotRepresentable, TypeError):
        return None


def _about(key: Any, text: str) -> str:
    if isinstance(key, tuple) and key and key[0] == "name":
        return f"{key[2]} is given values of different types: {text}"
    if isinstance(key, tuple) and key and key[0] == "state":
        return f"states must all have the same shape: {text}"
    if isinstance(key, tuple) and key and key[0] == "action":
        return f"actions must all have the same shape: {text}"
    if isinstance(key, tuple) and key and key[0] == "result":
        return f"{key[1][0].__name__} returns values of different types: {text}"
    return f"this place gets values of different types: {text}"
