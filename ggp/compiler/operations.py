"""The operations of closed core: for each operation, the types that it takes, and its meaning in Python.

Each function below is one operation. The docstring gives the meaning. The rule in the decorator gives the types of the
arguments and of the result. The body does the operation in Python, if the program is not run as machine code.
`ggp.compiler.lowering` translates the operations to machine code.
"""

import inspect
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import attrs

from ggp.bits import Bits
from ggp.compiler import encoding, intrinsics
from ggp.compiler.core import TypedFunction
from ggp.compiler.refusals import Fault
from ggp.compiler.types import (
    ATOM,
    BOOL,
    FLOAT,
    GREATEST,
    INT,
    LEAST,
    NONE,
    STATUS,
    BitsOf,
    EnumOf,
    List,
    ObjectOf,
    Optional,
    RecordOf,
    Tuple,
    Type,
    field_names,
    has_reference,
    is_record,
    is_text,
    size,
    stored,
)

Operand: TypeAlias = Any
"""A value of Python as an operand. The rule of the operation says which types it may have."""
Rule: TypeAlias = Callable[[tuple[Type, ...], object, Type | None], Type]
"""A function that returns the type of the result, given the types of the operands, the detail and the type of the
target.

The rule raises TypeError if the operation does not take such operands.
"""


class ProgramRunner(Protocol):
    """Runs functions of closed core in Python; see `ggp.compiler.closed_runner`."""

    @property
    def objects(self) -> Sequence[object]:
        """The known objects, by number."""

    def call(self, function: TypedFunction, arguments: Sequence[object]) -> object:
        """Return the result of a function."""


@attrs.frozen(eq=False)
class Specification:
    """One operation of closed core."""

    name: str
    rule: Rule
    python: Callable[..., object]
    """The function that does the operation in Python."""
    takes: frozenset[str]
    """The other values that this function has parameters for: `detail`; `operands` and `target`, the types of the
    operands and of the result; `checked`, whether the calling function is checked; `runner`, with the known objects.
    """
    writes: bool
    """Whether the operation may change memory that another operation reads."""


WRITES = True
OPERATIONS: dict[str, Specification] = {}
"""All operations of closed core, by name."""


def result_type(name: str, operands: Sequence[Type], detail: object = None, target: Type | None = None) -> Type:
    """Return the type of an operation's result.

    Arguments:
        operands: the types of the operands.
        target: the type of the variable that is assigned, which some operations need to know.

    Raises:
        TypeError: there is no such operation, or it does not take such operands.
    """
    if name not in OPERATIONS:
        raise TypeError(f"there is no operation {name}")
    return OPERATIONS[name].rule(tuple(operands), detail, target)


