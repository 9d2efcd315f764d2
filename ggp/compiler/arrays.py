"""Rules for arrays of NumPy. The kind of their items and their shape are known when compiling, except perhaps the
number of rows.

An array is stored as a list of cells and the index of its first cell. Shape and strides are part of its type. So a
view, such as `board[r]`, `board.T` or `board[:, c]`, shares the cells of its array, and a change of the view changes
the array.
"""

import functools
import math
import operator
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import attrs

from ggp.capabilities import function_name, module_name
from ggp.compiler import arithmetic, array_library, containers, iteration, library
from ggp.compiler.abstract import (
    NEVER,
    NOTHING,
    Abstract,
    Fixed,
    Iterator,
    Parts,
    Runtime,
    TypeMethod,
    is_array,
    number,
    values_of,
)
from ggp.compiler.refusals import Refused
from ggp.compiler.specialization import Specializer
from ggp.compiler.types import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    ITEM_TYPES,
    NUMBER,
    FrozenCells,
    List,
    Narrow,
    Tuple,
    Type,
    array_class,
    array_class_of,
    contiguous,
    in_atoms,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

INTS, BOOLS, FLOATS = "<i8", "|b1", "<f8"
ALL = slice(None)


@attrs.frozen(eq=False)
class Array:
    """An array while compiling."""

    cells: Abstract
    start: Abstract
    shape: tuple[int | None, ...]
    strides: tuple[int | None, ...]
    dtype: str
    counts: tuple[Abstract, ...] = ()
    """The lengths of the axes that are None in the shape."""
    step: tuple[Abstract, ...] = ()
    """The stride, if it is known only at run time: then one variable may hold a row or a column."""

    def value(self) -> Parts:
        """Return the array as a value."""
        cls = array_class(self.shape, self.strides, self.dtype)
        return Parts((self.cells, self.start, *self.counts, *self.step), cls)

    def length(self, axis: int = 0) -> Abstract:
        """Return the number of items of an axis."""
        return self.counts[self.shape[:axis].count(None)] if self.shape[axis] is None else Fixed(self.shape[axis])

    @property
    def steps(self) -> "Steps":
        """The strides: known numbers, or values that are known at run time."""
        return tuple(self.step[0] if each is None else each for each in self.strides)

    @property
    def item(self) -> Type:
        """The type of the items."""
        return ITEM_TYPES[self.dtype]


def refuse(s: Specializer, what: str) -> Refused:
    """Return the error that says that something with arrays of NumPy is not compiled."""
    return s.refuse(f"{what} of an array of NumPy is not compiled")


def of(s: Specializer, value: Abstract) -> Array:
    """Return the `Array` for a value that is an array of NumPy."""
    s.note_arrays()
    if isinstance(value, Fixed):
        return _constant(s, value.value)
    assert isinstance(value, (Parts, Runtime))
    cls = array_class_of(value.cls if isinstance(value, Parts) else value.kind)
    assert cls is not None
    items = value.items if isinstance(value, Parts) else tuple(s.parts(value))
    counts = 2 + cls.shape.count(None)
    return Array(items[0], items[1], cls.shape, cls.strides, cls.dtype, tuple(items[2:counts]), tuple(items[counts:]))


def with_step(s: Specializer, value: Abstract) -> Abstract:
    """Return an array of one axis with its stride as a value instead of a constant."""
    array = of(s, value)
    return value if array.step else attrs.evolve(array, strides=(None,), step=(Fixed(array.strides[0]),)).value()


def _constant(s: Specializer, value: "NDArray[np.generic]") -> Array:
    dtype = _dtype_name(s, value.dtype)
    items = tuple(value.ravel().tolist())
    kind = List(ITEM_TYPES[dtype], list, frozenset((containers.CONSTANT,)))
    s.alive.append(value)
    cells = number(items, kind)
    return Array(cells, Fixed(0), value.shape, contiguous(value.shape), dtype)


def _dtype_name(s: Specializer, dtype: "DTypeLike") -> str:
    """Return the name of a `dtype`, in the words that frozen arrays use."""
    import numpy

    try:
        code = str(numpy.dtype(dtype).str)
    except TypeError:
        code = repr(dtype)
    if code not in ITEM_TYPES:
        raise s.refuse(f"an array of NumPy of the kind {code} is not compiled; make it one of int, bool or float")
    return code


def fixed(s: Specializer, value: object) -> Abstract:
    """Return a known value. A NumPy number becomes a number that is not known until run time, so its class does not
    matter.
    """
    if "numpy" not in sys.modules or not isinstance(value, sys.modules["numpy"].generic):
        return Fixed(value)
    s.note_arrays()
    kind = ITEM_TYPES[_dtype_name(s, value.dtype)]
    return number(value.item(), kind)


def narrowed(s: Specializer, value: Runtime, kind: Narrow) -> Runtime:
    """Return an integer in fewer bits; if its value needs more bits, the search is repeated in the interpreter."""
    if isinstance(value.kind, Narrow) and value.kind.bits <= kind.bits:
        return Runtime(value.atom, kind)
    stored = Runtime(value.atom, INT) if isinstance(value.kind, Narrow) else s.convert(value, INT)
    limit = 1 << kind.bits - 1
    s.fail_if(s.emit("ge", stored, number(limit), kind=BOOL), None)
    s.fail_if(s.emit("lt", stored, number(-limit), kind=BOOL), None)
    return Runtime(stored.atom, kind)


# Places ---------------------------------------------------------------------------------------------------------------


def _sum(s: Specializer, one: Abstract, other: Abstract) -> Abstract:
    if isinstance(one, Fixed) and isinstance(other, Fixed):
        return Fixed(one.value + other.value)
    if isinstance(other, Fixed) and other.value == 0:
        return one
    if isinstance(one, Fixed) and one.value == 0:
        return other
    return s.emit("add", s.runtime(one), s.runtime(other), kind=INT, detail=False)


def _times(s: Specializer, one: Abstract, factor: "int | Abstract") -> Abstract:
    if not isinstance(factor, int):
        return s.emit("mul", s.runtime(one), s.runtime(factor), kind=INT, detail=False)
    if isinstance(one, Fixed):
        return Fixed(one.value * factor)
    return one if factor == 1 else s.emit("mul", s.runtime(one), number(factor), kind=INT, detail=False)


Steps: TypeAlias = "tuple[int | Abstract, ...]"
"""For each axis, the number of cells from one index to the next."""


def _cell_index(s: Specializer, start: Abstract, places: list[Abstract], strides: Steps) -> Abstract:
    for index, step in zip(places, strides, strict=True):
        start = _sum(s, start, _times(s, index, step))
    return start


CellConsumer = Callable[[list[Abstract], list[Abstract]], None]


def _each(s: Specializer, lengths: list[Abstract], arrays: list[tuple[Abstract, Steps]], emit: CellConsumer) -> None:
    """Write a loop over all indices of a shape.

    Arguments:
        arrays: for each array, the index of its first cell, and its strides.
        emit: writes the body, given the index along each axis and the index of the cell in each array.
    """

    def loop(depth: int, indices: list[Abstract], places: list[Abstract]) -> None:
        if s.env is None:
            return
        if depth == len(lengths):
            emit(indices, places)
            return

        def each(index: Abstract) -> None:
            here = [_sum(s, cell, _times(s, index, steps[depth]))
                    for cell, (_, steps) in zip(places, arrays, strict=True)]  # fmt: skip
            loop(depth + 1, [*indices, index], here)

        s.rules.iterate(s, iteration.range_of(s, [lengths[depth]]), each, SIZE)

    with s.inside("each"):
        loop(0, [], [start for start, _ in arrays])


SIZE = 16
"""The assumed size of the body of a loop over cells, in statements.

With this size, a loop over up to 37 cells is unrolled.
"""


def get(s: Specializer, array: Array, index: Abstract) -> Runtime:
    """Return the cell at an index."""
    return s.emit("get", s.runtime(array.cells), s.runtime(index), kind=array.item)


def put(s: Specializer, array: Array, index: Abstract, value: Abstract) -> None:
    """Change the cell at an index."""
    s.do("put", containers.changed(s, array.cells), s.runtime(index), stored(s, value, array.dtype))


