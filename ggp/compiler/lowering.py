"""Translate closed core to LLVM's assembly.

A value without parts is in a register. A tuple, a record or an optional value is in memory, and operations use its
address. Variables are reserved on the stack at the function's beginning, and LLVM makes registers of them. A variable
needs no memory if its value cannot change between assignment and use (see `_Scopes`). If the value has no parts, the
variable is a named register; if the value is a part of another value, the variable is an address.

Functions return a status, 0 if all is well. If the result is large, or LLVM inlines the function, the result is stored
at an address that the caller gives. Inlining turns this memory into registers. Any other function returns up to
`IN_MEMORY` words together with the status. The assembly is written as text, which is several times faster than building
it from objects.
"""

import collections
import functools
import re
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import attrs

from ggp.compiler import core, encoding, intrinsics, machine
from ggp.compiler.layout import size_in_bytes
from ggp.compiler.operations import OPERATIONS, result_type
from ggp.compiler.regions import CALL, Regions, effects_of, regions_of
from ggp.compiler.types import (
    ATOM,
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    NONE,
    STATUS,
    BitsOf,
    List,
    NotRepresentable,
    ObjectOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
    are_numbers,
    field_names,
    has_reference,
    size,
)

IN_MEMORY = 8
"""Values with more words than this are always passed and returned by address."""
OVERFLOW, EXHAUSTED, FIRST_ERROR = 1, 2, 3
"""Statuses of a function: a fault, a lack of memory for lists and objects, and the first status that stands for an
exception.
"""
FIRST_WORDS = 4
"""The context begins with this number of words.

They are the address of the arena's first free byte, the address of its end, the size of the stack that a program may
use, and the lowest address that the stack may reach. The arena holds lists and objects.
"""
MOST_ROOM = 1 << 40
"""A number that is greater than the length of any list."""
LOOPED = 16
"""Arrays with more items than this are compared in a loop."""


# Types ----------------------------------------------------------------------------------------------------------------


@functools.cache
def type_text(kind: Type) -> str:
    """Return the LLVM type of a value in registers. A set of several words is one number in registers; see
    `memory_text`.
    """
    if isinstance(kind, BitsOf):
        return f"i{64 * kind.words}"
    if kind == FLOAT:
        return "double"
    if kind in (BOOL, NONE, BOTTOM):
        return "i1"
    if kind == STATUS:
        return "i32"
    if isinstance(kind, (Tuple, RecordOf)):
        return f"[{len(kind.items)} x {memory_text(kind.items[0])}]" if is_array(kind) else _struct(kind.items)
    if isinstance(kind, Optional):
        return _struct((BOOL, kind.item))
    return "ptr" if isinstance(kind, (List, ObjectOf)) else "i64"


def memory_text(kind: Type) -> str:
    """Return the LLVM type of a value in memory. Several words are an array: LLVM aligns large numbers by size."""
    return f"[{kind.words} x i64]" if isinstance(kind, BitsOf) and kind.words > 1 else type_text(kind)


def _struct(items: Iterable[Type]) -> str:
    return "{" + ", ".join(map(memory_text, items)) + "}"


def is_array(kind: Type) -> bool:
    """Return whether a value of this type is stored as an array."""
    return isinstance(kind, Tuple) and len(set(kind.items)) == 1


def has_parts(kind: Type) -> bool:
    """Return whether a value of this type has parts, so that it is in memory."""
    return isinstance(kind, (Tuple, RecordOf, Optional))


@functools.cache
def words_in(kind: Type) -> int:
    """Return the number of words of a value, including words without information."""
    if isinstance(kind, (Tuple, RecordOf)):
        return sum(map(words_in, kind.items))
    if isinstance(kind, BitsOf):
        return kind.words
    return 1 + words_in(kind.item) if isinstance(kind, Optional) else 1


def is_large(kind: Type) -> bool:
    """Return whether values of the type are passed by their address."""
    return has_parts(kind) and words_in(kind) > IN_MEMORY


def _result_text(kind: Type, by_address: bool) -> str:
    """Return the LLVM type in which a function returns a result of this type in registers."""
    return "i32" if kind == NONE or by_address else f"{{{type_text(kind)}, i32}}"


def lay_out(variables: Iterable[tuple[int, str, Type]]) -> tuple[dict[tuple[int, str], tuple[Type, int]], int]:
    """Return the type of each variable of a known object and its offset in words, and the size of the context.

    Arguments:
        variables: for each variable, the number of its object, its name and its type.
    """
    layout, offset = {}, FIRST_WORDS
    for number, name, kind in variables:
        layout[number, name] = kind, offset
        offset += words_in(kind)
    return layout, offset


def _aligned(kind: Type) -> str:
    """Return the alignment clause of a load or a store of a set of several words."""
    return ", align 8" if isinstance(kind, BitsOf) and kind.words > 1 else ""


# The program ----------------------------------------------------------------------------------------------------------


class Module:
    """The functions of closed core that become one module."""

    def __init__(
        self,
        layout: dict[tuple[int, str], tuple[Type, int]] | None = None,
        errors: Sequence[type[BaseException]] = (),
        shared: frozenset[tuple[int, str]] = frozenset(),
    ) -> None:
        """Begin a program.

        Arguments:
            layout: the variables of known objects, in the form that `lay_out` returns.
            errors: exception classes whose statuses come first, in this order.
            shared: the variables that other threads may change.
        """
        self.layout = layout or {}
        self.shared = shared
        self.errors = list(errors)
        """The exception classes of the program, in the order of their statuses."""
        self.atoms: set[str] = set()
        """The texts in the program; complete once the assembly is written."""
        self.uses_arena = False
        """Whether the program makes lists or objects; known only after the assembly is written."""
        self._functions: dict[int, tuple[str, core.TypedFunction]] = {}
        self._constants: dict[tuple[str, str], str] = {}
        self._declared: dict[str, None] = {}
        self._lists: dict[int, str] = {}
        """The addresses of lists of whole numbers, by the identity of the list."""
        self._alive: list[object] = []
        self._kept: frozenset[str] = frozenset()

    def add(self, function: core.TypedFunction) -> None:
        """Add a function and all functions that it calls."""
        pending = [function]
        while pending:
            each = pending.pop()
            if id(each) in self._functions:
                continue
            self._functions[id(each)] = self._symbol(each.name), each
            callees = list(_called_by(each))
            pending.extend(reversed(callees))
            for statement in core.statements_in(each.body):
                if isinstance(statement, core.Raise) and isinstance(statement.error, core.Constant):
                    self.status_of(statement.error.value)

    def _symbol(self, name: str) -> str:
        return f"{re.sub(r'[^a-zA-Z0-9_.]', '_', name)}.{len(self._functions)}"

    def add_entry(self, function: core.TypedFunction) -> None:
        """Add a function, everything it calls, and `run(context, arguments, result)`. `run` calls the function; its
        arguments and its result are stored as words.
        """
        self.add(function)
        run = entry(function)
        self._functions[id(run)] = "run", run

    def status_of(self, error: type[BaseException]) -> int:
        """Return the status of an exception class."""
        if error not in self.errors:
            self.errors.append(error)
        return FIRST_ERROR + self.errors.index(error)

    def symbol(self, function: core.TypedFunction) -> str:
        """Return the name of a function in the assembly."""
        return "@" + self._functions[id(function)][0]

    def by_address(self, function: core.TypedFunction) -> bool:
        """Return whether a function stores its result at an address that the caller gives.

        A function does so if the result is large, or if the function is inlined. Callers of such a function need no
        value that combines result and status.
        """
        if function.result == NONE or function.name == "run":
            return False
        return is_large(function.result) or self._functions[id(function)][0] not in self._kept

    def functions(self) -> list[core.TypedFunction]:
        """Return all functions of the program."""
        return [function for _, function in self._functions.values()]

    def recursive(self) -> frozenset[str]:
        """Return the names of the functions that must not be inlined.

        These functions are at least one function of each cycle of calls, and the function that enlarges lists.
        """
        calls = {
            key: collections.Counter(id(each) for each in _called_by(function))
            for key, (_, function) in self._functions.items()
        }
        functions = {_GROW}
        while circles := _in_circles(calls):
            # Of a cycle, the function that is called in most places stays: the others are inlined into it, once.
            own = [key for key in circles if calls[key][key]]
            calls_of = {key: sum(calls[each][key] for each in circles) for key in own or circles}
            for key in own or [max(calls_of, key=calls_of.__getitem__)]:
                functions.add(self._functions[key][0])
                del calls[key]
        return frozenset(functions)

    def assembly(self) -> str:
        """Return the module in LLVM's assembly."""
        self._kept = self.recursive()
        effects = effects_of(self.functions())
        texts = [
            text
            for name, function in self._functions.values()
            for text in _Body(self, function, name, name in self._kept, regions_of(function, effects)).lowered()
        ]
        constants = [f"{name} = internal {text}" for (_, text), name in self._constants.items()]
        weights = '!0 = !{!"branch_weights", i32 1, i32 100000}'
        return "\n".join([*self._declared, *constants, *texts, weights, ""])

    # Constants -----------------------------------------------------------------------------------------------------

    def declare(self, text: str) -> None:
        """Declare an external function, or add a function of our own."""
        self._declared[text] = None

    def memory(self, value: object, kind: Type) -> str:
        """Return the address of a constant."""
        return self._memory(f"unnamed_addr constant {type_text(kind)} {self.literal(value, kind)}")

    def _memory(self, text: str, identity: str = "") -> str:
        key = (identity, text)
        return self._constants.setdefault(key, f"@constant.{len(self._constants)}")

    def literal(self, value: Any, kind: Type) -> str:
        """Return a known value as an LLVM constant, without its type.

        Raises:
            NotRepresentable: the value is not of this type, or is known only when a program runs.
        """
        if isinstance(kind, List):
            if id(value) in self._lists:
                return self._lists[id(value)]
            if kind.item == INT and are_numbers(value):
                texts = f"[{', '.join(f'i64 {each}' for each in value)}]"
            else:
                texts = self._items(tuple(value), [kind.item] * len(value), "[]")
            data = self._memory(f"unnamed_addr constant [{len(value)} x {memory_text(kind.item)}] {texts}")
            self._alive.append(value)
            identity = str(id(value)) if isinstance(value, list) else ""
            name = self._memory(
                f"constant {{ptr, i64, i64}} {{ptr {data}, i64 {len(value)}, i64 {len(value)}}}", identity
            )
            if kind.item == INT:
                self._lists[id(value)] = name
            return name
        if isinstance(kind, (Tuple, RecordOf)):
            if isinstance(kind, RecordOf):
                value = [getattr(value, name) for name in field_names(kind.cls)]
            if len(value) != len(kind.items):
                raise NotRepresentable(f"{value!r} is no {kind}")
            return self._items(value, kind.items, "[]" if is_array(kind) else "{}")
        if isinstance(kind, Optional):
            if value is None:
                return "zeroinitializer"
            return f"{{i1 true, {self.stored(value, kind.item)}}}"
        if kind in (NONE, BOTTOM):
            return "false"
        if kind == BOOL:
            return "true" if value else "false"
        if kind == FLOAT:
            return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        if kind == STATUS:
            return str(self.status_of(value))
        if isinstance(kind, ObjectOf):
            raise NotRepresentable(f"{kind} is not known before a program runs")
        if isinstance(kind, BitsOf) and kind.words > 1:
            encoding.flatten(value, kind)
            return str(value.word)
        if kind == ATOM and value is not None:
            self.atoms.add(value)
        return str(encoding.word_of(value, kind))

    def _items(self, values: Iterable[object], kinds: Sequence[Type], brackets: str) -> str:
        if not kinds:
            return "zeroinitializer"
        parts = (self.stored(value, kind) for value, kind in zip(values, kinds, strict=True))
        return brackets[0] + ", ".join(parts) + brackets[1]

    def stored(self, value: object, kind: Type) -> str:
        """Return a known value as an LLVM constant in memory, with its type."""
        if isinstance(kind, BitsOf) and kind.words > 1:
            words = ", ".join(f"i64 {word}" for word in encoding.flatten(value, kind))
            return f"{memory_text(kind)} [{words}]"
        return f"{type_text(kind)} {self.literal(value, kind)}"


