"""Random programs with classes that have special methods, mixed numbers, texts, dictionaries, sets and mutable records.

A program is a text of Python, made from a seed, as those of `programs` are. Its classes are the author's own.
"""

from collections.abc import Callable

import programs

ARGUMENTS = ("a", "b", "t", "flag", "s", "m")
"""Two numbers, a tuple of four numbers, a truth value, a short text and a number that may be a float."""
CLASSES = '''
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import NamedTuple
import copy


class Vector:
    """Two numbers, with operators."""

    def __init__(self, x, y=1):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor % 101, self.y * factor % 101)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return abs(self.x) + abs(self.y)

    def __eq__(self, other):
        return self.x == other.x

    def __lt__(self, other):
        return (self.x, self.y) < (other.x, other.y)

    def __bool__(self):
        return self.x > self.y

    def __getitem__(self, index):
        return (self.x, self.y)[index]

    def __iter__(self):
        yield self.x
        yield self.y

    def __contains__(self, value):
        return value == self.x or value == self.y

    def __call__(self, value):
        return self.x * value + self.y

    def moved(self, by):
        self.x += by
        return self

    @property
    def size(self):
        return self.x - self.y


class Bag:
    """A list that counts its changes; the one of a subclass counts twice."""

    step = 1

    def __init__(self, items=()):
        self.items = list(items)
        self.__changes = 0

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, value):
        self.__changes += self.step
        self.items[index] = value

    def __delitem__(self, index):
        del self.items[index]

    def __iadd__(self, value):
        self.items.append(value)
        self.__changes += self.step
        return self

    def __contains__(self, value):
        return value in self.items[1:]

    def changes(self):
        return self.__changes

    @classmethod
    def of(cls, *items):
        return cls(items)

    @staticmethod
    def twice(value):
        return 2 * value


class Sack(Bag):
    step = 2

    def __len__(self):
        return super().__len__() + 1


@dataclass
class Record:
    count: int = 0
    mark: str = "x"
    row: list = field(default_factory=lambda: [1, 2])


@dataclass(frozen=True, order=True)
class Card:
    rank: int
    suit: str = "h"

    @property
    def colour(self):
        return "red" if self.suit in ("h", "d") else "black"


class Pair(NamedTuple):
    left: int
    right: int = 3

    def swapped(self):
        return Pair(self.right, self.left)


class Side(Enum):
    WHITE = "w"
    BLACK = "b"

    @property
    def other(self):
        return Side.BLACK if self is Side.WHITE else Side.WHITE


class Level(IntEnum):
    LOW = 1
    HIGH = 5


TABLE = {"x": 3, "o": -2, "ab": 7}
NAMES = ("x", "o", "ab", "h", "")
'''


