"""Rules for numbers, sets of bits and comparisons."""

import dataclasses
import inspect
import numbers
import operator
from collections.abc import Callable
from types import BuiltinFunctionType, MethodType, MethodWrapperType
from typing import TypeGuard

import attrs

from ggp.compiler import containers, core, letters, library
from ggp.compiler.abstract import (
    NEVER,
    Abstract,
    Fixed,
    Iterator,
    Partially,
    Parts,
    Poison,
    Runtime,
    TypeMethod,
    is_array,
    number,
)
from ggp.compiler.specialization import Specializer
from ggp.compiler.types import (
    ATOM,
    BOOL,
    BOTTOM,
    FLOAT,
    GREATEST,
    INT,
    LEAST,
    NONE,
    NUMBER,
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
    is_record,
    without_lengths,
)

PYTHON: dict[str, Callable[..., object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "/": operator.truediv, "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "@": operator.matmul,
}  # fmt: skip
COMPARED: dict[str, Callable[..., object]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda one, other: one in other,
    "not in": lambda one, other: one not in other,
}  # fmt: skip
SIGNS: dict[str, Callable[..., object]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
METHODS = {
    "+": "add", "-": "sub", "*": "mul", "//": "floordiv", "%": "mod", "/": "truediv", "**": "pow", "<<": "lshift",
    ">>": "rshift", "&": "and", "|": "or", "^": "xor", "@": "matmul",
}  # fmt: skip
"""The names of the special methods of operators, without underscores."""
COMPARING = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
LARGEST = 1 << 16
"""Maximum number of bits, or of items, of a constant that is computed while compiling."""
WHOLE = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
FRACTIONAL = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv", "//": "ffloordiv", "%": "fmod"}
ORDER = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def as_value(truth: "Runtime | bool") -> Abstract:
    """Return a truth value, whether it is known or not, as an abstract value."""
    return Fixed(truth) if isinstance(truth, bool) else truth


def is_whole(kind: Type) -> bool:
    """Return whether values of a type are whole numbers to Python."""
    return kind in (INT, BOOL) or isinstance(kind, Narrow) or (isinstance(kind, EnumOf) and issubclass(kind.cls, int))


def is_number(kind: Type) -> bool:
    """Return whether values of a type are numbers to Python."""
    return kind == FLOAT or is_whole(kind)


def kind_or_none(s: Specializer, value: Abstract) -> Type | None:
    """Return the type of a value; None if the value cannot be stored."""
    try:
        return s.kind_of(value)
    except NotRepresentable:
        return None


def is_mixed(value: Abstract) -> "TypeGuard[Runtime]":
    """Return whether a value is a number that may be an int or a float; only run time shows which."""
    return isinstance(value, Runtime) and value.kind == NUMBER


def is_choice(value: Abstract) -> "TypeGuard[Runtime]":
    """Return whether the type of a value is one of several types."""
    return isinstance(value, Runtime) and isinstance(value.kind, OneOf)


def is_split(value: Abstract) -> bool:
    """Return whether a value may have several types, such as an int or a float."""
    return is_choice(value) or is_mixed(value)


def of_each_type(
    s: Specializer,
    values: list[Abstract],
    rule: Callable[[list[Abstract]], Abstract],
    is_apart: Callable[[Abstract], bool] = is_choice,
) -> Abstract:
    """Apply a rule to values; if a value may have several types, apply it once for each type."""
    index = next((index for index, each in enumerate(values) if is_apart(each)), None)
    if index is None:
        return rule(values)
    value = values[index]
    assert isinstance(value, Runtime)
    either = s.either_type if is_choice(value) else s.either_number
    return either(value, lambda each: of_each_type(s, [*values[:index], each, *values[index + 1 :]], rule, is_apart))


def binary(s: Specializer, sign: str, one: Abstract, other: Abstract) -> Abstract:
    """Return the result of an operator with two operands."""
    if is_array(one) or is_array(other):
        return s.rules.arrays.elementwise(s, sign, one, other)  # type: ignore[no-any-return]
    if isinstance(one, Fixed) and isinstance(other, Fixed) and not containers.is_mutable(one.value):
        return _folded(s, sign, one.value, other.value)
    if isinstance(one, Fixed) and type(one.value) is set and sign in "|&-^":
        one = containers.new_set(s, one)
    result = _by_method(s, METHODS[sign], one, other)
    if result is not None:
        return result
    one, other = containers.plain(s, one), containers.plain(s, other)
    if s.env is None:
        return NEVER
    if is_split(one) or is_split(other):
        return of_each_type(s, [one, other], lambda given: binary(s, sign, *given), is_split)
    for here, there in ((one, other), (other, one)):
        if isinstance(there, Fixed) and type(there.value) is int and not LEAST <= there.value <= GREATEST:
            return _beyond(s, sign, here, there.value)
    kinds = kind_or_none(s, one), kind_or_none(s, other)
    if kinds[0] is not None and kinds[1] is not None:
        if all(map(is_number, kinds)):  # type: ignore[arg-type]
            return _of_numbers(s, sign, one, other, kinds[0], kinds[1])
        if isinstance(kinds[0], BitsOf):
            return _of_bits(s, sign, s.runtime(one), s.runtime(other))
    return containers.combined(s, sign, one, other)


def _beyond(s: Specializer, sign: str, value: Abstract, large: int) -> Abstract:
    """Return the result of an operator for a number and a constant of more than 64 bits."""
    kind = kind_or_none(s, value)
    if sign == "&" and large > 0 and large & (large + 1) == 0 and kind is not None and is_whole(kind):
        stored = whole(s, value)
        s.fail_if(s.emit("lt", stored, number(0), kind=BOOL), None)
        return stored
    if sign in ("&", "|", "^", "+", "-", "*"):
        return s.stop()
    raise s.refuse(f"{large} does not fit in 64 bits")


def _folded(s: Specializer, sign: str, one: object, other: object) -> Abstract:
    large = isinstance(other, int) and (
        (sign == "<<" and isinstance(one, int) and other > LARGEST)
        or (sign == "**" and isinstance(one, int) and other * one.bit_length() > LARGEST)
        or (sign == "*" and isinstance(one, (str, tuple, list, bytes)) and other * len(one) > LARGEST)
    )
    if large:
        return s.stop()
    result = s.computed(PYTHON[sign], one, other)
    if isinstance(one, containers.FixedSet) and isinstance(result, Fixed):
        return containers.constants(s, containers.FixedSet, result.value)
    return result


def _by_method(s: Specializer, name: str, one: Abstract, other: Abstract) -> Abstract | None:
    """Return the result of an author's special method for two operands; None if there is no such method."""
    if not isinstance(one, Fixed) and kind_or_none(s, one) is None and s.rules.class_of(one) is None:
        return None
    ways = [(one, f"__{name}__", other)]
    if s.rules.class_of(one) is not s.rules.class_of(other):
        ways.append((other, f"__r{name}__", one))
    result, asked = _first_answer(s, ways)
    if result is not None or not asked:
        return result
    unasked = [each for each, method, _ in ways if s.rules.special(s, each, method) is None]
    return s.not_taken(f"__{name}__", unasked, f"__{name}__", f"__r{name}__")


def _is_asked_first(cls: type, other: type, name: str) -> bool:
    """Return whether Python calls the right operand's method first. It does so if the right operand's class is a
    subclass of the left operand's class, and has its own method.
    """
    if cls is None or other in (None, cls) or other in library.AS_PYTHON or not issubclass(other, cls):
        return False
    own = getattr(other, name, None)
    return name in COMPARING.values() or (own is not None and own is not getattr(cls, name, None))


def _first_answer(s: Specializer, ways: list[tuple[Abstract, str, Abstract]]) -> tuple[Abstract | None, bool]:
    """Call special methods until one returns a result; return this result, or None, and whether any method was called.

    Arguments:
        ways: for each method, in Python's order: the object that has it, its name, and its argument.
    """
    classes = [s.rules.class_of(receiver) for receiver, _, _ in ways]
    if len(ways) == 2 and _is_asked_first(classes[0], classes[1], ways[1][1]):
        ways = ways[::-1]
    asked = False
    for receiver, name, argument in ways:
        own = s.rules.special(s, receiver, name)
        opposite = own is None and name == "__ne__" and _has_object_ne(s, receiver)
        if opposite:
            own = s.rules.special(s, receiver, "__eq__")
        if own is None:
            continue
        asked = True
        result = s.call_python(own, [receiver, argument], {})
        if isinstance(result, Fixed) and result.value is NotImplemented:
            continue
        return as_value(_opposite(s, s.truth(result), True)) if opposite else result, True
    return None, asked


def whole(s: Specializer, value: Abstract) -> Runtime:
    """Return a whole number as INT; a float raises TypeError, as in Python."""
    if is_mixed(value):
        return s.runtime(s.either_number(value, lambda each: whole(s, each)))
    if isinstance(value, Fixed) and hasattr(value.value, "__index__"):
        return s.convert(Fixed(operator.index(value.value)), INT)
    kind = kind_or_none(s, value)
    if kind is None or not (kind == BOTTOM or is_whole(kind)):
        return s.not_taken("use as a whole number", [value], "__index__")
    if isinstance(value, Runtime) and (value.kind == BOOL or isinstance(value.kind, EnumOf)):
        return s.emit("convert", value, kind=INT)  # a whole number to Python, too
    return s.convert(value, INT)


def fraction(s: Specializer, value: Abstract) -> Runtime:
    """Return a number as a float; Python takes over if the float would not be exact."""
    if isinstance(value, Fixed):
        if not isinstance(value.value, (int, float)):
            return s.not_taken("use as a number", [value], "__float__", "__index__")
        if isinstance(value.value, int) and int(float(value.value)) != value.value:
            return s.stop()
        return number(float(value.value), FLOAT)
    if value.kind == FLOAT if isinstance(value, Runtime) else False:
        return s.runtime(value)
    if is_mixed(value):
        return s.runtime(s.either_number(value, lambda each: fraction(s, each)))
    kind = kind_or_none(s, value)
    if kind is None or not (kind == BOTTOM or is_whole(kind)):
        return s.not_taken("use as a number", [value], "__float__", "__index__")
    return s.convert(whole(s, value), FLOAT)


def _of_numbers(s: Specializer, sign: str, one: Abstract, other: Abstract, left: Type, right: Type) -> Abstract:
    if sign in "&|^" and left == right == BOOL:
        return s.emit(WHOLE[sign], s.runtime(one), s.runtime(other), kind=BOOL)
    if s.has_arrays and left == right == BOOL:
        raise s.refuse(
            f"{sign} of two truth values is not compiled in a program with arrays of NumPy, which adds them differently"
        )
    narrow = [each.bits for each in (left, right) if isinstance(each, Narrow)]
    if narrow:
        if FLOAT in (left, right) or sign in ("/", "**", "<<", ">>"):
            raise s.refuse(f"{sign} of a number of few bits from an array of NumPy is not compiled: write int(...)")
        result = _of_numbers(s, sign, whole(s, one), whole(s, other), INT, INT)
        return s.convert(result, Narrow(min(narrow))) if s.env is not None else NEVER
    if sign == "**":
        return _power(s, one, other, left, right)
    if FLOAT in (left, right) or sign == "/":
        return _of_fractions(s, sign, fraction(s, one), fraction(s, other))
    a, b = whole(s, one), whole(s, other)
    if sign in WHOLE:
        return s.emit(WHOLE[sign], a, b, kind=INT, detail=s.checked if sign in "+-*" else None)
    if sign in ("//", "%"):
        _refuse_zero(s, other, b)
        return s.emit("floordiv" if sign == "//" else "mod", a, b, kind=INT)
    if sign in ("<<", ">>"):
        if not (isinstance(other, Fixed) and other.value >= 0):
            s.fail_if(s.emit("lt", b, number(0), kind=BOOL), None if s.has_arrays else ValueError)
        return s.emit("shl" if sign == "<<" else "shr", a, b, kind=INT, detail=s.checked if sign == "<<" else None)
    return cannot_combine(s, sign, one, other)


def cannot_combine(s: Specializer, sign: str, *operands: Abstract) -> Runtime:
    """Write code that raises TypeError, since the operands do not support the operator. Refuse if one of their classes
    may define it.
    """
    names = [METHODS[sign], *(("divmod",) if sign in ("//", "%") else ())]
    return s.not_taken(sign, operands, *[f"__{way}{name}__" for name in names for way in ("", "r")])


def _refuse_zero(s: Specializer, divisor: Abstract, stored: Runtime) -> None:
    if not (isinstance(divisor, Fixed) and divisor.value != 0):
        zero = number(0 if stored.kind == INT else 0.0, stored.kind)
        s.fail_if(s.emit("eq", stored, zero, kind=BOOL), None if s.has_arrays else ZeroDivisionError)


def _of_fractions(s: Specializer, sign: str, one: Runtime, other: Runtime) -> Abstract:
    if sign not in FRACTIONAL:
        return cannot_combine(s, sign, one, other)
    if s.env is None:
        return NEVER
    if sign in ("/", "//", "%"):
        _refuse_zero(s, other, other)
    return s.emit(FRACTIONAL[sign], one, other, kind=FLOAT)


def _power(s: Specializer, one: Abstract, other: Abstract, left: Type, right: Type) -> Abstract:
    if FLOAT in (left, right):
        return s.call_python(library.float_power, [fraction(s, one), fraction(s, other)], {})
    if isinstance(other, Fixed) and other.value < 0:
        if s.has_arrays:
            raise s.refuse("a negative power in a program with arrays of NumPy is not compiled: write float(...)")
        return s.call_python(library.float_power, [fraction(s, one), fraction(s, other)], {})
    return s.call_python(library.power, [whole(s, one), other], {})


def _of_bits(s: Specializer, sign: str, one: Runtime, other: Runtime) -> Abstract:
    kind = one.kind
    if isinstance(other.kind, BitsOf) and sign in "&|^-":
        if other.kind != kind:
            return s.fails(ValueError)
        if sign == "-":
            return s.emit("and", one, s.emit("invert", other, kind=kind), kind=kind)
        return s.emit(WHOLE[sign], one, other, kind=kind)
    if sign in ("<<", ">>") and is_whole(other.kind):
        count = whole(s, other)
        is_constant = isinstance(count.atom, core.Constant) and count.atom.value >= 0
        if not is_constant:
            s.fail_if(s.emit("lt", count, number(0), kind=BOOL), ValueError)
        return s.emit("bits_shl" if sign == "<<" else "bits_shr", one, count, kind=kind)
    return cannot_combine(s, sign, one, other)


def unary(s: Specializer, sign: str, value: Abstract) -> Abstract:
    """Return the result of an operator with one operand."""
    if sign != "not" and is_array(value):
        return s.rules.arrays.unary(s, sign, value)  # type: ignore[no-any-return]
    if sign == "not":
        truth = s.truth(value)
        if isinstance(truth, bool):
            return Fixed(not truth)
        made = s.negated(truth)
        if isinstance(truth.atom, core.Local) and truth.atom.name in s.tests and isinstance(made.atom, core.Local):
            s.tests[made.atom.name] = [(keys, not side, kind) for keys, side, kind in s.tests[truth.atom.name]]
        return made
    if isinstance(value, Fixed):
        return s.computed(SIGNS[sign], value.value)
    name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}[sign]
    own = s.rules.special(s, value, name)
    if own is not None:
        return s.call_python(own, [value], {})
    value = containers.plain(s, value)
    if s.env is None:
        return NEVER
    if is_mixed(value):
        return s.either_number(value, lambda each: unary(s, sign, each))
    kind = kind_or_none(s, value)
    if kind == FLOAT and sign in "-+":
        return s.emit("fneg", s.runtime(value), kind=FLOAT) if sign == "-" else value
    if kind == BOOL and s.has_arrays:
        raise s.refuse(
            f"{sign} of a truth value in a program with arrays of NumPy is not compiled: write not, or int(...)"
        )
    if isinstance(kind, Narrow):
        return s.convert(unary(s, sign, whole(s, value)), kind)
    if kind is not None and is_whole(kind):
        truth = whole(s, value)
        if sign == "+":
            return truth
        return s.emit("neg" if sign == "-" else "invert", truth, kind=INT, detail=s.checked if sign == "-" else None)
    if isinstance(kind, BitsOf) and sign == "~":
        return s.emit("invert", s.runtime(value), kind=kind)
    return s.not_taken(sign, [value], name)


# Comparisons ----------------------------------------------------------------------------------------------------------


def compare(s: Specializer, sign: str, one: Abstract, other: Abstract) -> "Runtime | bool":
    """Return whether a comparison holds."""
    if sign in ("is", "is not"):
        return _opposite(s, is_same(s, one, other), sign == "is not")
    if sign in ("in", "not in"):
        return _opposite(s, containers.contains(s, one, other), sign == "not in")
    if isinstance(one, Fixed) and isinstance(other, Fixed) and not containers.is_mutable(one.value):
        try:
            return bool(COMPARED[sign](one.value, other.value))
        except Exception as error:
            s.fails(type(error))
            return False
    result = _compared_by_method(s, sign, one, other)
    if result is not None:
        return result
    if sign in ("==", "!="):
        return _opposite(s, equal(s, one, other), sign == "!=")
    return ordered(s, sign, one, other)


def _opposite(s: Specializer, test: "Runtime | bool", opposite: bool) -> "Runtime | bool":
    if not opposite:
        return test
    if isinstance(test, bool):
        return not test
    result = unary(s, "not", test)
    return result if isinstance(result, Runtime) else bool(result.value)  # type: ignore[union-attr]


def _compared_by_method(s: Specializer, sign: str, one: Abstract, other: Abstract) -> "Runtime | bool | None":
    """Return whether a comparison is true according to an author's special methods; None if neither value has one."""
    ways = [(one, COMPARING[sign], other), (other, COMPARING[MIRRORED[sign]], one)]
    result, asked = _first_answer(s, ways)
    if result is not None:
        return s.truth(result)
    if asked and sign not in ("==", "!="):
        unasked = [each for each, name, _ in ways if s.rules.special(s, each, name) is None]
        s.not_taken(sign, unasked, COMPARING[sign], COMPARING[MIRRORED[sign]])
        return False
    if asked:
        return _opposite(s, _are_one(s, one, other), sign == "!=")
    if sign == "!=":
        # A named tuple with its own __eq__ has the __ne__ of tuples, which does not call this __eq__.
        rows = [
            containers.fixed_items(s, each) if s.rules.special(s, each, "__eq__") is not None else None
            for each in (one, other)
        ]
        if rows != [None, None]:
            given = zip(rows, (one, other), strict=True)
            return compare(s, "!=", *[each if row is None else containers.together(row) for row, each in given])
    return None


def _are_one(s: Specializer, one: Abstract, other: Abstract) -> "Runtime | bool":
    """Return whether two values without `__eq__` are the same object; refuse if the compiler cannot know."""
    kinds = [each.kind if isinstance(each, Runtime) else None for each in (one, other)]
    if all(isinstance(each, ObjectOf) for each in kinds):
        return s.emit("same", s.runtime(one), s.runtime(other), kind=BOOL) if kinds[0] == kinds[1] else False
    if s.rules.class_of(one) is s.rules.class_of(other):
        raise s.refuse("these values have no __eq__, so == would compare identity, which is not compiled")
    return False


def _has_object_ne(s: Specializer, value: Abstract) -> bool:
    cls = s.rules.class_of(value)
    return cls is not None and not issubclass(cls, tuple)


def is_same(s: Specializer, one: Abstract, other: Abstract) -> "Runtime | bool":
    """Return whether two values are the same object, if that does not depend on how Python stores them."""
    if isinstance(one, Fixed) and isinstance(other, Fixed):
        return one.value is other.value
    for here, there in ((one, other), (other, one)):
        if is_choice(here):
            return s.truth(s.either_type(here, lambda each, there=there: as_value(is_same(s, each, there))))  # type: ignore[misc]
    for here, there in ((one, other), (other, one)):
        if isinstance(there, Fixed) and there.value is None:
            return _is_none(s, here)
    kinds = kind_or_none(s, one), kind_or_none(s, other)
    if None in kinds:
        return one is other
    if BOOL in kinds and s.has_arrays:
        raise s.refuse("`is` of a truth value in a program with arrays of NumPy is not compiled; write ==")
    if kinds[0] == kinds[1] and (kinds[0] == BOOL or isinstance(kinds[0], EnumOf)):
        return s.emit("eq", s.runtime(one), s.runtime(other), kind=BOOL)
    if isinstance(kinds[0], (List, ObjectOf)) and without_lengths(kinds[0]) == without_lengths(kinds[1]):  # type: ignore[arg-type]
        return s.emit("same", s.runtime(one), s.runtime(other), kind=BOOL)
    inner = [each.item if isinstance(each, Optional) else each for each in kinds]
    if INT in inner or NUMBER in inner:
        s.require_classes("`is`")
    if all(isinstance(each, Optional) for each in kinds):
        return equal(s, one, other)
    if inner[0] == inner[1] and (inner[0] == BOOL or isinstance(inner[0], EnumOf)):
        return equal(s, one, other)
    if isinstance(kinds[0], EnumOf) or isinstance(kinds[1], EnumOf) or BOOL in kinds:
        return False
    raise s.refuse("`is` of values that are not None, truth values or members of an Enum is not compiled; write ==")


def _is_none(s: Specializer, value: Abstract) -> "Runtime | bool":
    if not isinstance(value, Runtime):
        return False
    if is_choice(value):
        return s.truth(s.either_type(value, lambda each: as_value(_is_none(s, each))))
    if value.kind == NONE:
        return True
    if value.kind == ATOM:
        return s.emit("eq", value, number(None, ATOM), kind=BOOL)
    if isinstance(value.kind, Optional):
        made = s.negated(s.emit("is_some", value, kind=BOOL))
        s.implies(made, False, value, value.kind.item)
        return made
    return value.kind == BOTTOM


def equal(s: Specializer, one: Abstract, other: Abstract) -> "Runtime | bool":
    """Return whether two values are equal."""
    if isinstance(one, Fixed) and isinstance(other, Fixed):
        return bool(one.value == other.value)
    result = _compared_by_method(s, "==", one, other)
    if result is not None:
        return result
    if is_choice(one) and is_choice(other) and one.kind == other.kind and _is_flat(one.kind):
        return s.emit("eq", one, other, kind=BOOL)
    for here, there in ((one, other), (other, one)):
        if is_choice(here):
            return s.truth(s.either_type(here, lambda each, there=there: as_value(equal(s, each, there))))  # type: ignore[misc]
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Fixed) and here.value is None:
            return _is_none(s, there)
    left, right = kind_or_none(s, one), kind_or_none(s, other)
    if BOTTOM in (left, right):
        return NEVER
    if is_array(one) or is_array(other):
        raise s.refuse("comparing arrays of NumPy has no single answer: write np.array_equal(...)")
    if left == NONE or right == NONE:
        return _is_none(s, other if left == NONE else one)
    for here, there in ((one, other), (other, one)):
        if is_mixed(here):
            either = s.either_number(here, lambda each, there=there: as_value(equal(s, each, there)))  # type: ignore[misc]
            return s.truth(either)
    for here, there, kind in ((one, other, left), (other, one, right)):
        if isinstance(kind, Optional):
            inside = s.if_some(
                here,
                lambda held, there=there: as_value(equal(s, held, there)),  # type: ignore[misc]
                lambda there=there: as_value(_is_none(s, there)),  # type: ignore[misc]
            )
            return s.truth(inside)
    if left is None or right is None:
        return one is other or _equal_without_type(s, one, other)
    if is_number(left) and is_number(right):
        if isinstance(left, EnumOf) and left == right:
            return s.emit("eq", s.runtime(one), s.runtime(other), kind=BOOL)
        if FLOAT in (left, right):
            return s.emit("eq", fraction(s, one), fraction(s, other), kind=BOOL)
        return s.emit("eq", whole(s, one), whole(s, other), kind=BOOL)
    if letters.is_text_kind(left) and letters.is_text_kind(right):
        return letters.equal(s, one, other)
    if left == right and isinstance(left, (BitsOf, EnumOf)):
        return s.emit("eq", s.runtime(one), s.runtime(other), kind=BOOL)
    if isinstance(left, (Tuple, RecordOf)) and isinstance(right, (Tuple, RecordOf)):
        return _equal_tuples(s, one, other, left, right)
    if isinstance(left, (List, Tuple)) and isinstance(right, (List, Tuple)):
        if containers.sequence_class(left) is containers.sequence_class(right):
            return s.truth(s.call_python(library.sequences_equal, [one, other], {}))
        return False
    if isinstance(left, ObjectOf) and isinstance(right, ObjectOf) and left.cls is right.cls:
        if containers.has_own(left.cls, "__eq__"):
            rows = [containers.compared_row(s, each, left.cls, "==") for each in (one, other)]
            return equal(s, *rows)
        return s.emit("same", s.runtime(one), s.runtime(other), kind=BOOL) if left == right else False
    for kind in (left, right):
        if isinstance(kind, EnumOf) and issubclass(kind.cls, (float, str, bytes, tuple)):
            raise s.refuse(f"== of a member of {kind.cls.__name__} and this value is not compiled: write .value")
    return False


