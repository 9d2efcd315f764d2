"""Rules for texts. A text is either spelled letter by letter, or a name from a set that is known while compiling.

A letter is a text of one character. Properties of a name, such as its length, are in a table of all names of the
program. Python takes over if a text is not in the table, or if a letter is not ASCII.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping

from ggp.compiler import arithmetic, containers, library
from ggp.compiler.abstract import NEVER, Abstract, Fixed, Iterator, Parts, Runtime, number, values_of
from ggp.compiler.encoding import atom
from ggp.compiler.specialization import TEXTS, UNWRITTEN, Specializer
from ggp.compiler.types import ATOM, BOOL, BOTTOM, INT, LETTER, NONE, SHORT, List, Narrow, Tuple, Type, is_spelled
from ggp.compiler.types import is_text as is_spelled_out

ASCII = tuple(map(chr, range(128)))
"""The letters that every table contains."""
LONGEST = 32
"""Maximum length of a constant text in which compiled code can find a name."""
CASES = ("upper", "lower", "swapcase")
"""Methods that change each letter on its own."""
TESTS = ("isalpha", "isdigit", "isalnum", "isspace", "isdecimal", "isnumeric")
"""Methods that return True if a text is not empty and the method returns True for each of its letters."""


def is_name(kind: Type | None) -> bool:
    """Return whether values of a type are texts stored as one word each."""
    return kind in (ATOM, LETTER)


def is_text_kind(kind: Type | None) -> bool:
    """Return whether values of a type are texts."""
    return is_name(kind) or is_spelled_out(kind) or (isinstance(kind, List) and kind.cls is str)


def is_text(s: Specializer, value: Abstract) -> bool:
    """Return whether a value is a text."""
    if isinstance(value, Fixed):
        return isinstance(value.value, str)
    if isinstance(value, Parts):
        return value.cls is str
    return isinstance(value, Runtime) and is_text_kind(value.kind)


def is_one(value: Abstract) -> bool:
    """Return whether a value is a text stored as one word at run time."""
    return isinstance(value, Runtime) and is_name(value.kind)


def spelled(items: list[Abstract]) -> Abstract:
    """Return the text with these letters."""
    letters = values_of(items)
    if letters is not None:
        return Fixed("".join(letters))
    return items[0] if len(items) == 1 else Parts(tuple(items), str)


def letter(s: Specializer, value: Runtime) -> Runtime:
    """Return a name as a letter; Python takes over if it is not a single letter of ASCII."""
    if value.kind == LETTER or value.kind == BOTTOM:
        return value
    _index(s, value, ASCII)
    return Runtime(value.atom, LETTER)


def of_letters(s: Specializer, value: Abstract) -> Abstract:
    """Return a text in a form with letters. A name becomes a list of its letters, or a single letter if no name that it
    can be is longer than one letter.
    """
    if not isinstance(value, Runtime) or value.kind != ATOM:
        return value
    if all(len(each) <= 1 for each in _names(s, value)):
        return letter(s, value)
    return containers.retyped(s, containers.gathered(s, by_text(s, value, tuple), tuple), str)


# Tables of texts ------------------------------------------------------------------------------------------------------


def _index(
    s: Specializer, text: Runtime, texts: tuple[str, ...], errors: Mapping[type[Exception], list[str]] | None = None
) -> Runtime:
    """Return the index of a text in the order of the texts' numbers; Python takes over if the text is missing.

    Arguments:
        errors: the texts for which an exception is raised, by its class.
    """
    words = s.emit("words", text, kind=Tuple((INT,)))
    word = s.emit("part", words, kind=INT, detail=0)

    def place_among(texts: Iterable[str]) -> Runtime:
        numbers = containers.constant(s, sorted(map(atom, texts)), List(INT, tuple))
        return s.runtime(s.call_python(library.place_in, [numbers, word], {}))

    index = place_among(texts)
    missing = s.emit("lt", index, number(0), kind=BOOL)
    for error, wrong in (errors or {}).items():
        index_of_wrong = s.either(missing, functools.partial(place_among, wrong), lambda: number(-1))
        s.fail_if(s.emit("ge", s.runtime(index_of_wrong), number(0), kind=BOOL), error)
    s.fail_if(missing, None)
    return index


def by_text(s: Specializer, text: Runtime, function: Callable[[str], object]) -> Abstract:
    """Return a function's result for a name, from a table of all names of the program."""
    if text.kind == BOTTOM or s.env is None:
        return NEVER
    results = {}
    errors: dict[type[Exception], list[str]] = {}
    for each in _names(s, text):
        try:
            results[each] = function(each)
        except (TypeError, ValueError, IndexError) as error:
            errors.setdefault(type(error), []).append(each)
    texts = tuple(sorted(results, key=atom))
    index = _index(s, text, texts, errors)
    if not results:
        return s.stop()
    values = [results[each] for each in texts]
    if all(each == values[0] for each in values):
        return Fixed(values[0])
    return containers.item(s, Fixed(tuple(values)), index)


