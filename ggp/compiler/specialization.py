"""Specialization: from open core to closed core, for known objects and the types of everything else.

A function is run *abstractly*. Each variable holds a value of `ggp.compiler.abstract`, and whatever can only be done at
run time is written down as closed core. Where branches meet, a variable whose values differ becomes one variable of
closed core. A *fact* has to be guessed: the types around a loop, the type of the items of a new list, or the type of a
recursive call's result. If a pass finds that a fact was too narrow, the function is run again with a wider fact. The
last pass changes no fact.
"""

import builtins
import functools
import inspect
import operator
import pathlib
import re
from collections.abc import Callable, Hashable, Sequence
from collections.abc import Iterator as CalledAgain
from contextlib import contextmanager
from types import CellType, ModuleType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard, TypeVar

import attrs

from ggp.capabilities import module_name
from ggp.compiler import core, field_dicts
from ggp.compiler.abstract import (
    NEVER,
    NOTHING,
    UNSET,
    Abstract,
    Display,
    Exceptional,
    Fixed,
    InnerFunction,
    Iterator,
    Keywords,
    Parts,
    Perhaps,
    Poison,
    Runtime,
    Unset,
    is_array,
    is_unwritten,
    may_call,
    number,
    same,
    zero,
)
from ggp.compiler.budget import Budget
from ggp.compiler.front import open_core
from ggp.compiler.liveness import Liveness, liveness
from ggp.compiler.order import RoundsInAnyOrder, assigns_outside
from ggp.compiler.refusals import FAILS, Refused
from ggp.compiler.types import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    MOST_NESTED,
    NONE,
    NUMBER,
    STATUS,
    BitsOf,
    EnumOf,
    List,
    Narrow,
    NotRepresentable,
    ObjectOf,
    OneOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
    alike,
    array_class_of,
    choice_of,
    classes_in,
    has_reference,
    in_atoms,
    in_shape,
    is_record,
    is_row,
    join,
    keys_of,
    linked_class,
    mapping_class_of,
    nesting,
    origins,
    parts_of,
    with_origins,
    without_lengths,
)
from ggp.files import is_pythons

MOST_PASSES = 60
SMALL = 24
"""Maximum number of statements of a function that is inlined into all its callers."""
HEAVY = 200
"""A function with more statements of closed core than this is inlined into one caller only, even if its source is
small.
"""
MOST_SPREAD = 400
"""Maximum number of statements of closed core in all inlined copies of a function. With this limit, `mtdf` compiles 2 s
faster for Hexapawn with its table of moves.
"""
UNROLLED = 8
"""Maximum number of items of a loop that is unrolled, so that loops over tables of constants cost nothing."""
MOST_UNROLLED = 64
"""Maximum number of copies of a body when nested loops are unrolled."""
MOST_STATEMENTS = 200_000
"""Maximum number of statements of closed core in one function."""
MOST_PARTS = 16
"""Maximum number of items of a tuple that are kept as separate values where branches meet."""
MOST_EAGER = 8
"""Maximum number of truth values that are computed although they may not be needed, to avoid a branch."""
MOST_VARIANTS = 8
"""Maximum number of forms of a function for different known numbers; above this, the numbers are passed at run time."""

Key = tuple[int, str]
"""A variable of a scope: the scope's path and the variable's name."""
End: TypeAlias = tuple[dict[Key, Abstract], core.Block]
"""The variables at the end of a branch, and the block in which it ends."""
Template: TypeAlias = (
    "Type | str | tuple[Literal['perhaps'], Template] | tuple[Literal['parts'], type | None, Templates] | None"
)
"""The form of a variable's value where branches or rounds meet; if there is no such form, a text with the reason."""
Templates: TypeAlias = tuple[Template, ...]
ValueT = TypeVar("ValueT")


class Activation:
    """One activation of a function in open core that is run abstractly."""

    def __init__(
        self, function: core.Function, path: int, outside: Callable[[str], object], outer: "Activation | None"
    ) -> None:
        self.function, self.path, self.outside, self.outer = function, path, outside, outer
        self.liveness: Liveness = liveness(function)
        self.live: frozenset[str] = frozenset()
        """The variables that are read after the statement that is being run."""
        self.active = True
        self.ended = False
        """Whether the function has returned, and nothing is left that may call its inner functions."""
        self.targets: dict[str, Target] = {}
        self.returns: Callable[[Abstract], None] = _nowhere
        self.yields: Callable[[Abstract], None] | None = None
        self.checked = True
        self.adds: set[int] = set()
        """The statements that add to sets in loops whose rounds may run in any order."""
        self.in_any_order = self.is_reordered = False
        """`in_any_order`: whether the order of the yielded items makes no difference to their consumer. `is_reordered`:
        whether the items come in an arbitrary order.
        """
        self.caught: list[Runtime] = []
        """The statuses of the enclosing handlers, innermost last."""

    def home(self, name: str) -> "Activation":
        """Return the scope whose variable has this name."""
        scope: Activation | None = self
        while scope is not None and name not in scope.function.variables:
            scope = scope.outer
        if scope is None:
            raise Refused(f"the variable {name} is not known here")
        return scope


def _nowhere(_: Abstract) -> None:
    raise Refused("return outside a function")


class WatchedTry(NamedTuple):
    """An enclosing `try` statement; each value assigned inside it is stored at once, for the handler."""

    site: int
    head: dict[Key, Template]
    """The forms of the variables that the handler reads from memory."""
    start: dict[Key, Abstract]
    """The variables at the beginning of the `try`."""
    scopes: frozenset[int]
    path: int
    needed: frozenset[str]
    """The variables that the handler reads."""


@attrs.define(eq=False)
class Target:
    """The position after a block, to which a `Leave` jumps, and the branches that lead there."""

    label: str
    incoming: list[End] = attrs.field(factory=list)
    finals: int = 0
    """The number of `finally` blocks around the target."""


@attrs.define(eq=False)
class Reads:
    """Lists, objects and variables that were read for items earlier than Python would read them; they may change in
    between.
    """

    origins: list[frozenset[object]] = attrs.field(factory=list)
    """The origins of lists and objects; a called function reads the origins of its arguments."""
    variables: set[Key] = attrs.field(factory=set)
    """Variables of enclosing functions, which an inner function reads."""

    def include(self, others: "Reads") -> None:
        """Add `others`, the reads for other items."""
        self.origins += others.origins
        self.variables |= others.variables


@attrs.define(eq=False)
class Making:
    """A function of closed core that is being made."""

    function: core.TypedFunction
    facts: dict[Hashable, object] = attrs.field(factory=dict)
    result: Type = BOTTOM
    done: bool = False
    recursive: bool = False
    """Whether the function's result was needed before it was complete."""
    returned: bool = False
    """Whether this pass has written a `return`."""
    weight: int = 0
    """The number of the function's statements, including the statements of the functions that it calls."""
    uses: set[Hashable] = attrs.field(factory=set)
    """The keys of the functions that this function calls, and of the facts of the program that it reads."""
    changes: set[int] = attrs.field(factory=set)
    """The indices of the parameters whose lists the function changes."""
    makes_classes: bool = False
    """Whether it makes classes."""
    path: int = 0
    """The path of the function's scope."""
    effects: list[frozenset[object]] = attrs.field(factory=list)
    """The origins of the lists and objects that the function changes but did not make, as in `Specializer.effects`."""
    may_raise: bool = False
    """Whether the function may raise an exception."""
    wanted: dict[int, Type] = attrs.field(factory=dict)
    """Wider types that parameters need, since the function puts items of other types into their lists."""
    waiting: Refused | None = None
    """Why the function cannot be compiled, if something about a recursive function is still unknown at the end."""
    refused: Refused | None = None
    """Why the function cannot be compiled for these parameters, unless their items have wider types (`wanted`)."""