def _equal_without_type(s: Specializer, one: Abstract, other: Abstract) -> "Runtime | bool":
    """Return whether two values are equal of which one has no type at run time, such as a constant object, or a tuple
    that holds one. Refuse if the compiler cannot know.
    """
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Poison):
            raise s.refuse(here.message)
        if isinstance(here, Fixed) and isinstance(here.value, str) and type(here.value) is not str:
            return equal(s, Fixed("".join(here.value)), there)  # a member of an Enum of texts
    sequences = [_sequence_class(each) for each in (one, other)]
    if sequences == [range, range]:
        raise s.refuse("== of two ranges is not compiled: compare their bounds")
    if None not in sequences:
        if sequences[0] is not sequences[1]:
            return False
        rows = [containers.fixed_items(s, each) for each in (one, other)]
        if rows[0] is None or rows[1] is None:
            raise s.refuse("== of a sequence with objects and one of unknown length is not compiled")
        return len(rows[0]) == len(rows[1]) and _all_equal(s, list(zip(*rows, strict=True)))
    classes = [type(each.value) if isinstance(each, Fixed) else s.rules.class_of(each) for each in (one, other)]
    if classes[0] is not None and classes[0] is classes[1]:
        return _equal_instances(s, one, other, classes[0])
    if all(isinstance(each, (TypeMethod, Partially)) for each in (one, other)):
        raise s.refuse("== of two methods is not compiled")
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Fixed) and _may_equal(here.value, kind_or_none(s, there)):
            raise s.refuse(f"== of a {type(here.value).__name__} and this value is not compiled")
    return False