def stored(s: Specializer, value: Abstract, dtype: str) -> Runtime:
    """Return a value in the form in which an array stores it."""
    value = containers.plain(s, value)
    if s.env is None:
        return NEVER
    kind = arithmetic.kind_or_none(s, value)
    if kind is not None and kind == BOTTOM:
        return NEVER
    if kind is None or not (kind == NUMBER or arithmetic.is_number(kind)):
        raise s.refuse(f"storing a {kind or 'value of this kind'} in an array of NumPy is not compiled")
    if dtype == BOOLS:
        return s.convert(arithmetic.as_value(s.truth(value)), BOOL)
    if dtype == FLOATS:
        return arithmetic.fraction(s, value)
    if kind in (FLOAT, NUMBER):
        value = s.rules.callables.HANDLERS[int](s, value)
    return s.convert(value, ITEM_TYPES[dtype]) if ITEM_TYPES[dtype] != INT else arithmetic.whole(s, value)


def _new(s: Specializer, dtype: str, room: Abstract = Fixed(0)) -> Runtime:
    origin = "array", s.below("array")
    return s.new_list(List(ITEM_TYPES[dtype], list, frozenset((origin,))), s.runtime(room))


def _size(s: Specializer, lengths: list[Abstract]) -> Abstract:
    size: Abstract = Fixed(1)
    for each in lengths:
        if isinstance(each, Fixed):
            size = _times(s, size, each.value)
        else:
            size = _times(s, each, size.value) if isinstance(size, Fixed) else size
    return size


def _lengths(array: Array) -> list[Abstract]:
    return [array.length(axis) for axis in range(len(array.shape))]


def made(
    s: Specializer, cells: Abstract, shape: tuple[int | None, ...], dtype: str, counts: tuple[Abstract, ...] = ()
) -> Abstract:
    """Return a new array that consists of `cells`."""
    if s.env is None:
        return NEVER
    return Array(cells, Fixed(0), shape, contiguous(shape), dtype, counts).value()


def _filled(
    s: Specializer, shape: tuple[int | None, ...], dtype: str, counts: tuple[Abstract, ...], arrays: list[Array],
    item: Callable[[list[Runtime]], Abstract],
) -> Abstract:  # fmt: skip
    """Return a new array: the results of a rule applied to the items of some arrays, index by index."""
    if None in shape[1:]:
        raise refuse(s, "an unknown length of a second or later axis")
    lengths = [counts[0] if each is None else Fixed(each) for each in shape]
    cells = _new(s, dtype, _size(s, lengths))
    start = [(each.start, _broadcast(each, len(shape))) for each in arrays]

    def emit(_: list[Abstract], places: list[Abstract]) -> None:
        result = item([get(s, *pair) for pair in zip(arrays, places, strict=True)])
        if s.env is not None:
            s.do("append", cells, stored(s, result, dtype))

    merged = _merged(shape, start)
    _each(s, [_size(s, lengths)] if merged else lengths, merged or start, emit)
    return made(s, cells, shape, dtype, counts)


def _merged(shape: tuple[int | None, ...], arrays: list[tuple[Abstract, Steps]]) -> list[tuple[Abstract, Steps]] | None:
    """Return arrays as plain rows of cells; None if the cells of one of them are not adjacent."""
    if len(shape) > 1 and all(steps == contiguous(shape) for _, steps in arrays):
        return [(start, (1,)) for start, _ in arrays]
    return None


def _broadcast(array: Array, axes: int) -> Steps:
    own = tuple(0 if count == 1 else step for count, step in zip(array.shape, array.steps, strict=True))
    return (0,) * (axes - len(own)) + own


def copied(s: Specializer, value: Abstract) -> Abstract:
    """Return a new array with the same items."""
    array = of(s, value)
    if _is_whole(array):
        origin = frozenset((("array", s.below("array")),))
        cells = s.runtime(array.cells)

        def whole() -> Abstract:
            return s.emit("copy", cells, kind=List(array.item, list, origin))

        def part() -> Abstract:
            result = _filled(s, array.shape, array.dtype, array.counts, [array], lambda items: items[0])
            return result.items[0] if isinstance(result, Parts) else NEVER

        return made(s, s.either(_has_all(s, array), whole, part), array.shape, array.dtype, array.counts)
    return _filled(s, array.shape, array.dtype, array.counts, [array], lambda items: items[0])


def _is_whole(array: Array) -> bool:
    strides = zip(array.shape, array.strides, contiguous(array.shape), strict=True)
    return all(count == 1 or step == wanted for count, step, wanted in strides)


def _has_all(s: Specializer, array: Array) -> Runtime:
    """Return whether an array has all cells of the list in which its cells are stored."""
    cells = s.runtime(array.cells)
    same = s.emit("eq", s.emit("length", cells, kind=INT), s.runtime(_size(s, _lengths(array))), kind=BOOL)
    if isinstance(array.start, Fixed) and array.start.value == 0:
        return same
    return s.emit("and", same, s.emit("eq", s.runtime(array.start), number(0), kind=BOOL), kind=BOOL)


def frozen(s: Specializer, value: Abstract, class_for: Callable[[tuple[int | None, ...], str], type]) -> Abstract:
    """Return an array as an immutable value, of the class for arrays of its shape."""
    array = of(s, value)
    if None in array.shape:
        raise s.refuse("an array of NumPy whose number of rows is known only at run time cannot be part of a state")
    count = math.prod(array.shape)  # type: ignore[arg-type]
    whole = s.runtime(array.cells)
    if not _is_whole(array):
        whole = s.runtime(of(s, copied(s, value)).cells)
    else:
        whole = s.runtime(s.either(_has_all(s, array), lambda: whole, lambda: of(s, copied(s, value)).cells))
    return s.emit("tuple_of", whole, kind=Tuple((in_atoms(array.item),) * count, class_for(array.shape, array.dtype)))


def thawed(s: Specializer, value: Abstract, cls: type[FrozenCells]) -> Abstract:
    """Return a new array with the items of a frozen array; `cls` is the class of the frozen array."""
    held = s.runtime(value)
    origin = frozenset((("array", s.below("array")),))
    cells = s.emit("list_of", held, kind=List(ITEM_TYPES[cls.dtype], list, origin))
    s.note_arrays()
    return made(s, cells, cls.shape, cls.dtype)


# Items and views ------------------------------------------------------------------------------------------------------


def _keys(s: Specializer, key: Abstract) -> list[Abstract]:
    if isinstance(key, Fixed) and type(key.value) is tuple:
        return [Fixed(each) for each in key.value]
    if isinstance(key, Parts) and key.cls is None:
        return list(key.items)
    if isinstance(key, Runtime) and isinstance(key.kind, Tuple) and key.kind.cls is None:
        return list(s.parts(key))
    return [key]


def _is_slice(key: Abstract) -> bool:
    return (isinstance(key, Parts) and key.cls is slice) or (isinstance(key, Fixed) and isinstance(key.value, slice))


def _bounds(key: Abstract) -> list[Abstract]:
    if isinstance(key, Parts):
        return list(key.items)
    assert isinstance(key, Fixed)
    return [Fixed(key.value.start), Fixed(key.value.stop), Fixed(key.value.step)]


def _index(s: Specializer, array: Array, axis: int, key: Abstract) -> Abstract:
    key = containers.plain(s, key)
    if s.env is None:
        return NEVER
    kind = arithmetic.kind_or_none(s, key)
    if kind == BOTTOM:
        return NEVER
    if kind is None or kind == BOOL or not arithmetic.is_whole(kind):
        raise s.refuse(f"a {kind or 'value'} as the index of an array of NumPy is not compiled")
    if isinstance(key, Fixed) and array.shape[axis] is not None:
        count = array.shape[axis] or 0
        return Fixed(key.value % count) if -count <= key.value < count else s.fails(IndexError)
    return containers.index_in(s, key, array.length(axis))