class Specializer:
    """Makes the functions of closed core for one program."""

    def __init__(
        self,
        rules: ModuleType,
        unchecked: frozenset[str] = frozenset(),
        budget: Budget | None = None,
    ) -> None:
        self.budget = budget or Budget()
        self.rules = rules
        """The module of rules for operations on values: `ggp.compiler.rules`."""
        self.unchecked = unchecked
        self.program_facts: dict[Hashable, Type] = {}
        """Types that all functions share: those of states, actions, keys, and variables of known objects."""
        self.contracts: dict[tuple[int, str], tuple[str]] = {}
        self.made: dict[Hashable, Making] = {}
        self.facts: dict[Hashable, dict[Hashable, object]] = {}
        """The facts of each function, by its key. The facts still hold when the function is made again, since types
        only widen.
        """
        self.stack: list[Making] = []
        self.variants: dict[Hashable, int] = {}
        self.heavy: set[Hashable] = set()
        """Small functions that turned out to be large when they were inlined."""
        self.places: dict[core.Function, dict[int, int]] = {}
        """For each inlined function, the number of statements of each copy, by place."""
        self.objects: dict[int, int] = {}
        """The number of each known object that has variables, by identity."""
        self.number_constants: dict[int, Runtime] = {}
        """Tuples of whole numbers as constants, by identity."""
        self.alive: list[object] = []
        """Objects whose identity is a key; they must live as long as the program."""
        self.paths: dict[Hashable, int] = {}
        self.above: dict[int, int] = {}
        """For each place, the place that encloses it."""
        self.texts: set[str] = set()
        """The texts of the program so far, and the texts of the first state."""
        self.local_classes: dict[Hashable, tuple[type, list[object]]] = {}
        """The classes that functions make, and the values that they were made from."""
        self.asked_texts: set[str] | None = None
        """The texts in the tables that give the lengths and the order of texts. None if there are no such tables."""
        self.restart = False
        self.learned: set[Hashable] = set()
        """The facts of the program that were learned since the compiler last started the program again."""
        self.number = 0
        self.keeps_loops = self.unrolls_freely = False
        """`keeps_loops`: some loops that could be unrolled stay loops, because their copies would be too long.
        `unrolls_freely`: every loop may be unrolled, however long its copies are.
        """
        own = set(vars(self))
        self._begin(None)
        self._per_function = vars(self).keys() - own
        """The names of the attributes that are separate for each function."""

    # Functions of closed core -----------------------------------------------------------------------------------------

    def _begin(self, making: Making | None) -> None:
        self.making = making
        self.env: dict[Key, Abstract] | None = {}
        self.block: core.Block = []
        self.variables: dict[str, Type] = {}
        self.scopes: dict[int, Activation] = {}
        self.inlined: list[core.Function] = []
        self.path = 0
        self.copies = 1
        self.line = 0
        self.file = ""
        self.called: tuple[str, int] | None = None
        """The file and the line in Python's own library, while a function of it is run that the author's line calls."""
        self.count = 0
        self.statements = 0
        self.weight = 0
        """The number of statements so far, including the statements of called functions."""
        self.changed = False
        self.waiting: Refused | None = None
        """Why a value cannot be stored, unless a later pass gives its place a wider type."""
        self.finals: list[Callable[[], None]] = []
        self.checked = True
        """Whether the current function's arithmetic is checked for numbers beyond 64 bits."""
        self.rounds = 0
        """The number of the author's enclosing loops that may run several times."""
        self.loops = 0
        """Number of enclosing loops that are not unrolled."""
        self.watched: list[WatchedTry] = []
        """The enclosing `try` statements; inside them, each assigned value is stored at once, for the handler."""
        self.tests: dict[str, list[tuple[list[Key], bool, Type]]] = {}
        """For each truth value: variables, the result (True or False) for which their type is narrower, and the
        narrower type.
        """
        self.collecting: list[tuple[Activation, core.Block]] = []
        """For each enclosing loop whose items are being written: the loop's body, which may append to lists."""
        self.effects: list[frozenset[object]] = []
        """The origins of the lists and objects that were changed, in the order in which the changes were written."""
        self.consumers: dict[Callable[[Abstract], None] | None, Activation] = {}
        """The loops whose rounds pass an item on to a call of `item_at` or `count_of`, with that call."""
        self.assigned: list[Key] = []
        """The assigned variables that inner functions share, in the order in which the assignments were written."""
        self.reads: Reads | None = None
        """The reads so far for items that Python would compute later, while such items are collected; otherwise
        None.
        """
        self.in_any_order = self.is_reordered = False
        """For the loop whose items are being written: whether they may come in any order, and whether they do."""
        self.reordered = 0
        """The number of enclosing loops that run in an order that differs from Python's."""
        self.left_to_python = 0
        """The number of exceptions so far that are left to Python: machine code would raise them in another order."""
        self.raises = False
        """Whether the code so far may raise an exception."""
        self.epoch = 0
        """A number that changes whenever a list may have changed."""
        self.copied: dict[str, tuple[Runtime, int]] = {}
        """For a copy of a list, the original, and the epoch in which it was copied."""

    def function(
        self,
        function: Callable[..., object],
        arguments: list[Abstract],
        key: Hashable,
        contract: tuple[str] | None = None,
    ) -> Making:
        """Return the function of closed core for a Python function and its arguments.

        Arguments:
            arguments: for each parameter, a `Fixed` object, or a `Runtime` value of which only the type matters.
            key: identifies the call, so that its result is reused.
        """
        making = self.made.get(key)
        if self.stack:
            self.stack[-1].uses.add(key)
        if making is not None:
            if not making.done:
                making.recursive = True
            return making
        code = open_core(function)
        name = f"{code.name}_{self.number}"
        self.number += 1
        checked = self.is_checked(function)
        typed = core.TypedFunction(name, (), {}, BOTTOM, [], code.file, code.line)
        making = self.made[key] = Making(typed, self.facts.setdefault(key, {}))
        self.alive.append(making)
        outer = {name: value for name, value in vars(self).items() if name in self._per_function}
        self.stack.append(making)
        refused: Refused | None = None
        try:
            for _ in range(MOST_PASSES):
                self._begin(making)
                self.file, self.line, self.called = outer["file"], outer["line"], outer["called"]
                making.recursive = making.returned = False
                making.uses.clear()
                refused = None
                try:
                    self._pass(making, code, function, arguments, contract, checked)
                except Refused as error:  # what was refused may be served with the facts that this pass has learned
                    if not self.changed and not self.restart:
                        # Or else with wider lists of the caller.
                        making.refused, making.wanted = error, self._wanted(making, arguments)
                        if making.wanted:
                            break
                    if not self.changed or self.restart:
                        raise
                    refused = error
                if self.restart:
                    break
                if not self.changed:
                    if self.waiting is not None and not any(each.recursive for each in self.stack):
                        raise self.waiting
                    making.waiting = self.waiting
                    break
                if making.recursive:
                    self.forget({key})
            else:
                raise refused or self.refuse(f"the types in {code.name} grow without end")
        finally:
            self.stack.pop()
            for each, value in outer.items():
                setattr(self, each, value)
            if not making.done:
                del self.made[key]
                self.forget({key})
        return making

    def _wanted(self, making: Making, arguments: list[Abstract]) -> dict[int, Type]:
        """Return the wider types that parameters need because the function puts other items into their lists; see
        `Making`.
        """
        wanted = {}
        for index, value in enumerate(arguments):
            if isinstance(value, Runtime) and has_reference(value.kind):
                kind = self._with_facts(_with_origin(value.kind, ("parameter", id(making), index)))
                if isinstance(kind, (List, ObjectOf)) and isinstance(value.kind, (List, ObjectOf)):
                    kind = attrs.evolve(kind, origin=value.kind.origin)
                if not alike(kind, value.kind):
                    wanted[index] = kind
        return wanted

    def _with_facts(self, kind: Type) -> Type:
        """Return a type in which the items of each list have the type that this function has learned for the list."""
        if isinstance(kind, List):
            item = self._with_facts(kind.item)
            for origin in kind.origin:
                item = join(item, self.fact(origin, BOTTOM))
            return attrs.evolve(kind, item=item)
        if isinstance(kind, (ObjectOf, Tuple, RecordOf)):
            return attrs.evolve(kind, items=tuple(map(self._with_facts, kind.items)))
        return attrs.evolve(kind, item=self._with_facts(kind.item)) if isinstance(kind, Optional) else kind

    def require_all_served(self, making: Making) -> None:
        """Check that none of the functions that a function calls still waits for facts.

        Raises:
            Refused: one does.
        """
        seen: set[object] = set()
        pending = [making]
        while pending:
            each = pending.pop()
            if each.waiting is not None:
                raise each.waiting
            called = {key for key in each.uses if key in self.made} - seen
            seen |= called
            pending += [self.made[key] for key in called]

    def forget(self, keys: set[object]) -> None:
        """Discard finished functions that depend on assumptions about other functions or about facts of the program."""
        while stale := [each for each, making in self.made.items() if making.done and making.uses & keys]:
            keys = {*keys, *stale}
            for each in stale:
                del self.made[each]

    def program_fact(self, key: object) -> Type:
        """Return a fact of the program."""
        if self.stack:
            self.stack[-1].uses.add(key)
        return self.program_facts.get(key, BOTTOM)

    def learn_of_program(self, key: object, kind: Type) -> None:
        """Change a fact of the program, so that the functions that read it are made again."""
        self.program_facts[key] = kind
        self.learned.add(key)
        self.restart = True

    @property
    def has_arrays(self) -> bool:
        """Whether the program has arrays of NumPy, so that numbers may be NumPy's."""
        return self.program_fact(ARRAYS) != BOTTOM

    def note_arrays(self) -> None:
        """Record that the program has arrays of NumPy."""
        if not self.has_arrays:
            self.learn_of_program(ARRAYS, BOOL)

    @property
    def mixes_numbers(self) -> bool:
        """Whether a truth value or a member of an Enum became a whole number somewhere in the program. The class of
        such a value is lost if its place also holds whole numbers.
        """
        return self.program_fact(MIXES) != BOTTOM

    def require_classes(self, what: str) -> None:
        """Check that whole numbers have kept their classes.

        Raises:
            Refused: a number may be a truth value or a member of an Enum, so its class is not known. In this case, code
                that depends on the classes is not compiled.
        """
        if self.mixes_numbers:
            raise self.refuse(
                f"{what} of a number that may be a truth value or a member of an Enum is not compiled: write int(...)"
                " or bool(...) where it gets its value"
            )

    def note_mixed_numbers(self) -> None:
        """Record that the class of a number is lost."""
        if not self.mixes_numbers:
            self.learn_of_program(MIXES, BOOL)

    def _pass(
        self,
        making: Making,
        code: core.Function,
        function: Callable[..., object],
        arguments: list[Abstract],
        contract: tuple[str] | None,
        checked: bool,
    ) -> None:
        typed = making.function
        scope = self.scope(code, outside_of(function), None)
        scope.checked, self.path = checked, scope.path
        making.path = scope.path
        names: list[str] = []
        bound: dict[str, Abstract] = {}
        for index, (parameter, value) in enumerate(zip(code.parameters, arguments, strict=True)):
            if isinstance(value, Runtime):
                kind = _with_origin(value.kind, ("parameter", id(making), index))
                self.variables[parameter.name] = in_atoms(kind)
                names.append(parameter.name)
                bound[parameter.name] = Runtime(core.Local(parameter.name), kind)
            else:
                bound[parameter.name] = value
        assert self.env is not None
        for name, value in bound.items():
            self.env[scope.path, name] = value
        scope.returns = lambda value: self._return(making, value, contract)
        self.inlined.append(code)
        body = self.block
        self.run(code.body, scope)
        if self.env is not None:
            self._return(making, NOTHING, contract)
        typed.parameters, typed.variables, typed.body = tuple(names), self.variables, body
        typed.result, typed.checked = in_atoms(making.result), scope.checked
        for index, value in enumerate(arguments):
            wanted = self.fact(("parameter", id(making), index))
            if wanted is None or not isinstance(value, Runtime):
                continue
            if isinstance(value.kind, List) and not alike(wanted, value.kind.item):
                making.wanted[index] = attrs.evolve(value.kind, item=wanted)
            if isinstance(value.kind, ObjectOf) and not alike(wanted, attrs.evolve(value.kind, origin=wanted.origin)):
                making.wanted[index] = wanted
        making.may_raise = self.raises
        making.effects = [each for each in self.effects if not self.is_made_below(each, scope.path)]
        if making.makes_classes and making.effects:
            raise self.refuse(
                "a class inside a function is not compiled if the function changes objects that it did not make"
            )
        making.weight = self.weight
        making.done = not self.changed

    def _return(self, making: Making, value: Abstract, contract: tuple[str] | None) -> None:
        if contract is not None:
            value = self.in_contract(value, contract)
        self.run_finals(0)
        if self.env is None:
            return
        try:
            kind = self.join(making.result, without_lengths(self.kind_of(value)), "the results")
        except NotRepresentable as error:
            raise self.refuse(
                f"{making.function.name.rpartition('_')[0]} returns values of different types: {error}"
            ) from None
        if self.local_classes and any(made in classes_in(kind) for made, _ in self.local_classes.values()):
            raise self.refuse("an object of a class inside a function leaves the function, which is not compiled")
        if not alike(kind, making.result):
            self.require_end(kind)
            making.result = kind
            self.changed = self.changed or making.recursive or making.returned
        making.returned = True
        converted = self.convert(value, kind)
        if converted.kind == BOTTOM and kind != BOTTOM:
            self.impossible()
        self.put(core.Return(converted.atom, self.line))
        self.env = None

    def is_checked(self, function: object) -> bool:
        """Return whether a function's arithmetic is checked for numbers beyond 64 bits."""
        module = module_name(function)
        if module in LIBRARIES:
            return self.checked
        package = module.partition(".")[0]
        return package not in FRAMEWORK and package not in self.unchecked

    # Paths and scopes -------------------------------------------------------------------------------------------------

    def below(self, key: object) -> int:
        """Return the number of the place `key` inside the present place; the number is the same in every pass."""
        site = self.path, key
        if site not in self.paths:
            self.paths[site] = len(self.paths) + 1
            self.above[self.paths[site]] = self.path
        return self.paths[site]

    @contextmanager
    def inside(self, key: object) -> CalledAgain[None]:
        """Write the code of the `with` block at the place `key` inside the present place."""
        outer, self.path = self.path, self.below(key)
        yield
        self.path = outer

    def is_made_below(self, origins_: frozenset[object], site: int) -> bool:
        """Return whether all lists and objects of an origin are made at a place or inside it."""
        for origin in origins_:
            made_at = origin[1] if isinstance(origin, tuple) and origin[0] in ("list", "object") else None
            while made_at is not None and made_at != site:
                made_at = self.above.get(made_at)
            if made_at is None:
                return False
        return bool(origins_)

    def are_changed(self, reads: Reads, effects: int, assigned: int) -> bool:
        """Return whether something that was read may have changed after it was read.

        Arguments:
            effects, assigned: the numbers of effects and assignments at the time of reading.
        """
        if reads.variables.intersection(self.assigned[assigned:]):
            return True
        return any(self._may_be_same(read, change) for change in self.effects[effects:] for read in reads.origins)

    def _may_be_same(self, read: frozenset[object], change: frozenset[object]) -> bool:
        """Return whether lists and objects that were read may be among the changed ones, by their origins."""
        if not change or read == VARIABLES or read & change:
            return read != VARIABLES or not change  # what is not known may be everything
        assert self.making is not None
        # Two lists that are arguments of this function may be the same list, whatever their origins.
        return not any(self.is_made_below(each, self.making.path) for each in (read, change))

    def scope(self, function: core.Function, outside: Callable[[str], object], outer: Activation | None) -> Activation:
        """Return a new scope for a function that is run here."""
        made = Activation(function, self.below(id(function)), outside, outer)
        self.scopes[made.path] = made
        self.alive.append(function)
        return made

    def fact(self, key: object, default: object = None) -> Any:
        """Return a fact of the function that is being made."""
        assert self.making is not None
        return self.making.facts.get(key, default)

    def learn(self, key: object, value: object) -> None:
        """Change a fact, so that the function is run again."""
        assert self.making is not None
        if isinstance(value, Type):
            self.require_end(value)
        self.making.facts[key] = value
        self.changed = True

    def require_end(self, kind: Type) -> None:
        """Refuse a type that would grow with each pass, such as the type of a tree or of a linked list."""
        linked = linked_class(kind)
        if linked is not None:
            raise self.refuse(
                f"objects of {linked.__name__} that hold others of their class are not compiled: keep all in a list,"
                " and let each hold the indices of the others"
            )
        if nesting(kind) > MOST_NESTED:
            raise self.refuse("values that are nested without end, such as trees of tuples, are not compiled")

    # Messages ---------------------------------------------------------------------------------------------------------

    def refuse(self, message: str) -> Refused:
        """Return the error that says that something here cannot be compiled."""
        if self.called is not None:
            file, line = self.called
            message = f"{message} (in {pathlib.Path(file).name}, line {line}, which is called here)"
        return Refused(message, (self.file, self.line) if self.file else None)

    # Writing closed core ----------------------------------------------------------------------------------------------

    def put(self, statement: core.Statement) -> None:
        """Append a statement."""
        self.statements += 1
        self.weight += 1
        self.budget.spend(1)
        if self.statements > MOST_STATEMENTS:
            raise self.refuse(
                "the code grows too large: too many loops are unrolled, or too many functions are inlined"
            )
        self.block.append(statement)

    def fresh(self, kind: Type, text: str = "t") -> str:
        """Return a new variable of closed core."""
        self.count += 1
        name = f"{text}_{self.count}"
        self.variables[name] = in_atoms(kind)
        return name

    def emit(self, name: str, *operands: Runtime, kind: Type, detail: object = None) -> Runtime:
        """Write an operation, and return its result."""
        if self.env is None:
            return NEVER
        if any(each.kind == BOTTOM for each in operands):
            return self.impossible()
        if self.reads is not None and name in READS:
            lists = [each for operand in operands for each in origins(operand.kind)]
            self.reads.origins += lists if name == "call" else lists[:1]
            self.reads.origins.append(VARIABLES)
        target = self.fresh(kind)
        self.put(core.Assign(target, core.Operation(name, tuple(each.atom for each in operands), detail), self.line))
        return Runtime(core.Local(target), kind)

    def do(self, name: str, *operands: Runtime, detail: object = None) -> None:
        """Write an operation that has an effect and no result."""
        if self.env is None:
            return
        if any(each.kind == BOTTOM for each in operands):
            self.impossible()
        else:
            operation = core.Operation(name, tuple(each.atom for each in operands), detail)
            self.put(core.Assign(None, operation, self.line))
            self.epoch += 1
            if name not in CHANGES:
                self.effects.append(UNKNOWN)

    def assign(self, target: str, value: Runtime) -> None:
        """Write an assignment to a variable of closed core that has the value's type."""
        self.put(core.Assign(target, value.atom, self.line))

    def fails(self, error: object) -> Runtime:
        """Write code that raises an exception here."""
        if self.env is not None and self.reordered:
            self.left_to_python += 1
            return self.stop()
        if self.env is not None:
            self.put(core.Raise(core.Constant(error), self.line))
            self.raises = True
            self.env = None
        return NEVER

    def not_taken(self, what: str, values: Sequence[Abstract], *methods: str) -> Runtime:
        """Write code that raises TypeError, since the values have none of these methods; refuse if a value may have one
        of them.

        Arguments:
            what: the operation, as the message names it: "a loop", "int(...)".
            methods: the special methods that Python would call.
        """
        taken = None if self.env is None else self.rules.may_have(self, values, methods)
        if taken:
            raise self.refuse(f"{what} is not compiled for {taken}")
        return self.fails(TypeError)

    def impossible(self) -> Runtime:
        """Write code for a value that never exists, such as an item of a list that is always empty.

        While types are still unknown, such values may appear and disappear again. If one is left at the end, Python
        takes over, so that no code is left out silently.
        """
        self.put(core.Assign(None, core.Operation("fault", (), None), self.line))
        return NEVER

    def stop(self) -> Runtime:
        """Write code that stops here and lets Python take over."""
        if self.env is not None:
            self.do("fault")
            self.env = None
        return NEVER

    def computed(self, function: Callable[..., object], *values: object, **named: object) -> Abstract:
        """Return what a function returns for known values; if it raises an exception, write code that raises it."""
        try:
            return Fixed(function(*values, **named))
        except Exception as error:
            return self.fails(type(error))

    def fail_if(self, test: "Runtime | bool", error: object) -> None:
        """Write code that raises an exception if a condition is true; if the error is None, Python takes over."""

        def raises() -> None:
            self.stop() if error is None else self.fails(error)

        self.branch(test, raises, lambda: None)

    # Types ------------------------------------------------------------------------------------------------------------

    def kind_of(self, value: Abstract) -> Type:
        """Return the type that a value has at run time.

        Raises:
            NotRepresentable: the value can have no type at run time.
        """
        if isinstance(value, Runtime):
            return value.kind
        if isinstance(value, Fixed):
            kind: Type = self.rules.kind_of_fixed(value.value)
            return kind
        if isinstance(value, Parts):
            items = tuple(map(self.kind_of, value.items))
            return RecordOf(value.cls, items) if value.cls and is_record(value.cls) else Tuple(items, value.cls)
        if isinstance(value, Poison):
            raise NotRepresentable(value.message)
        if isinstance(value, Exceptional):
            return STATUS
        if isinstance(value, Display):
            shown: Type = self.rules.kind_of_display(self, value)
            return shown
        if is_unwritten(value):
            raise NotRepresentable(UNWRITTEN)
        raise NotRepresentable(f"{self.rules.described(value)} cannot be stored as a value")

    def join(self, one: Type, other: Type, what: str = "") -> Type:
        """Return the common type of two types. If lists need a wider type for their items, they get it in the next
        pass.
        """
        joined = self._joined(one, other)
        for each in (one, other):
            if not alike(each, joined):
                self.widen(each, joined)
        return joined

    def _joined(self, one: Type, other: Type) -> Type:
        """Return the common type of two types; tuples of different lengths become tuples of any length."""
        try:
            return join(one, other)
        except NotRepresentable:
            rows: Type | None = self.rules.rows_of_any_length(one, other)
            if rows is None:
                raise
            return rows

    def widen(self, kind: Type, wanted: Type) -> None:
        """Record that all lists of a type, wherever they are made, must have room for items of another type."""
        if isinstance(kind, List) and isinstance(wanted, List):
            if not alike(kind.item, wanted.item):
                for origin in kind.origin:
                    self._widen_origin(origin, wanted.item)
            self.widen(kind.item, wanted.item)
        elif isinstance(kind, Optional):
            self.widen(kind.item, wanted.item if isinstance(wanted, Optional) else wanted)
        elif isinstance(wanted, Optional):
            self.widen(kind, wanted.item)
        elif isinstance(kind, ObjectOf) and isinstance(wanted, ObjectOf):
            for origin in kind.origin if not alike(kind, attrs.evolve(wanted, origin=kind.origin)) else ():
                before = self.fact(origin, BOTTOM)
                wider = join(before, attrs.evolve(wanted, origin=frozenset()))
                if not alike(wider, before):
                    self.learn(origin, wider)
            for one, other in zip(kind.items, wanted.items, strict=False):
                self.widen(one, other)
        elif isinstance(kind, (Tuple, RecordOf)) and isinstance(wanted, (Tuple, RecordOf)):
            for one, other in zip(kind.items, wanted.items, strict=False):
                self.widen(one, other)

    def _widen_origin(self, origin: object, item: Type) -> None:
        before = self.fact(origin, BOTTOM)
        wider = join(before, item)
        if not alike(wider, before):
            self.learn(origin, wider)

    def runtime(self, value: Abstract) -> Runtime:
        """Return a value in the form in which it is stored at run time."""
        if isinstance(value, Runtime):
            return value
        try:
            kind = self.kind_of(value)
        except NotRepresentable as error:
            raise self.refuse(str(error)) from None
        return self.convert(value, kind)

    def convert(self, value: Abstract, kind: Type) -> Runtime:
        """Return a value converted to a type that can hold it."""
        if self.env is None or kind == BOTTOM:
            return NEVER
        array = array_class_of(kind)
        if array is not None and None in array.strides and is_array(value):
            value = self.rules.arrays.with_step(self, value)
        if isinstance(value, Runtime):
            return self._converted(value, kind)
        if isinstance(value, Fixed):
            constant: Runtime = self.rules.constant(self, value.value, kind)
            return constant
        if isinstance(kind, OneOf) and not isinstance(value, Runtime):
            return self._chosen_of(value, self.kind_of(value), kind)
        if isinstance(value, Exceptional):
            return number(value.cls, STATUS)
        if isinstance(value, Display) and isinstance(kind, List):
            written: Runtime = self.rules.written(self, value, kind)
            return written
        if isinstance(value, Parts):
            if is_row(kind) and value.cls is not kind.cls:
                filled: Runtime = self.rules.filled(self, list(value.items), kind)
                return filled
            if isinstance(kind, Optional):
                return self._converted(self.convert(value, kind.item), kind)
            if isinstance(kind, List):
                made = self.new_list(kind)
                for each in value.items:
                    self.do("append", made, self.convert(each, kind.item))
                return made
            if isinstance(kind, (Tuple, RecordOf)):
                items = [self.convert(*pair) for pair in zip(value.items, kind.items, strict=True)]
                return self.emit("make", *items, kind=kind)
        return self._converted(self.runtime(value), kind)

    def new_list(self, kind: List, room: Runtime | None = None) -> Runtime:
        """Write a new list of a type."""
        return self.emit("new_list", room or number(0), kind=kind)

    def _converted(self, value: Runtime, kind: Type) -> Runtime:
        if value.kind == kind:
            return value
        if value.kind == BOTTOM:
            return NEVER
        if _loses_class(value.kind, kind):
            self.note_mixed_numbers()
        if isinstance(kind, Narrow):
            fitting: Runtime = self.rules.narrowed(self, value, kind)
            return fitting
        if in_atoms(value.kind) == in_atoms(kind) and not has_reference(kind):
            return Runtime(value.atom, kind)
        if isinstance(value.kind, List) and isinstance(kind, List):
            if value.kind.cls is not list and in_atoms(value.kind) == in_atoms(kind):
                return Runtime(value.atom, kind)
            self.widen(value.kind, kind)
            if value.kind.item == kind.item:
                return Runtime(value.atom, kind)
            if kind.cls is tuple or self.rules.is_constant(value.kind):  # what nobody changes may be copied
                copied: Runtime = self.rules.copied(self, value, kind)
                return copied
            return self._waiting(value, kind)
        if isinstance(value.kind, ObjectOf) and isinstance(kind, Tuple) and mapping_class_of(kind):
            return self.emit("make", self.convert(value, kind.items[0]), kind=kind)
        if isinstance(value.kind, ObjectOf) and keys_of(kind) is not None:
            pairs: Runtime = self.rules.filled_pairs(self, value, kind)
            return pairs
        if isinstance(value.kind, ObjectOf) and not isinstance(kind, Optional):
            self.widen(value.kind, kind)
            return self._waiting(value, kind)
        if isinstance(kind, Optional) and isinstance(value.kind, Optional):
            wanted = kind.item

            def content(held: Runtime) -> Abstract:
                return self._converted(self._converted(held, wanted), kind)

            return self.runtime(self.if_some(value, content, lambda: self.convert(NOTHING, kind), kind))
        if isinstance(kind, Optional) and value.kind != NONE:
            return self.emit("convert", self._converted(value, kind.item), kind=kind)
        if isinstance(value.kind, OneOf) and isinstance(kind, OneOf):
            return self.runtime(self.either_type(value, lambda each: self.convert(each, kind), kind))
        if isinstance(value.kind, OneOf):
            choices = value.kind
            index = None if isinstance(kind, Optional) else choice_of(choices, kind)
            only = (
                None if index is None else self.only_type(value, functools.partial(operator.eq, choices.items[index]))
            )
            if only is None:
                raise NotRepresentable(f"a value of the type {choices} is used where {kind} is needed")
            return self._converted(only, kind)
        if isinstance(kind, OneOf) and isinstance(value.kind, Optional) and choice_of(kind, NONE) is not None:
            some = functools.partial(self._converted, kind=kind)
            return self.runtime(self.if_some(value, some, lambda: self.convert(NOTHING, kind), kind))
        if isinstance(kind, OneOf) and not isinstance(value.kind, Optional):
            return self._chosen_of(value, value.kind, kind)
        if kind == NUMBER:
            is_int = value.kind != FLOAT
            word = self._converted(value, INT) if is_int else self.emit("bits_of", value, kind=INT)
            return self.emit("make", number(is_int, BOOL), word, kind=NUMBER)
        if isinstance(kind, List) and isinstance(value.kind, Tuple):
            return self.convert(Parts(tuple(self.parts(value))), kind)
        if isinstance(kind, Tuple) and isinstance(value.kind, List):
            return self._shaped(value, kind)
        if is_row(kind) and isinstance(value.kind, Tuple) and not is_row(value.kind):
            row: Runtime = self.rules.filled(self, list(self.parts(value)), kind)
            return row
        if isinstance(kind, (Tuple, RecordOf)) and isinstance(value.kind, (Tuple, RecordOf)):
            if _plainly_converted(value.kind, kind):
                return self.emit("convert", value, kind=kind)
            return self.convert(Parts(tuple(self.parts(value)), kind.cls), kind)
        if isinstance(value.kind, Optional):
            there = self.emit("is_some", value, kind=BOOL)
            self.fail_if(self.negated(there), None)
            return self._converted(self.emit("content", value, kind=value.kind.item), kind)
        return self.emit("convert", value, kind=kind)

    def _waiting(self, value: Runtime, kind: Type) -> Runtime:
        """Return a placeholder for a list or object whose type is too narrow.

        If the next pass does not widen the type, the code is refused.
        """
        message = f"a {value.kind} is used where a {kind} may also occur, which is not compiled"
        self.waiting = self.waiting or self.refuse(message)
        return self.impossible()

    def _shaped(self, value: Runtime, kind: Tuple) -> Runtime:
        """Return a list as a tuple with a fixed number of items."""
        assert isinstance(value.kind, List)
        if is_row(kind):
            filled: Runtime = self.rules.filled(self, value, kind)
            return filled
        source, epoch = self.copied.get(_name(value), (value, self.epoch))
        if epoch == self.epoch and isinstance(source.kind, List):
            value = source
        assert isinstance(value.kind, List)
        length = self.emit("length", value, kind=INT)
        fits = self.emit("eq", length, number(len(kind.items)), kind=BOOL)
        self.fail_if(self.negated(fits), None)
        flat = Tuple((value.kind.item,) * len(kind.items))
        if flat.items and set(kind.items) == {value.kind.item}:
            return self.emit("tuple_of", value, kind=kind)
        if not kind.items:
            return self.emit("make", kind=kind)
        items = self.parts(self.emit("tuple_of", value, kind=flat))
        return self.convert(Parts(tuple(items), kind.cls), kind)

    def parts(self, value: Runtime) -> list[Runtime]:
        """Return the items of a tuple or record."""
        assert isinstance(value.kind, (Tuple, RecordOf))
        return [self.emit("part", value, kind=each, detail=index) for index, each in enumerate(value.kind.items)]

    def negated(self, test: Runtime) -> Runtime:
        """Return the opposite of a truth value."""
        return self.emit("not", test, kind=BOOL)

    def in_contract(self, value: Abstract, contract: tuple[str]) -> Abstract:
        """Return a state, an action or a key, converted to the one type that all states, actions or keys have."""
        learned = self.program_fact(contract)
        try:
            shaped = in_shape(self.kind_of(value), learned)
            kind = join(learned, shaped)
        except NotRepresentable as error:
            what = {"state": "states", "action": "actions"}.get(contract[0], contract[0])
            raise self.refuse(f"{what} must all have the same shape: {error}") from None
        if kind != learned:
            self.learn_of_program(contract, kind)
        if contract == ACTIONS and _loses_class(self.kind_of(value), kind):
            raise self.refuse(
                "some actions are whole numbers where others are truth values or members of an Enum: write int(...)"
            )
        if is_row(kind):
            return self.convert(value, kind)
        if isinstance(value, Parts) and isinstance(kind, (Tuple, RecordOf)) and len(kind.items) == len(value.items):
            return Parts(tuple(map(self.convert, value.items, kind.items)), value.cls)
        return self.convert(value, kind)

    def truth(self, value: Abstract) -> "Runtime | bool":
        """Return whether a value is true."""
        test: Runtime | bool = self.rules.truth(self, value)
        return test

    # Where branches meet ----------------------------------------------------------------------------------------------

    def is_live(self, key: Key) -> bool:
        """Return whether a variable may be read later."""
        scope = self.scopes.get(key[0])
        if scope is None or key[1].startswith("%"):
            return True
        if key[1] in scope.liveness.captured:
            return not scope.ended
        return scope.active and key[1] in scope.live

    def branch(self, test: "Runtime | bool", yes: Callable[[], None], no: Callable[[], None]) -> None:
        """Run one branch if the test is known; otherwise run both, and continue where they meet."""
        if self.env is None:
            return
        if isinstance(test, bool):
            (yes if test else no)()
            return
        if test.kind == BOTTOM:
            self.impossible()
            return
        env, block = self.env, self.block
        sides = []
        ends = []
        narrowed = self.tests.get(test.atom.name, ()) if isinstance(test.atom, core.Local) else ()
        for index, side in enumerate((yes, no)):
            self.env, self.block = dict(env), []
            for keys, where, kind in narrowed:
                if where == (index == 0):
                    self._narrow(keys, kind)
            sides.append(self.block)
            side()
            if self.env is not None:
                ends.append((self.env, self.block))
        self.block = block
        self.env = self.merged(ends)
        if len(ends) < len(sides) or not self._choose(test.atom, *sides):
            self.put(core.If(test.atom, sides[0], sides[1], self.line))

    def _choose(self, test: core.Atom, yes: core.Block, no: core.Block) -> bool:
        """Write both sides of a branch without a jump, if they only compute truth values; return whether this was done.
        LLVM's time grows with the square of the number of branches.
        """
        if len(yes) + len(no) > MOST_EAGER or not (self._are_boolean(yes) and self._are_boolean(no)):
            return False
        computed = [each for each in [*yes, *no] if isinstance(each.value, core.Operation)]
        one, other = (
            {each.target: each.value for each in side if not isinstance(each.value, core.Operation)}
            for side in (yes, no)
        )
        if one.keys() != other.keys():
            return False
        for each in computed:
            self.put(each)
        for target, value in one.items():
            self.put(core.Assign(target, core.Operation("choose", (test, value, other[target])), self.line))
        return True

    def _are_boolean(self, block: core.Block) -> TypeGuard[list[core.Assign]]:
        return all(map(self._is_boolean, block))

    def _is_boolean(self, each: object) -> bool:
        """Return whether a statement only computes a truth value from other truth values."""
        if not isinstance(each, core.Assign) or each.target is None:
            return False
        value = each.value
        if isinstance(value, core.Operation) and value.name not in ("and", "or", "xor", "not", "choose"):
            return False
        return self.variables[each.target] == BOOL  # as are all operands of these operations then

    def implies(self, test: "Runtime | bool", side: bool, value: Abstract, kind: Type) -> None:
        """Record that the variables with this value have a narrower type if a test has the value `side`."""
        if self.env is None or isinstance(test, bool) or not isinstance(test.atom, core.Local):
            return
        keys = [key for key, held in self.env.items() if held is value and not key[1].startswith("%")]
        if keys:
            self.tests.setdefault(test.atom.name, []).append((keys, side, kind))

    def _narrow(self, keys: list[Key], kind: Type) -> None:
        """Give variables a narrower type, such as the type without None, or that of one letter."""
        assert self.env is not None
        for key in keys:
            value = self.env.get(key)
            if not isinstance(value, Runtime):
                continue
            if isinstance(value.kind, Optional) and value.kind.item == kind:
                self.env[key] = self.emit("content", value, kind=kind)
            elif value.kind == NUMBER:
                self.env[key] = self.of_number(value, kind)
            elif isinstance(value.kind, OneOf) and kind in value.kind.items:
                index = value.kind.items.index(kind)
                self.env[key] = self.emit("part", value, kind=kind, detail=index + 1)
            elif in_atoms(value.kind) == in_atoms(kind):
                self.env[key] = Runtime(value.atom, kind)

    def of_number(self, value: Runtime, kind: Type) -> Runtime:
        """Return a number that is known to be an int or a float as a value of that type; `kind` is INT or FLOAT."""
        word = self.emit("part", value, kind=INT, detail=1)
        return self.emit("value_of", word, kind=FLOAT) if kind == FLOAT else word

    def either_number(self, value: Runtime, rule: Callable[[Runtime], Abstract]) -> Abstract:
        """Apply a rule to a number, as an int if it is an int, and as a float if it is a float."""
        is_int = self.emit("part", value, kind=BOOL, detail=0)
        return self.either(is_int, lambda: rule(self.of_number(value, INT)), lambda: rule(self.of_number(value, FLOAT)))

    def either_type(
        self, value: Runtime, rule: Callable[[Runtime], Abstract], kind: Type | None = None, index: int = 0
    ) -> Abstract:
        """Apply a rule to a value once for each of the types that it may have.

        If the value has a type for which the rule is refused, Python takes over.

        Arguments:
            kind: the type that all results are converted to.
            index: the index of the first type to consider.

        Raises:
            Refused: the rule is refused for each type.
        """
        assert isinstance(value.kind, OneOf)
        types, excluded, refused = value.kind.items, value.kind.excluded, list[Refused]()
        tag = self.emit("part", value, kind=INT, detail=0)

        def of(index: int) -> Abstract:
            if index in excluded:
                return self.stop()
            content = self.emit("part", value, kind=types[index], detail=index + 1)
            outer, self.path = self.path, self.below(("type", index))
            result = self._unless_refused(lambda: rule(content), refused)
            self.path = outer
            return result

        def from_index(index: int) -> Abstract:
            if index == len(types) - 1:
                return of(index)
            is_it = self.emit("eq", tag, number(index), kind=BOOL)
            return self.either(is_it, lambda: of(index), lambda: from_index(index + 1), kind)

        result = from_index(0)
        if refused and len(refused) == len(types) - len(excluded):
            raise refused[0]
        return result

    def ask_type(self, value: Runtime, rule: Callable[[Runtime], Abstract]) -> Abstract:
        """Return the result of testing a value's type; in each branch of the test, the value has a narrower type."""
        kind = value.kind
        assert isinstance(kind, OneOf)
        answers: list[tuple[int, Abstract]] = []

        def noted(each: Runtime) -> Abstract:
            result = rule(each)
            answers.append((kind.items.index(each.kind), result))
            return result

        result = self.either_type(value, noted)
        if isinstance(result, Runtime):
            for side in (True, False):
                other = [index for index, each in answers if isinstance(each, Fixed) and each.value is not side]
                left = [index for index in range(len(kind.items)) if index not in kind.excluded.union(other)]
                narrow = kind.items[left[0]] if len(left) == 1 else attrs.evolve(
                    kind, excluded=kind.excluded.union(other))  # fmt: skip
                self.implies(result, side, value, narrow)
        return result

    def _unless_refused(self, make: Callable[[], ValueT], refused: list[Refused]) -> ValueT | Abstract:
        """Return the value that `make` returns. If `make` is refused, add the refusal to `refused`, and write code that
        lets Python take over.
        """
        before = {name: getattr(self, name) for name in _PER_STATEMENT}
        written, inlined, finals = len(self.block), list(self.inlined), list(self.finals)
        try:
            return make()
        except (Refused, NotRepresentable) as error:
            if self.restart:
                raise
            refused.append(error if isinstance(error, Refused) else self.refuse(str(error)))
            for name, value in before.items():
                setattr(self, name, value)
            del self.block[written:]
            self.env, self.inlined, self.finals = {}, inlined, finals
            return self.stop()

    def only_type(self, value: Runtime, is_wanted: Callable[[Type], bool]) -> Runtime | None:
        """Return a value of one of several types, converted to the only type that is wanted.

        Let Python take over if the value has another type at run time. Return None if several or none of the value's
        types are wanted.
        """
        assert isinstance(value.kind, OneOf)
        left = [index for index in range(len(value.kind.items)) if index not in value.kind.excluded]
        wanted = [index for index in left if is_wanted(value.kind.items[index])]
        if len(wanted) != 1:
            return None
        tag = self.emit("part", value, kind=INT, detail=0)
        self.fail_if(self.emit("ne", tag, number(wanted[0]), kind=BOOL), None)
        return self.emit("part", value, kind=value.kind.items[wanted[0]], detail=wanted[0] + 1)

    def of_wanted_types(self, value: Runtime, is_wanted: Callable[[Type], bool]) -> Runtime | None:
        """Return a value that has one of the wanted types; None if none of its types is wanted.

        Let Python take over if the value has another type at run time.
        """
        kind = value.kind
        assert isinstance(kind, OneOf)
        others = {index for index, each in enumerate(kind.items) if not is_wanted(each)}
        if len(kind.excluded | others) == len(kind.items):
            return None
        if len(kind.excluded | others) == len(kind.items) - 1:
            return self.only_type(value, is_wanted)
        tag = self.emit("part", value, kind=INT, detail=0)
        for index in sorted(others - kind.excluded):
            self.fail_if(self.emit("eq", tag, number(index), kind=BOOL), None)
        return Runtime(value.atom, attrs.evolve(kind, excluded=kind.excluded | others))

    def _chosen_of(self, value: Abstract, given: Type, kind: OneOf) -> Runtime:
        """Return a value of a known type, converted to a type that allows several types."""
        index = choice_of(kind, given)
        if index is None:
            raise NotRepresentable(f"{given} and {kind} have no common type")
        content = self.convert(value, kind.items[index])
        places = [zero(each) for each in kind.items]
        places[index] = content
        return self.emit("make", number(index), *places, kind=kind)

    def if_some(
        self,
        value: Abstract,
        some: Callable[[Runtime], Abstract],
        none: Callable[[], Abstract] = lambda: NOTHING,
        kind: Type | None = None,
    ) -> Abstract:
        """Return the result of the rule `some` for the content of an optional value; if the value is None, that of the
        rule `none`.
        """
        held, inner = self.runtime(value), self.kind_of(value).item  # type: ignore[attr-defined]
        there = self.emit("is_some", held, kind=BOOL)
        return self.either(there, lambda: some(self.emit("content", held, kind=inner)), none, kind)

    def either(
        self, test: "Runtime | bool", yes: Callable[[], Abstract], no: Callable[[], Abstract], kind: Type | None = None
    ) -> Abstract:
        """Return the value of one of two expressions."""
        key = self.below("either"), "%either"
        outer, self.path = self.path, key[0]

        def side(make: Callable[[], Abstract]) -> Callable[[], None]:
            def run() -> None:
                result = make()
                if self.env is not None:
                    self.env[key] = self.convert(result, kind) if kind else result

            return run

        self.branch(test, side(yes), side(no))
        self.path = outer
        return self.env.pop(key, NEVER) if self.env is not None else NEVER

    def merged(self, incoming: list[End]) -> dict[Key, Abstract] | None:
        """Return the variables where several paths meet; assignments are appended to the blocks of the paths."""
        if not incoming:
            return None
        if len(incoming) == 1:
            return incoming[0][0]
        variables = {}
        keys = {key: None for env, _ in incoming for key in env}
        for key in filter(self.is_live, keys):  # the others would be copied at every branch that follows
            values = [env.get(key, UNSET) for env, _ in incoming]
            if all(same(values[0], each) for each in values[1:]):
                variables[key] = values[0]
            else:
                variables[key] = self._phi(key[1], values, incoming)
        return variables

    def _phi(self, name: str, values: list[Abstract], incoming: list[End]) -> Abstract:
        first = values[0]
        if all(same(first, each) for each in values[1:]):
            return first
        if any(isinstance(each, (Unset, Perhaps)) for each in values):
            flags: list[Abstract] = [
                Fixed(False) if isinstance(each, Unset) else each.flag if isinstance(each, Perhaps) else Fixed(True)
                for each in values
            ]
            there = [each.value if isinstance(each, Perhaps) else each for each in values]
            used = [pair for pair in zip(there, incoming, strict=True) if not isinstance(pair[0], Unset)]
            value = self._phi(name, [each for each, _ in used], [each for _, each in used]) if used else UNSET
            return Perhaps(self._phi(f"has_{name}", flags, incoming), value)  # type: ignore[arg-type]
        if any(isinstance(each, Poison) for each in values):
            return next(each for each in values if isinstance(each, Poison))
        if isinstance(first, Parts) and len(first.items) <= MOST_PARTS:
            alike = [isinstance(each, Parts) and each.cls is first.cls and len(each.items) == len(first.items)
                     for each in values]  # fmt: skip
            if all(alike):
                columns = zip(*[each.items for each in values], strict=True)  # type: ignore[union-attr]
                return Parts(tuple(self._phi(name, list(column), incoming) for column in columns), first.cls)
        if all(isinstance(each, Iterator) and not is_unwritten(each) for each in values):
            return self._chosen(name, values, incoming)  # type: ignore[arg-type]
        try:
            kind: Type = BOTTOM
            for each in values:
                kind = self.join(kind, self.kind_of(each))
        except NotRepresentable as error:
            return Poison(_several_types(name, error))
        if kind == BOTTOM:
            return NEVER
        target = self.fresh(kind, _said(name))
        for value, (env, block) in zip(values, incoming, strict=True):
            self._store(target, value, kind, env, block)
        return Runtime(core.Local(target), kind)

    def _chosen(self, name: str, iterators: list[Iterator], incoming: list[End]) -> Iterator:
        """Return an iterator that is one of several iterators; a number says at run time which of them it is."""
        way = self._phi(f"way_{name}", [Fixed(index) for index in range(len(iterators))], incoming)
        assert isinstance(way, Runtime)

        def run(emit: Callable[[Abstract], None], first: int = 0) -> None:
            if self.env is None:
                return
            outer, self.path = self.path, self.below(("way", first))
            if first == len(iterators) - 1:
                iterators[first].run(emit)
            else:
                is_first = self.emit("eq", way, number(first), kind=BOOL)
                self.branch(is_first, lambda: iterators[first].run(emit), lambda: run(emit, first + 1))
            self.path = outer

        return Iterator(_said(name), run, any(each.once for each in iterators))

    def _store(self, target: str, value: Abstract, kind: Type, env: dict[Key, Abstract], block: core.Block) -> None:
        """Write code at the end of a block that gives a variable a value."""
        before = self.env, self.block
        self.env, self.block = dict(env), block
        converted = self.convert(value, kind)
        if converted.kind != BOTTOM:
            self.assign(target, converted)
        else:
            self.impossible()
        self.env, self.block = before

    # Blocks and loops -------------------------------------------------------------------------------------------------

    def labelled(self, body: Callable[["Target"], None], text: str = "block") -> None:
        """Run a body; every jump to the target continues after the body."""
        if self.env is None:
            return
        target = Target(self.label(text), finals=len(self.finals))
        outer, self.block = self.block, []
        inner = self.block
        body(target)
        if self.env is not None:
            target.incoming.append((self.env, self.block))
            falls: core.Block | None = self.block
        else:
            falls = None
        self.env = self.merged(target.incoming)
        left = [block for _, block in target.incoming if block is not falls]
        for block in left:
            block.append(core.Leave(target.label, self.line))
        self.block = outer
        if left or falls is None:  # a block that ends by leaving another one keeps its identity until that one is done
            self.put(core.Labelled(target.label, inner, self.line))
        else:
            outer.extend(inner)

    def label(self, text: str) -> str:
        """Return a new label."""
        self.count += 1
        return f"{text}_{self.count}"

    def leave(self, target: Target) -> None:
        """Jump to the end of a block; before the jump, run the `finally` blocks that it leaves."""
        self.run_finals(target.finals)
        if self.env is not None:
            target.incoming.append((self.env, self.block))
            self.env = None

    def run_finals(self, down_to: int) -> None:
        """Run the `finally` blocks that a jump leaves, innermost first."""
        kept = self.finals
        for index in range(len(kept) - 1, down_to - 1, -1):
            self.finals = kept[:index]
            if self.env is not None:
                raises, self.raises = self.raises, False
                kept[index]()
                if self.raises:  # the handler of the `try` would run the block again
                    raise self.refuse("a `finally` that may raise an exception after a jump is not compiled")
                self.raises = raises
        self.finals = kept

    def loop(self, key: object, body: Callable[[Target], None], text: str = "loop") -> None:
        """Write a loop that repeats the body until the body leaves the target."""
        if self.env is None:
            return
        self._write_displays()
        site = self.below(key)
        outer_path, self.path = self.path, site
        head = self._carried(site)
        target = Target(self.label(text), finals=len(self.finals))
        outer, self.block = self.block, []
        inner = self.block
        start = dict(self.env)
        live = [(scope, scope.live) for scope in self.scopes.values()]
        self.rounds += 1
        body(target)
        self.rounds -= 1
        for scope, names in live:
            scope.live = names
        if self.env is not None:
            self._back(site, head, start)
        self.path = outer_path
        for _, block in target.incoming:
            block.append(core.Leave(target.label, self.line))
        self.block = outer
        self.put(core.Loop(target.label, inner, self.line))
        ends = [(env, block) for env, block in target.incoming]
        for _, block in ends:
            block.pop()
        self.env = self.merged(ends)
        for _, block in ends:
            block.append(core.Leave(target.label, self.line))

    def _write_displays(self) -> None:
        """Convert the lists that grow during the rounds of a loop to stored lists, as the loop needs them."""
        assert self.env is not None
        for scope, block in self.collecting:
            for name in _collected(block):
                key = scope.home(name).path, name
                made = self.env.get(key)
                if isinstance(made, Display):
                    self.set(name, self.convert(made, self.kind_of(made)), scope)

    def _carried(self, site: int) -> dict[Key, Template]:
        """Replace the variables that change in a loop by variables of closed core; return their templates."""
        assert self.env is not None
        templates: dict[Key, Template] = self.fact(("carried", site), {})
        variables = {}
        for key, template in templates.items():
            if not self.is_live(key):
                continue
            value = self.env.get(key, UNSET)
            wider = self._template_of(value, template, key)
            if not _alike(wider, template):
                self._learn_template(site, key, wider)
            variables[key] = wider
            self.env[key] = self._instance(key[1], wider)
            self._fill(self.env[key], value, wider)
        return variables

    def _learn_template(self, site: int, key: Key, template: Template) -> None:
        templates = dict(self.fact(("carried", site), {}))
        templates[key] = template
        self.learn(("carried", site), templates)

    def _template_of(self, value: Abstract, before: Template, key: Key) -> Template:
        """Return the form that a value has when it is joined with another form.

        A form is a type, parts, or a flag with a form. If there is no common form, return a text with the reason.
        """
        if isinstance(before, str):
            return before
        if isinstance(value, Unset):
            if before is None:
                return ("perhaps", None)
            return before if isinstance(before, tuple) and before[0] == "perhaps" else ("perhaps", before)
        if isinstance(value, Perhaps) or (isinstance(before, tuple) and before[0] == "perhaps"):
            inner = before[1] if isinstance(before, tuple) and before[0] == "perhaps" else before
            held = value.value if isinstance(value, Perhaps) else value
            return ("perhaps", self._template_of(held, inner, key) if not isinstance(held, Unset) else inner)
        if isinstance(value, Parts) and len(value.items) <= MOST_PARTS:
            if before is None:
                return ("parts", value.cls, tuple(self._template_of(each, None, key) for each in value.items))
            if isinstance(before, tuple) and before[1] is value.cls and len(before[2]) == len(value.items):
                items = tuple(self._template_of(*pair, key) for pair in zip(value.items, before[2], strict=True))
                return ("parts", value.cls, items)
        try:
            kind = self.kind_of(value)
            return kind if before is None else self.join(_kind_of_template(before), kind)
        except NotRepresentable as error:
            return _several_types(key[1], error)

    def _instance(self, name: str, template: Template) -> Abstract:
        """Return a value with the form of a template, stored in new variables."""
        if isinstance(template, str):
            return Poison(template)
        if template is None:
            return UNSET
        if isinstance(template, Type):
            if template == BOTTOM:
                return NEVER
            return Runtime(core.Local(self.fresh(template, _said(name))), template)
        if template[0] == "perhaps":
            flag = Runtime(core.Local(self.fresh(BOOL, f"has_{_said(name)}")), BOOL)
            return Perhaps(flag, self._instance(name, template[1]))
        return Parts(tuple(self._instance(name, each) for each in template[2]), template[1])

    def _fill(self, to: Abstract, value: Abstract, template: Template) -> None:
        """Write code that stores the value in the variables of a form."""
        for target, source in self._pairs(to, value, template):
            self.assign(target, source)

    def _pairs(self, to: Abstract, value: Abstract, template: Template) -> list[tuple[str, Runtime]]:
        if (
            isinstance(to, (Poison, Unset))
            or to is NEVER
            or (isinstance(value, (Unset, Poison)) and not isinstance(to, Perhaps))
        ):
            return []
        if isinstance(to, Perhaps):
            flag = (
                Fixed(False) if isinstance(value, Unset) else value.flag if isinstance(value, Perhaps) else Fixed(True)
            )
            held = value.value if isinstance(value, Perhaps) else value
            assert isinstance(template, tuple) and template[0] == "perhaps"
            pairs = [(to.flag.atom.name, self.convert(flag, BOOL))]  # type: ignore[union-attr]
            return pairs + self._pairs(to.value, held, template[1])
        if isinstance(to, Parts):
            items = value.items if isinstance(value, Parts) else tuple(self.parts(self.runtime(value)))
            assert isinstance(template, tuple) and template[0] == "parts"
            return [pair for each in zip(to.items, items, template[2], strict=True) for pair in self._pairs(*each)]
        assert isinstance(to, Runtime)
        converted = self.convert(value, to.kind)
        if converted.kind == BOTTOM:
            self.impossible()
            return []
        return [(to.atom.name, converted)]  # type: ignore[union-attr]

    def _kept(
        self, site: int, head: dict[Key, Template], start: dict[Key, Abstract], key: Key, value: Abstract
    ) -> list[tuple[str, Runtime]]:
        """Return the assignments that store a variable's value in the variables of its form; widen the form if
        necessary.
        """
        before = start.get(key, UNSET)
        if key not in head:
            if not same(before, value):
                self._learn_template(site, key, self._template_of(value, self._template_of(before, None, key), key))
            return []
        wider = self._template_of(value, head[key], key)
        if not _alike(wider, head[key]):
            self._learn_template(site, key, wider)
            return []
        return [] if isinstance(wider, str) else self._pairs(before, value, wider)

    def _back(self, site: int, head: dict[Key, Template], start: dict[Key, Abstract]) -> None:
        """Write the assignments at the end of a round of a loop, so that the next round can begin."""
        assert self.env is not None
        pairs: list[tuple[str, Runtime]] = []
        for key, value in list(self.env.items()):
            if not same(start.get(key, UNSET), value) and self.is_live(key):
                pairs += self._kept(site, head, start, key, value)
        targets = {target for target, _ in pairs}
        copied = []
        for target, source in pairs:  # all at once: a source may be a target of another pair
            if isinstance(source.atom, core.Local) and source.atom.name in targets and source.atom.name != target:
                kept = self.fresh(source.kind)
                self.assign(kept, source)
                source = Runtime(core.Local(kept), source.kind)
            copied.append((target, source))
        for target, source in copied:
            self.assign(target, source)

    # Statements -------------------------------------------------------------------------------------------------------

    def at(self, statement: core.Statement, scope: Activation) -> None:
        """Record the position of a statement for messages. In code of the library, and in Python's own library,
        messages name the author's line.
        """
        file = scope.function.file
        if file in library_files():
            return
        if self.file and stands_for_pythons(file) and not stands_for_pythons(self.file):
            self.called = (file, statement.line) if file != field_dicts.__file__ else None
        else:
            self.line, self.file, self.called = statement.line or self.line, file, None

    def run(self, block: core.Block, scope: Activation) -> None:
        """Run the statements of a block. If the arguments of an exception cannot be compiled, Python takes over."""
        raising = _made_to_raise(block)
        for index, each in enumerate(block):
            if self.env is None:
                return
            if index < raising:
                self.statement(each, scope)
            else:
                self._unless_refused(functools.partial(self.statement, each, scope), [])

    def statement(self, each: core.Statement, scope: Activation) -> None:
        """Run a statement."""
        self.at(each, scope)
        self.checked = scope.checked
        scope.live = scope.liveness.after[id(each)]
        try:
            STATEMENTS[type(each)](self, each, scope)
        except (Refused, Restart):
            raise
        except NotRepresentable as error:
            raise self.refuse(str(error)) from None
        except Exception as error:
            raise self.refuse(f"{FAILS} here ({type(error).__name__}: {error})") from error

    def value(self, atom: core.Atom, scope: Activation) -> Abstract:
        """Return the value of an atom."""
        if isinstance(atom, core.Constant):
            return Fixed(atom.value)
        if isinstance(atom, core.Global):
            fixed: Abstract = self.rules.arrays.fixed(self, self.global_value(scope, atom.name))
            return fixed
        if self.env is None:
            return NEVER
        home = scope.home(atom.name)
        stored = self.env.get((home.path, atom.name), UNSET)
        if self.reads is not None and home is not scope:
            self.reads.variables.add((home.path, atom.name))
        if isinstance(stored, Display):
            shown: Abstract = self.rules.shown(self, stored)
            self.set(atom.name, shown, scope)
            return shown
        if isinstance(stored, Unset):
            return self.fails(UnboundLocalError)
        if isinstance(stored, Perhaps):
            self.fail_if(self.negated(stored.flag), None)
            return self.value_of(stored.value)
        return self.value_of(stored)

    def value_of(self, stored: Abstract) -> Abstract:
        """Return the value of a variable that is read; refuse if it has no value."""
        if isinstance(stored, Poison):
            raise self.refuse(stored.message)
        if isinstance(stored, Unset):
            return self.fails(UnboundLocalError)
        return stored

    def global_value(self, scope: Activation, name: str) -> object:
        """Return the value of a name that no function assigns."""
        try:
            value = scope.outside(name)
        except KeyError:
            raise self.refuse(f"the name {name} is not defined") from None
        return self.lasting(name, value)

    def lasting(self, name: str, value: object) -> object:
        """Return a known value; refuse an iterator, which is used up while the program runs."""
        if isinstance(value, CalledAgain):
            raise self.refuse(f"{name} is an iterator, which can be used only once; make it a tuple")
        return value

    def set(self, name: str, value: Abstract, scope: Activation) -> None:
        """Give a variable a value."""
        if self.env is None:
            return
        home = scope.home(name)
        key = home.path, name
        self.env[key] = value
        if name in home.liveness.captured:
            self.assigned.append(key)
        for site, head, start, scopes, path, needed in self.watched:
            if key[0] not in scopes or not (key[1] in needed if key[0] == path else self.is_live(key)):
                continue
            for target, source in self._kept(site, head, start, key, value):
                self.assign(target, source)

    def run_assign(self, each: core.Assign, scope: Activation) -> None:
        if isinstance(each.value, core.Operation):
            outer, self.path = self.path, self.below(id(each))
            effects = len(self.effects)
            adds = id(each) in scope.adds and self.rules.adds_to_set(self, each.value, scope)
            result = self.rules.operation(self, each.value, scope, each)
            if adds:
                del self.effects[effects:]
            self.path = outer
            scope.live = scope.liveness.after[id(each)]
            self.at(each, scope)
        else:
            result = self.value(each.value, scope)
        if each.target is not None and self.env is not None:
            self.set(each.target, result, scope)

    def run_if(self, each: core.If, scope: Activation) -> None:
        value = self.value(each.test, scope)
        scope.live = scope.liveness.heads[id(each)]  # the test itself may have branches
        test = self.truth(value)
        key = (scope.home(each.test.name).path, each.test.name) if isinstance(each.test, core.Local) else None
        if isinstance(test, Runtime) and isinstance(test.atom, core.Local) and key and self.env is not None:
            held = self.env.get(key)
            if isinstance(held, Runtime) and isinstance(held.kind, Optional):
                self.tests[test.atom.name] = [([key], True, held.kind.item)]  # what is true is not None
        after = scope.liveness.after[id(each)]

        def side(block: core.Block) -> Callable[[], None]:
            def run() -> None:
                self.run(block, scope)
                scope.live = after

            return run

        self.branch(test, side(each.body), side(each.otherwise))
        scope.live = after

    def run_labelled(self, each: core.Labelled, scope: Activation) -> None:
        def body(target: Target) -> None:
            scope.targets[each.label] = target
            self.run(each.body, scope)
            scope.live = scope.liveness.after[id(each)]

        self.labelled(body, each.label)

    def run_loop(self, each: core.Loop, scope: Activation) -> None:
        head = scope.liveness.heads[id(each)]

        def body(target: Target) -> None:
            scope.targets[each.label] = target
            self.run(each.body, scope)
            scope.live = head

        scope.live = head
        if not self.rules.skipping.skip_while(self, each, scope):
            self.loop(id(each), body, each.label)
        scope.live = scope.liveness.after[id(each)]

    def run_leave(self, each: core.Leave, scope: Activation) -> None:
        self.leave(scope.targets[each.label])

    def run_return(self, each: core.Return, scope: Activation) -> None:
        scope.returns(self.value(each.value, scope))

    def run_raise(self, each: core.Raise, scope: Activation) -> None:
        self.rules.raise_(self, each, scope)

    def run_each(self, each: core.Each, scope: Activation) -> None:
        items = self.value(each.items, scope)
        head = scope.liveness.heads[id(each)]
        outer, self.path = self.path, self.below(id(each))
        consumer = self.rules.skipping.consumer_of(self, each, scope)

        def body(target: Target) -> None:
            scope.targets[each.label] = target
            if self.rules.skipping.skip(self, each, scope, items, consumer):
                return

            collecting = self.collecting

            asked, rounds = self.in_any_order, self.rounds_in_any_order(each, scope)

            def whole_round(end: Target) -> None:
                # If a round ends the loop, let it end only itself. In Python, a later item may come first, and raise an
                # exception.
                scope.targets[each.label] = end
                self.run(each.body, scope)
                scope.targets[each.label] = target
                scope.live = head

            loop_called = self.called

            def emit(item: Abstract) -> None:
                if self.env is None:
                    return
                caller, called, self.called = self.file, self.called, loop_called
                around, self.collecting = self.collecting, collecting
                state = self.in_any_order, self.is_reordered, scope.is_reordered, len(self.effects)
                scope.is_reordered = scope.is_reordered or self.is_reordered
                reordered, left_to_python = self.is_reordered, self.left_to_python
                self.in_any_order = self.is_reordered = False
                self.reordered += reordered
                self.set(each.target, item, scope)
                if reordered:
                    self.labelled(whole_round, "round")
                else:
                    self.run(each.body, scope)
                self.reordered -= reordered
                self.in_any_order, self.is_reordered, scope.is_reordered, effects = state
                if self.is_reordered:
                    self.require_any_order(rounds, item, scope, effects)
                    if rounds is not None and rounds.returns and self.left_to_python > left_to_python:
                        raise self.refuse(
                            f"{UNORDERED}: an item after the one that ends the loop may raise an exception"
                        )
                scope.live = head
                self.file, self.called, self.collecting = caller, called, around

            scope.live = head
            if consumer is not None:
                self.consumers[emit] = consumer
            self.collecting = [*collecting, (scope, each.body)]
            self.in_any_order = rounds is not None
            self.rules.iterate(self, items, emit, core.size(each.body))
            self.collecting, self.in_any_order = collecting, asked
            scope.live = scope.liveness.after[id(each)]

        self.labelled(body, each.label)
        self.path = outer
        scope.live = scope.liveness.after[id(each)]

    def rounds_in_any_order(self, loop: core.Each, scope: Activation) -> RoundsInAnyOrder | None:
        """Return the variables that have a value after a loop, if its rounds may run in any order; otherwise None."""
        rounds = RoundsInAnyOrder(loop, scope.function, scope.liveness, scope.in_any_order)
        if scope.function.file in library_files() and scope.function.name in ORDERLESS:
            rounds.is_free = rounds.is_trusted = True
        scope.adds |= rounds.adds if rounds.is_free else set()
        return rounds if rounds.is_free else None

    def require_any_order(
        self, rounds: RoundsInAnyOrder | None, item: Abstract, scope: Activation, effects: int
    ) -> None:
        """Refuse a loop over a set if one of its rounds changes what a later round may read.

        Arguments:
            effects: the number of effects before the round.
        """
        assert rounds is not None
        if rounds.is_trusted:
            del self.effects[effects:]
            if not _is_exact(self.kind_of(item)):
                raise self.refuse(f"{UNORDERED}: these items may be equal and yet differ")
            return
        if not all(self.is_made_below(each, self.path) for each in self.effects[effects:]):
            raise self.refuse(f"{UNORDERED}, and the loop changes what a later round may read")
        env = self.env or {}
        for name in rounds.totals:
            held = env.get((scope.home(name).path, name), UNSET)
            kind = None if isinstance(held, (Unset, Perhaps, Poison)) else self.kind_of(held)
            if kind is not None and not (kind in (BOTTOM, INT, BOOL) or isinstance(kind, (BitsOf, ObjectOf))):
                raise self.refuse(f"{UNORDERED}, and the sum of {kind} depends on the order")

    def run_yield(self, each: core.Yield, scope: Activation) -> None:
        if scope.yields is None:
            raise self.refuse("yield outside a generator")
        value = self.value(each.value, scope)
        if self.env is not None:
            outer, self.path = self.path, self.below(id(each))
            asked, self.is_reordered = self.is_reordered, scope.is_reordered
            scope.yields(value)
            self.path, self.is_reordered = outer, asked
            self.at(each, scope)

    def run_define(self, each: core.Define, scope: Activation) -> None:
        defaults = {name: self.value(atom, scope) for name, atom in each.defaults.items()}
        self.set(each.target, InnerFunction(each.function, scope, defaults), scope)

    def run_unset(self, each: core.Unset, scope: Activation) -> None:
        self.set(each.target, UNSET, scope)

    def run_try(self, each: core.Try, scope: Activation) -> None:
        self.rules.run_try(self, each, scope)

    # Calls of functions in Python -------------------------------------------------------------------------------------

    def call_python(
        self,
        function: Callable[..., object],
        positional: list[Abstract],
        named: dict[str, Abstract],
        contract: tuple[str] | None = None,
    ) -> Abstract:
        """Call a Python function: inline it here, or call it as a function of closed core."""
        code = open_core(function)
        given = self.bind(code, positional, named, defaults_of(function))
        if code.generates:
            return self.generator(code, given, outside_of(function), None, contract, function)
        if contract == ACTIONS:
            return self.actions(self.call_python(function, positional, named))
        if self._is_inlined(code, given):
            before = self.statements
            result = self.inline(code, given, outside_of(function), None, self.is_checked(function))
            self._weigh(code, self.statements - before, [*given.values(), result])
            return self.in_contract(result, contract) if contract is not None and self.env is not None else result
        arguments = self._arguments(function, code, given)
        key = (
            function.__code__,
            id(function.__globals__),
            tuple(map(id, function.__closure__ or ())),
            self.is_checked(function),
            *map(self._key, arguments),
        )
        self.alive.append(function)
        making = self.function(function, arguments, key, contract)
        if self.restart:
            raise Restart
        values = [each for each in arguments if isinstance(each, Runtime)]
        for index, each in enumerate(arguments):
            if not isinstance(each, Runtime):
                continue
            if index in making.wanted:
                self.widen(each.kind, making.wanted[index])
            if index in making.changes:
                self.rules.resized(self, each)
        if making.refused is not None and not self.changed:
            raise making.refused
        self.effects += self._effects_of(making, arguments)
        may_raise = making.may_raise or not making.done
        self.epoch += 1
        self.weight += making.weight if making.done else 0
        if making.result == BOTTOM and self.reordered:
            self.left_to_python += may_raise
            return self.stop() if making.done else NEVER
        self.raises = self.raises or may_raise
        if making.result == BOTTOM:
            if making.done:  # it never returns
                self.put(
                    core.Assign(
                        None, core.Operation("call", tuple(each.atom for each in values), making.function), self.line
                    )
                )
                self.env = None
            return NEVER
        kind = making.result
        for index, each in enumerate(arguments):
            if isinstance(each, Runtime) and has_reference(kind):
                kind = with_origins(kind, ("parameter", id(making), index), each.kind)
        return self._call(making, values, kind)

    def _effects_of(self, making: Making, arguments: list[Abstract]) -> list[frozenset[object]]:
        """Return the effects of a call: changes of the caller's lists that are passed as arguments, and unknown
        effects.
        """
        given: dict[frozenset[object], frozenset[object]] = {
            frozenset((("parameter", id(making), index),)): each.kind.origin
            for index, each in enumerate(arguments)
            if isinstance(each, Runtime) and isinstance(each.kind, (List, ObjectOf))
        }
        return [given.get(each, UNKNOWN) for each in making.effects] if making.done else [UNKNOWN]

    def _call(self, making: Making, values: list[Runtime], kind: Type) -> Runtime:
        """Write a call of a function.

        If the call raises an exception in a loop whose rounds run in another order, Python takes over.
        """
        if not self.reordered or not (making.may_raise or not making.done):
            return self.emit("call", *values, kind=kind, detail=making.function)
        self.left_to_python += 1
        outer, self.block = self.block, []
        result, body = self.emit("call", *values, kind=kind, detail=making.function), self.block
        handler: core.Block = []
        self.block = handler
        self.do("fault")
        self.block = outer
        self.put(core.Attempt(body, self.fresh(STATUS, "status"), handler, self.line))
        return result

    def actions(self, items: Abstract) -> Abstract:
        """Return the actions that a method lists, converted to the one type that all actions have."""
        learned = self.program_fact(ACTIONS)
        if isinstance(items, Runtime) and (
            items.kind == BOTTOM or (isinstance(items.kind, List) and items.kind.item == learned)
        ):
            return items

        def run(emit: Callable[[Abstract], None]) -> None:
            def convert(each: Abstract) -> None:
                emit(self.in_contract(each, ACTIONS))

            if emit in self.consumers:
                self.consumers[convert] = self.consumers[emit]
            self.rules.iterate(self, self.rules.skipping.generated(self, items), convert, 1)

        return Iterator(
            "actions",
            run,
            once=False,
            length=lambda: self.rules.length_of(self, items),
        )

    def _is_inlined(self, code: core.Function, given: dict[str, Abstract]) -> bool:
        for each in given.values():
            if not isinstance(each, (Fixed, Runtime)):
                try:
                    self.kind_of(each)
                except NotRepresentable:
                    return True
        if any(each is code for each in self.inlined):
            return False
        if code in self.heavy:
            return False
        size = core.size(code.body)
        return size <= SMALL or (size <= 4 * SMALL and all(isinstance(each, Fixed) for each in given.values()))

    def _weigh(self, code: core.Function, size: int, values: list[Abstract]) -> None:
        """Record how many statements an inlined function added here.

        Arguments:
            values: the function's arguments and its result. If these hold lists or objects, the caller knows more about
            them than a separate function would.
        """
        if size > HEAVY:
            self.heavy.add(code)
        elif size > SMALL and not any(isinstance(each, Runtime) and has_reference(each.kind) for each in values):
            places = self.places.setdefault(code, {})
            places[self.path] = size
            if sum(places.values()) > MOST_SPREAD:
                self.heavy.add(code)

    def _arguments(self, function: object, code: core.Function, given: dict[str, Abstract]) -> list[Abstract]:
        """Return the arguments for a function of closed core: known objects, and values at run time."""
        arguments: list[Abstract] = []
        recursive = any(each is code for each in self.inlined) or any(
            making.function.name.rpartition("_")[0] == code.name for making in self.stack
        )
        variants = self.variants.setdefault(code, 0)
        for each in given.values():
            value = each
            if not isinstance(each, (Fixed, Runtime)):
                value = self.runtime(each)
            elif isinstance(each, Fixed):
                cls = type(each.value)
                plain = cls in (int, float, bool) or isinstance(each.value, (tuple, str))
                if isinstance(each.value, str) and function.__module__ in LIBRARIES:
                    plain = False  # its letters are looked at
                if plain and (recursive or variants > MOST_VARIANTS):
                    try:
                        value = self.runtime(each)
                    except Refused:
                        value = each
            if isinstance(value, Runtime):
                value = Runtime(value.atom, without_lengths(value.kind))
            arguments.append(value)
        self.variants[code] = variants + 1
        return arguments

    def _key(self, value: Abstract) -> Hashable:
        if isinstance(value, Runtime):
            constant = isinstance(value.kind, Tuple) and any(map(self.rules.is_read_only, origins(value.kind)))
            return ("constant", value.kind) if constant else value.kind
        assert isinstance(value, Fixed)
        self.alive.append(value.value)
        if isinstance(value.value, (bool, int, float, str, type(None))):
            return type(value.value), value.value
        return "object", id(value.value)

    def bind(
        self, code: core.Function, positional: list[Abstract], named: dict[str, Abstract], defaults: dict[str, Abstract]
    ) -> dict[str, Abstract]:
        """Return the value of each parameter.

        Raises:
            Refused: the arguments do not fit the parameters; Python would refuse them, too.
        """
        signature = inspect.Signature(
            [
                inspect.Parameter(
                    each.keyword or each.name,
                    each.kind,
                    default=_GIVEN if each.has_default else inspect.Parameter.empty,
                )
                for each in code.parameters
            ],
            __validate_parameters__=False,
        )
        try:
            bound = signature.bind(*positional, **named)
        except TypeError as error:
            raise self.refuse(f"{code.name}: {error}") from None
        arguments: dict[str, Abstract] = {}
        for each in code.parameters:
            given = each.keyword or each.name
            if each.kind is inspect.Parameter.VAR_POSITIONAL:
                arguments[each.name] = Parts(tuple(bound.arguments.get(given, ())))
            elif each.kind is inspect.Parameter.VAR_KEYWORD:
                arguments[each.name] = Keywords(dict(bound.arguments.get(given, {})))
            elif given in bound.arguments:
                arguments[each.name] = bound.arguments[given]
            else:
                arguments[each.name] = defaults[given] if given in defaults else defaults[each.name]
        return arguments

    def inline(
        self,
        code: core.Function,
        given: dict[str, Abstract],
        outside: Callable[[str], object],
        outer: Activation | None,
        checked: bool,
        produce: Callable[[Abstract], None] | None = None,
    ) -> Abstract:
        """Write a function's body here, and return its result.

        Arguments:
            produce: what to do with each item, if the function is a generator.
        """
        if self.env is None:
            return NEVER
        if len(self.inlined) > 60:
            raise self.refuse(f"{code.name}: functions call each other too deeply")
        scope = self.scope(code, outside, outer)
        scope.checked = checked
        state = self.in_any_order, self.is_reordered
        scope.in_any_order = self.in_any_order and produce is not None
        self.in_any_order = self.is_reordered = False
        outer_path, self.path = self.path, scope.path
        file, line, called = self.file, self.line, self.called
        before = [each for each in self.env.values() if may_call(each)]  # none of these calls a function defined here
        for name, value in given.items():
            self.env[scope.path, name] = value
        key = scope.path, "%result"
        self.inlined.append(code)
        finals, self.finals = self.finals, list(self.finals)

        def body(target: Target) -> None:
            def returns(value: Abstract) -> None:
                if self.env is not None:
                    self.env[key] = value
                    self.leave(target)

            scope.returns = returns
            if produce is not None:
                scope.yields = produce
            self.run(code.body, scope)
            scope.live = frozenset()
            if self.env is not None:
                self.env[key] = NOTHING

        self.labelled(body, code.name)
        self.in_any_order, self.is_reordered = state
        self.finals = finals
        self.inlined.pop()
        scope.active = False
        self.path, self.file, self.line, self.called = outer_path, file, line, called
        if self.env is None:
            return NEVER
        result = self.env.pop(key)
        kept = scope.liveness.captured
        rest = {each: value for each, value in self.env.items() if each[0] != scope.path}
        if kept and any(may_call(each) for each in (result, *rest.values()) if not any(each is one for one in before)):
            rest.update({each: value for each, value in self.env.items() if each[0] == scope.path and each[1] in kept})
        else:
            scope.ended = True
        self.env = rest
        return self.value_of(result)

    def call_inner(self, function: InnerFunction, positional: list[Abstract], named: dict[str, Abstract]) -> Abstract:
        """Call a function that was defined inside another."""
        code = function.function
        given = self.bind(code, positional, named, function.defaults)
        outside = function.scope.outside
        if code.generates:
            return self.generator(code, given, outside, function.scope, None, None, function.scope.checked)
        if assigns_outside(code):
            self.effects.append(UNKNOWN)
        if any(each is code for each in self.inlined):
            raise self.refuse(f"the inner function {code.name} calls itself; make it a function of the module")
        return self.inline(code, given, outside, function.scope, function.scope.checked)

    def generator(
        self,
        code: core.Function,
        given: dict[str, Abstract],
        outside: Callable[[str], object],
        outer: Activation | None,
        contract: tuple[str] | None,
        function: Callable[..., object] | None,
        checked: bool = True,
    ) -> Iterator:
        """Return the iterator of a generator function that is called; the function's body runs when a loop uses the
        iterator.
        """
        checked = self.is_checked(function) if function is not None else checked
        maker = list(self.inlined)  # not who runs it: enumerate(a generator that uses enumerate) is no recursion

        def run(emit: Callable[[Abstract], None]) -> None:
            if any(each is code for each in maker):
                raise self.refuse(
                    f"the generator {code.name} runs inside itself, which is not compiled; collect a list"
                )
            consumer, self.inlined = self.inlined, list(maker)

            def produce(item: Abstract) -> None:
                producer, self.inlined = self.inlined, list(consumer)
                emit(self.in_contract(item, contract) if contract is not None else item)
                self.inlined = producer

            if emit in self.consumers:
                self.consumers[produce] = self.consumers[emit]
            self.inline(code, dict(given), outside, outer, checked, produce)
            self.inlined = consumer

        return Iterator(code.name, self.only_once(code.name, run), detail=code)

    def only_once(
        self, name: str, run: Callable[[Callable[[Abstract], None]], None]
    ) -> Callable[[Callable[[Abstract], None]], None]:
        """Return a loop over an iterator that can be used only once. If the program loops over the iterator again,
        refuse it, since no item would be left.
        """
        made_at, used = self.rounds, list[bool]()

        def once(emit: Callable[[Abstract], None]) -> None:
            if used or self.rounds != made_at:
                raise self.refuse(f"the iterator {name} is used more than once, which is not compiled; make it a list")
            used.append(True)
            run(emit)

        return once


