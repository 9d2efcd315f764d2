"""Random programs: functions over whole numbers, truth values, tuples and lists, with loops, ifs and helpers.

A program is a text of Python, made from a seed. Every name has one type all the way, and every loop ends; whatever else
may go wrong (a division by zero, an index out of range, a name without a value) does go wrong now and then.
"""

import linecache
import random
from collections.abc import Callable

ARGUMENTS = ("a", "b", "t", "flag")
"""Two numbers, a tuple of four numbers and a truth value."""
HELPERS = """
def clipped(number, low=-9, high=9):
    if number < low:
        return low
    return high if number > high else number


def steps(count, stride=1):
    place = 0
    while place < count:
        yield place
        if place % 3 == 2:
            yield -place
        place += stride


def depth_of(number):
    return 0 if number <= 0 else 1 + depth_of(number // 2)


def total(items, start=0):
    for item in items:
        start += item
    return start


def replaced(items, place, item):
    return items[:place] + (item,) + items[place + 1 :]


def fails(number):
    if number > 3:
        raise ValueError(number)
    raise KeyError(number)


def only_small(number):
    for limit in (0, 4, 9):
        if number == limit:
            return limit
        if number > 20 + limit:
            fails(limit)
    else:
        number += 1
    return number if number > -15 else fails(number)
"""