def _called_by(function: core.TypedFunction) -> Iterator[core.TypedFunction]:
    for each in core.statements_in(function.body):
        if isinstance(each, core.Assign) and isinstance(each.value, core.Operation) and each.value.name == "call":
            yield each.value.detail


def _in_circles(calls: dict[int, "collections.Counter[int]"]) -> list[int]:
    """Return the functions that call themselves, directly or through others."""
    circles = []
    for key, called in calls.items():
        reached: set[int] = set()
        pending = list(called)
        while pending:
            each = pending.pop()
            if each not in reached and each in calls:
                reached.add(each)
                pending.extend(calls[each])
        if key in reached:
            circles.append(key)
    return circles


def entry(function: core.TypedFunction) -> core.TypedFunction:
    """Return the function `run`, in closed core.

    The arguments of `run` are two addresses: that of the words of the function's arguments, and that of the words of
    its result.
    """
    variables: dict[str, Type] = {"arguments": INT, "result": INT}
    body: core.Block = []

    def assign(name: str, kind: Type, operation: str, *operands: core.Atom, detail: object = None) -> core.Local:
        if kind != NONE:
            variables[name] = kind
        body.append(core.Assign(name if kind != NONE else None, core.Operation(operation, operands, detail)))
        return core.Local(name)

    offset, values = 0, []
    for name in function.parameters:
        kind = function.variables[name]
        address = assign(f"address.{name}", INT, "add", core.Local("arguments"), core.Constant(8 * offset, INT))
        variables[f"value.{name}"] = kind
        body.append(core.Assign(f"value.{name}", core.Operation("get_value", (address,))))
        values.append(core.Local(f"value.{name}"))
        offset += size(kind)
    result = assign("found", function.result, "call", *values, detail=function)
    if has_reference(function.result):  # its address is the result
        held = assign("held", List(function.result), "new_list", core.Constant(1, INT))
        assign("", NONE, "append", held, result)
        result = assign("address", INT, "address", held)
        assign("", NONE, "put_value", core.Local("result"), result)
    elif function.result != NONE:
        assign("", NONE, "put_value", core.Local("result"), result)
    body.append(core.Return(core.Constant(None, NONE)))
    return core.TypedFunction(
        "run",
        ("arguments", "result"),
        variables,
        NONE,
        body,
        function.file,
        function.line,
        checked=False,
    )


# Which variables need no memory ---------------------------------------------------------------------------------------


@attrs.define(eq=False)
class _Scope:
    """The scope of a variable that is assigned once: the statements after its assignment in the same block."""

    start: int
    end: int
    """The number of the last statement in the block."""
    starts: list[int]
    """The numbers of the block's own statements."""
    last: int = -1
    """The number of the last statement that may run before the variable's last use."""


class _Scopes:
    """The variables that are assigned once, before all their uses, and in the same block.

    The statements of a function are numbered in the order of its text. Between the assignment of such a variable and
    its last use, only statements in the same block run. So the numbers of the statements show what may change in that
    time.
    """

    def __init__(self, function: core.TypedFunction) -> None:
        self.count = 0
        self.stores: dict[str, list[int]] = {}
        self.writes: list[int] = []
        self.scope_of: dict[str, _Scope] = {}
        self._uses: dict[str, list[int]] = {}
        for name in function.parameters:
            self.stores[name] = []
        self._number(function.body)
        for name, scope in list(self.scope_of.items()):
            if len(self.stores[name]) != 1 or name in function.parameters or not self._reaches(scope, name):
                del self.scope_of[name]

    def _number(self, block: core.Block) -> None:
        starts: list[int] = []
        scopes: list[_Scope] = []
        for each in block:
            self.count += 1
            number = self.count
            starts.append(number)
            if isinstance(each, core.Assign):
                value = each.value
                if each.target is not None:
                    self.stores.setdefault(each.target, []).append(number)
                    scopes.append(_Scope(number, 0, starts))
                    self.scope_of[each.target] = scopes[-1]
                if isinstance(value, core.Operation):
                    for operand in value.operands:
                        self._use(operand)
                    if OPERATIONS[value.name].writes:
                        self.writes.append(number)
                else:
                    self._use(value)
            elif isinstance(each, core.If):
                self._use(each.test)
                self._number(each.body)
                self._number(each.otherwise)
            elif isinstance(each, (core.Labelled, core.Loop)):
                self._number(each.body)
            elif isinstance(each, core.Return):
                self._use(each.value)
            elif isinstance(each, core.Raise) and each.error is not None:
                self._use(each.error)
            elif isinstance(each, core.Attempt):
                self._number(each.body)
                self.count += 1
                self.stores.setdefault(each.caught, []).append(self.count)
                self._number(each.handler)
        for scope in scopes:
            scope.end = self.count

    def _use(self, atom: core.Atom) -> None:
        if isinstance(atom, core.Local):
            self._uses.setdefault(atom.name, []).append(self.count)

    def _reaches(self, scope: _Scope, name: str) -> bool:
        """Return whether all uses of a variable come after its assignment; record the last statement among them."""
        uses = self._uses.get(name)
        if uses is None:
            scope.last = scope.start
            return True
        if not scope.start < uses[0] <= uses[-1] <= scope.end:
            return False
        following = bisect_right(scope.starts, uses[-1])
        scope.last = scope.starts[following] - 1 if following < len(scope.starts) else scope.end
        return True

    def unchanged(self, name: str, root: str | None) -> bool:
        """Return whether a value stays the same from the assignment of a variable to the last use of that variable.

        Arguments:
            root: the variable of which the value is a part; "" if the value may be anywhere in memory; None for a
                constant.
        """
        scope = self.scope_of[name]
        if root is None:
            return True
        numbers = self.stores[root] if root else self.writes
        return bisect_right(numbers, scope.start) == bisect_right(numbers, scope.last)


# Functions ------------------------------------------------------------------------------------------------------------