def _view(s: Specializer, array: Array, keys: list[Abstract]) -> Array | None:
    """Return the part of an array that some indices and slices select; a part without axes is a single cell."""
    if any(isinstance(each, Fixed) and each.value is Ellipsis for each in keys):
        at = next(index for index, each in enumerate(keys) if isinstance(each, Fixed) and each.value is Ellipsis)
        keys = [*keys[:at], *[Fixed(ALL)] * (len(array.shape) - len(keys) + 1), *keys[at + 1 :]]
    if len(keys) > len(array.shape):
        s.fails(IndexError)
        return None
    start, counts = array.start, list[Abstract]()
    shape: list[int | None] = []
    strides: list[int | None] = []
    steps: tuple[Abstract, ...] = ()
    for axis, key in enumerate([*keys, *[Fixed(ALL)] * (len(array.shape) - len(keys))]):
        step = array.steps[axis]
        if not _is_slice(key):
            start = _sum(s, start, _times(s, _index(s, array, axis, key), step))
        else:
            first, length, stride, lengths = _sliced(s, array, axis, key)
            start = _sum(s, start, _times(s, first, step))
            shape.append(length)
            strides.append(step * stride if isinstance(step, int) else None)
            steps = steps if isinstance(step, int) else (_times(s, step, stride),)
            counts += [lengths] if length is None else []
        if s.env is None:
            return None
    return Array(array.cells, start, tuple(shape), tuple(strides), array.dtype, tuple(counts), steps)


def _sliced(s: Specializer, array: Array, axis: int, key: Abstract) -> tuple[Abstract, int | None, int, Abstract]:
    """Return a slice of an axis: its first index, its length if that is known, its step, and its length as a value."""
    bounds = _bounds(key)
    values, length = values_of(bounds), array.shape[axis]
    if values is not None and length is not None:
        try:
            chosen = range(length)[slice(*values)]
        except Exception as error:
            return s.fails(type(error)), 0, 1, NOTHING
        return Fixed(chosen.start if chosen else 0), len(chosen), chosen.step, NOTHING
    step = bounds[2].value if isinstance(bounds[2], Fixed) else 0
    rows = array.length(axis)
    if values == [None, None, -1]:
        return _sum(s, rows, Fixed(-1)), None, -1, rows
    if step is not None and (not isinstance(step, int) or step < 1):
        raise refuse(s, "a slice with a step backwards or known only at run time")
    first = s.call_python(library.bound, [bounds[0], Fixed(0), rows], {})
    last = s.call_python(library.bound, [bounds[1], rows, rows], {})
    size = s.call_python(library.range_length, [first, last, Fixed(step or 1)], {})
    return first, None, step or 1, size


def item(s: Specializer, owner: Abstract, key: Abstract) -> Abstract:
    """Return `array[key]`."""
    array, keys = of(s, owner), _keys(s, key)
    if any(map(_is_many, keys)):
        return _chosen(s, array, keys)
    view = _view(s, array, keys)
    if view is None or s.env is None:
        return NEVER
    return view.value() if view.shape else get(s, view, view.start)


def _is_many(key: Abstract) -> bool:
    if isinstance(key, Fixed):
        return is_array(key) or isinstance(key.value, list)
    return is_array(key) or (isinstance(key, Runtime) and isinstance(key.kind, List))


def _is_mask(s: Specializer, array: Array, keys: list[Abstract]) -> bool:
    if len(keys) != 1 or not is_array(keys[0]):
        return False
    mask = of(s, keys[0])
    if mask.dtype != BOOLS:
        return False
    if mask.shape != array.shape or None in mask.shape:
        raise refuse(s, "selecting items by truth values of another shape")
    return True


def _chosen(s: Specializer, array: Array, keys: list[Abstract]) -> Abstract:
    """Return the items at several indices, or the items at which a mask is true."""
    if _is_mask(s, array, keys):
        mask = of(s, keys[0])
        cells = _new(s, array.dtype)

        def emit(_: list[Abstract], places: list[Abstract]) -> None:
            s.branch(get(s, mask, places[1]), lambda: s.do("append", cells, get(s, array, places[0])), lambda: None)

        _each(s, _lengths(array), [(array.start, array.steps), (mask.start, mask.steps)], emit)
        count = s.emit("length", cells, kind=INT)
        return made(s, cells, (None,), array.dtype, (count,))
    chosen, places = _places(s, array, keys)
    cells = _new(s, array.dtype)
    places(lambda cell: s.do("append", cells, get(s, array, cell)))
    return made(s, cells, chosen.shape, array.dtype, chosen.counts)


def _places(
    s: Specializer, array: Array, keys: list[Abstract]
) -> tuple[Array, Callable[[Callable[[Abstract], None]], None]]:
    """Return the shape that an index of whole numbers selects, and a loop over the selected cells."""
    if len(keys) != len(array.shape) or any(map(_is_slice, keys)):
        raise refuse(s, "selecting several rows, or several places by a list together with a slice,")
    given = [as_array(s, each) if _is_many(each) else each for each in keys]
    arrays = [each for each in given if isinstance(each, Array)]
    if any(each.item in (BOOL, FLOAT) or len(each.shape) != 1 or each.shape != arrays[0].shape for each in arrays):
        raise refuse(s, "selecting places by tables, by truth values or by arrays of different lengths")
    _check_counts(s, [each.length() for each in arrays if None in each.shape])

    def run(emit: Callable[[Abstract], None]) -> None:
        def each(_: list[Abstract], places: list[Abstract]) -> None:
            rest = iter(places)
            start = array.start
            for axis, key in enumerate(given):
                index = get(s, key, next(rest)) if isinstance(key, Array) else key
                start = _sum(s, start, _times(s, _index(s, array, axis, index), array.steps[axis]))
                if s.env is None:
                    return
            emit(start)

        _each(s, [arrays[0].length()], [(each_.start, each_.steps) for each_ in arrays], each)

    return arrays[0], run


def put_item(s: Specializer, owner: Abstract, key: Abstract, value: Abstract) -> Abstract:
    """Write `array[key] = value`."""
    array, keys = of(s, owner), _keys(s, key)
    containers.changed(s, array.cells)
    if s.env is None:
        return NEVER
    many = is_array(value) or _is_sequence(s, value)
    if any(map(_is_many, keys)):
        if many:
            raise refuse(s, "assigning several values to several selected places")
        if _is_mask(s, array, keys):
            mask = of(s, keys[0])

            def emit(_: list[Abstract], places: list[Abstract]) -> None:
                s.branch(get(s, mask, places[1]), lambda: put(s, array, places[0], value), lambda: None)

            _each(s, _lengths(array), [(array.start, array.steps), (mask.start, mask.steps)], emit)
        else:
            _, places = _places(s, array, keys)
            places(lambda cell: put(s, array, cell, value))
        return NOTHING
    view = _view(s, array, keys)
    if view is None or s.env is None:
        return NEVER
    if not view.shape:
        if many:
            raise refuse(s, "assigning a sequence to a single item")
        put(s, view, view.start, value)
    else:
        assign(s, view, as_array(s, value) if many else value)
    return NOTHING


def assign(s: Specializer, view: Array, value: "Array | Abstract") -> None:
    """Write values into all cells of a view."""
    if not isinstance(value, Array):
        _each(s, _lengths(view), [(view.start, view.steps)], lambda _, places: put(s, view, places[0], value))
        return
    shape, _ = _common(s, [view, value])
    if shape != view.shape:
        raise refuse(s, "assigning values of another shape to a part")
    fresh = of(s, copied(s, value.value()))  # both may be views of one array
    arrays = [(view.start, view.steps), (fresh.start, _broadcast(fresh, len(shape)))]
    _each(s, _lengths(view), arrays, lambda _, places: put(s, view, places[0], get(s, fresh, places[1])))


def _is_sequence(s: Specializer, value: Abstract) -> bool:
    if isinstance(value, Fixed):
        return isinstance(value.value, (list, tuple, range))
    if isinstance(value, Iterator):
        return True
    return isinstance(arithmetic.kind_or_none(s, value), (List, Tuple))


def attribute(s: Specializer, owner: Abstract, name: str) -> Abstract:
    """Return an attribute of an array."""
    array = of(s, owner)
    lengths = _lengths(array)
    if name == "shape":
        return containers.together(lengths)
    if name == "ndim":
        return Fixed(len(array.shape))
    if name == "size":
        return _size(s, lengths)
    if name == "T":
        return transposed(s, array)
    if name == "dtype":
        import numpy

        return Fixed(numpy.dtype(array.dtype))
    if name == "flat":
        return Iterator("flat", lambda emit: cells_of(s, array).run(emit), once=True)
    return TypeMethod(owner, name)