def _operation(
    rule: Rule, name: str = "", writes: bool = False
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    def add(function: Callable[..., object]) -> Callable[..., object]:
        own = name or function.__name__.rstrip("_")
        parameters = inspect.signature(function).parameters.values()
        takes = frozenset(each.name for each in parameters if each.kind is each.KEYWORD_ONLY)
        OPERATIONS[own] = Specification(own, rule, function, takes, writes)
        return function

    return add


def _simple(rule: Rule, writes: bool = False, /, **functions: Callable[..., object]) -> None:
    for name, function in functions.items():
        OPERATIONS[name] = Specification(name, rule, function, frozenset(), writes)


# Rules ----------------------------------------------------------------------------------------------------------------


def _need(truth: bool, text: str) -> None:
    if not truth:
        raise TypeError(text)


def _exactly(operand_types: tuple[Type, ...], wanted: tuple[Type, ...]) -> None:
    texts = (", ".join(map(str, each)) or "nothing" for each in (wanted, operand_types))
    same = tuple(map(stored, operand_types)) == tuple(map(stored, wanted))
    _need(same, "takes {}; got {}".format(*texts))


def _of(*operands: Type, to: Type = NONE) -> Rule:
    """Return the rule for an operation with fixed types."""

    def rule(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
        _exactly(operand_types, operands)
        return to

    return rule


def _alike(count: int, *kinds: Type, to: Type | None = None) -> Rule:
    """Return the rule for an operation on `count` operands of one type: one of `kinds`, or sets of one width."""

    def rule(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
        taken = len(operand_types) == count and (operand_types[0] in kinds or isinstance(operand_types[0], BitsOf))
        _need(taken, f"takes {count} of {', '.join(map(str, kinds))} or Bits")
        _exactly(operand_types, (operand_types[0],) * count)
        return to or operand_types[0]

    return rule


def _on_bits(*others: Type, to: Type | None = None) -> Rule:
    """Return the rule for an operation on a set and other operands.

    The result has the type `to`; if `to` is None, it has the type of the set.
    """

    def rule(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
        _need(bool(operand_types) and isinstance(operand_types[0], BitsOf), "takes Bits")
        _exactly(operand_types[1:], others)
        return to or operand_types[0]

    return rule


def _compared(ordered: bool) -> Rule:
    def rule(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
        _need(len(operand_types) == 2 and operand_types[0] == operand_types[1], "takes two values of one type")
        if ordered:
            _need(
                operand_types[0] in (INT, BOOL, FLOAT) or isinstance(operand_types[0], (BitsOf, EnumOf)),
                f"takes no {operand_types[0]}",
            )
        else:
            _need(not has_reference(operand_types[0]) and operand_types[0] != STATUS, f"takes no {operand_types[0]}")
        return BOOL

    return rule


def _inner(
    classes: type[Type] | tuple[type[Type], ...], what: str, operand_types: tuple[Type, ...], detail: object
) -> Type:
    """Return the type of the part with index `detail`; the value must have one of the types in `classes`."""
    owner = operand_types[0] if len(operand_types) == 1 else None
    _need(isinstance(owner, classes), f"takes one value with a {what}")
    assert isinstance(owner, (Tuple, RecordOf, ObjectOf))
    if isinstance(detail, int) and 0 <= detail < len(owner.items):
        return owner.items[detail]
    raise TypeError(f"{owner} has no {what} {detail}")


def _given(target: Type | None) -> Type:
    _need(target is not None, "needs a target")
    assert target is not None
    return target


def item_of(kind: Type) -> Type:
    """Return the common type of a tuple's items.

    Raises:
        TypeError: the value is not a tuple, or its items have several types.
    """
    if isinstance(kind, Tuple) and len(set(kind.items)) == 1:
        return kind.items[0]
    raise TypeError(f"takes a tuple of items of one type; got a {kind}")


def _listed(kind: Type) -> Type:
    if isinstance(kind, List):
        return kind.item
    raise TypeError(f"takes a list; got a {kind}")


def _on_list(*others: Type | None, to: Type | None = NONE) -> Rule:
    """Return the rule for an operation on a list and other operands; None stands for the type of the list's items."""

    def rule(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
        _need(len(operand_types) == 1 + len(others), f"takes {1 + len(others)} operands")
        item = _listed(operand_types[0])
        _exactly(operand_types[1:], tuple(item if each is None else each for each in others))
        return item if to is None else to

    return rule


def _to_target(*operands: Type) -> Rule:
    """Return the rule for an operation whose result has the type of the target."""

    def rule(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
        _exactly(operand_types, operands)
        return _given(target)

    return rule


def _into(classes: type[Type] | tuple[type[Type], ...], what: str) -> Rule:
    """Return the rule for an operation that makes a value, of one of `classes`, from its parts or from a number."""

    def rule(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
        kind = _given(target)
        _need(isinstance(kind, classes), f"{kind} is no {what}")
        _exactly(operand_types, kind.items if isinstance(kind, (Tuple, RecordOf, ObjectOf)) else (INT,))
        return kind

    return rule


def _on_value(*operands: Type | None, to: Type = NONE) -> Rule:
    """Return the rule for an operation on a value of fixed size (None in `operands`) and other operands."""

    def rule(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
        _need(len(operand_types) == len(operands), f"takes {len(operands)} operands")
        _exactly(
            operand_types,
            tuple(have if each is None else each for have, each in zip(operand_types, operands, strict=True)),
        )
        _need(not any(map(has_reference, operand_types)), "takes no lists or objects")
        return to

    return rule


# Numbers --------------------------------------------------------------------------------------------------------------


def fit(number: int, checked: bool) -> int:
    """Return a number that must fit in 64 bits.

    Raises:
        Fault: the number has more bits, and the function is checked. Otherwise, the higher bits are dropped.
    """
    if LEAST <= number <= GREATEST:
        return number
    if checked:
        raise Fault(f"{number} does not fit in 64 bits")
    return encoding.signed(number & intrinsics.ALL)


_WHOLE, _TWO = _of(INT, to=INT), _of(INT, INT, to=INT)


@_operation(_TWO)
def add(left: int, right: int, *, checked: bool) -> int:
    """Return `left + right`; raise Fault if this exceeds 64 bits and the function is checked."""
    return fit(left + right, checked)


@_operation(_TWO)
def sub(left: int, right: int, *, checked: bool) -> int:
    """Return `left - right`; raise Fault if this exceeds 64 bits and the function is checked."""
    return fit(left - right, checked)


@_operation(_TWO)
def mul(left: int, right: int, *, checked: bool) -> int:
    """Return `left * right`; raise Fault if this exceeds 64 bits and the function is checked."""
    return fit(left * right, checked)


@_operation(_WHOLE)
def neg(number: int, *, checked: bool) -> int:
    """Return `-number`; raise Fault if this exceeds 64 bits and the function is checked."""
    return fit(-number, checked)


@_operation(_TWO)
def floordiv(left: int, right: int) -> int:
    """Return `left // right`, rounded down; the divisor is not 0. Raises Fault if the least number is divided by -1."""
    return fit(left // right, True)


@_operation(_TWO)
def mod(left: int, right: int) -> int:
    """Return `left % right`, with the sign of the divisor, which is not 0.

    Raises Fault if the least number is divided by -1.
    """
    fit(left // right, True)
    return left % right


@_operation(_TWO)
def shl(number: int, count: int, *, checked: bool) -> int:
    """Return `number << count`, where the count is at least 0.

    Raises Fault if the result exceeds 64 bits and the function is checked. Otherwise, only the six lowest bits of the
    count are used.
    """
    if checked and count > 63:
        return fit(LEAST * 2 if number else 0, checked)
    return fit(number << (count & 63), checked)


@_operation(_TWO)
def shr(number: int, count: int) -> int:
    """Return `number >> count`, where the count is at least 0. The sign is kept, even for a count of 64 and more."""
    return number >> min(count, 63)


@_operation(_of(BOOL, BOOL, BOOL, to=BOOL))
def choose(test: bool, yes: bool, no: bool) -> bool:
    """Return one of two truth values. The value that is not chosen may come from a variable without a value."""
    return yes if test else no


_simple(_alike(2, INT, BOOL), **{"and": operator.and_, "or": operator.or_, "xor": operator.xor})
_simple(_alike(1, INT), invert=operator.invert)


@_operation(_alike(1, INT, to=INT))
def bit_count(operand: Operand) -> int:
    """Return the number of bits that are set in the absolute value of a number."""
    return (operand.word if isinstance(operand, Bits) else int(operand)).bit_count()


@_operation(_alike(1, INT, to=INT))
def bit_length(operand: Operand) -> int:
    """Return the number of bits in the absolute value of a number, up to the highest bit that is set."""
    return (operand.word if isinstance(operand, Bits) else int(operand)).bit_length()


_simple(_on_bits(INT), bits_shl=operator.lshift, bits_shr=operator.rshift)  # the count is at least 0
_simple(_on_bits(), without_lowest=lambda bits: bits.excluding(bits.lowest()))  # the set is not empty
_simple(_on_bits(to=INT), lowest=Bits.lowest)


@_operation(_on_bits(INT, to=INT))
def cell_at(bits: Bits, index: int) -> int:
    """Return the cell with this index, counting the cells of the set in ascending order. The set has more cells than
    the index, which is at least 0.
    """
    return list(bits)[index]


@_operation(_into(BitsOf, "set of cells"))
def bits(number: int, *, target: BitsOf) -> Bits:
    """Return the set with the bits of a number.

    The number is at least 0, and has at most as many bits as the set has cells.
    """
    return Bits(number, target.width)


@_operation(_on_bits(to=INT))
def word(bits: Bits) -> int:
    """Return the number with the bits of a set. Raises Fault if the number is 2**63 or more."""
    return fit(bits.word, True)


# Floats ---------------------------------------------------------------------------------------------------------------


def _rounded(by: Callable[[float], int]) -> Callable[[float], float]:
    """Return a function that rounds a float to a float and keeps the sign of zero."""
    return lambda number: math.copysign(float(by(number)), number) if math.isfinite(number) else number


_simple(
    _of(FLOAT, FLOAT, to=FLOAT),
    fadd=operator.add, fsub=operator.sub, fmul=operator.mul,
    fdiv=operator.truediv, ffloordiv=operator.floordiv, fmod=operator.mod,  # the divisor is not 0
)  # fmt: skip
_simple(
    _of(FLOAT, to=FLOAT),
    fneg=operator.neg, fabs=abs, floor=_rounded(math.floor), ceil=_rounded(math.ceil), trunc=_rounded(math.trunc),
    round_even=_rounded(round), sqrt=math.sqrt,  # of at least 0
    next_above=intrinsics.next_above, next_below=intrinsics.next_below,
)  # fmt: skip


def _floats(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _exactly(operand_types, (FLOAT,) * len(operand_types))
    _need(isinstance(detail, str) and callable(getattr(math, detail, None)), f"calls no function {detail}")
    return FLOAT


@_operation(_floats, "math")
def math_(*numbers: float, detail: str) -> float:
    """Return the value of a function of `math` that C's library has, too. Raises Fault if the value is not finite."""
    try:
        result = float(getattr(math, detail)(*numbers))
    except (ArithmeticError, ValueError):
        result = math.nan
    if not math.isfinite(result):
        raise Fault(f"math.{detail} has no finite value for these numbers")
    return result


@_operation(_of(FLOAT, to=INT))
def truncate(number: float) -> int:
    """Return a float without a fraction as a whole number. A fault beyond 2**62."""
    if not abs(number) <= 1 << 62:
        raise Fault(f"{number} is beyond 2**62")
    return int(number)


# Comparisons ----------------------------------------------------------------------------------------------------------


def _equal(left: Operand, right: Operand) -> bool:
    """Return whether two values of one type consist of equal parts; their own `==` is not called."""
    if left is None or right is None:
        return left is right
    if isinstance(left, tuple):
        return all(map(_equal, left, right))
    cls: type = type(left)
    if is_record(cls):
        return all(_equal(getattr(left, name), getattr(right, name)) for name in field_names(cls))
    return bool(left == right)


_simple(_compared(False), eq=_equal, ne=lambda left, right: not _equal(left, right))
_simple(
    _compared(True),
    lt=lambda left, right: left < right, gt=lambda left, right: right < left,
    le=lambda left, right: left < right or left == right, ge=lambda left, right: right < left or left == right,
)  # fmt: skip
_simple(_of(BOOL, to=BOOL), **{"not": operator.not_})

# Conversions ----------------------------------------------------------------------------------------------------------


def converts(have: Type, kind: Type) -> bool:
    """Return whether values of a type can be converted to another type that includes it."""
    if have == kind:
        return True
    if isinstance(kind, Optional):
        return have == NONE or converts(have.item if isinstance(have, Optional) else have, kind.item)
    if isinstance(have, Tuple) and isinstance(kind, Tuple):
        alike = kind.cls is have.cls or (kind.cls is None and not is_text(have))
        return alike and len(have.items) == len(kind.items) and all(map(converts, have.items, kind.items))
    if isinstance(have, RecordOf) and isinstance(kind, RecordOf):
        return have.cls is kind.cls and all(map(converts, have.items, kind.items))
    whole = have in (INT, BOOL) or (isinstance(have, EnumOf) and issubclass(have.cls, int))
    return (whole and kind in (INT, FLOAT)) or (have == NONE and kind == ATOM)


def _converted(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    kind = _given(target)
    _need(
        len(operand_types) == 1 and converts(operand_types[0], kind),
        f"cannot convert {', '.join(map(str, operand_types))} to {kind}",
    )
    return kind


EXACT = 1 << 53
"""Floats represent all whole numbers up to this size exactly."""


@_operation(_converted)
def convert(value: Operand, *, target: Type, checked: bool) -> Operand:
    """Return a value converted to a type that includes its own type: BOOL and IntEnum to INT and FLOAT, INT to FLOAT, a
    value or None to Optional, None to ATOM, tuples and records part by part.

    Raises Fault if the function is checked and a number beyond 2**53 becomes a float.
    """
    if isinstance(target, Optional):
        return None if value is None else convert(value, target=target.item, checked=checked)
    if isinstance(target, (Tuple, RecordOf)):
        pairs = zip(parts_of(value), target.items, strict=True)
        return made(target, [convert(each, target=kind, checked=checked) for each, kind in pairs])
    if target == FLOAT and not isinstance(value, float):
        if checked and not -EXACT <= value <= EXACT:
            raise Fault(f"{value} is not exact as a float")
        return float(value)
    return int(value) if target == INT else value


@_operation(_into(EnumOf, "enumeration"))
def member(number: int, *, target: EnumOf) -> Operand:
    """Return the member with a number; in an IntEnum, the number is the value, in any other enumeration the index."""
    return next(each for each in target.cls if encoding.member_number(each) == number)


# Tuples, records and optional values ----------------------------------------------------------------------------------


def made(kind: Type, items: Sequence[Operand]) -> Operand:
    """Return the tuple, text or record of a type with these items. No code of the class, such as `__init__`, runs."""
    if isinstance(kind, Tuple):
        if is_text(kind):
            return "".join(items)
        return tuple.__new__(kind.cls, items) if kind.cls else tuple(items)
    assert isinstance(kind, RecordOf)
    instance: object = object.__new__(kind.cls)
    for name, item in zip(field_names(kind.cls), items, strict=True):
        object.__setattr__(instance, name, item)
    return instance


def parts_of(value: object) -> tuple[Operand, ...]:
    """Return the items of a tuple, the letters of a text, or the fields of a record."""
    if isinstance(value, (tuple, str)):
        return tuple(value)
    cls: type = type(value)
    return tuple(getattr(value, name) for name in field_names(cls))


@_operation(_into((Tuple, RecordOf), "tuple or record"))
def make(*items: object, target: Type) -> Operand:
    """Return the tuple or record with these items."""
    return made(target, items)


@_operation(lambda operand_types, detail, target: _inner((Tuple, RecordOf), "part", operand_types, detail))
def part(owner: Operand, *, detail: int) -> Operand:
    """Return the item with the index `detail` of a tuple or record."""
    return parts_of(owner)[detail]


def _picked(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _need(len(operand_types) == 2, "takes a tuple and an index")
    _exactly(operand_types[1:], (INT,))
    return item_of(operand_types[0])


@_operation(_picked)
def pick(owner: Operand, index: int) -> Operand:
    """Return the item of a tuple at an index, which is in range and not negative."""
    return owner[index]


def _replaced(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _need(len(operand_types) == 3, "takes a tuple, an index and an item")
    _exactly(operand_types[1:], (INT, item_of(operand_types[0])))
    return operand_types[0]


@_operation(_replaced)
def with_item(owner: object, index: int, item: object, *, target: Type) -> Operand:
    """Return the tuple with one item replaced; the index of this item is in range and not negative."""
    return made(target, [item if number == index else each for number, each in enumerate(parts_of(owner))])


def _maybe(operand_types: tuple[Type, ...]) -> Optional:
    if len(operand_types) == 1 and isinstance(operand_types[0], Optional):
        return operand_types[0]
    raise TypeError("takes an optional value")


def _some(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _maybe(operand_types)
    return BOOL


def _inside(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    return _maybe(operand_types).item


_simple(_some, is_some=lambda value: value is not None)
_simple(_inside, content=lambda value: value)


# Lists and objects ----------------------------------------------------------------------------------------------------


@_operation(_into(List, "list"), writes=True)
def new_list(room: int) -> list[Operand]:
    """Return an empty list with room for this number of items.

    Raises Fault if no memory is left, as do the other operations that make lists or add to them.
    """
    if room < 0:
        raise Fault("a list cannot have room for fewer than 0 items")
    return []


_simple(_on_list(to=INT), length=len)
_simple(_on_list(INT, to=None), get=operator.getitem)  # the index is in range and not negative


@_operation(_on_list(INT, None), writes=True)
def put(items: list[object], index: int, item: object) -> None:
    """Do `items[index] = item`; the index is in range and not negative."""
    items[index] = item


@_operation(_on_list(None), writes=True)
def append(items: list[object], item: object) -> None:
    """Do `items.append(item)`."""
    items.append(item)


@_operation(_on_list(INT), writes=True)
def set_length(items: list[object], count: int) -> None:
    """Drop the items from index `count` on; the list has at least `count` items."""
    del items[count:]


def _copied(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _need(len(operand_types) == 1, "takes a list")
    return List(_listed(operand_types[0]))


@_operation(_copied, writes=True)
def copy(items: list[object]) -> list[Operand]:
    """Return a new list with the same items."""
    return list(items)


def _of_tuple(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _need(len(operand_types) == 1, "takes a tuple")
    if isinstance(operand_types[0], Tuple) and not operand_types[0].items:
        kind = _given(target)
        _listed(kind)
        return kind
    return List(item_of(operand_types[0]))


@_operation(_of_tuple, writes=True)
def list_of(items: Operand) -> list[Operand]:
    """Return a list of the items of a tuple."""
    return list(items)


def _fixed(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    kind = _given(target)
    if len(operand_types) != 1 or not isinstance(kind, Tuple):
        raise TypeError("takes a list, to a tuple")
    _need(
        not kind.items or stored(item_of(kind)) == stored(_listed(operand_types[0])), f"{operand_types[0]} is no {kind}"
    )
    return kind


@_operation(_fixed)
def tuple_of(items: list[object], *, target: Tuple) -> Operand:
    """Return the items of a list as a tuple of the same length."""
    return made(target, items)


@_operation(_into(ObjectOf, "class whose fields may change"), writes=True)
def new(*fields: object, target: ObjectOf) -> Operand:
    """Return a new object with these fields. No code of the object's class runs."""
    instance: object = object.__new__(target.cls)
    for name, each in zip(target.fields, fields, strict=True):
        object.__setattr__(instance, name, each)
    return instance


def _written(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _exactly(operand_types[1:], (_inner(ObjectOf, "field", operand_types[:1], detail),))
    return NONE


@_operation(lambda operand_types, detail, target: _inner(ObjectOf, "field", operand_types, detail))
def field(owner: Operand, *, detail: int, operands: tuple[Type, ...]) -> Operand:
    """Return the field with the index `detail` of an object."""
    assert isinstance(operands[0], ObjectOf)
    return getattr(owner, operands[0].fields[detail])


@_operation(_written, writes=True)
def put_field(owner: object, value: object, *, detail: int, operands: tuple[Type, ...]) -> None:
    """Change the field with the index `detail` of an object."""
    assert isinstance(operands[0], ObjectOf)
    object.__setattr__(owner, operands[0].fields[detail], value)


def _two_references(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _need(
        len(operand_types) == 2
        and isinstance(operand_types[0], (List, ObjectOf))
        and operand_types[0] == operand_types[1],
        "takes two operands of one type",
    )
    return BOOL


@_operation(_two_references)
def same(left: object, right: object) -> bool:
    """Return whether both operands are the same list or object."""
    return left is right


def _one_list(operands: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _need(len(operands) == 1 and isinstance(operands[0], List), "takes a list")
    return INT


@_operation(_one_list)
def address(items: object) -> int:
    """Return the address of a list."""
    return id(items)


# Functions, known objects and exceptions ------------------------------------------------------------------------------


def _called(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    if not isinstance(detail, TypedFunction):
        raise TypeError("calls functions of closed core alone")
    wanted = tuple(detail.variables[name] for name in detail.parameters)
    _exactly(operand_types, wanted)
    return detail.result


@_operation(_called, writes=True)
def call(*arguments: Operand, detail: TypedFunction, runner: ProgramRunner) -> Operand:
    """Call the function of closed core that is the `detail`."""
    return runner.call(detail, arguments)


@_operation(lambda operand_types, detail, target: _given(target))
def variable(*, detail: tuple[int, str], runner: ProgramRunner) -> Operand:
    """Return a variable of a known object; `detail` is (number of the object, name)."""
    number, name = detail
    return getattr(runner.objects[number], name)


@_operation(lambda operand_types, detail, target: _on_value(None)(operand_types, detail, target), writes=True)
def put_variable(value: Operand, *, detail: tuple[int, str], runner: ProgramRunner) -> None:
    """Change a variable of a known object; `detail` is (number of the object, name)."""
    number, name = detail
    setattr(runner.objects[number], name, value)


@_operation(_of(STATUS, to=BOOL))
def is_caught(status: BaseException, *, detail: tuple[type[BaseException], ...]) -> bool:
    """Return whether the exception is an instance of one of the classes `detail`. A fault never is."""
    return isinstance(status, detail) and not isinstance(status, Fault)


@_operation(_of())
def fault() -> None:
    """Ask Python."""
    raise Fault("machine code gave up here")


# Memory ---------------------------------------------------------------------------------------------------------------

_simple(_of(INT, to=INT), load=intrinsics.load, load_byte=intrinsics.load_byte)
_simple(_TWO, mix=intrinsics.mix, spread=intrinsics.spread)
_simple(_of(FLOAT, to=INT), bits_of=intrinsics.bits_of)
_simple(_of(INT, to=FLOAT), value_of=intrinsics.value_of)


_simple(
    _of(INT, INT), WRITES,
    save=intrinsics.save, publish=intrinsics.publish, add_to=intrinsics.add_to, save_byte=intrinsics.save_byte,
)  # fmt: skip
_simple(_of(INT, FLOAT), WRITES, add_float_to=intrinsics.add_float_to)
_simple(_of(INT), WRITES, prefetch=intrinsics.prefetch)


def _words(operand_types: tuple[Type, ...], detail: object, target: Type | None) -> Type:
    _on_value(None)(operand_types, detail, target)
    return Tuple((INT,) * size(operand_types[0]))


@_operation(_words)
def words(value: object, *, operands: tuple[Type, ...]) -> tuple[int, ...]:
    """Return the words of a value."""
    return tuple(encoding.flatten(value, operands[0]))


@_operation(_on_value(INT, None), writes=True)
def put_value(address: int, value: object, *, operands: tuple[Type, ...]) -> None:
    """Store the words of a value at an address."""
    for index, each in enumerate(encoding.flatten(value, operands[1])):
        intrinsics.save(address + 8 * index, each)


def _from_words(words: Iterator[int], kind: Type) -> Operand:
    """Return the value with these words; no code of the value's class runs."""
    if isinstance(kind, (Tuple, RecordOf)):
        return made(kind, [_from_words(words, each) for each in kind.items])
    if isinstance(kind, Optional):
        present, value = next(words), _from_words(words, kind.item)
        return value if present else None
    return encoding.build(words, kind)


@_operation(_to_target(INT))
def get_value(address: int, *, target: Type) -> Operand:
    """Return the value whose words are at an address."""
    return _from_words(iter([intrinsics.load(address + 8 * index) for index in range(size(target))]), target)


@_operation(_on_value(INT, None, INT), writes=True)
def pack(address: int, value: object, layout: int, *, operands: tuple[Type, ...]) -> None:
    """Store the words of a value at an address, each in its field of a layout.

    The third operand is the layout's address.
    """
    intrinsics.pack_words(address, encoding.flatten(value, operands[1]), layout)


@_operation(_to_target(INT, INT))
def unpack(address: int, layout: int, *, target: Type) -> Operand:
    """Return the value that `pack` stored at an address with a layout."""
    return _from_words(iter(intrinsics.unpack_words(address, size(target), layout)), target)


@_operation(_on_value(INT, None, INT, to=BOOL))
def is_packed(address: int, value: object, layout: int, *, operands: tuple[Type, ...]) -> bool:
    """Return whether `pack` stored this value at an address with a layout."""
    words = encoding.flatten(value, operands[1])
    return intrinsics.unpack_words(address, len(words), layout) == words


@_operation(_on_value(None, INT, to=BOOL))
def fits(value: object, layout: int, *, operands: tuple[Type, ...]) -> bool:
    """Return whether each word of a value fits into its field of a layout."""
    return intrinsics.words_fit(encoding.flatten(value, operands[0]), layout)