_GROW = "list.grow"
_GROW_TEXT = f"""
define internal i32 @{_GROW}(ptr %context, ptr %list, i64 %size) noinline cold nounwind {{
  %lengths = getelementptr i8, ptr %list, i64 8
  %rooms = getelementptr i8, ptr %list, i64 16
  %ends = getelementptr i8, ptr %context, i64 8
  %data = load ptr, ptr %list
  %room = load i64, ptr %rooms
  %top = load ptr, ptr %context
  %end = load ptr, ptr %ends
  %few = icmp slt i64 %room, 4
  %more = select i1 %few, i64 4, i64 %room
  %wanted = add i64 %room, %more
  %exact.old = mul i64 %room, %size
  %exact.new = mul i64 %wanted, %size
  %padded.old = add i64 %exact.old, 7
  %padded.new = add i64 %exact.new, 7
  %old = and i64 %padded.old, -8
  %new = and i64 %padded.new, -8
  %behind = getelementptr i8, ptr %data, i64 %old
  %last = icmp eq ptr %behind, %top
  %start = select i1 %last, ptr %data, ptr %top
  %after = getelementptr i8, ptr %start, i64 %new
  %full = icmp ugt ptr %after, %end
  br i1 %full, label %fault, label %fits
fault:
  ret i32 {EXHAUSTED}
fits:
  store ptr %after, ptr %context
  store i64 %wanted, ptr %rooms
  br i1 %last, label %done, label %move
move:
  call void @llvm.memcpy.p0.p0.i64(ptr %start, ptr %data, i64 %exact.old, i1 false)
  store ptr %start, ptr %list
  br label %done
done:
  ret i32 0
}}"""
_MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
_HEADER = 24
"""Size in bytes of the head of a list: the address of the items, their number, and the number of items for which there
is room.
"""


class _Body:
    """The assembly of one function."""

    def __init__(
        self, program: Module, function: core.TypedFunction, name: str, recursive: bool, regions: Regions
    ) -> None:
        self.program = program
        self.by_address = program.by_address(function)
        self.result_text = _result_text(function.result, self.by_address)
        self.regions = regions
        self.marks: dict[str, str] = {}
        """For each region, the address at which the end of the used arena was stored when the region began."""
        self.begun: Sequence[str] = ()
        """The regions that begin again after the assignment that is being lowered."""
        self.function = function
        self.name = name
        self.recursive = recursive
        self.scopes = _Scopes(function)
        self.head: list[str] = []
        """The instructions that reserve the variables."""
        self.lines: list[str] = []
        self.count = 0
        self.dead = False
        """Whether an instruction that is added here would never be reached."""
        self.addresses: dict[str, str] = {}
        """The addresses of variables in memory, and the registers that hold the addresses of other variables."""
        self.registers: dict[str, str] = {}
        """The variables without parts that need no memory."""
        self.roots: dict[str, str | None] = {}
        """For a variable that is the address of a part, the variable that the part belongs to; see `_Scopes.unchanged`.
        """
        self.handlers: list[tuple[str, str]] = []
        """For each enclosing `Attempt`, the block that handles exceptions, and the variable for the status."""
        self.exits: dict[str, str] = {}
        self.left: set[str] = set()
        """The blocks that some `Leave` jumps to."""
        self.fails = self.faults = self.exhausts = False

    # Text ----------------------------------------------------------------------------------------------------------

    def number(self) -> int:
        self.count += 1
        return self.count

    def do(self, text: str) -> None:
        """Add an instruction without a result."""
        self.lines.append("  " + text)

    def get(self, text: str) -> str:
        """Add an instruction, and return its result."""
        self.count += 1
        made = f"%.{self.count}"
        self.lines.append(f"  {made} = {text}")
        return made

    def begin(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")
        self.dead = False

    def jump(self, label: str) -> None:
        if not self.dead:
            self.lines.append(f"  br label %{label}")
            self.dead = True

    def reserve(self, text: str, name: str = "") -> str:
        """Reserve stack memory for a value of the LLVM type `text`, and return its address."""
        made = f"%v.{name}" if name.isidentifier() and name.isascii() else f"%m.{self.number()}"
        self.head.append(f"  {made} = alloca {text}")
        return made

    def call(self, result: str, name: str, *arguments: str, declared: str = "") -> str:
        """Call an external function."""
        parameters = declared or ", ".join(each.split(" ")[0] for each in arguments)
        self.program.declare(f"declare {result} @{name}({parameters})")
        return self.get(f"call {result} @{name}({', '.join(arguments)})")

    def at(self, text: str, address: str, *path: int | str) -> str:
        """Return the address of a part of the value at an address."""
        steps = "".join(f", i64 {each}" if isinstance(each, str) else f", i32 {each}" for each in path)
        return self.get(f"getelementptr inbounds {text}, ptr {address}, i64 0{steps}")

    def at_byte(self, address: str, offset: int | str) -> str:
        return self.get(f"getelementptr i8, ptr {address}, i64 {offset}") if offset else address

    # Functions -----------------------------------------------------------------------------------------------------

    def lowered(self) -> list[str]:
        """Return the lines of the function."""
        function = self.function
        parameters = ["ptr %context"]
        if self.by_address:
            parameters.append("ptr noalias writeonly captures(none) %result")
        for index, name in enumerate(function.parameters):
            kind = function.variables[name]
            changes = bool(self.scopes.stores[name])
            own = f"%p.{index}"
            if is_large(kind):
                parameters.append(f"ptr noalias readonly captures(none) {own}")
                self.addresses[name] = own
                if changes:
                    self.addresses[name] = self.reserve(type_text(kind), name)
                    self.copy(kind, self.addresses[name], own)
                continue
            parameters.append(f"{type_text(kind)} {own}")
            if changes or has_parts(kind):
                self.addresses[name] = self.reserve(type_text(kind), name)
                self.store(kind, own, self.addresses[name])
            else:
                self.registers[name] = own
        self.mark(CALL)
        if self.name == "run":
            self._begin_stack()
        elif self.recursive:
            self._guard_stack()
        self.block(function.body)
        if not self.dead:
            self.do("unreachable")
        for label, status, happens in (("overflow", OVERFLOW, self.faults), ("exhausted", EXHAUSTED, self.exhausts)):
            if not happens:
                continue
            self.begin(label)
            if self.fails:
                self.do(f"store i32 {status}, ptr %status")
                self.jump("fail")
            else:
                self._leave(str(status))
        if self.fails:
            self.head.append("  %status = alloca i32")
            self.begin("fail")
            self._leave(self.get("load i32, ptr %status"))
        linkage = "" if self.name == "run" else "internal "
        settings = "nounwind"
        if self.recursive:
            settings += ' "disable-tail-calls"="true"'  # recursion without end is a fault, never a loop without end
        return [
            f"define {linkage}{self.result_text} @{self.name}({', '.join(parameters)}) {settings} {{",
            "entry:", *self.head, *self.lines, "}",
        ]  # fmt: skip

    def _leave(self, status: str, value: str = "undef") -> None:
        self.release(CALL)
        text, result = self.result_text, type_text(self.function.result)
        if text == "i32":
            self.do(f"ret i32 {status}")
        else:
            pair = "undef" if value == "undef" else self.get(f"insertvalue {text} undef, {result} {value}, 0")
            self.do(f"ret {text} {self.get(f'insertvalue {text} {pair}, i32 {status}, 1')}")
        self.dead = True

    def _begin_stack(self) -> None:
        """Store the address down to which the stack may grow."""
        room = self.get(f"load i64, ptr {self.at_byte('%context', 16)}")
        self.do(f"store i64 {self.get(f'sub i64 {self._frame()}, {room}')}, ptr {self.at_byte('%context', 24)}")

    def _guard_stack(self) -> None:
        """Write code that raises a fault if the stack has grown too far; Python would raise RecursionError."""
        least = self.get(f"load i64, ptr {self.at_byte('%context', 24)}")
        self.fault_if(self.get(f"icmp ult i64 {self._frame()}, {least}"))

    def _frame(self) -> str:
        address = self.call("ptr", "llvm.frameaddress.p0", "i32 0")
        return self.get(f"ptrtoint ptr {address} to i64")

    # Regions -------------------------------------------------------------------------------------------------------

    def mark(self, region: str) -> None:
        """Begin a region, if its memory is given back at its end."""
        if region in self.regions.releasing:
            self.marks[region] = self.reserve("ptr")
            self.do(f"store ptr {self.get('load ptr, ptr %context')}, ptr {self.marks[region]}")

    def release(self, region: str) -> None:
        """Give back the memory that was taken in a region."""
        if region in self.regions.releasing:
            self.do(f"store ptr {self.get(f'load ptr, ptr {self.marks[region]}')}, ptr %context")

    def begin_anew(self, before: str = "") -> None:
        """Begin regions again, because they have taken memory that is used after them.

        If `before` is given, do so only if the end of the used memory has moved from that address.
        """
        now = self.get("load ptr, ptr %context") if self.begun else ""
        for each in self.begun:
            mark = now
            if before:
                old = self.get(f"load ptr, ptr {self.marks[each]}")
                mark = self.get(f"select i1 {self.get(f'icmp eq ptr {before}, {now}')}, ptr {old}, ptr {now}")
            self.do(f"store ptr {mark}, ptr {self.marks[each]}")

    # Failures ------------------------------------------------------------------------------------------------------

    def fault_if(self, condition: str) -> None:
        """Write code that raises a fault if a condition is true. No handler of the author catches the fault: the
        function ends.
        """
        self.faults = True
        good = f"good.{self.number()}"
        self.do(f"br i1 {condition}, label %overflow, label %{good}, !prof !0")
        self.begin(good)

    def exhausted_if(self, condition: str) -> None:
        """Write code that raises a fault for lack of memory if a condition is true."""
        self.exhausts = True
        good = f"good.{self.number()}"
        self.do(f"br i1 {condition}, label %exhausted, label %{good}, !prof !0")
        self.begin(good)

    def raises(self, status: str) -> None:
        """Write code that continues at the innermost handler, or ends the function with `status` if there is none."""
        if self.handlers:
            label, caught = self.handlers[-1]
            self.do(f"store i32 {status}, ptr {caught}")
            self.left.add(label)
            self.jump(label)
        else:
            self.fails = True
            self.do(f"store i32 {status}, ptr %status")
            self.jump("fail")

    def raise_if_failed(self, status: str) -> None:
        number = self.number()
        self.do(f"br i1 {self.get(f'icmp ne i32 {status}, 0')}, label %bad.{number}, label %good.{number}, !prof !0")
        self.begin(f"bad.{number}")
        self.raises(status)
        self.begin(f"good.{number}")

    # Values --------------------------------------------------------------------------------------------------------

    def kind(self, atom: core.Atom) -> Type:
        kind = atom.kind if isinstance(atom, core.Constant) else self.function.variables[atom.name]
        assert kind is not None
        return kind

    def value(self, atom: core.Atom) -> str:
        """Return the register or literal of an atom. If the atom has parts, return its address."""
        kind = self.kind(atom)
        if isinstance(atom, core.Constant):
            return self.program.memory(atom.value, kind) if has_parts(kind) else self.program.literal(atom.value, kind)
        name = atom.name
        if name in self.registers:
            return self.registers[name]
        if kind == NONE:
            return "false"
        if has_parts(kind):
            return self.address(name)
        return self.load(kind, self.address(name))

    def address(self, name: str) -> str:
        """Return the address of a variable."""
        address = self.addresses.get(name)
        if address is None:
            address = self.addresses[name] = self.reserve(type_text(self.function.variables[name]), name)
        return address

    def load(self, kind: Type, address: str) -> str:
        """Return the value at an address. If the value has parts, return the address itself."""
        return address if has_parts(kind) else self.get(f"load {type_text(kind)}, ptr {address}{_aligned(kind)}")

    def store(self, kind: Type, value: str, address: str) -> None:
        if kind != NONE:
            self.do(f"store {type_text(kind)} {value}, ptr {address}{_aligned(kind)}")

    def put(self, kind: Type, value: str, address: str) -> None:
        """Store a value at an address; `value` is in the form that the method `value` returns."""
        if has_parts(kind):
            self.copy(kind, address, value)
        else:
            self.store(kind, value, address)

    def copy(self, kind: Type, to: str, source: str) -> None:
        """Copy a value with parts."""
        if to == source or not words_in(kind):
            return
        if is_large(kind):
            self.copy_bytes(to, source, size_in_bytes(kind))
        else:
            text = type_text(kind)
            self.do(f"store {text} {self.get(f'load {text}, ptr {source}')}, ptr {to}")

    def copy_bytes(self, to: str, source: str, count: int | str) -> None:
        self.program.declare(_MEMCPY)
        self.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {count}, i1 false)")

    def assign(self, name: str, kind: Type, value: str) -> None:
        """Assign a value without parts."""
        if kind == NONE:
            return
        if name in self.scopes.scope_of:
            self.registers[name] = value
        else:
            self.store(kind, value, self.address(name))

    # Statements ----------------------------------------------------------------------------------------------------

    def block(self, block: core.Block) -> None:
        for each in block:
            if self.dead:
                return
            _STATEMENTS[type(each)](self, each)

    def run_assign(self, each: core.Assign) -> None:
        operation, target = each.value, each.target
        kind = self.function.variables[target] if target is not None else None
        if not isinstance(operation, core.Operation):
            assert target is not None
            assert kind is not None
            if not has_parts(kind):
                self.assign(target, kind, self.value(operation))
            elif not self._share(target, self._root(operation), lambda: self.value(operation)):
                self.copy(kind, self.address(target), self.value(operation))
            return
        self.begun = self.regions.begun.get(id(each), ())
        operands = tuple(map(self.kind, operation.operands))
        kind = result_type(operation.name, operands, operation.detail, kind)
        instruction = _Instruction(self, operation, operands, kind, target)

        def lower() -> str:
            return _OPERATIONS[operation.name](instruction) or "false"

        if not has_parts(kind):
            result = lower()
            if target is not None:
                self.assign(target, kind, result)
        elif operation.name in _ADDRESSES:
            if target is not None and not self._share(target, self._root(operation), lower):
                self.copy(kind, self.address(target), lower())
        else:
            lower()

    def _root(self, value: core.Operation | core.Atom) -> str | None:
        """Return what the value at an address belongs to: a variable, memory (an empty text) or a constant (None)."""
        if isinstance(value, core.Operation):
            if value.name not in ("part", "pick", "content"):
                return ""
            value = value.operands[0]
        if isinstance(value, core.Constant):
            return None
        return self.roots.get(value.name, value.name)

    def _share(self, target: str, root: str | None, address: Callable[[], str]) -> bool:
        """Let a variable use the memory at an address, without a copy, if that memory does not change while the
        variable is used. Return whether it does not change.
        """
        if target not in self.scopes.scope_of or not self.scopes.unchanged(target, root):
            return False
        self.roots[target] = root
        self.addresses[target] = address()
        return True

    def run_if(self, each: core.If) -> None:
        number, test = self.number(), self.value(each.test)
        self.do(f"br i1 {test}, label %then.{number}, label %{'else' if each.otherwise else 'end'}.{number}")
        self.begin(f"then.{number}")
        self.block(each.body)
        reached = not self.dead or not each.otherwise
        self.jump(f"end.{number}")
        if each.otherwise:
            self.begin(f"else.{number}")
            self.block(each.otherwise)
            reached = reached or not self.dead
            self.jump(f"end.{number}")
        if reached:
            self.begin(f"end.{number}")

    def run_labelled(self, each: core.Labelled) -> None:
        end = self.exits[each.label] = f"end.{self.number()}"
        self.block(each.body)
        if end in self.left:
            self.jump(end)
            self.begin(end)

    def run_loop(self, each: core.Loop) -> None:
        number = self.number()
        end = self.exits[each.label] = f"end.{number}"
        self.mark(each.label)
        self.jump(f"loop.{number}")
        self.begin(f"loop.{number}")
        self.release(each.label)
        self.block(each.body)
        self.jump(f"loop.{number}")
        if end in self.left:
            self.begin(end)
            self.release(each.label)

    def run_leave(self, each: core.Leave) -> None:
        self.left.add(self.exits[each.label])
        self.jump(self.exits[each.label])

    def run_return(self, each: core.Return) -> None:
        kind, value = self.function.result, self.value(each.value)
        if self.by_address:
            self.put(kind, value, "%result")
        elif has_parts(kind):
            value = self.get(f"load {type_text(kind)}, ptr {value}")
        self._leave("0", value)

    def run_raise(self, each: core.Raise) -> None:
        if isinstance(each.error, core.Constant):
            self.raises(str(self.program.status_of(each.error.value)))
        else:
            assert each.error is not None
            self.raises(self.value(each.error))

    def run_attempt(self, each: core.Attempt) -> None:
        number = self.number()
        handler, end = f"handler.{number}", f"end.{number}"
        self.handlers.append((handler, self.address(each.caught)))
        self.block(each.body)
        self.handlers.pop()
        reached = not self.dead
        self.jump(end)
        if handler in self.left:
            self.begin(handler)
            self.block(each.handler)
            reached = reached or not self.dead
            self.jump(end)
        if reached:
            self.begin(end)