def transposed(s: Specializer, array: Array) -> Abstract:
    """Return an array with its axes in the opposite order."""
    return attrs.evolve(array, shape=array.shape[::-1], strides=array.strides[::-1], counts=array.counts[::-1]).value()


def cells_of(s: Specializer, array: Array) -> Iterator:
    """Return an iterator over all items, row by row."""

    def run(emit: Callable[[Abstract], None]) -> None:
        lengths, arrays = _lengths(array), [(array.start, array.steps)]
        merged = _merged(array.shape, arrays)
        if merged:
            lengths, arrays = [_size(s, lengths)], merged
        _each(s, lengths, arrays, lambda _, places: emit(get(s, array, places[0])))

    return Iterator("array", run, once=False)


def iterate(s: Specializer, value: Abstract) -> Abstract:
    """Return an iterator over the rows of an array, or over its items if it has one axis."""
    array = of(s, value)
    if len(array.shape) == 1:
        return cells_of(s, array)
    return s.call_python(array_library.rows, [value], {})


def items_of(s: Specializer, value: Abstract) -> list[Abstract] | None:
    """Return the rows of an array, or its items if it has one axis; None if the number of rows is not known."""
    array = of(s, value)
    count = array.shape[0]
    return None if count is None else [item(s, value, Fixed(each)) for each in range(count)]


def truth(s: Specializer, value: Abstract) -> "Runtime | bool":
    """Return whether an array of one item is true."""
    array = of(s, value)
    if set(array.shape) != {1}:
        raise s.refuse("the truth of an array of NumPy with several items is not compiled: write .any() or .all()")
    return s.truth(get(s, array, array.start))


def contains(s: Specializer, value: Abstract, owner: Abstract) -> "Runtime | bool":
    """Return whether an array has an item that is equal to a value."""
    if is_array(value) or _is_sequence(s, value):
        raise refuse(s, "`in` with a row")
    cells = cells_of(s, of(s, owner))
    hits = Iterator(
        "in", lambda emit: cells.run(lambda each: emit(arithmetic.as_value(arithmetic.equal(s, each, value))))
    )
    return s.truth(s.call_python(library.any_, [hits], {}))


# Making arrays --------------------------------------------------------------------------------------------------------


def as_array(s: Specializer, value: Abstract, dtype: str | None = None) -> Array:
    """Return an array as it is, or a new one made from a list or tuple of numbers, lists or arrays."""
    s.note_arrays()
    if is_array(value):
        return of(s, value)
    if isinstance(value, Fixed):
        import numpy

        try:
            array = numpy.array(value.value) if dtype is None else numpy.array(value.value, numpy.dtype(dtype))
        except Exception as error:
            raise s.refuse(f"numpy.array of this value is not compiled ({error})") from None
        if not array.shape:
            raise s.refuse("numpy.array of a single number is not compiled")
        return of(s, copied(s, Fixed(array)))
    items = value if isinstance(value, Iterator) else containers.spread(s, value, MOST_SHOWN)
    if isinstance(items, list):
        return _of_items(s, items, dtype)
    return _of_rows(s, value, dtype)


MOST_SHOWN = 64
"""Maximum number of items of a list of known length that are handled one by one."""


def _dtype_of(s: Specializer, kinds: list[object]) -> str:
    """Return the `dtype` of an array that is made of numbers with the types `kinds`."""
    types = {each for each in kinds if each != BOTTOM}
    if not types <= {INT, BOOL, FLOAT} or not types:
        raise s.refuse(
            f"numpy.array of {', '.join(sorted(map(str, types))) or 'nothing'} is not compiled; give it ints"
        )
    if types == {BOOL}:
        return BOOLS
    return FLOATS if FLOAT in types else INTS


def _is_row(s: Specializer, value: Abstract) -> bool:
    return is_array(value) or _is_sequence(s, value)


def _of_items(s: Specializer, items: list[Abstract], dtype: str | None) -> Array:
    if not items:
        return of(s, made(s, _new(s, dtype or FLOATS), (0,), dtype or FLOATS))
    if not any(_is_row(s, each) for each in items):
        item_dtype = dtype or _dtype_of(s, [s.kind_of(each) for each in items])
        cells = _new(s, item_dtype, Fixed(len(items)))
        for each in items:
            s.do("append", cells, stored(s, each, item_dtype))
        return of(s, made(s, cells, (len(items),), item_dtype))
    rows = []
    for index, each in enumerate(items):
        with s.inside(("row", index)):
            rows.append(as_array(s, each, dtype))
    return stacked(
        s, [attrs.evolve(each, shape=(1, *each.shape), strides=(0, *each.strides)) for each in rows], 0, dtype
    )


def _of_rows(s: Specializer, value: Abstract, dtype: str | None) -> Array:
    """Return an array made from a list of unknown length; its items are numbers, or rows of known length."""
    items = value if isinstance(value, Runtime) else s.runtime(containers.gathered(s, value))
    if not isinstance(items.kind, List):
        raise s.refuse(f"numpy.array of a {items.kind} is not compiled")
    kind = items.kind.item
    if kind == BOTTOM:
        return of(s, made(s, _new(s, dtype or FLOATS), (0,), dtype or FLOATS))
    length = s.emit("length", items, kind=INT)
    width = None
    if isinstance(kind, (List, Tuple)):
        inner = array_class_of(kind)
        width = inner.shape[0] if inner else containers.fixed_length(kind)
        if width is None or (inner and len(inner.shape) > 1):
            raise s.refuse(
                "numpy.array of a list of rows is compiled only if the length of the rows is known when compiling"
            )
    else:
        dtype_of_cells = dtype or _dtype_of(s, [kind])
        cells = _new(s, dtype_of_cells, length)
        s.rules.iterate(s, items, lambda each: s.do("append", cells, stored(s, each, dtype_of_cells)), SIZE)
        s.fail_if(s.emit("eq", length, number(0), kind=BOOL), None)  # then it is an array of floats
        return of(s, made(s, cells, (None,), dtype_of_cells, (length,)))
    kinds = [ITEM_TYPES[inner.dtype]] if inner else [kind.item] if isinstance(kind, List) else kind.items
    dtype_of_cells = dtype or _dtype_of(s, list(kinds))
    cells = _new(s, dtype_of_cells)

    def row(each: Abstract) -> None:
        with s.inside("row"):
            array = as_array(s, each, dtype_of_cells)
            s.fail_if(s.emit("ne", s.runtime(array.length()), number(width), kind=BOOL), None)
            cells_of(s, array).run(lambda cell: s.do("append", cells, stored(s, cell, dtype_of_cells)))

    s.rules.iterate(s, items, row, SIZE)
    s.fail_if(s.emit("eq", length, number(0), kind=BOOL), None)
    return of(s, made(s, cells, (None, width), dtype_of_cells, (length,)))


def _check_counts(s: Specializer, lengths: list[Abstract]) -> None:
    """Let Python take over if lengths that are known only at run time differ."""
    for each in lengths[1:]:
        s.fail_if(s.emit("ne", s.runtime(each), s.runtime(lengths[0]), kind=BOOL), None)


def _common(s: Specializer, arrays: list[Array]) -> tuple[tuple[int | None, ...], tuple[Abstract, ...]]:
    """Return the common shape of some arrays, and the lengths that are None in this shape."""
    axes = max(len(each.shape) for each in arrays)
    shape: list[int | None] = []
    sizes: list[Abstract] = []
    for axis in range(-axes, 0):
        having = [each for each in arrays if len(each.shape) >= -axis]
        counts = {each.shape[axis] for each in having} - {1}
        if len(counts) > 1 or (None in counts and len(having) != len(arrays)):
            raise s.refuse(f"arrays of NumPy of the shapes {', '.join(str(each.shape) for each in arrays)} do not fit")
        if None in counts:
            lengths = [each.length(len(each.shape) + axis) for each in having if each.shape[axis] is None]
            _check_counts(s, lengths)
            sizes.append(lengths[0])
        shape.append(counts.pop() if counts else 1)
    return tuple(shape), tuple(sizes)