def _sequence_class(value: Abstract) -> type | None:
    """Return the class of a sequence (tuple, list, str or range); None for any other value."""
    if isinstance(value, Iterator):
        return range if value.name == "range" else None
    if isinstance(value, Parts):
        is_tuple = value.cls is None or issubclass(value.cls, tuple)
        return str if value.cls is str else tuple if is_tuple else None
    if isinstance(value, Fixed):
        cls = containers.own_class(value.value)
        return next((each for each in (tuple, list, str, range) if issubclass(cls, each)), None)
    if containers.has_fields(value):
        return list
    if not isinstance(value, Runtime):
        return None
    if letters.is_text_kind(value.kind):
        return str
    return containers.sequence_class(value.kind) if isinstance(value.kind, (Tuple, List)) else None


def _equal_instances(s: Specializer, one: Abstract, other: Abstract, cls: type) -> "Runtime | bool":
    """Return whether two instances of a class are equal whose author has written no `__eq__`."""
    if not containers.has_own(cls, "__eq__"):
        if isinstance(one, Fixed) != isinstance(other, Fixed) and not is_record(cls):
            return False  # one is a constant, and the other was made at run time
        raise s.refuse(f"{cls.__name__} has no __eq__, so that == compares identity, which is not compiled")
    if not (attrs.has(cls) or dataclasses.is_dataclass(cls)):
        raise s.refuse(f"== of two instances of {cls.__name__} is not compiled")
    rows = [containers.compared_row(s, each, cls, "==") for each in (one, other)]
    return equal(s, *rows)