def _loses_class(have: Type, wanted: Type) -> bool:
    """Return whether a conversion to a type turns a bool, or a member of an Enum, into a plain number."""
    if wanted in (INT, NUMBER):
        return have == BOOL or isinstance(have, EnumOf)
    if isinstance(wanted, Optional):
        return _loses_class(have.item if isinstance(have, Optional) else have, wanted.item)
    if isinstance(wanted, (Tuple, RecordOf)) and isinstance(have, (Tuple, RecordOf)):
        return any(map(_loses_class, have.items, wanted.items))
    if isinstance(wanted, OneOf):
        pairs = [(each, choice_of(wanted, each)) for each in (have.items if isinstance(have, OneOf) else (have,))]
        return any(index is not None and _loses_class(each, wanted.items[index]) for each, index in pairs)
    return False


class Restart(Exception):
    """Raised when a type that all functions share turns out to be too narrow."""


CHANGES = ("append", "put", "set_length", "put_field", "fault")
"""Operations that need no record of their effects here: the rules that change lists and objects record them, and
`fault` has none.
"""
ORDERLESS = ("extreme", "sum_", "sum_compensated", "sorted_items", "__init__", "update")
"""Functions of the library that give the same result for any order of the items, if equal items are indistinguishable.
"""
READS = (
    "get", "length", "copy", "tuple_of", "field", "variable", "call", "load", "load_byte", "get_value", "unpack",
    "is_packed",
)  # fmt: skip
"""Operations that read memory that may change. Calls are among them: a function may read its arguments and variables of
known objects.
"""
UNKNOWN: frozenset[object] = frozenset()
"""The origin of lists and objects whose origin is not known."""
VARIABLES: frozenset[object] = frozenset(("variables",))
"""The origin of memory and of the variables of known objects; these hold no lists."""
UNORDERED = "Python promises no order for the items of a set; write sorted(...)"
UNWRITTEN = "a text that is put together at run time is not compiled: take it from a tuple of constant texts"
ACTIONS = ("action",)
"""The fact about the type of actions."""
TEXTS = ("texts",)
"""The fact that stands for the texts of the program."""
_GIVEN = object()
_PER_STATEMENT = (
    "block", "path", "copies", "line", "file", "called", "checked", "loops", "watched", "rounds", "collecting", "reads",
    "in_any_order", "is_reordered", "reordered",
)  # fmt: skip
LIBRARIES = ("ggp.compiler.library", "ggp.compiler.array_library", "ggp.compiler.field_dicts")
"""Modules whose arithmetic is checked if their callers' arithmetic is."""
ARRAYS = ("arrays",)
"""The fact that a program has arrays of NumPy. In such a program, a number may be one of NumPy's. Where NumPy's numbers
behave differently from Python's, the program is refused, or Python takes over.
"""
MIXES = ("mixed numbers",)
"""The fact that a truth value or a member of an Enum became a whole number somewhere."""
FRAMEWORK = ("ggp", "ggp_search", "ggp_solve")
"""Packages whose arithmetic is not checked for overflow: their numbers are counters, hashes, and values below 2**40."""