_STATEMENTS: dict[type, Callable[..., None]] = {
    core.Assign: _Body.run_assign, core.If: _Body.run_if, core.Labelled: _Body.run_labelled, core.Loop: _Body.run_loop,
    core.Leave: _Body.run_leave, core.Return: _Body.run_return, core.Raise: _Body.run_raise,
    core.Attempt: _Body.run_attempt,
}  # fmt: skip

# Operations -----------------------------------------------------------------------------------------------------------


class _Instruction:
    """An operation that is being lowered."""

    def __init__(
        self, body: _Body, operation: core.Operation, operands: tuple[Type, ...], kind: Type, target: str | None
    ) -> None:
        self.body = body
        self.operation = operation
        self.detail = operation.detail
        self.operands = operands
        self.kind = kind
        """The type of the result."""
        self.target = target
        self.checked = operation.detail if isinstance(operation.detail, bool) else body.function.checked
        self.values = [body.value(each) for each in operation.operands]
        self.get, self.do, self.at = body.get, body.do, body.at

    @functools.cached_property
    def to(self) -> str:
        """The address where a result with parts is stored."""
        return self.body.reserve(type_text(self.kind)) if self.target is None else self.body.address(self.target)

    def constant(self, index: int) -> int | None:
        """Return the value of an operand of type INT; None if it is not known."""
        atom = self.operation.operands[index]
        return int(atom.value) if isinstance(atom, core.Constant) else None

    def intrinsic(self, name: str, result: str, *arguments: str) -> str:
        return self.body.call(result, f"llvm.{name}", *arguments)


_OPERATIONS: dict[str, Callable[[_Instruction], str | None]] = {}
_ADDRESSES = {"part", "pick", "content", "get", "field", "variable"}
"""Operations that read a value in memory. If the value has parts, they return the value's address."""