def _may_equal(value: object, kind: Type | None) -> bool:
    """Return whether a constant without a type may be equal to a value of another class, which has type `kind` at run
    time.
    """
    cls = type(value)
    if attrs.has(cls) or dataclasses.is_dataclass(cls) or not containers.has_own(cls, "__eq__"):
        return False
    if isinstance(value, EQUAL_TO_NO_DATA):
        return False
    if isinstance(value, int) and kind is not None and is_whole(kind):
        return False  # it is beyond 64 bits
    if isinstance(value, numbers.Number):
        return kind is None or kind == NUMBER or is_number(kind)
    if isinstance(value, (tuple, list, str, range)):
        return kind is None
    return kind is None or not is_number(kind)


EQUAL_TO_NO_DATA = (
    BuiltinFunctionType, MethodType, MethodWrapperType, bytes, bytearray, memoryview, slice,
)  # fmt: skip
"""Classes of constants with an `__eq__` that are equal to no value at run time."""


def alike(s: Specializer, one: Abstract, other: Abstract) -> "Runtime | bool":
    """Return whether two items of containers are equal by the rule of `library.alike`."""
    if all(kind_or_none(s, each) in (FLOAT, NUMBER) for each in (one, other)):
        return s.truth(s.call_python(library.alike, [one, other], {}))
    return equal(s, one, other)