class Writer(programs.Writer):
    """Writes one function."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.texts = ["s"]
        self.mixed = ["m"]
        self.own: dict[str, list[str]] = {
            each: [] for each in ("Vector", "Bag", "Record", "Card", "Pair", "Side", "dict", "set", "rows")
        }

    # Expressions

    def number(self, depth: int) -> str:
        if depth > 0 and self.random.random() < 0.3:
            return self.random.choice((self._of_text, self._of_own, self._of_own, self._of_own))(depth - 1)
        return super().number(depth)

    def truth(self, depth: int) -> str:
        if depth > 0 and self.random.random() < 0.25:
            return self._own_truth(depth - 1)
        return super().truth(depth)

    def _pick(self, kind: str) -> str | None:
        return self.random.choice(self.own[kind]) if self.own[kind] else None

    def text(self, depth: int) -> str:
        pick = self.random.random()
        if depth <= 0 or pick < 0.3:
            return self.random.choice((*self.texts, *self.texts, "'x'", "'ab'", "'o'", "NAMES[1]"))
        one, other = self.text(depth - 1), self.text(0)
        return self.random.choice(
            (f"({one} if {self.truth(0)} else {other})", f"NAMES[({self.number(0)}) % 5]", f"{one}.upper()",
             f"'xoab'[({self.number(0)}) % 4]", f"({one} + {other})[:2]", f"'xo'[::-1][{self.truth(0)}]",
             f"max({one}, {other})", f"({one} or 'x')", f"str({self.number(0)} % 10)", f"{one}[:1]",
             f"{one}.replace('x', 'o')", f"f\"{{{self.text(0)}}}\"", f"min({one}, 'o', {other})")
        )  # fmt: skip

    def _of_text(self, depth: int) -> str:
        text = self.text(depth)
        return self.random.choice(
            (f"len({text})", f"{text}.count('x')", f"{text}.find('b')", f"TABLE.get({text}, {self.number(0)})",
             f"TABLE[{text}]", f"ord({text}[0])", f"NAMES.index({text})", f"len(set({text}))",
             f"sum(1 for each in {text} if each != 'a')", f"int({text} == {self.text(0)})")
        )  # fmt: skip

    def mixed_number(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.3:
            return self.random.choice((*self.mixed, *self.mixed, "0.5", "2", "-1.25", *self.numbers[:2]))
        one, other = self.mixed_number(depth - 1), self.mixed_number(depth - 1)
        return self.random.choice(
            (f"({one} + {other})", f"({one} - {other})", f"({one} * {other})", f"min({one}, {other})", f"(-{one})",
             f"max({one}, {other})", f"abs({one})", f"({one} if {self.truth(0)} else {other})", f"({one} / 4)",
             f"({one} // 2)", f"({one} % 3)", f"sum(({one}, {other}, 1))", f"(0 if {one} == {other} else {one})",
             f"float({self.number(0)} % 50)", f"({one} and {other})", f"({one} or {other})")
        )  # fmt: skip

    def _of_own(self, depth: int) -> str:
        number = self.number(0)
        ways = [f"Vector({number}, {self.number(0)})[{self.truth(0)}]", f"Level.HIGH - {number}", f"Pair({number})[1]"]
        if v := self._pick("Vector"):
            ways += [f"{v}.x", f"{v}.size", f"abs({v})", f"{v}({number})", f"sum({v})", f"{v}[{number}]",
                     f"({v} + Vector({number})).x", f"(-{v}).y", f"max({v}, Vector({number})).y", f"({v} * 3).x",
                     f"sorted([{v}, Vector(2, 5)])[0].x", f"{v}.moved({number}).x", f"({v} - {v}).x"]  # fmt: skip
        if bag := self._pick("Bag"):
            ways += [f"len({bag})", f"{bag}[{number}]", f"{bag}[0]", f"{bag}.changes()", f"Bag.twice({number})",
                     f"sum({bag}.items)", f"{bag}.step", f"len(Sack.of({number}, 1))"]  # fmt: skip
        if r := self._pick("Record"):
            ways += [f"{r}.count", f"len({r}.row)", f"sum({r}.row)", f"{r}.row[-1]", f"ord({r}.mark)",
                     f"replace({r}, count={number}).count", f"copy.deepcopy({r}).count"]  # fmt: skip
        if card := self._pick("Card"):
            ways += [f"{card}.rank", f"max({card}, Card({number})).rank", f"len({card}.colour)",
                     f"sorted([{card}, Card(2, 'c')])[0].rank"]  # fmt: skip
        if pair := self._pick("Pair"):
            ways += [f"{pair}.left", f"{pair}.swapped().left", f"sum({pair})", f"{pair}._replace(left={number})[0]"]
        if table := self._pick("dict"):
            ways += [f"len({table})", f"{table}.get({number}, 4)", f"sum({table}.values())", f"{table}[{number}]",
                     f"sum(k * v for k, v in {table}.items())", f"max({table})", f"{table}.get({number}) or 0",
                     f"sorted({table})[-1]", f"list({table}.values())[0]"]  # fmt: skip
        if group := self._pick("set"):
            ways += [f"len({group})", f"sum({group})", f"max({group}, default=2)", f"len({group} | {{{number}}})",
                     f"sum({group} & {{1, 2, {number}}})", f"sorted({group})[0]", f"len({group} - {{{number}}})",
                     f"min({group} | {{1}})", f"sum(1 for each in {group} if each > {number})"]  # fmt: skip
        if rows := self._pick("rows"):
            ways += [f"{rows}[{number} % 2][{self.number(0)} % 2]", f"sum(sum(row) for row in {rows})",
                     f"sum(row.count({number}) for row in {rows})", f"max(map(max, {rows}))",
                     f"sum(p - q for p, q in zip({rows}[0], {rows}[-1]))", f"len(sum({rows}, []))",
                     f"sum(p for p, *_ in zip(*{rows}))"]  # fmt: skip
        return self.random.choice(ways)

    def _own_truth(self, depth: int) -> str:
        number = self.number(0)
        ways = [f"({self.text(depth)} == {self.text(0)})", f"({self.text(0)} in ('x', 'ab'))",
                f"({self.text(0)} < {self.text(0)})", f"({self.mixed_number(1)} < {self.mixed_number(1)})",
                f"isinstance({self.random.choice(self.mixed)}, int)", f"({self.text(0)} in TABLE)",
                f"({self.mixed_number(1)} == {number})"]  # fmt: skip
        if v := self._pick("Vector"):
            ways += [f"bool({v})", f"({number} in {v})", f"({v} == Vector({number}))", f"({v} < Vector({number}))",
                     f"({v} != Vector({number}, 2))", f"(not {v})"]  # fmt: skip
        if bag := self._pick("Bag"):
            ways += [f"({number} in {bag})", f"bool({bag})", f"isinstance({bag}, Sack)"]
        if card := self._pick("Card"):
            ways += [f"({card} < Card({number}))", f"({card} == Card({number}))", f"({card}.suit == 'h')"]
        if side := self._pick("Side"):
            ways += [f"({side} is Side.WHITE)", f"({side}.other == Side.BLACK)", f"({side}.value == 'w')"]
        if table := self._pick("dict"):
            ways += [f"({number} in {table})", f"bool({table})", f"({table} == {{1: 2}})"]
        if group := self._pick("set"):
            ways += [f"({number} in {group})", f"({group} <= {{1, 2, 3}})", f"({group} == {{{number}}})"]
        if rows := self._pick("rows"):
            ways += [f"any({number} in row for row in {rows})", f"([{number}, 1] in {rows})",
                     f"({rows} == [[1, 2], [{number}, 4]])", f"({rows}[0] is {rows}[1])"]  # fmt: skip
        return self.random.choice(ways)

    def made(self, kind: str) -> str:
        """Return an expression for a new object of a class."""
        number, other = self.number(1), self.number(0)
        old = self._pick(kind)
        ways: dict[str, tuple[str, ...]] = {
            "Vector": (f"Vector({number}, {other})", f"Vector({number})", "Vector(y=4, x=-1)"),
            "Bag": (f"Bag([{number}, {other}])", f"Bag.of({number})", "Bag()", f"Sack({self.tuple(0)})"),
            "Record": (f"Record({number})", f"Record({number}, 'o', [{other}])", f"Record(mark='h', count={number})"),
            "Card": (f"Card({number} % 9)", f"Card({other}, 'c')"),
            "Pair": (f"Pair({number})", f"Pair({number}, {other})"),
            "Side": ("Side.WHITE", f"(Side.BLACK if {self.truth(0)} else Side.WHITE)"),
            "dict": (f"{{{number}: {other}, 2: 5}}", "{}", f"{{x: x + 1 for x in {self.tuple(0)}}}",
                     f"dict.fromkeys({self.tuple(0)}, {other})", f"dict(zip((1, 2, 3), {self.tuple(0)}))"),
            "set": (f"{{{number}, {other}}}", "set()", f"set({self.tuple(0)})", f"frozenset({self.tuple(0)})",
                    f"{{x % 3 for x in {self.tuple(0)}}}"),
            "rows": (f"[[{number}, 2], [{other}, 4]]", "[[0] * 2 for _ in range(2)]", f"[[{other}, 1]] * 2",
                     f"[[x, {other}] for x in {self.tuple(0)}]"),
        }  # fmt: skip
        if old:
            again: dict[str, tuple[str, ...]] = {
                "Vector": (f"{old} + Vector(1)", old, f"copy.copy({old})", f"{old}.moved(1)"),
                "Bag": (f"copy.deepcopy({old})", old),
                "Record": (f"replace({old}, count={other})", old, f"copy.copy({old})", f"copy.deepcopy({old})"),
                "Card": (f"replace({old}, rank={other})",),
                "Pair": (f"{old}.swapped()", f"{old}._replace(right={other})"),
                "Side": (f"{old}.other",),
                "dict": (f"{old}.copy()", f"dict({old})", f"{{**{old}, {other}: 1}}", old),
                "set": (f"{old} | {{{other}}}", f"{old} - {{{other}}}", f"set({old})", old, f"{old} & {{1, {other}}}"),
                "rows": (f"[row[:] for row in {old}]", f"copy.deepcopy({old})", f"list(map(list, {old}))", old),
            }  # fmt: skip
            return self.random.choice((*ways[kind], *again[kind]))
        return self.random.choice(ways[kind])

    # Statements

    def line(self, text: str, level: int) -> None:
        if text.startswith("return ") and text.endswith((", 1, 2", ", 4, 2")):  # early, as programs of numbers do
            text = f"{text[:-6]}, {self.text(0)}, {self.mixed_number(0)}"
        super().line(text, level)

    def statement(self, level: int, depth: int) -> None:
        if self.random.random() < 0.45:
            self.random.choice((self._new_own, self._new_own, self._change_own, self._new_text, self._new_mixed))(level)
        else:
            super().statement(level, depth)

    def block(self, level: int, depth: int, count: int | None = None) -> None:
        known = [list(self.texts), list(self.mixed), {kind: list(names) for kind, names in self.own.items()}]
        super().block(level, depth, count)
        self.texts, self.mixed, self.own = known  # type: ignore[assignment]

    def _new_text(self, level: int) -> None:
        value, name = self.text(2), self.name("s")
        if self.random.random() < 0.4 and len(self.texts) > 1:
            name = self.random.choice(self.texts[1:])
        self.line(f"{name} = {value}", level)
        self.texts.append(name)

    def _new_mixed(self, level: int) -> None:
        value, name = self.mixed_number(2), self.name("m")
        if self.random.random() < 0.4:
            name = self.random.choice(self.mixed)
        self.line(f"{name} = {value}", level)
        self.mixed.append(name)

    def _new_own(self, level: int) -> None:
        kind = self.random.choice(tuple(self.own))
        value = self.made(kind)
        name = self._pick(kind) if self.random.random() < 0.3 else None
        name = name or self.name({"dict": "d", "set": "z", "rows": "rows"}.get(kind, kind[0].lower()))
        self.line(f"{name} = {value}", level)
        self.own[kind].append(name)

    def _change_own(self, level: int) -> None:
        number = self.number(1)
        ways: list[str] = []
        if v := self._pick("Vector"):
            ways += [f"{v}.x = {number}", f"{v}.y += {number}", f"{v}.moved({number})", f"{v}.x, {v}.y = {v}.y, {v}.x"]
        if bag := self._pick("Bag"):
            ways += [f"{bag}[0] = {number}", f"{bag} += {number}", f"del {bag}[0]", f"{bag}.items.append({number})"]
        if r := self._pick("Record"):
            ways += [f"{r}.count += {number}", f"{r}.row.append({number})", f"{r}.mark = 'o'", f"{r}.row = [{number}]"]
        if table := self._pick("dict"):
            ways += [f"{table}[{number}] = {self.number(0)}", f"{table}[2] = {number}", f"{table}.pop({number}, None)",
                     f"{table}.setdefault({number}, 1)", f"{table}.update({{{number}: 0}})", f"del {table}[2]",
                     f"{table}[{number}] = {table}.get({number}, 0) + 1"]  # fmt: skip
        if group := self._pick("set"):
            ways += [f"{group} |= {{{number}}}", f"{group} -= {{{number}}}"]
        if rows := self._pick("rows"):
            ways += [f"{rows}[0][1] = {number}", f"{rows}[{number} % 2][0] += 1", f"{rows}.append([1, {number}])",
                     f"{rows}[0], {rows}[1] = {rows}[1], {rows}[0]", f"{rows}[1] = {rows}[0]"]  # fmt: skip
        if not ways:
            return self._new_own(level)
        change = self.random.choice(ways)
        if self.random.random() < 0.4:
            self.line("try:", level)
            self.line(change, level + 1)
            self.line(f"except {self.random.choice(('KeyError', 'IndexError', 'LookupError'))}:", level)
            self.line(self.random.choice(("pass", f"a = {self.number(0)}")), level + 1)
        else:
            self.line(change, level)
        return None

    def function(self) -> str:
        """Return the text of a function."""
        for _ in range(self.random.randint(5, 10)):
            self.statement(1, 2)
        used = [*self.numbers[-3:], *[f"sum({name})" for name in (*self.tuples[-1:], *self.lists[-2:])]]
        kinds = {
            "Vector": "{0}.x * 3 + {0}.y", "Bag": "len({0}) + sum({0}.items)", "Record": "{0}.count + sum({0}.row)",
            "Card": "{0}.rank", "Pair": "{0}.left - {0}.right", "Side": "({0} is Side.WHITE)", "set": "sum({0})",
            "dict": "sum({0}) + 5 * sum({0}.values())", "rows": "sum(x * i for i, x in enumerate(sum({0}, [])))",
        }  # fmt: skip
        for kind, names in self.own.items():
            used += [kinds[kind].format(name) for name in dict.fromkeys(names[-2:])]
        self.line(f"return total(({', '.join(used)},)), {self.texts[-1]}, {self.mixed[-1]}", 1)
        return "\n".join([f"def program({', '.join(ARGUMENTS)}):", *self.lines])


def written(seed: int) -> str:
    """Return the text of a program."""
    return f"{CLASSES}\n{programs.HELPERS}\n\n{Writer(seed).function()}\n"


def made(seed: int) -> Callable[..., object]:
    """Return a program as a function whose source can be found."""
    return programs.made(seed, written(seed))


def inputs(seed: int) -> list[tuple[object, ...]]:
    """Return arguments to try a program on."""
    words, numbers = ("x", "o", "ab", "", "abx", "h"), (0, 1.5, 3, -2.0, -7, 0.25, 10)
    rows = programs.inputs(seed)
    return [
        (*row, words[(seed + index) % len(words)], numbers[(seed + 3 * index) % len(numbers)])
        for index, row in enumerate(rows)
    ]