def _names(s: Specializer, text: Runtime) -> set[str]:
    if text.kind == LETTER:
        return set(ASCII)
    s.program_fact(TEXTS)
    if s.asked_texts is None:
        s.asked_texts = set(s.texts)
    return {*ASCII, *(each for each in s.texts if not is_spelled(len(each)))}


def ranks(s: Specializer, *texts: Runtime) -> list[Abstract]:
    """Return for each name its position in the sorted order of all names."""
    order = sorted({each for text in texts for each in _names(s, text)})
    return [by_text(s, each, {text: rank for rank, text in enumerate(order)}.__getitem__) for each in texts]


def shown(s: Specializer, value: Abstract) -> Abstract:
    """Return `str(value)` of a text or a whole number."""
    if isinstance(value, Fixed):
        return Fixed(str(value.value))
    kind = s.kind_of(value)
    if isinstance(kind, Narrow):
        value, kind = s.convert(value, INT), INT
    if is_text_kind(kind) and kind != ATOM:
        return value
    if kind == ATOM and is_spelled(SHORT):  # it is one letter: longer texts are spelled out
        return letter(s, s.runtime(value))
    if kind == INT:
        s.require_classes("the text")
        return containers.retyped(s, s.call_python(library.digits, [value], {}), str)
    return Iterator("f-string", containers._no_text(s))


def aligned(s: Specializer, number: Abstract, specification: str) -> Abstract:
    """Return a whole number as an f-string formats it, with a specification of a width such as "3", "02" or "02d"."""
    width = re.fullmatch("(0?)([0-9]{0,2})d?", specification)
    if width is None:
        raise s.refuse(f'{UNWRITTEN}, or give it a width such as ":2" or ":02d", not ":{specification}"')
    s.require_classes("the text")
    made = s.call_python(library.digits_in, [number, Fixed(int(width[2] or 0)), Fixed(width[1] or " ")], {})
    return containers.retyped(s, made, str)


# Operators ------------------------------------------------------------------------------------------------------------


def combined(s: Specializer, sign: str, one: Abstract, other: Abstract) -> Abstract:
    """Return the sum of two texts, or a repeated text."""
    if sign == "*":
        text, times = (one, other) if is_text(s, one) else (other, one)
        if is_text(s, times):
            return s.fails(TypeError)
        items = containers.fixed_items(s, text)
        if not (isinstance(times, Fixed) and isinstance(times.value, int)):
            times = arithmetic.whole(s, times)
        if s.env is None:
            return NEVER
        if items is not None and isinstance(times, Fixed):
            return spelled(items * int(times.value))
        made = containers.new_list(s)
        s.call_python(library.repeat_into, [made, of_letters(s, text), times], {})
        return containers.retyped(s, made, str)
    if sign == "%":
        return _filled(s, one, other)
    if sign != "+":
        raise s.refuse(f"{sign} between texts is not compiled")
    if not (is_text(s, one) and is_text(s, other)):
        return arithmetic.cannot_combine(s, sign, one, other)
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Fixed) and not here.value:
            return there
    left, right = containers.fixed_items(s, one), containers.fixed_items(s, other)
    if left is not None and right is not None:
        return spelled([*left, *right])
    made = containers.new_list(s)
    containers.extend(s, made, one)
    containers.extend(s, made, other)
    return containers.retyped(s, made, str)


def _filled(s: Specializer, pattern: Abstract, values: Abstract) -> Abstract:
    """Return `pattern % values`, if the pattern is known and has only `%d` and `%s`."""
    kind = s.kind_of(values)
    is_tuple = isinstance(kind, Tuple) and kind.cls is not str
    given = containers.fixed_items(s, values) if is_tuple else [values]
    parts = (
        re.split("(%[ds])", pattern.value) if isinstance(pattern, Fixed) and isinstance(pattern.value, str) else ["%"]
    )
    if given is None or any("%" in each for each in parts[::2]):
        raise s.refuse("a text that is put together with % is compiled only for a known pattern of %d and %s")
    if len(parts) // 2 != len(given):
        return s.fails(TypeError)
    parts_so_far: list[Abstract] = [Fixed(parts[0])]
    for sign, each, behind in zip(parts[1::2], given, parts[2::2], strict=True):
        if sign == "%d" and s.kind_of(each) != INT:
            raise s.refuse("%d of a value that is not an integer is not compiled")
        parts_so_far += [shown(s, each), Fixed(behind)]
    return containers.text(s, parts_so_far)