def _equal_tuples(
    s: Specializer, one: Abstract, other: Abstract, left: Tuple | RecordOf, right: Tuple | RecordOf
) -> "Runtime | bool":
    if len(left.items) != len(right.items) or isinstance(left, RecordOf) != isinstance(right, RecordOf):
        return False
    if isinstance(left, RecordOf) and inspect.getattr_static(left.cls, "__eq__") is vars(object)["__eq__"]:
        raise s.refuse(f"{left.cls.__name__} has no __eq__, so that == compares identity, which is not compiled")
    if isinstance(left, RecordOf) and containers.comparison_keys(left.cls):
        raise s.refuse(f"{left.cls.__name__} compares a field by means of a function; this is not compiled")
    if (left.cls is str) != (right.cls is str) or (isinstance(left, RecordOf) and left.cls is not right.cls):
        return False
    simple = left == right and _is_flat(left) and not isinstance(one, Parts) and not isinstance(other, Parts)
    if simple:
        return s.emit("eq", s.runtime(one), s.runtime(other), kind=BOOL)
    if len(left.items) > 16 and left == right and _is_flat(left):
        return s.emit("eq", s.runtime(one), s.runtime(other), kind=BOOL)
    names = range(len(left.items))
    if isinstance(left, RecordOf):
        names = [each for each in names if containers.is_compared(left.cls, each)]  # type: ignore[assignment]
    pairs = [(containers.part(s, one, index), containers.part(s, other, index)) for index in names]
    return _all_equal(s, pairs)