def stacked(s: Specializer, arrays: list[Array], axis: int, dtype: str | None = None) -> Array:
    """Return a new array that joins several arrays along an axis."""
    item_dtype = dtype or functools.reduce(promoted, [each.dtype for each in arrays])
    shapes = [each.shape for each in arrays]
    rest = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
    if len(rest) > 1 or (axis and any(None in shape for shape in shapes)):
        raise s.refuse(f"arrays of NumPy of the shapes {', '.join(map(str, shapes))} do not fit together")
    cells = _new(s, item_dtype)
    if axis == 0:
        count: Abstract = Fixed(0)
        for index, each in enumerate(arrays):
            with s.inside(("stacked", index)):
                cells_of(s, each).run(lambda cell: s.do("append", cells, stored(s, cell, item_dtype)))
                count = _sum(s, count, each.length())
        first = count.value if isinstance(count, Fixed) else None
        return of(s, made(s, cells, (first, *rest.pop()), item_dtype, () if first is not None else (count,)))
    width = sum(shape[1] or 0 for shape in shapes)

    def row(indices: list[Abstract], places: list[Abstract]) -> None:
        for index, (each, offset) in enumerate(zip(arrays, places, strict=True)):
            with s.inside(("stacked", index)):
                line = attrs.evolve(each, start=offset, shape=each.shape[1:], strides=each.strides[1:])
                cells_of(s, line).run(lambda cell: s.do("append", cells, stored(s, cell, item_dtype)))

    _each(s, [Fixed(shapes[0][0])], [(each.start, each.steps[:1]) for each in arrays], row)
    return of(s, made(s, cells, (shapes[0][0], width), item_dtype))


def promoted(one: str, other: str) -> str:
    """Return the dtype that can hold items of both dtypes."""
    if "numpy" not in sys.modules:
        return one
    numpy = sys.modules["numpy"]
    return str(numpy.promote_types(numpy.dtype(one), numpy.dtype(other)).str)


# Operators ------------------------------------------------------------------------------------------------------------


def _operand(s: Specializer, value: Abstract) -> "Array | Abstract":
    if is_array(value) or _is_sequence(s, value):
        return as_array(s, value)
    value = containers.plain(s, value)
    if s.env is None:
        return NEVER
    kind = arithmetic.kind_or_none(s, value)
    if kind is None or not (arithmetic.is_number(kind) or kind == BOTTOM):
        raise s.refuse(f"an array of NumPy together with a {kind or 'value'} is not compiled")
    return value


def _result(s: Specializer, dtypes: "list[tuple[str, bool]]", sign: str) -> str:
    """Return the kind of items in the result of an operator.

    Arguments:
        dtypes: the dtype of each operand, and whether it is an array.
    """
    if sign in COMPARISONS:
        return BOOLS
    if all(operand_dtype == BOOLS for operand_dtype, _ in dtypes):
        if sign in "&|^":
            return BOOLS
        raise refuse(s, f"{sign} of truth values")
    narrow = [operand_dtype for operand_dtype, _ in dtypes if isinstance(ITEM_TYPES[operand_dtype], Narrow)]
    if narrow and (
        sign in ("/", "**", "<<", ">>") or any(operand_dtype not in (narrow[0], BOOLS) for operand_dtype, _ in dtypes)
    ):
        raise s.refuse(
            f"{sign} of an array of NumPy of the kind {narrow[0]} and other numbers is not compiled; make it one of int"
        )
    dtype = functools.reduce(promoted, [operand_dtype for operand_dtype, _ in dtypes])
    if dtype == FLOATS and sign in ("&", "|", "^", "<<", ">>"):
        raise refuse(s, f"{sign} of floats")
    return FLOATS if sign == "/" else dtype


COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
DTYPES: dict[Type, str] = {INT: INTS, BOOL: BOOLS, FLOAT: FLOATS, **{kind: name for name, kind in ITEM_TYPES.items()}}


def elementwise(s: Specializer, sign: str, *operands: Abstract) -> Abstract:
    """Return the result of an operator or a comparison on arrays and numbers, item by item."""

    def rule(*items: Abstract) -> Abstract:
        if sign in COMPARISONS:
            return arithmetic.as_value(arithmetic.compare(s, sign, *items))
        return arithmetic.binary(s, sign, *items)

    if sign == "@":
        raise refuse(s, sign)
    return mapped(s, rule, operands, sign)


def mapped(
    s: Specializer, rule: Callable[..., Abstract], operands: Iterable[Abstract], sign: str, dtype: str | None = None
) -> Abstract:
    """Return the array that results from applying a rule to the items of arrays and to numbers."""
    given = []
    for index, operand in enumerate(operands):
        with s.inside(("operand", index)):
            given.append(_operand(s, operand))
    if s.env is None:
        return NEVER
    arrays = [each for each in given if isinstance(each, Array)]
    dtypes = []
    for each in given:
        if isinstance(each, Array):
            dtypes.append((each.dtype, True))
            continue
        kind = s.kind_of(each)
        if kind == BOTTOM:
            return NEVER
        weak = [array.dtype for array in arrays if isinstance(array.item, Narrow)]
        plain = isinstance(each, Fixed) and type(each.value) is int
        dtypes.append((weak[0] if weak and plain and kind == INT else DTYPES.get(kind, INTS), False))
    result_dtype = dtype or _result(s, dtypes, sign)
    shape, counts = _common(s, arrays)
    matrices = [each for each in arrays if len(each.shape) > 1]
    by_columns = bool(matrices) and len(matrices) == len(arrays) and all(map(_by_columns, matrices))
    if by_columns:  # NumPy stores what is made of them in the same way
        shape, counts, arrays = shape[::-1], counts[::-1], [of(s, transposed(s, each)) for each in arrays]

    def item_of(items: list[Runtime]) -> Abstract:
        rest = iter(items)
        values = [next(rest) if isinstance(each, Array) else each for each in given]
        if (
            sign not in COMPARISONS and result_dtype in (INTS, FLOATS) and dtype is None
        ):  # truth values are numbers then
            values = [s.convert(each, INT) if arithmetic.kind_or_none(s, each) == BOOL else each for each in values]
        return rule(*values)

    made_ = _filled(s, shape, result_dtype, counts, arrays, item_of)
    return transposed(s, of(s, made_)) if by_columns and s.env is not None else made_


def _by_columns(array: Array) -> bool:
    """Return whether an array is stored column by column, as a transposed array is."""
    strides = zip(array.shape, array.strides, strict=True)
    steps = [abs(step) for count, step in strides if count != 1 and step is not None]
    return len(steps) > 1 and steps == sorted(steps)


def inplace(s: Specializer, sign: str, one: Abstract, other: Abstract) -> Abstract:
    """Write `array += other`."""
    array = of(s, one)
    containers.changed(s, array.cells)
    result = elementwise(s, sign, one, other)
    if s.env is None:
        return NEVER
    value = of(s, result)
    order = [BOOLS, "|i1", "<i2", "<i4", INTS, FLOATS]
    if order.index(value.dtype) > order.index(array.dtype) and (array.dtype == BOOLS or value.dtype == FLOATS):
        return s.fails(TypeError)
    assign(s, array, value)
    return one


def unary(s: Specializer, sign: str, value: Abstract) -> Abstract:
    """Return `-array`, `+array` or `~array`."""
    array = of(s, value)
    if array.dtype == BOOLS:
        if sign != "~":
            raise refuse(s, f"{sign} of truth values")
        return mapped(s, lambda each: arithmetic.unary(s, "not", each), [value], sign, BOOLS)
    if array.dtype == FLOATS and sign == "~":
        raise refuse(s, "~ of floats")
    return mapped(s, lambda each: arithmetic.unary(s, sign, each), [value], sign, array.dtype)


# Functions and methods ------------------------------------------------------------------------------------------------


def _axis(s: Specializer, array: Array, axis: Abstract) -> int | None:
    if not isinstance(axis, Fixed) or not (axis.value is None or type(axis.value) is int):
        raise refuse(s, "an axis that is not a constant number")
    count = len(array.shape)
    if axis.value is None:
        return None
    if not -count <= axis.value < count:
        raise refuse(s, f"axis {axis.value}")
    return int(axis.value % count)