def equal(s: Specializer, one: Abstract, other: Abstract) -> "Runtime | bool":
    """Return whether two texts are equal."""
    names = [is_name(s.kind_of(each)) for each in (one, other)]
    if all(names):
        test = s.emit("eq", s.runtime(one), s.runtime(other), kind=BOOL)
        for here, there in ((one, other), (other, one)):
            if isinstance(here, Runtime) and here.kind == ATOM and s.kind_of(there) == LETTER:
                s.implies(test, True, here, LETTER)
        return test
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Runtime) and here.kind == ATOM:
            kind = s.kind_of(there)
            if isinstance(kind, Tuple) and is_spelled(len(kind.items)):
                return False  # texts of this length are no names
            return s.truth(s.call_python(library.sequences_equal, [of_letters(s, here), there], {}))
    left, right = (None if _is_list(each) else containers.fixed_items(s, each) for each in (one, other))
    if left is None or right is None:
        return s.truth(s.call_python(library.sequences_equal, [one, other], {}))
    if len(left) != len(right):
        return False
    if isinstance(one, Runtime) and isinstance(other, Runtime) and one.kind == other.kind:
        return s.emit("eq", one, other, kind=BOOL)
    return arithmetic._all_equal(s, list(zip(left, right, strict=True)))


def _is_list(value: Abstract) -> bool:
    return isinstance(value, Runtime) and isinstance(value.kind, List)


def contains(s: Specializer, part: Abstract, text: Abstract) -> "Runtime | bool":
    """Return whether `part in text` is true."""
    if not is_text(s, part):
        s.not_taken("in", [part], "__add__")
        return False
    if isinstance(text, Fixed) and isinstance(part, Runtime) and part.kind == ATOM:
        return containers.among(s, part, [Fixed(each) for each in _parts(s, text.value)])
    part, text = of_letters(s, part), of_letters(s, text)
    items = None if _is_list(text) else containers.fixed_items(s, text)
    one = s.kind_of(part) == LETTER
    if one and items is not None and len(items) <= LONGEST:
        return containers.among(s, part, items)
    rule = library.contains if one else library.text_contains
    return s.truth(s.call_python(rule, [text, part], {}))


def _parts(s: Specializer, text: str) -> list[str]:
    """Return all parts of a text, the empty one included."""
    if len(text) > LONGEST:
        raise s.refuse(f"finding a name in a text of more than {LONGEST} letters is not compiled")
    ends = range(len(text) + 1)
    return list(dict.fromkeys(text[first:end] for first in ends for end in ends if first <= end))


# Methods --------------------------------------------------------------------------------------------------------------


def method(
    s: Specializer, text: Abstract, name: str, arguments: list[Abstract], named: dict[str, Abstract]
) -> Abstract:
    """Return the result of calling a method of a text."""
    if name == "join" and len(arguments) == 1:
        return _joined(s, text, arguments[0])
    if not hasattr(str, name):
        return s.fails(AttributeError)
    if named:
        raise s.refuse(f"the method {name} of a text is compiled only without keywords")
    if isinstance(text, Runtime) and is_name(text.kind) and all(isinstance(each, Fixed) for each in arguments):
        given = [each.value for each in arguments if isinstance(each, Fixed)]
        if name != "replace" or len(given[0]) == len(given[1]) == 1:
            return _by_method(s, text, name, given)
    if isinstance(text, Fixed) and len(arguments) == 1 and is_one(arguments[0]) and name in MISSING:
        part = arguments[0]
        if isinstance(part, Runtime) and part.kind == ATOM:
            results = {each: getattr(text.value, name)(each) for each in _parts(s, text.value)}
            default = MISSING[name]
            return containers.looked_up(s, results, part, None if default is None else Fixed(default))
    text = of_letters(s, text)
    arguments = [of_letters(s, each) for each in arguments]
    if name == "replace" and len(arguments) == 2 and not _is_list(text):
        found_ = _replaced(s, text, *arguments)
        if found_ is not None:
            return found_
    if name in CASES and not arguments:
        items = None if _is_list(text) else containers.fixed_items(s, text)
        if items is not None:
            return spelled([by_text(s, s.runtime(each), getattr(str, name)) for each in items])
        made = s.call_python(library.changed_letters, [text, Fixed(getattr(str, name))], {})
        return containers.retyped(s, made, str)
    if name in TESTS and not arguments:
        return s.call_python(library.all_letters, [text, Fixed(getattr(str, name))], {})
    if name in ("isupper", "islower") and not arguments:
        tests = (str.isupper, str.islower) if name == "isupper" else (str.islower, str.isupper)
        return s.call_python(library.is_in_case, [text, *map(Fixed, tests)], {})
    if name == "split":
        return _split(s, text, arguments)
    if name == "replace" and 2 <= len(arguments) <= 3:
        return _replaced_part(s, text, *arguments)
    if name in RULES:
        return s.call_python(RULES[name], [text, *arguments], {})
    raise s.refuse(f"the method {name} of a text is not compiled")