STATEMENTS: dict[type, Callable[..., None]] = {
    core.Assign: Specializer.run_assign,
    core.If: Specializer.run_if,
    core.Labelled: Specializer.run_labelled,
    core.Loop: Specializer.run_loop,
    core.Leave: Specializer.run_leave,
    core.Return: Specializer.run_return,
    core.Raise: Specializer.run_raise,
    core.Each: Specializer.run_each,
    core.Yield: Specializer.run_yield,
    core.Define: Specializer.run_define,
    core.Unset: Specializer.run_unset,
    core.Try: Specializer.run_try,
}


@functools.cache
def library_files() -> tuple[str, ...]:
    """Return the files of Python's library and of NumPy that are written in Python."""
    from ggp.compiler import array_library, library

    return library.__file__, array_library.__file__


def stands_for_pythons(file: str) -> bool:
    """Return whether a file belongs to Python's own library, or stands for a part of it."""
    return file == field_dicts.__file__ or is_pythons(file)


@attrs.frozen(eq=False)
class Outside:
    """The names that a Python function uses but does not define: in its cells, its module or the builtins."""

    cells: dict[str, CellType]
    names: dict[str, object]
    """The values of the names in the function's module."""

    def __call__(self, name: str) -> object:
        """Return the value of a name."""
        if name in self.cells:
            return self.cells[name].cell_contents
        return self.names[name] if name in self.names else vars(builtins)[name]