def _lowers(*names: str) -> Callable[[Callable[[_Instruction], str | None]], Callable[[_Instruction], str | None]]:
    def add(function: Callable[[_Instruction], str | None]) -> Callable[[_Instruction], str | None]:
        _OPERATIONS.update(dict.fromkeys(names, function))
        return function

    return add


_PATTERNS = {
    "fadd": "fadd double {}, {}", "fsub": "fsub double {}, {}", "fmul": "fmul double {}, {}",
    "fdiv": "fdiv double {}, {}", "fneg": "fneg double {}", "not": "xor i1 {}, true",
    "bits_of": "bitcast double {} to i64", "value_of": "bitcast i64 {} to double",
    "same": "icmp eq ptr {}, {}", "address": "ptrtoint ptr {} to i64",
}  # fmt: skip
"""Operations that are one instruction."""


@_lowers(*_PATTERNS)
def _pattern(i: _Instruction) -> str:
    return i.get(_PATTERNS[i.operation.name].format(*i.values))


# Numbers


@_lowers("add", "sub", "mul")
def _arithmetic(i: _Instruction) -> str:
    name, (left, right) = i.operation.name, i.values
    if not i.checked:
        return i.get(f"{name} i64 {left}, {right}")
    pair = i.intrinsic(f"s{name}.with.overflow.i64", "{i64, i1}", f"i64 {left}", f"i64 {right}")
    i.body.fault_if(i.get(f"extractvalue {{i64, i1}} {pair}, 1"))
    return i.get(f"extractvalue {{i64, i1}} {pair}, 0")


@_lowers("neg")
def _negated(i: _Instruction) -> str:
    if i.checked:
        i.body.fault_if(i.get(f"icmp eq i64 {i.values[0]}, {-1 << 63}"))
    return i.get(f"sub i64 0, {i.values[0]}")


@_lowers("floordiv", "mod")
def _divided(i: _Instruction) -> str:
    (left, right), constant = i.values, i.constant(1)
    whole = i.operation.name == "floordiv"
    if (
        constant is not None and constant > 0 and constant & (constant - 1) == 0
    ):  # LLVM does not find this for signed numbers
        return i.get(f"ashr i64 {left}, {constant.bit_length() - 1}" if whole else f"and i64 {left}, {constant - 1}")
    if constant is None or constant == -1:
        least, one = i.get(f"icmp eq i64 {left}, {-1 << 63}"), i.get(f"icmp eq i64 {right}, -1")
        i.body.fault_if(i.get(f"and i1 {least}, {one}"))
    rest = i.get(f"srem i64 {left}, {right}")
    # Python rounds down; the machine rounds towards zero.
    if constant is not None and constant > 0:  # without a choice, of which LLVM asks a lot in long functions
        below = i.get(f"ashr i64 {rest}, 63")
        if whole:
            return i.get(f"add i64 {i.get(f'sdiv i64 {left}, {right}')}, {below}")
        return i.get(f"add i64 {rest}, {i.get(f'and i64 {below}, {right}')}")
    other_signs = i.get(f"icmp slt i64 {i.get(f'xor i64 {rest}, {right}')}, 0")
    adjust = i.get(f"and i1 {i.get(f'icmp ne i64 {rest}, 0')}, {other_signs}")
    if not whole:
        return i.get(f"select i1 {adjust}, i64 {i.get(f'add i64 {rest}, {right}')}, i64 {rest}")
    quotient = i.get(f"sdiv i64 {left}, {right}")
    return i.get(f"sub i64 {quotient}, {i.get(f'zext i1 {adjust} to i64')}")


@_lowers("shl")
def _shifted_left(i: _Instruction) -> str:
    (left, count), constant = i.values, i.constant(1)
    if not i.checked:
        return i.get(f"shl i64 {left}, {i.get(f'and i64 {count}, 63')}")
    if constant is None or constant > 63:
        some, far = i.get(f"icmp ne i64 {left}, 0"), i.get(f"icmp ugt i64 {count}, 63")
        i.body.fault_if(i.get(f"and i1 {some}, {far}"))
        count = i.get(f"and i64 {count}, 63")
    shifted = i.get(f"shl i64 {left}, {count}")
    i.body.fault_if(i.get(f"icmp ne i64 {i.get(f'ashr i64 {shifted}, {count}')}, {left}"))
    return shifted


@_lowers("shr")
def _shifted_right(i: _Instruction) -> str:
    (left, count), constant = i.values, i.constant(1)
    if constant is None or constant > 63:
        count = i.intrinsic("umin.i64", "i64", f"i64 {count}", "i64 63")
    return i.get(f"ashr i64 {left}, {count}")


@_lowers("bits_shl", "bits_shr")
def _shifted_bits(i: _Instruction) -> str:
    (bits, count), constant, text, kind = i.values, i.constant(1), type_text(i.kind), i.kind
    assert isinstance(kind, BitsOf)
    if constant is not None and constant >= kind.width:
        return "0"
    if constant is not None:
        shifted = i.get(f"{'shl' if i.operation.name == 'bits_shl' else 'lshr'} {text} {bits}, {count}")
    else:
        far = i.get(f"icmp ugt i64 {count}, {kind.width - 1}")
        if kind.words == 1:
            by = i.get(f"and i64 {count}, 63")  # as the machine does it anyhow
        else:
            by = i.get(f"zext i64 {i.get(f'select i1 {far}, i64 0, i64 {count}')} to {text}")
        shifted = i.get(f"{'shl' if i.operation.name == 'bits_shl' else 'lshr'} {text} {bits}, {by}")
        shifted = i.get(f"select i1 {far}, {text} 0, {text} {shifted}")
    if i.operation.name == "bits_shl" and kind.width < 64 * kind.words:
        return i.get(f"and {text} {shifted}, {_all_cells(kind)}")
    return shifted


def _all_cells(kind: BitsOf) -> int:
    """Return the number with a bit for each cell, in the form that LLVM reads."""
    return -1 if kind.width == 64 * kind.words else (1 << kind.width) - 1


@_lowers("and", "or", "xor")
def _bitwise(i: _Instruction) -> str:
    return i.get(f"{i.operation.name} {type_text(i.kind)} {i.values[0]}, {i.values[1]}")


@_lowers("choose")
def _chosen(i: _Instruction) -> str:
    """Combine truth values by their bits: LLVM compiles this far faster than a `select`.

    But a value in memory may not have been stored yet. It is combined by a `select`, which ignores the value that is
    not chosen.
    """
    test, yes, no = i.values
    if all(isinstance(each, core.Constant) or each.name in i.body.registers for each in i.operation.operands):
        if no in (test, "false"):
            return i.get(f"and i1 {test}, {yes}")
        if yes in (test, "true"):
            return i.get(f"or i1 {test}, {no}")
    return i.get(f"select i1 {test}, i1 {yes}, i1 {no}")


@_lowers("invert")
def _inverted(i: _Instruction) -> str:
    ones = _all_cells(i.kind) if isinstance(i.kind, BitsOf) else -1
    return i.get(f"xor {type_text(i.kind)} {i.values[0]}, {ones}")


def _size(i: _Instruction) -> str:
    """Return the word of a set, or the absolute value of a number."""
    if isinstance(i.operands[0], BitsOf):
        return i.values[0]
    return i.intrinsic("abs.i64", "i64", f"i64 {i.values[0]}", "i1 false")


def _counted(i: _Instruction, name: str, *more: str) -> str:
    """Return the result of one of LLVM's functions that count bits of the first operand."""
    text = type_text(i.operands[0])
    count = i.intrinsic(f"{name}.{text}", text, f"{text} {_size(i)}", *more)
    return count if text == "i64" else i.get(f"trunc {text} {count} to i64")


@_lowers("bit_count")
def _bit_count(i: _Instruction) -> str:
    return _counted(i, "ctpop")


@_lowers("bit_length")
def _bit_length(i: _Instruction) -> str:
    return i.get(f"sub i64 {type_text(i.operands[0])[1:]}, {_counted(i, 'ctlz', 'i1 false')}")


@_lowers("lowest")
def _lowest(i: _Instruction) -> str:
    zeros, none = _counted(i, "cttz", "i1 false"), i.get(f"icmp eq {type_text(i.operands[0])} {i.values[0]}, 0")
    return i.get(f"select i1 {none}, i64 -1, i64 {zeros}")


@_lowers("without_lowest")
def _without_lowest(i: _Instruction) -> str:
    text = type_text(i.kind)
    return i.get(f"and {text} {i.values[0]}, {i.get(f'add {text} {i.values[0]}, -1')}")


@_lowers("cell_at")
def _cell_at(i: _Instruction) -> str:
    """Find the word of the cell, and then the cell in the word. There is no branch, since it would be unpredictable."""
    bits, rest = i.values
    kind = i.operands[0]
    assert isinstance(kind, BitsOf)
    text, first = type_text(kind), "0"
    word = bits if kind.words == 1 else i.get(f"trunc {text} {bits} to i64")
    for start in range(64, kind.width, 64):
        following = i.get(f"trunc {text} {i.get(f'lshr {text} {bits}, {start}')} to i64")
        word, rest, first = _without_part(i, word, word, following, rest, first, str(start))
    if machine.has_deposit():
        deposited = i.intrinsic("x86.bmi.pdep.64", "i64", f"i64 {i.get(f'shl i64 1, {rest}')}", f"i64 {word}")
        return i.get(f"or i64 {first}, {i.intrinsic('cttz.i64', 'i64', f'i64 {deposited}', 'i1 true')}")
    for half in (32, 16, 8, 4, 2, 1):
        if half < kind.width:
            part, upper = i.get(f"and i64 {word}, {(1 << half) - 1}"), i.get(f"lshr i64 {word}, {half}")
            word, rest, first = _without_part(i, word, part, upper, rest, first, i.get(f"or i64 {first}, {half}"))
    return first


