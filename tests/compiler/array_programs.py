"""Random programs over arrays of NumPy: views, masks, operators, sums along axes, and changes of places and of parts.

A program is a text of Python, made from a seed. Every name has one kind all the way. An index out of range goes wrong
now and then, as it does in NumPy.
"""

import linecache
import random
from collections.abc import Callable

HEAD = """
import numpy as np
from ggp.frozen_states import freeze, thaw


def raised(row, place):
    row[place] += 1
    return row.sum()
"""
SIGNS = ("+", "-", "*")
ORDERS = ("==", "!=", "<", ">=")


class Writer:
    """Writes one function of two frozen tables, 3 × 3 and 3 × 4, and two numbers."""

    def __init__(self, seed: int, dtype: str) -> None:
        self.random = random.Random(seed)
        self.dtype = dtype
        self.names: dict[str, list[str]] = {
            "table": ["s"], "wide": ["w"], "row": ["r"], "mask": ["m"], "number": ["a", "b"], "flag": ["f"],
        }  # fmt: skip
        self.lines: list[str] = []
        self.count = 0

    def of(self, kind: str, depth: int) -> str:
        """Return an expression of a kind."""
        if depth <= 0 or self.random.random() < 0.25:
            if kind == "number" and self.random.random() < 0.5:
                return str(self.random.choice((0, 1, 2, -1, 3)))
            return self.random.choice(self.names[kind])
        ways: list[str] = getattr(self, f"_{kind}")(depth - 1)
        return self.random.choice(ways)

    def small(self) -> str:
        return self.random.choice((*self.names["number"], "0", "1", "2", "-1"))

    def constant(self) -> str:
        return self.random.choice(("1", "2", "-1", "3"))

    def _table(self, depth: int) -> list[str]:
        one, other, sign = self.of("table", depth), self.of("table", depth), self.random.choice(SIGNS)
        return [
            f"({one} {sign} {other})", f"({one} {sign} {self.constant()})", f"(-{one})", f"{one}.copy()",
            f"np.fliplr({one}).copy()", f"np.rot90({one}, {self.constant()}).copy()", f"({one} % 3)", f"({one} // 2)",
            f"{one}[::-1].copy()", f"{one}[:, ::-1] + {other}", f"{one}.T.copy()", f"np.flipud({one}) - {other}",
            f"{self.of('mask', depth)}.astype({self.dtype})", f"{one}.ravel().reshape(3, 3).copy()",
            f"np.zeros((3, 3), dtype={self.dtype})", f"np.full((3, 3), {self.constant()}, {self.dtype})",
            f"{self.of('wide', depth)}[:, 1:].copy()", f"{self.of('wide', depth)}[:, :3] + {one}",
            f"np.array([{self.of('row', depth)}, {self.of('row', 0)}, {self.of('row', 0)}])",
            f"({one} + {self.of('row', depth)})",
        ]  # fmt: skip

    def _wide(self, depth: int) -> list[str]:
        one = self.of("wide", depth)
        return [
            f"({one} + {self.constant()})", f"(-{one})", f"{one}.copy()", f"np.copy({one})", f"{one}[:, ::-1].copy()",
            f"np.zeros((3, 4), {self.dtype})", f"({one} * {self.of('wide', depth)})",
        ]  # fmt: skip

    def _row(self, depth: int) -> list[str]:
        table, row = self.of("table", depth), self.of("row", depth)
        found = [
            f"{table}[{self.small()}].copy()", f"{table}[:, {self.small()}].copy()", f"np.diag({table}).copy()",
            f"np.diag(np.fliplr({table})).copy()", f"({row} {self.random.choice(SIGNS)} {self.of('row', depth)})",
            f"{row}[::-1].copy()", f"{self.of('wide', depth)}[{self.small()}, 1:].copy()", f"(+{row})",
            f"{table}.max(axis=1)", f"{table}.flatten()[3:6]", f"{table}.ravel()[::4].copy()",
        ]  # fmt: skip
        if self.dtype == "int":
            found += [
                f"{table}.sum(axis={self.random.choice((0, 1, -1))})", f"{self.of('wide', depth)}.sum(axis=1)",
                f"np.append({row}[:2], {self.of('number', 0)})", f"{self.of('mask', depth)}.sum(axis=0)",
                f"{table}.argmax(axis=0)", f"np.where({row} > 0, {row}, {self.of('number', 0)})",
            ]  # fmt: skip
        return found

    def _mask(self, depth: int) -> list[str]:
        table = self.of("table", depth)
        return [
            f"({table} {self.random.choice(ORDERS)} {self.of('number', 0)})",
            f"({table} {self.random.choice(ORDERS)} {self.of('table', depth)})", f"(~{self.of('mask', depth)})",
            f"({self.of('mask', depth)} {self.random.choice('&|^')} {self.of('mask', depth)})",
            f"np.logical_not({self.of('mask', depth)})", f"({self.of('wide', depth)}[:, :3] != 0)",
            f"({table} == {self.of('row', depth)})",
        ]  # fmt: skip

    def _number(self, depth: int) -> list[str]:
        table, row, mask = self.of("table", depth), self.of("row", depth), self.of("mask", depth)
        found = [
            f"int({table}[{self.small()}, {self.small()}])", f"int({row}[{self.small()}])", f"int({mask}.sum())",
            f"len(np.argwhere({mask}))", f"np.count_nonzero({table})", f"int({row}.max())", f"int({table}.argmax())",
            f"len({table}[{mask}])", f"int({table}[{self.small()}][{self.small()}])", f"({table} == 0).sum()",
            f"len({table})", f"{table}.shape[1]", f"sum(int(x) for x in {row})", f"int(max({row}))",
            f"sum(r * 3 + c for r, c in np.argwhere({mask}))", f"{table}.size", f"int(min(map(int, {row})))",
            f"sum(int(p) + int(q) for p, q in zip({row}, {self.of('row', 0)}))", f"len(np.where({mask})[0])",
            f"{mask}.tolist().count([True, False, True])",
            f"sum(c for r, c in zip(*np.where({mask})))",
        ]  # fmt: skip
        if self.dtype == "int":
            found += [
                f"np.trace({table})", f"{table}.sum()", f"{row}[{self.small()}:{self.small()}].sum()", f"sum({row})",
                f"{table}[{mask}].sum()", f"({self.of('number', depth)} {self.random.choice(SIGNS)} {self.small()})",
                f"({table}[{self.small()}, {self.small()}] * {self.of('number', depth)})",
            ]  # fmt: skip
        return found

    def _flag(self, depth: int) -> list[str]:
        row = self.of("row", depth)
        return [
            f"bool({self.of('mask', depth)}.any())", f"bool(({row} == {self.of('number', 0)}).all())",
            f"bool({self.of('number', depth)} {self.random.choice(ORDERS)} {self.of('number', depth)})",
            f"bool({self.of('number', 0)} in {self.of('table', depth)})", f"bool(np.all({row} > 0))",
            f"bool(np.array_equal({self.of('table', depth)}, {self.of('table', depth)}))",
        ]  # fmt: skip

    def statement(self, level: int) -> None:
        """Write a statement."""
        number = self.of("number", 1)
        name = {kind: self.random.choice(names) for kind, names in self.names.items()}
        ways = [
            lambda: self.fresh(level), lambda: self.fresh(level), lambda: self.again(level),
            f"{name['table']}[{self.small()}, {self.small()}] = {number}",
            f"{name['table']}[{self.small()}][{self.small()}] = {number}",
            f"{name['table']}[{self.of('mask', 1)}] = {self.constant()}",
            f"{name['table']}[{self.small()}] = {self.of('row', 1)}",
            f"{name['table']}[:, {self.small()}] += {self.constant()}",
            f"{name['table']} *= {self.constant()}", f"{name['row']} -= {self.constant()}",
            f"{name['wide']}[1:, :3] = {self.of('table', 1)}[1:]", f"{name['table']}[0] = {name['table']}[1][::-1]",
            f"{name['table']}[1:] = {name['table']}[:-1]", f"{name['row']}[{self.small()}] = {number}",
            f"a = raised({name['table']}[{self.small()}], {self.small()}) % 5",
            f"a = raised({name['table']}[:, {self.small()}], {self.small()}) % 5",
            f"{name['table']}.T[{self.small()}, 0] = {number}",
            f"np.fliplr({name['wide']})[0, {self.small()}] = {number}",
            f"{name['table']}.ravel()[{self.constant()}] += 1", f"{name['row']}.fill({self.constant()})",
            lambda: self.loop(level), lambda: self.choice(level),
        ]  # fmt: skip
        chosen = self.random.choice(ways)
        if callable(chosen):
            chosen()
        else:
            self.lines.append("    " * level + chosen)

    def fresh(self, level: int) -> None:
        """Write a new name."""
        kind = self.random.choice(("table", "table", "wide", "row", "mask", "number", "flag"))
        value = self.of(kind, 2)
        if level == 1:
            self.count += 1
            name = f"{kind[0]}{self.count}"
            view = self.random.random() < 0.3
            if kind == "row" and view:
                value = f"{self.random.choice(self.names['table'])}[{self.small()}]"
            self.lines.append(f"    {name} = {value}")
            self.names[kind].append(name)
        else:
            self.lines.append("    " * level + f"a = {self.of('number', 2)} % 7")

    def again(self, level: int) -> None:
        """Give a name another value."""
        kind = self.random.choice(("table", "number", "mask", "flag"))
        name = self.random.choice(self.names[kind])
        self.lines.append("    " * level + f"{name} = {self.of(kind, 2)}")

    def loop(self, level: int) -> None:
        """Write a loop."""
        table, row = self.random.choice(self.names["table"]), self.of("row", 1)
        way = self.random.choice(
            (f"for i, j in np.argwhere({self.of('mask', 1)}):", f"for i, line in enumerate({table}):",
             f"for j in {row}:", "for i in range(3):", f"for (i, j), x in np.ndenumerate({table}):")
        )  # fmt: skip
        self.lines.append("    " * level + way)
        body = [f"{table}[i, 0] += 1", f"b += int({table}[i].max())"] if "for j" not in way else ["b += int(j)"]
        if "line" in way:
            body = [f"line[{self.small()}] = 1", "b += int(line[0])"]
        self.lines.append("    " * (level + 1) + self.random.choice(body))

    def choice(self, level: int) -> None:
        """Write an if."""
        self.lines.append("    " * level + f"if {self.of('flag', 1)}:")
        self.statement(level + 1)
        if self.random.random() < 0.4:
            self.lines.append("    " * level + "else:")
            self.statement(level + 1)

    def function(self) -> str:
        """Return the text of a function."""
        head = [
            "    s, w = thaw(state), thaw(other)",
            f"    r = np.array([1, 2, 0], dtype={self.dtype})",
            "    m = s > 0",
            "    f = True",
        ]
        for _ in range(self.random.randint(3, 8)):
            self.statement(1)
        used = [name for kind in ("table", "wide", "row", "mask", "number", "flag") for name in self.names[kind][-2:]]
        return "\n".join(
            [
                "def program(state, other, a, b):",
                *head,
                *self.lines,
                f"    return {', '.join(f'freeze({name})' for name in used)}",
            ]
        )


def written(seed: int, dtype: str = "int") -> str:
    """Return the text of a program."""
    return f"{HEAD}\n\n{Writer(seed, dtype).function()}\n"


def made(seed: int, dtype: str = "int") -> Callable[..., object]:
    """Return a program as a function whose source can be found."""
    text, file = written(seed, dtype), f"<program of arrays {dtype} {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, object] = {"__name__": "programs_made"}
    exec(compile(text, file, "exec"), space)  # noqa: S102  our own text
    program = space["program"]
    assert callable(program)
    return program


def inputs(seed: int, dtype: str = "int") -> list[tuple[object, ...]]:
    """Return arguments to try a program on."""
    import numpy

    from ggp.frozen_states import freeze

    chance, found = numpy.random.default_rng(seed), []
    for largest in (1, 2, 3, 9, 100):
        tables = [
            chance.integers(-largest, largest + 1, shape).astype(dtype.removeprefix("np."))
            for shape in ((3, 3), (3, 4))
        ]
        found.append((*map(freeze, tables), int(chance.integers(-4, 4)), int(chance.integers(0, 3))))
    return found