def outside_of(function: Callable[..., object]) -> Callable[[str], object]:
    """Return a function that looks up the value of a name as code in `function` would: outside the function's
    variables.
    """
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return Outside(cells, function.__globals__)


def defaults_of(function: Callable[..., object]) -> dict[str, Abstract]:
    """Return the default values of a Python function's parameters."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    values = function.__defaults__ or ()
    defaults: dict[str, Abstract] = {
        name: Fixed(each) for name, each in zip(names[len(names) - len(values) :], values, strict=True)
    }
    return {**defaults, **{name: Fixed(each) for name, each in (function.__kwdefaults__ or {}).items()}}


def _is_exact(kind: Type) -> bool:
    """Return whether equal values of a type are indistinguishable."""
    if kind in (FLOAT, NUMBER):
        return False
    return not isinstance(kind, (RecordOf, ObjectOf, List)) and all(map(_is_exact, parts_of(kind)))


def _made_to_raise(block: core.Block) -> int:
    """Return the index from which a block only makes and raises an exception; the block's length if there is none."""
    if not block or not isinstance(block[-1], core.Raise) or block[-1].error is None:
        return len(block)
    index = len(block) - 1
    while index > 0 and isinstance(block[index - 1], core.Assign):
        index -= 1
    return index


def _alike(one: object, other: object) -> bool:
    """Return whether two forms of a value are the same, the origins of its lists included."""
    if isinstance(one, Type) and isinstance(other, Type):
        return alike(one, other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)