def reduction(name: str) -> Callable[..., Abstract]:
    """Return the rule for `sum`, `any` and similar functions."""

    def rule(s: Specializer, value: Abstract, axis: Abstract = NOTHING) -> Abstract:
        array = as_array(s, value)
        along = _axis(s, array, axis)
        function, more, dtype = _reducing(s, name, array)
        if along is None or len(array.shape) == 1:
            return s.call_python(function, [cells_of(s, array), *more], {})
        rest = [each for each in range(len(array.shape)) if each != along]
        shape = tuple(array.shape[each] for each in rest)
        if None in shape[1:]:
            raise refuse(s, f"{name} along an axis")
        counts = tuple(array.length(each) for each in rest if array.shape[each] is None)
        cells = _new(s, dtype)

        def emit(_: list[Abstract], places: list[Abstract]) -> None:
            inner = (array.length(along),) if array.shape[along] is None else ()
            line = Array(
                array.cells, places[0], (array.shape[along],), (array.strides[along],), array.dtype, inner, array.step
            )
            result = s.call_python(function, [cells_of(s, line), *more], {})
            if s.env is not None:
                s.do("append", cells, stored(s, result, dtype))

        strides = tuple(array.steps[each] for each in rest)
        _each(s, [array.length(each) for each in rest], [(array.start, strides)], emit)
        return made(s, cells, shape, dtype, counts)

    return rule


def _reducing(s: Specializer, name: str, array: Array) -> tuple[Callable[..., object], list[Abstract], str]:
    """Return the function that combines the items into one value, the function's other arguments, and the `dtype` of
    the value.
    """
    if name in ("any", "all"):
        return (library.any_ if name == "any" else library.all_), [], BOOLS
    if name == "count_nonzero":
        return array_library.count_true, [], INTS
    before: Abstract = Fixed(operator.gt if name.endswith("max") else operator.lt)
    if name in ("argmax", "argmin"):
        if array.dtype == FLOATS:
            raise refuse(s, f"{name} of floats")
        return array_library.place_of_extreme, [before], INTS
    if name in ("max", "min"):
        if array.dtype in (FLOATS, BOOLS):
            raise refuse(s, f"{name} of {'floats' if array.dtype == FLOATS else 'truth values'}")
        return library.extreme, [before], array.dtype
    if array.dtype == FLOATS:
        if name == "sum":
            return array_library.total_of_floats, [], FLOATS
        raise s.refuse(f"{name} of an array of NumPy of {array.dtype} is not compiled; use an array of int")
    return (array_library.total if name == "sum" else array_library.product), [], INTS


def _shape(s: Specializer, shape: Abstract) -> tuple[int, ...]:
    """Return a shape as numbers; refuse one that is known only at run time."""
    if isinstance(shape, Fixed):
        items = shape.value if isinstance(shape.value, (tuple, list)) else (shape.value,)
    else:
        parts = containers.spread(s, shape, 8) if _is_sequence(s, shape) else None
        values = values_of(parts) if parts is not None else None
        if values is None:
            raise s.refuse("an array of NumPy whose shape is known only at run time is not compiled")
        items = values
    sizes = tuple(int(each) for each in items)
    if math.prod(sizes) > MOST_FILLED or not sizes or min(sizes) < 0:
        raise s.refuse(f"an array of NumPy of the shape {sizes} is not compiled")
    return sizes


MOST_FILLED = 1 << 16
"""Maximum number of items of an array that is made."""


def _fixed_dtype(s: Specializer, dtype: Abstract | None, default: str) -> str:
    if dtype is None or (isinstance(dtype, Fixed) and dtype.value is None):
        return default
    if not isinstance(dtype, Fixed):
        raise s.refuse("an array of NumPy whose dtype is known only at run time is not compiled")
    return _dtype_name(s, dtype.value)


def full(s: Specializer, shape: Abstract, fill_value: Abstract, dtype: Abstract | None = None) -> Abstract:
    """Return `numpy.full(...)`."""
    s.note_arrays()
    default = DTYPES.get(s.kind_of(fill_value), "?")
    item_dtype = _fixed_dtype(s, dtype, default)
    if item_dtype not in ITEM_TYPES:
        raise refuse(s, "numpy.full")
    return _filled(s, _shape(s, shape), item_dtype, (), [], lambda _: fill_value)


def _of_value(value: int) -> Callable[..., Abstract]:
    def rule(s: Specializer, shape: Abstract, dtype: Abstract | None = None) -> Abstract:
        return full(s, shape, Fixed(value), Fixed(_fixed_dtype(s, dtype, FLOATS)))

    return rule


def _like(value: int) -> Callable[..., Abstract]:
    return lambda s, a, dtype=None: _full_like(s, a, Fixed(value), dtype)


def _full_like(s: Specializer, a: Abstract, fill_value: Abstract, dtype: Abstract | None = None) -> Abstract:
    array = as_array(s, a)
    item_dtype = _fixed_dtype(s, dtype, array.dtype)
    return _filled(s, array.shape, item_dtype, array.counts, [], lambda _: fill_value)


def _array(s: Specializer, object: Abstract, dtype: Abstract | None = None) -> Abstract:
    item_dtype = _fixed_dtype(s, dtype, "") or None
    array = as_array(s, object, item_dtype)
    if is_array(object) or array.dtype != (item_dtype or array.dtype):
        return astype(s, array.value(), Fixed(item_dtype)) if item_dtype else copied(s, array.value())
    return array.value()


def _asarray(s: Specializer, a: Abstract, dtype: Abstract | None = None) -> Abstract:
    item_dtype = _fixed_dtype(s, dtype, "") or None
    if is_array(a) and item_dtype in (None, of(s, a).dtype):
        return a
    return _array(s, a, dtype)


def astype(s: Specializer, value: Abstract, dtype: Abstract) -> Abstract:
    """Return an array with its items converted to another `dtype`."""
    item_dtype = _fixed_dtype(s, dtype, INTS)
    return mapped(s, lambda each: each, [value], "+", item_dtype)


def arange(s: Specializer, *bounds: Abstract, dtype: Abstract | None = None) -> Abstract:
    """Return `numpy.arange(...)` of whole numbers."""
    for each in bounds:
        if s.kind_of(each) not in (INT, BOOL):
            raise refuse(s, "numpy.arange of floats")
    items = iteration.range_of(s, list(bounds))
    if isinstance(items, Fixed):
        items = Fixed(list(items.value))
        return as_array(s, items, _fixed_dtype(s, dtype, INTS)).value()
    s.note_arrays()
    item_dtype = _fixed_dtype(s, dtype, INTS)
    cells = _new(s, item_dtype)
    s.rules.iterate(s, items, lambda each: s.do("append", cells, stored(s, each, item_dtype)), SIZE)
    return made(s, cells, (None,), item_dtype, (s.emit("length", cells, kind=INT),))


def _eye(s: Specializer, N: Abstract, dtype: Abstract | None = None) -> Abstract:  # noqa: N803  NumPy's name
    s.note_arrays()
    (count,) = _shape(s, N)
    rows = [[int(row == column) for column in range(count)] for row in range(count)]
    return as_array(s, Fixed(rows), _fixed_dtype(s, dtype, FLOATS)).value()


def where(s: Specializer, condition: Abstract, *values: Abstract) -> Abstract:
    """Return `numpy.where(...)`: the indices of the items that are not zero, or for each item one of two values."""
    if not values:
        return nonzero(s, condition)
    if len(values) != 2:
        raise refuse(s, "numpy.where with two arguments")
    dtypes = [of(s, each).dtype if is_array(each) else DTYPES.get(s.kind_of(each), "?") for each in values]
    if "?" in dtypes or any(isinstance(ITEM_TYPES[each], Narrow) for each in dtypes):
        raise refuse(s, "numpy.where of these values")

    def rule(test: Abstract, one: Abstract, other: Abstract) -> Abstract:
        kind = ITEM_TYPES[promoted(*dtypes)]
        return s.either(s.truth(test), lambda: stored(s, one, DTYPES[kind]), lambda: stored(s, other, DTYPES[kind]))

    return mapped(s, rule, [condition, *values], "?", promoted(*dtypes))


def _found(s: Specializer, value: Abstract, emit: Callable[[list[Abstract]], None]) -> Array:
    array = as_array(s, value)

    def each(indices: list[Abstract], places: list[Abstract]) -> None:
        s.branch(s.truth(get(s, array, places[0])), lambda: emit(indices), lambda: None)

    _each(s, _lengths(array), [(array.start, array.steps)], each)
    return array