def _without_part(
    i: _Instruction, word: str, part: str, following: str, rest: str, first: str, start: str
) -> tuple[str, str, str]:
    """Return the word in which to go on looking for a cell, the cell's index in it, and its first cell.

    Arguments:
        part: the lower cells of `word`; if they are no more than the index `rest`, go on with `following`.
        first, start: the first cells of `word` and of `following`.
    """
    count = i.intrinsic("ctpop.i64", "i64", f"i64 {part}")
    passed = i.get(f"icmp uge i64 {rest}, {count}")
    less = i.get(f"sub i64 {rest}, {count}")
    pairs = (following, word), (less, rest), (start, first)
    chosen = [i.get(f"select i1 {passed}, i64 {yes}, i64 {no}") for yes, no in pairs]
    return chosen[0], chosen[1], chosen[2]


@_lowers("member")
def _same_word(i: _Instruction) -> str:
    return i.values[0]


@_lowers("bits")
def _bits(i: _Instruction) -> str:
    text = type_text(i.kind)
    return i.values[0] if text == "i64" else i.get(f"zext i64 {i.values[0]} to {text}")


@_lowers("word")
def _word(i: _Instruction) -> str:
    text = type_text(i.operands[0])
    if text == "i64":
        i.body.fault_if(i.get(f"icmp slt i64 {i.values[0]}, 0"))
        return i.values[0]
    i.body.fault_if(i.get(f"icmp ugt {text} {i.values[0]}, {(1 << 63) - 1}"))
    return i.get(f"trunc {text} {i.values[0]} to i64")


# Floats


@_lowers("fmod", "ffloordiv")
def _float_divided(i: _Instruction) -> str:
    """Divide step by step as CPython does."""
    left, right = i.values
    rest = i.body.call("double", "fmod", f"double {left}", f"double {right}")
    some = i.get(f"fcmp une double {rest}, 0.0")
    signs = i.get(f"fcmp olt double {right}, 0.0"), i.get(f"fcmp olt double {rest}, 0.0")
    adjust = i.get(f"and i1 {some}, {i.get('xor i1 {}, {}'.format(*signs))}")
    if i.operation.name == "fmod":
        zero = i.intrinsic("copysign.f64", "double", "double 0.0", f"double {right}")
        moved = i.get(f"select i1 {adjust}, double {i.get(f'fadd double {rest}, {right}')}, double {rest}")
        return i.get(f"select i1 {some}, double {moved}, double {zero}")
    quotient = i.get(f"fdiv double {i.get(f'fsub double {left}, {rest}')}, {right}")
    less = i.get(f"fsub double {quotient}, 1.0")
    quotient = i.get(f"select i1 {adjust}, double {less}, double {quotient}")
    whole = i.intrinsic("floor.f64", "double", f"double {quotient}")
    far = i.get(f"fcmp ogt double {i.get(f'fsub double {quotient}, {whole}')}, 0.5")
    whole = i.get(f"select i1 {far}, double {i.get(f'fadd double {whole}, 1.0')}, double {whole}")
    exact = i.get(f"fdiv double {left}, {right}")
    zero = i.intrinsic("copysign.f64", "double", "double 0.0", f"double {exact}")
    return i.get(f"select i1 {i.get(f'fcmp une double {quotient}, 0.0')}, double {whole}, double {zero}")


_ROUNDINGS = {"fabs": "fabs", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "round_even": "roundeven",
              "sqrt": "sqrt"}  # fmt: skip


@_lowers(*_ROUNDINGS)
def _rounded(i: _Instruction) -> str:
    return i.intrinsic(f"{_ROUNDINGS[i.operation.name]}.f64", "double", f"double {i.values[0]}")


@_lowers("math")
def _math(i: _Instruction) -> str:
    result = i.body.call("double", i.detail, *[f"double {each}" for each in i.values])
    i.body.fault_if(i.get(f"fcmp une double {i.get(f'fsub double {result}, {result}')}, 0.0"))
    return result


@_lowers("next_above", "next_below")
def _next_float(i: _Instruction) -> str:
    far = "0x7FF0000000000000" if i.operation.name == "next_above" else "0xFFF0000000000000"
    return i.body.call("double", "nextafter", f"double {i.values[0]}", f"double {far}")


@_lowers("truncate")
def _truncated(i: _Instruction) -> str:
    size = i.intrinsic("fabs.f64", "double", f"double {i.values[0]}")
    i.body.fault_if(i.get(f"fcmp ugt double {size}, {float(1 << 62)!r}"))
    return i.get(f"fptosi double {i.values[0]} to i64")


# Comparisons

_ORDERS = {
    "lt": ("slt", "ult", "olt"), "le": ("sle", "ule", "ole"), "gt": ("sgt", "ugt", "ogt"), "ge": ("sge", "uge", "oge"),
}  # fmt: skip


@_lowers(*_ORDERS)
def _ordered(i: _Instruction) -> str:
    kind, (signed, unsigned, real) = i.operands[0], _ORDERS[i.operation.name]
    if kind == FLOAT:
        return i.get("fcmp {} double {}, {}".format(real, *i.values))
    order = unsigned if kind == BOOL or isinstance(kind, BitsOf) else signed
    return i.get("icmp {} {} {}, {}".format(order, type_text(kind), *i.values))


@_lowers("eq")
def _eq(i: _Instruction) -> str:
    return _equal(i.body, i.operands[0], i.values[0], i.values[1])


@_lowers("ne")
def _ne(i: _Instruction) -> str:
    if i.operands[0] == FLOAT:
        return i.get("fcmp une double {}, {}".format(*i.values))
    if not has_parts(i.operands[0]) and i.operands[0] != NONE:
        return i.get("icmp ne {} {}, {}".format(type_text(i.operands[0]), *i.values))
    return i.get(f"xor i1 {_eq(i)}, true")


def _equal(body: _Body, kind: Type, left: str, right: str) -> str:
    """Return whether two values are equal; values with parts are given by their addresses."""
    if kind == NONE:
        return "true"
    if kind == FLOAT:
        return body.get(f"fcmp oeq double {left}, {right}")
    if not has_parts(kind):
        return body.get(f"icmp eq {type_text(kind)} {left}, {right}")
    if isinstance(kind, Tuple) and is_array(kind) and len(kind.items) > LOOPED:
        return _equal_arrays(body, kind, left, right)
    if isinstance(kind, Optional):
        some, other = (_part(body, kind, each, 0) for each in (left, right))
        inner = _equal(body, kind.item, _part(body, kind, left, 1), _part(body, kind, right, 1))
        alike, absent = body.get(f"icmp eq i1 {some}, {other}"), body.get(f"xor i1 {some}, true")
        return body.get(f"select i1 {alike}, i1 {body.get(f'select i1 {absent}, i1 true, i1 {inner}')}, i1 false")
    assert isinstance(kind, (Tuple, RecordOf))
    test = "true"
    for index, each in enumerate(kind.items):
        same = _equal(body, each, _part(body, kind, left, index), _part(body, kind, right, index))
        test = same if test == "true" else body.get(f"and i1 {test}, {same}")
    return test


def _equal_arrays(body: _Body, kind: Tuple, left: str, right: str) -> str:
    number, counter = body.number(), body.reserve("i64")
    body.do(f"store i64 0, ptr {counter}")
    body.jump(f"next.{number}")
    body.begin(f"next.{number}")
    index, item = body.get(f"load i64, ptr {counter}"), kind.items[0]
    same = _equal(body, item, *(body.load(item, body.at(type_text(kind), each, index)) for each in (left, right)))
    after = body.get(f"add i64 {index}, 1")
    body.do(f"store i64 {after}, ptr {counter}")
    more = body.get(f"icmp ult i64 {after}, {len(kind.items)}")
    body.do(f"br i1 {body.get(f'and i1 {same}, {more}')}, label %next.{number}, label %compared.{number}")
    body.begin(f"compared.{number}")
    return same


def _part(body: _Body, kind: Type, address: str, index: int) -> str:
    """Return a part of the value at an address."""
    item = _items(kind)[index]
    return "false" if item == NONE else body.load(item, body.at(type_text(kind), address, index))


def _items(kind: Type) -> tuple[Type, ...]:
    """Return the types of the parts that a value has in memory."""
    if isinstance(kind, Optional):
        return BOOL, kind.item
    assert isinstance(kind, (Tuple, RecordOf))
    return kind.items


# Conversions


@_lowers("convert")
def _convert(i: _Instruction) -> str | None:
    if has_parts(i.kind):
        _convert_to(i.body, i.operands[0], i.kind, i.values[0], i.to)
        return None
    return _converted(i.body, i.operands[0], i.kind, i.values[0])