def _is_flat(kind: Type) -> bool:
    """Return whether two values of a type are equal exactly when their parts are equal, whatever their classes are."""
    if isinstance(kind, RecordOf):
        from ggp.compiler import rules

        own = rules.special(None, number(None, kind), "__eq__")  # type: ignore[arg-type]
        plain_fields = all(containers.is_compared(kind.cls, index) for index in range(len(kind.items)))
        plain_fields = plain_fields and not containers.comparison_keys(kind.cls)
        return own is None and plain_fields and all(map(_is_flat, kind.items))
    if isinstance(kind, (Tuple, OneOf)):
        return all(map(_is_flat, kind.items))
    if isinstance(kind, Optional):
        return _is_flat(kind.item)
    return not isinstance(kind, (List, ObjectOf)) and kind not in (BOTTOM, NUMBER, FLOAT)


def _all_equal(s: Specializer, pairs: list[tuple[Abstract, Abstract]]) -> "Runtime | bool":
    if not pairs:
        return True
    first = alike(s, *pairs[0])
    if first is False or s.env is None:
        return False
    if first is True:
        return _all_equal(s, pairs[1:])
    if len(pairs) == 1:
        return first
    result = s.either(first, lambda: as_value(_all_equal(s, pairs[1:])), lambda: Fixed(False))
    return s.truth(result)