def nonzero(s: Specializer, a: Abstract) -> Abstract:
    """Return the indices of the items that are not zero, as an array for each axis."""
    axes = len(as_array(s, a).shape)
    lists = []
    for axis in range(axes):
        with s.inside(("axis", axis)):
            lists.append(_new(s, INTS))

    def emit(indices: list[Abstract]) -> None:
        for cells, each in zip(lists, indices, strict=True):
            s.do("append", cells, s.runtime(each))

    _found(s, a, emit)
    if s.env is None:
        return NEVER
    count = s.emit("length", lists[0], kind=INT)
    return containers.together([made(s, each, (None,), INTS, (count,)) for each in lists])


def argwhere(s: Specializer, a: Abstract) -> Abstract:
    """Return the indices of the items that are not zero, as a row for each item."""
    axes = len(as_array(s, a).shape)
    cells = _new(s, INTS)

    def emit(indices: list[Abstract]) -> None:
        for each in indices:
            s.do("append", cells, s.runtime(each))

    _found(s, a, emit)
    if s.env is None:
        return NEVER
    count = s.emit("floordiv", s.emit("length", cells, kind=INT), number(axes), kind=INT)
    return made(s, cells, (None, axes), INTS, (count,))


def _flatnonzero(s: Specializer, a: Abstract) -> Abstract:
    indices = nonzero(s, _in_one_row(s, a))
    return indices.items[0] if isinstance(indices, Parts) else NEVER


def ravel(s: Specializer, a: Abstract) -> Abstract:
    """Return the items in one row: a view if they are stored in one row, otherwise a copy."""
    array = as_array(s, a)
    if _is_whole(array):
        return reshaped(s, array, (-1,))
    if array.step:
        raise refuse(s, "ravel() of what may be a row or a column")
    if array.shape == (None,):  # NumPy takes what has one item for a row
        s.fail_if(s.emit("lt", s.runtime(array.length()), number(2), kind=BOOL), None)
    return flatten(s, array.value())


def _in_one_row(s: Specializer, a: Abstract) -> Abstract:
    """Return the items in one row, which the caller only reads."""
    array = as_array(s, a)
    return array.value() if len(array.shape) == 1 else ravel(s, a)


def flatten(s: Specializer, a: Abstract) -> Abstract:
    """Return the items in one row, as a new array."""
    return reshaped(s, of(s, copied(s, as_array(s, a).value())), (-1,))