def _convert_to(body: _Body, have: Type, kind: Type, value: str, to: str) -> None:
    """Store a value at an address, converted to another type."""
    if have == kind or not has_parts(kind):
        if kind != NONE:
            body.put(kind, _converted(body, have, kind, value), to)
        return
    text = type_text(kind)
    if isinstance(kind, Optional) and not isinstance(have, Optional):
        body.do(f"store i1 {'false' if have == NONE else 'true'}, ptr {body.at(text, to, 0)}")
        if have != NONE:
            _convert_to(body, have, kind.item, value, body.at(text, to, 1))
        return
    for index, (one, other) in enumerate(zip(_items(have), _items(kind), strict=True)):
        _convert_to(body, one, other, _part(body, have, value, index), body.at(text, to, index))


def _converted(body: _Body, have: Type, kind: Type, value: str) -> str:
    """Return a value converted to another type without parts; return the value itself if it needs no conversion."""
    if have == kind:
        return value
    if kind == FLOAT and have != BOOL:
        if body.function.checked:
            moved = body.get(f"add i64 {value}, {1 << 53}")
            body.fault_if(body.get(f"icmp ugt i64 {moved}, {1 << 54}"))
        return body.get(f"sitofp i64 {value} to double")
    if have == BOOL:
        return body.get(f"uitofp i1 {value} to double" if kind == FLOAT else f"zext i1 {value} to i64")
    return "0" if have == NONE else value


# Tuples, records and optional values


@_lowers("make")
def _make(i: _Instruction) -> None:
    for index, (kind, value) in enumerate(zip(i.operands, i.values, strict=True)):
        if kind != NONE:
            i.body.put(kind, value, i.at(type_text(i.kind), i.to, index))


@_lowers("part", "is_some", "content")
def _part_of(i: _Instruction) -> str:
    return _part(i.body, i.operands[0], i.values[0], {"is_some": 0, "content": 1}.get(i.operation.name, i.detail))


@_lowers("pick")
def _pick(i: _Instruction) -> str:
    return i.body.load(i.kind, i.at(type_text(i.operands[0]), *i.values))


@_lowers("with_item")
def _with_item(i: _Instruction) -> None:
    owner, index, item = i.values
    i.body.copy(i.kind, i.to, owner)
    i.body.put(i.operands[2], item, i.at(type_text(i.kind), i.to, index))


# Lists and objects


def _reserve_memory(body: _Body, count: int | str) -> str:
    """Return the address of `count` new bytes in the arena; `count` is a multiple of 8."""
    body.program.uses_arena = True
    start = body.get("load ptr, ptr %context")
    after = body.at_byte(start, count)
    end = body.get(f"load ptr, ptr {body.at_byte('%context', 8)}")
    body.exhausted_if(body.get(f"icmp ugt ptr {after}, {end}"))
    body.do(f"store ptr {after}, ptr %context")
    body.begin_anew()
    return start