def _collected(block: core.Block) -> set[str]:
    """Return the lists to which a block appends at the place where it makes them."""
    return {
        each.value.operands[0].name
        for each in core.statements_in(block)
        if isinstance(each, core.Assign)
        and isinstance(each.value, core.Operation)
        and each.value.name in ("append", "extend")
        and isinstance(each.value.operands[0], core.Local)
    }


def _with_origin(kind: Type, origin: object) -> Type:
    return attrs.evolve(kind, origin=frozenset((origin,))) if isinstance(kind, (List, ObjectOf)) else kind


def _plainly_converted(kind: Type, wanted: Type) -> bool:
    """Return whether a single operation can convert values of one type to another; it converts all parts, but no
    lists.
    """
    if isinstance(kind, (Tuple, RecordOf)) and isinstance(wanted, (Tuple, RecordOf)):
        alike = len(kind.items) == len(wanted.items) and kind.cls is wanted.cls
        return alike and all(map(_plainly_converted, kind.items, wanted.items))
    if isinstance(kind, Optional) and isinstance(wanted, Optional):
        return kind == wanted
    if NUMBER in (kind, wanted) or isinstance(kind, OneOf) or isinstance(wanted, OneOf):
        return kind == wanted
    return not isinstance(kind, List) and not isinstance(wanted, List) and not isinstance(kind, Optional)


def _kind_of_template(template: Template) -> Type:
    if isinstance(template, Type):
        return template
    assert isinstance(template, tuple) and template[0] == "parts"
    items = tuple(map(_kind_of_template, template[2]))
    return RecordOf(template[1], items) if template[1] and is_record(template[1]) else Tuple(items, template[1])


def _said(name: str) -> str:
    return name.lstrip("%")


def _several_types(name: str, error: NotRepresentable) -> str:
    """Return the message for a variable, or an expression (`t1`, `t2`, ... in open core), whose values differ in
    type.
    """
    if re.fullmatch(r"%.*|t\d+", name):
        return f"an expression has values of different types: {error}"
    return f"{name} is given values of different types: {error}"


def _name(value: Runtime) -> str:
    return value.atom.name if isinstance(value.atom, core.Local) else ""