def reshaped(s: Specializer, array: Array, shape: tuple[int, ...]) -> Abstract:
    """Return the items in another shape: a view if NumPy can make one."""
    if (len(array.shape) == 1 and shape == (-1,)) or shape == array.shape:
        return array.value()
    if array.step:
        raise refuse(s, "reshape(...) of what may be a row or a column")
    if None in array.shape:
        if shape == (-1,) and _is_whole(array):
            size = _size(s, _lengths(array))
            return attrs.evolve(array, shape=(None,), strides=(1,), counts=(size,)).value()
        raise refuse(s, "reshape(...), if the number of rows is known only at run time,")
    count = math.prod(array.shape)  # type: ignore[arg-type]
    if shape.count(-1) == 1:
        rest = math.prod(each for each in shape if each != -1)
        if rest == 0 or count % rest:
            return s.fails(ValueError)
        shape = tuple(count // rest if each == -1 else each for each in shape)
    if math.prod(shape) != count:
        return s.fails(ValueError)
    strides = _strides_of_view(array, shape)
    if strides is None:
        array, strides = of(s, copied(s, array.value())), contiguous(shape)
    return attrs.evolve(array, shape=shape, strides=strides).value()


def _strides_of_view(array: Array, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the strides of the view that NumPy makes of an array in another shape; None if NumPy makes a copy."""
    import numpy

    lengths, strides = [each or 0 for each in array.shape], [each or 0 for each in array.strides]
    reach = sum(count * abs(step) for count, step in zip(lengths, strides, strict=True))
    cells = numpy.zeros(2 * reach + 1, dtype=numpy.int8)
    view = numpy.lib.stride_tricks.as_strided(cells[reach:], lengths, strides)
    shaped = view.reshape(shape)
    return tuple(map(int, shaped.strides)) if numpy.shares_memory(shaped, cells) else None


def _reshape(s: Specializer, a: Abstract, *shape: Abstract) -> Abstract:
    wanted = shape[0] if len(shape) == 1 else containers.together(list(shape))
    values = values_of(containers.spread(s, wanted, 8) or []) if _is_sequence(s, wanted) else values_of([wanted])
    if not values:
        raise refuse(s, "reshape(...) to a shape that is known only at run time")
    return reshaped(s, as_array(s, a), tuple(int(each) for each in values))


def _turned(*axes: int) -> Callable[..., Abstract]:
    """Return the rule for a view in which some axes run backwards."""

    def rule(s: Specializer, m: Abstract) -> Abstract:
        array = as_array(s, m)
        if max(axes) >= len(array.shape):
            return s.fails(ValueError)
        keys: list[Abstract] = [
            Fixed(slice(None, None, -1) if axis in axes else ALL) for axis in range(len(array.shape))
        ]
        return item(s, array.value(), Parts(tuple(keys)))

    return rule


def _flip(s: Specializer, m: Abstract, axis: Abstract = NOTHING) -> Abstract:
    array = as_array(s, m)
    along = _axis(s, array, axis)
    return _turned(*(range(len(array.shape)) if along is None else (along,)))(s, m)


def _rot90(s: Specializer, m: Abstract, k: Abstract = Fixed(1)) -> Abstract:
    if not isinstance(k, Fixed):
        raise refuse(s, "numpy.rot90, if the number of turns is known only at run time,")
    for _ in range(k.value % 4):
        m = transposed(s, of(s, _turned(1)(s, m)))
    return m


def _transpose(s: Specializer, a: Abstract) -> Abstract:
    return transposed(s, as_array(s, a))


def diagonal(s: Specializer, a: Abstract, offset: Abstract = Fixed(0)) -> Abstract:
    """Return a diagonal of an array with two axes; the diagonal must not be changed."""
    array = as_array(s, a)
    if len(array.shape) != 2 or None in array.shape or not isinstance(offset, Fixed):
        raise refuse(s, "a diagonal whose offset is known only at run time, or in other than two axes,")
    rows, columns = array.shape
    assert rows is not None and columns is not None
    k = int(offset.value)
    start = _cell_index(s, array.start, [Fixed(max(0, -k)), Fixed(max(0, k))], array.steps)
    count = max(0, min(rows, columns - k) if k >= 0 else min(rows + k, columns))
    cells = s.runtime(array.cells)
    kind = cells.kind
    assert isinstance(kind, List)
    read = Runtime(cells.atom, attrs.evolve(kind, origin=kind.origin | {containers.CONSTANT}))
    return Array(read, start, (count,), (sum(each or 0 for each in array.strides),), array.dtype).value()


def _diag(s: Specializer, v: Abstract, k: Abstract = Fixed(0)) -> Abstract:
    if len(as_array(s, v).shape) != 2:
        raise refuse(s, "numpy.diag of a row")
    return diagonal(s, v, k)


def _trace(s: Specializer, a: Abstract, offset: Abstract = Fixed(0)) -> Abstract:
    return reduction("sum")(s, diagonal(s, a, offset))


def _array_equal(s: Specializer, a1: Abstract, a2: Abstract) -> Abstract:
    one, other = as_array(s, a1), as_array(s, a2)
    if len(one.shape) != len(other.shape):
        return Fixed(False)
    if None in (*one.shape, *other.shape):
        raise refuse(s, "numpy.array_equal with a length that is known only at run time")
    if one.shape != other.shape:
        return Fixed(False)

    def run(emit: Callable[[Abstract], None]) -> None:
        arrays = [(one.start, one.steps), (other.start, other.steps)]
        _each(s, _lengths(one), arrays, lambda _, at: emit(Parts((get(s, one, at[0]), get(s, other, at[1])))))

    return s.call_python(array_library.equal_arrays, [Iterator("pairs", run)], {})


def _append(s: Specializer, arr: Abstract, values: Abstract, axis: Abstract = NOTHING) -> Abstract:
    one = as_array(s, arr)
    other = as_array(s, values if _is_row(s, values) else containers.together([values]))
    along = _axis(s, one, axis)
    if along is None:
        rows = [of(s, _in_one_row(s, each.value())) for each in (one, other)]
        return stacked(s, rows, 0).value()
    return stacked(s, [one, other], along).value()


def _joined(least: int, along: int) -> Callable[..., Abstract]:
    def rule(s: Specializer, tup: Abstract, axis: Abstract = Fixed(along)) -> Abstract:
        items = containers.fixed_items(s, tup) or containers.spread(s, tup, MOST_SHOWN)
        if not items:
            raise s.refuse("joining arrays of NumPy is not compiled if their number is known only at run time")
        given = []
        for index, each in enumerate(items):
            with s.inside(("joined", index)):
                array = as_array(s, each)
                if len(array.shape) < least:
                    array = attrs.evolve(array, shape=(1, *array.shape), strides=(0, *array.strides))
                given.append(array)
        return stacked(s, given, min(_axis(s, given[0], axis) or 0, len(given[0].shape) - 1)).value()

    return rule


def by_items(function: Callable[..., object], dtype: str | None = None) -> Callable[..., Abstract]:
    """Return the rule for a function of NumPy that applies a function in Python to each item."""

    def rule(s: Specializer, *values: Abstract) -> Abstract:
        if not any(_is_row(s, each) for each in values):
            return s.call_python(function, list(values), {})
        item_dtype = dtype
        if item_dtype is None:
            dtypes = {each.dtype for each in (_operand(s, value) for value in values) if isinstance(each, Array)}
            numbers = [each for each in values if not _is_row(s, each)]
            if len(dtypes) != 1 or not dtypes <= {INTS} or any(s.kind_of(each) != INT for each in numbers):
                raise refuse(s, f"{function.__name__} of numbers other than int")
            item_dtype = INTS
        return mapped(s, lambda *items: s.call_python(function, list(items), {}), values, "?", item_dtype)

    return rule


def tolist(s: Specializer, a: Abstract) -> Abstract:
    """Return the items as a list, or as a list of lists."""
    array = of(s, a)
    if len(array.shape) == 1:
        return containers.gathered(s, cells_of(s, array))
    inner = Iterator("rows", lambda emit: s.rules.iterate(s, a, lambda row: emit(tolist(s, row)), SIZE))
    return containers.gathered(s, inner)


def _item(s: Specializer, a: Abstract, *keys: Abstract) -> Abstract:
    array = of(s, a)
    if not keys and set(array.shape) == {1}:
        return get(s, array, array.start)
    if len(keys) == len(array.shape):
        return item(s, a, containers.together(list(keys)))
    raise refuse(s, "item(...)")


def _fill(s: Specializer, a: Abstract, value: Abstract) -> Abstract:
    assign(s, of(s, a), value)
    return NOTHING


def _mean(s: Specializer, a: Abstract, axis: Abstract = NOTHING) -> Abstract:
    array = as_array(s, a)
    if _axis(s, array, axis) is not None:
        raise refuse(s, "mean along an axis")
    return arithmetic.binary(s, "/", reduction("sum")(s, a), _size(s, _lengths(array)))


def _method_copy(s: Specializer, a: Abstract) -> Abstract:
    return copied(s, as_array(s, a).value())


def _copy(s: Specializer, a: Abstract) -> Abstract:
    array = as_array(s, a)
    if _by_columns(array) and len(array.shape) > 1:  # it stays stored so
        return transposed(s, of(s, copied(s, transposed(s, array))))
    return copied(s, array.value())


REDUCTIONS = ("sum", "any", "all", "max", "min", "argmax", "argmin", "prod")
METHODS: dict[str, Callable[..., Abstract]] = {
    **{name: reduction(name) for name in REDUCTIONS},
    "copy": _method_copy, "flatten": flatten, "ravel": ravel, "reshape": _reshape, "transpose": _transpose,
    "diagonal": diagonal, "trace": _trace, "astype": astype, "tolist": tolist, "item": _item, "fill": _fill,
    "nonzero": nonzero, "mean": _mean,
}  # fmt: skip
"""Rules for the methods of arrays."""


def method(
    s: Specializer, owner: Abstract, name: str, positional: list[Abstract], named: dict[str, Abstract]
) -> Abstract:
    """Return the result of calling a method of an array."""
    rule = METHODS.get(name)
    if rule is None:
        raise refuse(s, f"the method {name}")
    return _called(s, rule, name, [owner, *positional], named)


def _called(
    s: Specializer, rule: Callable[..., Abstract], name: str, positional: list[Abstract], named: dict[str, Abstract]
) -> Abstract:
    import inspect

    try:
        inspect.signature(rule).bind(s, *positional, **named)
    except TypeError:
        raise s.refuse(f"these arguments of NumPy's {name} are not compiled") from None
    result: Abstract = rule(s, *positional, **named)
    return result


@functools.cache
def functions() -> dict[object, Callable[..., Abstract]]:
    """Return the rules for functions of NumPy."""
    import numpy as np

    rules: dict[object, Callable[..., Abstract]] = {getattr(np, name): reduction(name) for name in REDUCTIONS}
    rules |= {
        np.amax: reduction("max"), np.amin: reduction("min"), np.count_nonzero: reduction("count_nonzero"),
        np.zeros: _of_value(0), np.ones: _of_value(1), np.full: full, np.zeros_like: _like(0),
        np.ones_like: _like(1), np.full_like: _full_like, np.array: _array, np.asarray: _asarray,
        np.copy: _copy, np.arange: arange, np.eye: _eye, np.identity: _eye, np.where: where,
        np.nonzero: nonzero, np.argwhere: argwhere, np.flatnonzero: _flatnonzero, np.ravel: ravel,
        np.reshape: _reshape, np.transpose: _transpose, np.fliplr: _turned(1), np.flipud: _turned(0),
        np.flip: _flip, np.rot90: _rot90, np.diagonal: diagonal, np.diag: _diag, np.trace: _trace,
        np.array_equal: _array_equal, np.append: _append, np.concatenate: _joined(1, 0), np.vstack: _joined(2, 0),
        np.hstack: _joined(1, 1), np.mean: _mean, np.absolute: by_items(array_library.absolute),
        np.sign: by_items(array_library.sign), np.minimum: by_items(library.lesser),
        np.maximum: by_items(library.greater), np.logical_and: by_items(array_library.both, BOOLS),
        np.logical_or: by_items(array_library.either, BOOLS), np.logical_not: by_items(array_library.opposite, BOOLS),
        np.ndenumerate: lambda s, arr: s.call_python(array_library.rows_with_places, [arr], {}),
    }  # fmt: skip
    for sign, name in OPERATIONS.items():
        rules[getattr(np, name)] = _operator(sign)
    return rules


OPERATIONS = {
    "+": "add", "-": "subtract", "*": "multiply", "==": "equal", "!=": "not_equal", "<": "less", ">": "greater",
    "<=": "less_equal", ">=": "greater_equal", "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor",
}  # fmt: skip


def _operator(sign: str) -> Callable[..., Abstract]:
    def rule(s: Specializer, x1: Abstract, x2: Abstract) -> Abstract:
        if not _is_row(s, x1) and not _is_row(s, x2):
            raise s.refuse(f"NumPy's function for {sign} of two numbers is not compiled")
        return elementwise(s, sign, x1, x2)

    return rule


def handler(function: object) -> Callable[..., Abstract] | None:
    """Return the rule for a function of NumPy; None if `function` is another function, or has no rule."""
    if "numpy" not in sys.modules or not (module_name(function) or "numpy").startswith("numpy"):
        return None
    try:
        rule = functions().get(function)
    except TypeError:
        return None
    if rule is None:
        return None
    name = function_name(function)
    return lambda s, *positional, **named: _called(s, rule, name, list(positional), named)


def is_scalar_class(cls: object) -> TypeGuard[type]:
    """Return whether a class is one of NumPy's classes of numbers."""
    return "numpy" in sys.modules and isinstance(cls, type) and issubclass(cls, sys.modules["numpy"].generic)


def scalar(s: Specializer, cls: type, value: Abstract = Fixed(0)) -> Abstract:
    """Return a number, converted to one of NumPy's classes of numbers."""
    s.note_arrays()
    if _is_row(s, value):
        raise s.refuse(f"numpy.{cls.__name__} of a sequence is not compiled")
    made_ = stored(s, value, _dtype_name(s, cls))
    return made_ if s.env is not None else NEVER