def ordered(s: Specializer, sign: str, one: Abstract, other: Abstract) -> "Runtime | bool":
    """Return the result of comparing two values by the operator `sign`, such as < or >=."""
    one, other = containers.plain(s, one), containers.plain(s, other)
    if s.env is None:
        return False
    left, right = kind_or_none(s, one), kind_or_none(s, other)
    if left is None or right is None:
        raise s.refuse("these values cannot be ordered")
    if is_array(one) or is_array(other):
        raise s.refuse("the order of arrays of NumPy is not compiled")
    if BOTTOM in (left, right):
        return NEVER
    if is_split(one) or is_split(other):
        return s.truth(of_each_type(s, [one, other], lambda given: as_value(ordered(s, sign, *given)), is_split))
    if is_number(left) and is_number(right):
        if FLOAT in (left, right):
            return s.emit(ORDER[sign], fraction(s, one), fraction(s, other), kind=BOOL)
        return s.emit(ORDER[sign], whole(s, one), whole(s, other), kind=BOOL)
    if isinstance(left, BitsOf) and isinstance(right, BitsOf) and sign in "<>":
        if left != right:
            s.fails(ValueError)
            return False
        return s.emit(ORDER[sign], s.runtime(one), s.runtime(other), kind=BOOL)
    if letters.is_name(left) and letters.is_name(right):
        return ordered(s, sign, *letters.ranks(s, s.runtime(one), s.runtime(other)))
    if letters.is_text_kind(left) and letters.is_text_kind(right):
        one, other = containers.as_alike(s, one), containers.as_alike(s, other)
        left, right = one.kind, other.kind
    sequences = isinstance(left, (Tuple, List)) and isinstance(right, (Tuple, List))
    if sequences and containers.sequence_class(left) is containers.sequence_class(right):
        if sign in (">", ">="):
            one, other, sign = other, one, {">": "<", ">=": "<="}[sign]
        return s.truth(s.call_python(library.comes_before, [one, other, Fixed(sign == "<=")], {}))
    if isinstance(left, (RecordOf, ObjectOf)) and isinstance(right, (RecordOf, ObjectOf)):
        cls = left.cls
        if cls is right.cls and containers.has_own(cls, COMPARING[sign]):
            return ordered(s, sign, *[containers.compared_row(s, each, cls, sign) for each in (one, other)])
    s.not_taken(sign, [one, other], COMPARING[sign], COMPARING[MIRRORED[sign]])
    return False