MISSING: dict[str, object] = {
    "index": None, "rindex": None, "find": -1, "rfind": -1, "count": 0, "startswith": False, "endswith": False,
}  # fmt: skip
"""For each method that finds a part of a text, its result if the part does not occur. None stands for a ValueError."""
RULES: dict[str, Callable[..., object]] = {
    "find": library.text_find, "rfind": library.text_rfind, "index": library.text_index, "rindex": library.text_rindex,
    "count": library.text_count, "startswith": library.text_startswith, "endswith": library.text_endswith,
    "replace": library.text_replace, "ljust": library.text_ljust, "rjust": library.text_rjust,
    "zfill": library.text_zfill,
    "center": library.text_center, "partition": library.text_partition, "rpartition": library.text_rpartition,
    "removeprefix": library.text_removeprefix, "removesuffix": library.text_removesuffix,
}  # fmt: skip


def _split(s: Specializer, text: Abstract, arguments: list[Abstract]) -> Abstract:
    """Return `text.split(between, most)`."""
    kinds = [s.kind_of(each) for each in arguments]
    if kinds in ([], [NONE]):
        return s.call_python(library.text_split_at_blanks, [text], {})
    if kinds == [LETTER]:
        return s.call_python(library.text_split, [text, *arguments], {})
    if not is_text_kind(kinds[0]) or kinds[1:] not in ([], [INT]):
        raise s.refuse("the method split of a text is compiled only with a text and a number")
    return s.call_python(library.text_split_at, [text, *arguments], {})


def _by_method(s: Specializer, text: Runtime, name: str, given: list[object]) -> Abstract:
    try:
        getattr("", name)(*given)
    except TypeError:
        return s.fails(TypeError)
    except ValueError:
        pass
    if name in ("encode", "format"):
        raise s.refuse(f"the method {name} of a text is not compiled")
    if name in ("split", "rsplit", "splitlines"):
        return containers.gathered(s, by_text(s, text, lambda each: tuple(getattr(each, name)(*given))))
    return by_text(s, text, lambda each: getattr(each, name)(*given))


def _replaced(s: Specializer, text: Abstract, old: Abstract, new: Abstract) -> Abstract | None:
    """Return a text with one letter replaced by another; None if one of the two is not a single letter."""
    if s.kind_of(old) != LETTER or s.kind_of(new) != LETTER:
        return None
    letters_so_far: list[Abstract] = []
    for each in containers.fixed_items(s, text) or ():
        hit = arithmetic.equal(s, each, old)
        letters_so_far.append(s.either(hit, lambda: new, functools.partial(_itself, each)))
    return spelled(letters_so_far)


def _replaced_part(s: Specializer, text: Abstract, old: Abstract, new: Abstract, *most: Abstract) -> Abstract:
    """Return a text with a part replaced by another; the result's length is known if both are equally long."""
    lengths = [None if _is_list(each) else containers.fixed_items(s, each) for each in (text, old, new)]
    widths = [None if each is None else len(each) for each in lengths]
    if widths[0] is None or not widths[1] or widths[1] != widths[2]:
        return containers.retyped(s, s.call_python(library.text_replace, [text, old, new, *most], {}), str)
    made = containers.gathered(s, text)
    s.call_python(library.replace_in, [made, text, old, new, *most], {})
    if s.env is None or not isinstance(made, Runtime) or containers.fixed_length(made.kind) is None:
        return containers.retyped(s, made, str)
    return spelled(list(s.parts(containers.as_tuple(s, made))))


def _itself(value: Abstract) -> Abstract:
    return value


def _joined(s: Specializer, glue: Abstract, parts: Abstract) -> Abstract:
    """Return `glue.join(parts)`."""
    gathered = containers.gathered(s, parts, tuple)
    items = containers.fixed_items(s, gathered)
    if s.env is None:
        return NEVER
    if items is not None and not _is_list(glue):
        rows = [None if _is_list(each) else containers.fixed_items(s, each) for each in items]
        between = containers.fixed_items(s, glue) or []
        if all(row is not None for row in rows):
            letters: list[Abstract] = []
            for index, row in enumerate(rows):
                letters += [*(between if index else ()), *(row or ())]
            return spelled(letters)
    made = s.call_python(library.join_letters, [glue, gathered], {})
    return containers.retyped(s, made, str)