class Writer:
    """Writes one function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.numbers = ["a", "b"]
        self.truths = ["flag"]
        self.tuples = ["t"]
        self.lists: list[str] = []
        self.closures: list[str] = []
        self.loops = 0
        self.running: list[str] = []
        self.count = 0

    def name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def choose(self, *ways: Callable[[int], str]) -> Callable[[int], str]:
        return self.random.choice(ways)

    # Expressions

    def number(self, depth: int) -> str:
        pick = self.random.random()
        if depth <= 0 or pick < 0.25:
            if self.random.random() < 0.35:
                return str(self.random.choice((0, 1, 2, 3, 5, 7, -1, -4, 63, 100)))
            return self.random.choice(self.numbers)
        return self.choose(
            self._arithmetic, self._arithmetic, self._arithmetic, self._conditional, self._item, self._aggregate,
            self._called, self._short_circuit, self._comprehension, self._choice_of, self._bitwise, self._of_list,
        )(depth - 1)  # fmt: skip

    def _arithmetic(self, depth: int) -> str:
        operator = self.random.choice(("+", "-", "*", "+", "-", "//", "%"))
        return f"({self.number(depth)} {operator} {self.number(depth)})"

    def _bitwise(self, depth: int) -> str:
        way = self.random.randrange(6)
        one, other = self.number(depth), self.number(depth)
        return (
            f"({one} & {other})", f"({one} | {other})", f"({one} ^ {other})", f"(~{one})", f"({one} >> ({other} & 7))",
            f"(({one} & 255) << ({other} & 15))",
        )[way]  # fmt: skip

    def _conditional(self, depth: int) -> str:
        return f"({self.number(depth)} if {self.truth(depth)} else {self.number(depth)})"

    def _item(self, depth: int) -> str:
        size = self.random.choice((4, 4, 4, 6))
        return f"{self.tuple(depth)}[({self.number(depth)}) % {size}]"

    def _of_list(self, depth: int) -> str:
        if not self.lists:
            return self._item(depth)
        name = self.random.choice(self.lists)
        return self.random.choice(
            (f"len({name})", f"sum({name})", f"{name}[-1]", f"{name}[{self.number(depth)}]", f"max({name}, default=0)",
             f"{name}.count({self.number(0)})", f"total({name}[1:])", f"sorted({name})[0]")
        )  # fmt: skip

    def _aggregate(self, depth: int) -> str:
        items = self.tuple(depth)
        return self.random.choice(
            (f"sum({items})", f"max({items})", f"min({items})", f"len({items})", f"{items}.count({self.number(0)})",
             f"sorted({items})[1]", f"total({items}, {self.number(0)})", f"sum(reversed({items}[:2]))",
             f"len(set({items}))", f"sum(p * q for p, q in zip({items}, {self.tuple(0)}))",
             f"sum(i * x for i, x in enumerate({items}))")
        )  # fmt: skip

    def _called(self, depth: int) -> str:
        ways = [
            f"clipped({self.number(depth)})", f"clipped({self.number(depth)}, high={self.number(0)})",
            f"depth_of({self.number(depth)})", f"abs({self.number(depth)})", f"int({self.truth(depth)})",
            f"divmod({self.number(depth)}, {self.number(0)})[1]", f"sum(steps({self.number(0)} % 9))",
            f"sum(steps(5, stride={self.random.randint(1, 3)}))", f"only_small({self.number(depth)})",
        ]  # fmt: skip
        ways += [f"{name}({self.number(depth)})" for name in self.closures]
        return self.random.choice(ways)

    def _short_circuit(self, depth: int) -> str:
        return f"({self.number(depth)} {self.random.choice(('and', 'or'))} {self.number(depth)})"

    def _choice_of(self, depth: int) -> str:
        name = self.random.choice(("min", "max"))
        items = ", ".join(self.number(depth - 1) for _ in range(self.random.randint(2, 3)))
        return f"{name}({items})"

    def _comprehension(self, depth: int) -> str:
        name = self.name("x")
        items = self.random.choice(
            (self.tuple(0), f"range({self.number(0)} % 7)", f"steps({self.number(0)} % 7)", "(1, 2, 3)", "t[::-1]")
        )
        self.numbers.append(name)
        body, test = self.number(min(depth, 1)), self.truth(min(depth, 1))
        self.numbers.remove(name)
        kind = self.random.choice(("sum({})", "len([{}])", "max(({}), default=-1)", "any({})", "sum(sorted([{}])[:2])"))
        if self.random.random() < 0.5:
            return "(" + kind.format(f"{body} for {name} in {items}") + " + 0)"
        return "(" + kind.format(f"{body} for {name} in {items} if {test}") + " + 0)"

    def truth(self, depth: int) -> str:
        if depth <= 0:
            return self.random.choice((*self.truths, f"{self.random.choice(self.numbers)} > 1"))
        way = self.random.randrange(8)
        if way < 3:
            operator = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
            return f"({self.number(depth - 1)} {operator} {self.number(depth - 1)})"
        if way == 3:
            return f"({self.truth(depth - 1)} {self.random.choice(('and', 'or'))} {self.truth(depth - 1)})"
        if way == 4:
            return f"(not {self.truth(depth - 1)})"
        if way == 5:
            return f"({self.number(0)} < {self.number(depth - 1)} <= {self.number(0)})"
        if way == 6:
            return f"({self.number(depth - 1)} in {self.tuple(0)})"
        return f"({self.tuple(depth - 1)} {self.random.choice(('==', '!=', '<'))} {self.tuple(0)})"

    def tuple(self, depth: int) -> str:
        if depth <= 0:
            return self.random.choice(self.tuples)
        name = self.name("y")
        self.numbers.append(name)
        body = self.number(min(depth, 1))
        self.numbers.remove(name)
        items = self.random.choice(self.tuples)
        return self.random.choice(
            (f"({', '.join(self.number(0) for _ in range(4))})", f"tuple({body} for {name} in {items})", items,
             f"({items} if {self.truth(0)} else {self.random.choice(self.tuples)})", f"{items}[::-1]",
             f"({items}[1:] + {items}[:1])", f"replaced({items}, {self.number(0)} % 4, {self.number(0)})",
             f"(*{items}[:2], {self.number(0)}, {self.number(0)})")
        )  # fmt: skip

    # Statements

    def line(self, text: str, level: int) -> None:
        self.lines.append("    " * level + text)

    def block(self, level: int, depth: int, count: int | None = None) -> None:
        known = [list(names) for names in (self.numbers, self.truths, self.tuples, self.lists, self.closures)]
        for _ in range(count or self.random.randint(1, 3)):
            self.statement(level, depth)
        if self.random.random() < 0.85:  # else a name may be used that has no value
            self.numbers, self.truths, self.tuples, self.lists, self.closures = known

    def statement(self, level: int, depth: int) -> None:
        ways = [
            self._assign,
            self._assign,
            self._augment,
            self._new_tuple,
            self._new_truth,
            self._unpack,
            self._new_list,
        ]
        if self.lists:
            ways += [self._change_list] * 3
        if depth > 0:
            ways += [
                self._if,
                self._for,
                self._for,
                self._while,
                self._try,
                self._closure,
                self._match,
                self._none_among,
            ]
            if level == 1:
                ways += [self._inner]
        if self.loops:
            ways += [self._leave]
        self.random.choice(ways)(level, depth)

    def _assign(self, level: int, depth: int) -> None:
        value = self.number(2)
        old = [name for name in self.numbers if name not in self.running]
        name = self.random.choice(old) if old and self.random.random() < 0.5 else self.name("n")
        self.line(f"{name} = {value}" + (" % 10007" if self.random.random() < 0.6 else ""), level)
        if name not in self.numbers:
            self.numbers.append(name)

    def _augment(self, level: int, depth: int) -> None:
        name = self.random.choice(self.numbers)
        operator = self.random.choice(("+", "-", "*", "//", "%", "^", "&"))
        self.line(f"{name} {operator}= {self.number(1)}", level)
        if self.random.random() < 0.5 or operator == "*":  # squared in a loop, a number soon leaves a machine word
            self.line(f"{name} %= 1009", level)

    def _new_truth(self, level: int, depth: int) -> None:
        value, name = self.truth(2), self.name("f")
        self.line(f"{name} = {value}", level)
        self.truths.append(name)

    def _new_tuple(self, level: int, depth: int) -> None:
        value = self.tuple(2)
        name = self.random.choice(self.tuples) if self.random.random() < 0.4 else self.name("t")
        self.line(f"{name} = {value}", level)
        if name not in self.tuples:
            self.tuples.append(name)

    def _unpack(self, level: int, depth: int) -> None:
        one, other = self.random.choice(self.numbers), self.name("u")
        if self.random.random() < 0.5:
            self.line(f"{one}, {other}, *_ = {self.tuple(1)}", level)
        else:
            self.line(f"{other}, {one} = {self.number(1)}, {self.number(1)}", level)
        self.numbers.append(other)

    def _new_list(self, level: int, depth: int) -> None:
        value = self.random.choice(
            (f"list({self.tuple(1)})", "[]", f"[{self.number(1)}]", f"[{self.number(0)} for _ in range(3)]", "[0] * 4",
             f"[x for x in {self.tuple(0)} if x > {self.number(0)}]", f"sorted({self.tuple(0)})")
        )  # fmt: skip
        if self.lists and self.random.random() < 0.25:
            old = self.random.choice(self.lists)
            value = self.random.choice((old, f"list({old})", f"{old}[:]", f"{old} + [1]", f"{old}.copy()"))
        name = self.name("l")
        self.line(f"{name} = {value}", level)
        self.lists.append(name)

    def _change_list(self, level: int, depth: int) -> None:
        name = self.random.choice(self.lists)
        self.line(
            self.random.choice(
                (f"{name}.append({self.number(1)})", f"{name}[{self.number(0)} % 3] = {self.number(1)}",
                 f"{name}[0] += {self.number(1)}", f"{name}.extend({self.tuple(0)})",
                 f"{name} += [{self.number(0)}, 1]",
                 f"{self.random.choice(self.numbers)} = {name}.pop()", f"del {name}[{self.number(0)} % 2]",
                 f"{name}[{name}.pop() % 2] += {self.number(0)}", f"{name}[:] = sorted({name})",
                 f"{name}[0], {name}[-1] = {name}[-1], {name}[0]")
            ),
            level,
        )  # fmt: skip

    def _if(self, level: int, depth: int) -> None:
        self.line(f"if {self.truth(2)}:", level)
        self.block(level + 1, depth - 1)
        if self.random.random() < 0.3:
            self.line(f"elif {self.truth(1)}:", level)
            self.block(level + 1, depth - 1)
        if self.random.random() < 0.5:
            self.line("else:", level)
            self.block(level + 1, depth - 1)

    def _for(self, level: int, depth: int) -> None:
        name = self.name("i")
        items = [
            f"range({self.random.randint(0, 5)})", f"range({self.number(0)} % 6)", self.tuple(1),
            f"steps({self.number(0)} % 8)", f"range({self.number(0)} % 5, -3, -2)", f"reversed({self.tuple(0)})",
            f"sorted({self.tuple(0)})", "(2, 7, 1)",
            f"[x + 1 for x in {self.tuple(0)}]",
        ]  # fmt: skip
        items += [f"list({each})" for each in self.lists]
        target, iterated = name, self.random.choice(items)
        if self.random.random() < 0.2:
            other = self.name("j")
            target, iterated = f"{name}, {other}", f"enumerate({self.tuple(0)})"
            self.numbers.append(other)
        self.line(f"for {target} in {iterated}:", level)
        self.numbers.append(name)
        self.loops += 1
        self.block(level + 1, depth - 1)
        self.loops -= 1
        if self.random.random() < 0.25:
            self.line("else:", level)
            self.block(level + 1, 0, 1)

    def _while(self, level: int, depth: int) -> None:
        name = self.name("w")
        self.line(f"{name} = {self.random.randint(1, 5)}", level)
        self.line(f"while {name} > 0 and {self.truth(1)}:", level)
        self.line(f"{name} -= 1", level + 1)
        self.loops += 1
        self.block(level + 1, depth - 1)
        self.loops -= 1

    def _leave(self, level: int, depth: int) -> None:
        self.line(f"if {self.truth(1)}:", level)
        self.line(self.random.choice(("break", "continue", "continue", f"return {self.number(1)}, 1, 2")), level + 1)

    def _try(self, level: int, depth: int) -> None:
        self.line("try:", level)
        self.block(level + 1, 0)
        if self.random.random() < 0.5:
            name = self.name("c")
            self.line(f"{name} = only_small({self.number(1)})", level + 1)
            self.numbers.append(name)
        errors = ("ZeroDivisionError", "(IndexError, ZeroDivisionError)", "LookupError", "ValueError", "Exception")
        self.line(f"except {self.random.choice(errors)}:", level)
        self.block(level + 1, 0, 1)
        if self.random.random() < 0.3:
            self.line(self.random.choice(("raise", "fails(a)", f"return {self.number(1)}, 4, 2")), level + 1)
        if self.random.random() < 0.3:
            self.line("else:", level)
            self.block(level + 1, 0, 1)

    def _none_among(self, level: int, depth: int) -> None:
        """Run through items some of which are None, and leave early."""
        name, kept = self.name("e"), self.name("k")
        items = [self.number(0), "None", self.number(0), self.random.choice(("None", self.number(0)))]
        self.random.shuffle(items)
        self.line(f"{kept} = 0", level)
        self.line(f"for {name} in ({', '.join(items)}):", level)
        self.line(f"if {name} is None{self.random.choice(('', f' or {name} == {self.number(0)}'))}:", level + 1)
        self.line(f"{kept} += 1", level + 2)
        self.line(self.random.choice(("continue", "continue", "break")), level + 2)
        self.line(f"{kept} = {kept} * 3 + {name}", level + 1)
        self.numbers.append(kept)

    def _inner(self, level: int, depth: int) -> None:
        """Change a list in an inner function."""
        made, name, parameter = self.name("l"), self.name("h"), self.name("p")
        self.line(f"{made} = [{self.number(0)}]", level)
        self.line(f"def {name}({parameter}):", level)
        self.line(f"if {parameter} > {self.number(0)}:", level + 1)
        self.line(self.random.choice((f"{made}.append({parameter})", f"{made}[0] += {parameter}")), level + 2)
        self.line(f"return {made}[-1]", level + 1)
        self.lists.append(made)
        self.closures.append(name)

    def _closure(self, level: int, depth: int) -> None:
        name, parameter = self.name("g"), self.name("p")
        self.numbers.append(parameter)
        value = self.number(2)
        self.numbers.remove(parameter)
        if self.random.random() < 0.5:
            self.line(f"{name} = lambda {parameter}: {value}", level)
        else:
            self.line(f"def {name}({parameter}):", level)
            self.line(f"return {value}", level + 1)
        self.closures.append(name)

    def _match(self, level: int, depth: int) -> None:
        self.line(f"match {self.number(1)} % 5:", level)
        for pattern in ("0", "1 | 2", "_"):
            self.line(f"case {pattern}:", level + 1)
            self.block(level + 2, 0, 1)

    def function(self) -> str:
        """Return the text of a function."""
        for _ in range(self.random.randint(3, 7)):
            self.statement(1, 2)
        used = [
            *self.numbers[-4:],
            *self.truths[-2:],
            *[f"sum({name})" for name in (*self.tuples[-2:], *self.lists[-2:])],
        ]
        self.line(f"return total(({', '.join(used)},)), {self.random.choice(used)}, {self.random.choice(used)}", 1)
        return "\n".join([f"def program({', '.join(ARGUMENTS)}):", *self.lines])


def written(seed: int) -> str:
    """Return the text of a program."""
    return f"{HELPERS}\n\n{Writer(seed).function()}\n"


def made(seed: int, text: str | None = None) -> Callable[..., object]:
    """Return a program as a function whose source can be found."""
    text, file = text or written(seed), f"<program {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, object] = {"__name__": "programs_made"}
    exec(compile(text, file, "exec"), space)  # noqa: S102  our own text
    program = space["program"]
    assert callable(program)
    return program


def inputs(seed: int) -> list[tuple[object, ...]]:
    """Return arguments to try a program on."""
    rng = random.Random(seed)
    rows: list[tuple[object, ...]] = [
        (0, 0, (0, 0, 0, 0), False),
        (1, 2, (3, 1, 2, 0), True),
        (-3, 5, (-1, 4, -2, 6), True),
    ]
    for _ in range(5):
        rows.append(
            (rng.randint(-20, 20), rng.randint(-5, 70), tuple(rng.randint(-9, 9) for _ in range(4)), rng.random() < 0.5)
        )
    return rows