def _new_list(body: _Body, item: Type, room: str, length: str, constant: int | None) -> tuple[str, str]:
    """Return the addresses of a new list and of its items; the items are not set yet."""
    step = size_in_bytes(item)
    if constant is not None:
        count: int | str = _HEADER + -(-max(constant, 0) * step // 8) * 8
    else:
        body.exhausted_if(body.get(f"icmp ugt i64 {room}, {MOST_ROOM}"))
        exact = body.get(f"mul i64 {room}, {step}")
        padded = body.get(f"and i64 {body.get(f'add i64 {exact}, 7')}, -8")
        count = body.get(f"add i64 {padded}, {_HEADER}")
    made = _reserve_memory(body, count)
    data = body.at_byte(made, _HEADER)
    body.do(f"store ptr {data}, ptr {made}")
    body.do(f"store i64 {length}, ptr {body.at_byte(made, 8)}")
    body.do(f"store i64 {room}, ptr {body.at_byte(made, 16)}")
    return made, data


def _length_of(body: _Body, items: str) -> str:
    return body.get(f"load i64, ptr {body.at_byte(items, 8)}")


def _item(i: _Instruction, item: Type) -> str:
    """Return the address of the item whose index is the second operand."""
    data = i.get(f"load ptr, ptr {i.values[0]}")
    return i.get(f"getelementptr inbounds {memory_text(item)}, ptr {data}, i64 {i.values[1]}")


@_lowers("new_list")
def _new_empty_list(i: _Instruction) -> str:
    assert isinstance(i.kind, List)
    return _new_list(i.body, i.kind.item, i.values[0], "0", i.constant(0))[0]


@_lowers("length")
def _length(i: _Instruction) -> str:
    return _length_of(i.body, i.values[0])


@_lowers("get")
def _get(i: _Instruction) -> str:
    return "false" if i.kind == NONE else i.body.load(i.kind, _item(i, i.kind))


@_lowers("put")
def _put(i: _Instruction) -> None:
    i.body.put(i.operands[2], i.values[2], _item(i, i.operands[2]))


@_lowers("append")
def _append(i: _Instruction) -> None:
    body, items, item = i.body, i.values[0], i.operands[1]
    number, lengths = body.number(), body.at_byte(items, 8)
    length = i.get(f"load i64, ptr {lengths}")
    room = i.get(f"load i64, ptr {body.at_byte(items, 16)}")
    full = i.get(f"icmp eq i64 {length}, {room}")
    i.do(f"br i1 {full}, label %grow.{number}, label %append.{number}, !prof !0")
    body.begin(f"grow.{number}")
    body.program.uses_arena = True
    body.program.declare(_MEMCPY)
    body.program.declare(_GROW_TEXT)
    failed = i.get(f"call i32 @{_GROW}(ptr %context, ptr {items}, i64 {size_in_bytes(item)})")
    body.exhausted_if(i.get(f"icmp ne i32 {failed}, 0"))
    body.begin_anew()
    body.jump(f"append.{number}")
    body.begin(f"append.{number}")
    data = i.get(f"load ptr, ptr {items}")
    body.put(item, i.values[1], i.get(f"getelementptr inbounds {memory_text(item)}, ptr {data}, i64 {length}"))
    i.do(f"store i64 {i.get(f'add i64 {length}, 1')}, ptr {lengths}")


@_lowers("set_length")
def _set_length(i: _Instruction) -> None:
    i.do(f"store i64 {i.values[1]}, ptr {i.body.at_byte(i.values[0], 8)}")


@_lowers("copy")
def _copy(i: _Instruction) -> str:
    assert isinstance(i.kind, List)
    length = _length_of(i.body, i.values[0])
    made, data = _new_list(i.body, i.kind.item, length, length, None)
    source = i.get(f"load ptr, ptr {i.values[0]}")
    i.body.copy_bytes(data, source, i.get(f"mul i64 {length}, {size_in_bytes(i.kind.item)}"))
    return made


@_lowers("list_of")
def _list_of(i: _Instruction) -> str:
    kind = i.operands[0]
    assert isinstance(i.kind, List)
    assert isinstance(kind, Tuple)
    count = len(kind.items)
    made, data = _new_list(i.body, i.kind.item, str(count), str(count), count)
    i.body.copy(kind, data, i.values[0])
    return made


@_lowers("tuple_of")
def _tuple_of(i: _Instruction) -> None:
    i.body.copy(i.kind, i.to, i.get(f"load ptr, ptr {i.values[0]}"))


def _fields(kind: Type) -> str:
    """Return LLVM's type of the fields of an object."""
    assert isinstance(kind, ObjectOf)
    return _struct(kind.items)


@_lowers("new")
def _new(i: _Instruction) -> str:
    made = _reserve_memory(i.body, max(8, -(-size_in_bytes(Tuple(i.operands)) // 8) * 8))
    for index, (kind, value) in enumerate(zip(i.operands, i.values, strict=True)):
        i.body.put(kind, value, i.at(_fields(i.kind), made, index))
    return made


@_lowers("field")
def _field(i: _Instruction) -> str:
    return "false" if i.kind == NONE else i.body.load(i.kind, i.at(_fields(i.operands[0]), i.values[0], i.detail))


@_lowers("put_field")
def _put_field(i: _Instruction) -> None:
    i.body.put(i.operands[1], i.values[1], i.at(_fields(i.operands[0]), i.values[0], i.detail))


# Functions, known objects and exceptions


@_lowers("call")
def _call(i: _Instruction) -> str | None:
    body, kind = i.body, i.kind
    arguments = ["ptr %context"]
    by_address, address = body.program.by_address(i.detail), ""
    if by_address:  # the callee reads what it was given until it returns
        own = has_parts(kind) and i.to not in i.values
        address = i.to if own else body.reserve(type_text(kind))
        arguments.append(f"ptr {address}")
    for operand, value in zip(i.operands, i.values, strict=True):
        if is_large(operand):
            arguments.append(f"ptr {value}")
        else:
            loaded = i.get(f"load {type_text(operand)}, ptr {value}") if has_parts(operand) else value
            arguments.append(f"{type_text(operand)} {loaded}")
    text = _result_text(kind, by_address)
    before = i.get("load ptr, ptr %context") if body.begun else ""
    loaded = i.get(f"call {text} {body.program.symbol(i.detail)}({', '.join(arguments)})")
    body.begin_anew(before)
    if text == "i32":
        body.raise_if_failed(loaded)
        if not by_address:
            return None
        if has_parts(kind):
            body.copy(kind, i.to, address)
            return None
        return body.load(kind, address)
    body.raise_if_failed(i.get(f"extractvalue {text} {loaded}, 1"))
    value = i.get(f"extractvalue {text} {loaded}, 0")
    if has_parts(kind):
        body.store(kind, value, i.to)
    return value


def _variable_address(i: _Instruction) -> str:
    return i.body.at_byte("%context", 8 * i.body.program.layout[i.detail][1])


@_lowers("variable")
def _variable(i: _Instruction) -> str:
    if i.kind == INT and i.detail in i.body.program.shared:
        return i.get(f"load atomic i64, ptr {_variable_address(i)} monotonic, align 8")
    return "false" if i.kind == NONE else i.body.load(i.kind, _variable_address(i))


@_lowers("put_variable")
def _put_variable(i: _Instruction) -> None:
    i.body.put(i.operands[0], i.values[0], _variable_address(i))


@_lowers("is_caught")
def _is_caught(i: _Instruction) -> str:
    errors = i.body.program.errors
    test = "false"
    if errors and all(issubclass(each, i.detail) for each in errors):
        return i.get(f"icmp uge i32 {i.values[0]}, {FIRST_ERROR}")
    for index, each in enumerate(errors):
        if issubclass(each, i.detail):
            one = i.get(f"icmp eq i32 {i.values[0]}, {FIRST_ERROR + index}")
            test = one if test == "false" else i.get(f"or i1 {test}, {one}")
    return test


@_lowers("fault")
def _fault(i: _Instruction) -> None:
    i.body.faults = True
    i.body.jump("overflow")


# Memory


def _pointer(body: _Body, address: str) -> str:
    return body.get(f"inttoptr i64 {address} to ptr")


_AT_ADDRESS = {
    "load": "load i64, ptr {}", "save": "store i64 {1}, ptr {0}",
    "publish": "store atomic i64 {1}, ptr {0} release, align 8",
    "add_to": "atomicrmw add ptr {}, i64 {} monotonic, align 8",
    "add_float_to": "atomicrmw fadd ptr {}, double {} monotonic, align 8",
}  # fmt: skip
"""Operations on the word at an address that are one instruction."""


@_lowers(*_AT_ADDRESS)
def _at_address(i: _Instruction) -> str | None:
    text = _AT_ADDRESS[i.operation.name].format(_pointer(i.body, i.values[0]), *i.values[1:])
    return i.do(text) if text.startswith("store") else i.get(text)


@_lowers("prefetch")
def _prefetch(i: _Instruction) -> None:
    i.body.program.declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    # for reading, to be kept in all caches, of data
    i.do(f"call void @llvm.prefetch.p0(ptr {_pointer(i.body, i.values[0])}, i32 0, i32 3, i32 1)")


@_lowers("load_byte")
def _load_byte(i: _Instruction) -> str:
    return i.get(f"sext i8 {i.get(f'load i8, ptr {_pointer(i.body, i.values[0])}')} to i64")


@_lowers("save_byte")
def _save_byte(i: _Instruction) -> None:
    byte = i.get(f"trunc i64 {i.values[1]} to i8")
    i.do(f"store i8 {byte}, ptr {_pointer(i.body, i.values[0])}")


@_lowers("mix")
def _mix(i: _Instruction) -> str:
    product = i.get(f"mul i64 {i.get('xor i64 {}, {}'.format(*i.values))}, {encoding.signed(intrinsics.MULTIPLIER)}")
    return i.get(f"xor i64 {product}, {i.get(f'lshr i64 {product}, 32')}")


@_lowers("spread")
def _spread(i: _Instruction) -> str:
    product = i.get(f"mul i64 {i.get(f'lshr i64 {i.values[0]}, 32')}, {i.values[1]}")
    return i.get(f"lshr i64 {product}, 32")


def _to_words(body: _Body, kind: Type, value: str) -> list[str]:
    """Return the words of a value."""
    if isinstance(kind, (Tuple, RecordOf)):
        parts = ((each, _part(body, kind, value, index)) for index, each in enumerate(kind.items))
        return [word for each, part in parts for word in _to_words(body, each, part)]
    if isinstance(kind, Optional):
        present = body.get(f"zext i1 {_part(body, kind, value, 0)} to i64")
        mask = body.get(f"sub i64 0, {present}")  # what None hides is 0, so that equal values have equal words
        inner = _to_words(body, kind.item, _part(body, kind, value, 1))
        return [present, *[body.get(f"and i64 {word}, {mask}") for word in inner]]
    if kind == NONE:
        return []
    if kind == BOOL:
        return [body.get(f"zext i1 {value} to i64")]
    if isinstance(kind, BitsOf) and kind.words > 1:
        text = type_text(kind)
        moved = [body.get(f"lshr {text} {value}, {64 * index}") for index in range(kind.words)]
        return [body.get(f"trunc {text} {each} to i64") for each in moved]
    return [body.get(f"bitcast double {value} to i64") if kind == FLOAT else value]


def _from_words(body: _Body, kind: Type, words: Iterator[str], to: str) -> str:
    """Return the value with these words; store it at an address, if it has parts."""
    if has_parts(kind):
        for index, each in enumerate(_items(kind)):
            if each != NONE:
                address = body.at(type_text(kind), to, index)
                part = _from_words(body, each, words, address)
                if not has_parts(each):
                    body.store(each, part, address)
        return to
    if kind == NONE:
        return "false"
    word = next(words)
    if isinstance(kind, BitsOf) and kind.words > 1:
        text = type_text(kind)
        made = body.get(f"zext i64 {word} to {text}")
        for index in range(1, kind.words):
            wide = body.get(f"zext i64 {next(words)} to {text}")
            made = body.get(f"or {text} {made}, {body.get(f'shl {text} {wide}, {64 * index}')}")
        return made
    if kind == BOOL:
        return body.get(f"icmp ne i64 {word}, 0")
    return body.get(f"bitcast i64 {word} to double") if kind == FLOAT else word


def _words_at(body: _Body, base: str) -> Iterator[str]:
    """Yield the words from an address on; each is loaded when it is needed."""
    offset = 0
    while True:
        yield body.get(f"load i64, ptr {body.at_byte(base, offset)}")
        offset += 8


@_lowers("words")
def _words(i: _Instruction) -> None:
    for index, each in enumerate(_to_words(i.body, i.operands[0], i.values[0])):
        i.do(f"store i64 {each}, ptr {i.at(type_text(i.kind), i.to, index)}")


@_lowers("put_value")
def _put_value(i: _Instruction) -> None:
    base = _pointer(i.body, i.values[0])
    for index, each in enumerate(_to_words(i.body, i.operands[1], i.values[1])):
        i.do(f"store i64 {each}, ptr {i.body.at_byte(base, 8 * index)}")


@_lowers("get_value")
def _get_value(i: _Instruction) -> str:
    words = _words_at(i.body, _pointer(i.body, i.values[0]))
    return _from_words(i.body, i.kind, words, i.to if has_parts(i.kind) else "")


# Packed words: a layout has four words for each field, its least number, mask, shift and first byte.


def _packed_fields(body: _Body, layout: str) -> Iterator[list[str]]:
    words = _words_at(body, _pointer(body, layout))
    while True:
        yield [next(words) for _ in range(4)]


def _unpacked(body: _Body, address: str, field: list[str]) -> str:
    low, mask, shift, offset = field
    word = body.get(f"load i64, ptr {_pointer(body, body.get(f'add i64 {address}, {offset}'))}")
    part = body.get(f"and i64 {body.get(f'lshr i64 {word}, {shift}')}, {mask}")
    return body.get(f"add i64 {part}, {low}")


@_lowers("pack")
def _pack(i: _Instruction) -> None:
    address, value, layout = i.values
    fields = _packed_fields(i.body, layout)
    for word in _to_words(i.body, i.operands[1], value):
        low, mask, shift, offset = next(fields)
        pointer = _pointer(i.body, i.get(f"add i64 {address}, {offset}"))
        hole = i.get(f"xor i64 {i.get(f'shl i64 {mask}, {shift}')}, -1")
        kept = i.get(f"and i64 {i.get(f'load i64, ptr {pointer}')}, {hole}")
        moved = i.get(f"shl i64 {i.get(f'sub i64 {word}, {low}')}, {shift}")
        i.do(f"store i64 {i.get(f'or i64 {kept}, {moved}')}, ptr {pointer}")


@_lowers("unpack")
def _unpack(i: _Instruction) -> str:
    address, layout = i.values
    words = (_unpacked(i.body, address, each) for each in _packed_fields(i.body, layout))
    return _from_words(i.body, i.kind, words, i.to if has_parts(i.kind) else "")


@_lowers("is_packed")
def _is_packed(i: _Instruction) -> str:
    address, value, layout = i.values
    fields, differing = _packed_fields(i.body, layout), "0"
    for word in _to_words(i.body, i.operands[1], value):
        change = i.get(f"xor i64 {word}, {_unpacked(i.body, address, next(fields))}")
        differing = i.get(f"or i64 {differing}, {change}")
    return i.get(f"icmp eq i64 {differing}, 0")


@_lowers("fits")
def _fits(i: _Instruction) -> str:
    fields, beyond = _packed_fields(i.body, i.values[1]), "0"
    for word in _to_words(i.body, i.operands[0], i.values[0]):
        low, mask, _, _ = next(fields)
        outside = i.get(f"and i64 {i.get(f'sub i64 {word}, {low}')}, {i.get(f'xor i64 {mask}, -1')}")
        beyond = i.get(f"or i64 {beyond}, {outside}")
    return i.get(f"icmp eq i64 {beyond}, 0")
