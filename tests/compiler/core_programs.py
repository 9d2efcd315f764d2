"""Random programs for the law of core: with texts, dictionaries, classes with special methods, and effects in order.

A program is written by the rules of `programs`, with more ways to say everything. `note` logs what is evaluated, and
`tick` changes a variable while an expression is evaluated.
"""

from collections.abc import Callable

import programs

HELPERS = """
LOG = []


def note(value, tag=0):
    LOG.append((tag, value))
    if value == 77:
        raise ValueError(value)
    return value


class Number:
    __match_args__ = ("value", "side")

    def __init__(self, value, side=0):
        self.value, self.side = value, side

    def __add__(self, other):
        LOG.append("add")
        return Number(self.value + getattr(other, "value", other), self.side)

    def __iadd__(self, other):
        LOG.append("iadd")
        self.value += getattr(other, "value", other)
        return self

    def __radd__(self, other):
        return Number(other + self.value)

    def __lt__(self, other):
        LOG.append("lt")
        return Number(self.value < getattr(other, "value", other))

    def __eq__(self, other):
        return Number(self.value == getattr(other, "value", other))

    def __bool__(self):
        LOG.append("bool")
        return bool(self.value)

    def __getitem__(self, key):
        LOG.append(("item", key))
        return self.value + (key if isinstance(key, int) else 1)

    def __setitem__(self, key, value):
        LOG.append(("put", key))
        self.value = value % 1009

    def __call__(self, *given, **named):
        return self.value + len(given) + 10 * len(named)

    def __len__(self):
        return abs(self.value) % 5

    def __iter__(self):
        for place in range(abs(self.value) % 4):
            LOG.append(("next", place))
            yield place

    def __hash__(self):
        return hash(self.value)

    @property
    def double(self):
        LOG.append("double")
        return self.value * 2


def gather(*given, k=1, **named):
    return sum(given) * k + sum(named.values())


def each(items):
    for item in items:
        LOG.append(("each", item))
        yield item
"""


class RicherWriter(programs.Writer):
    """Writes one function with more of the language."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.texts, self.maps, self.objects = ["'go'"], [], []

    def pick(self, *ways: str) -> str:
        return self.random.choice(ways)

    # Expressions

    def number(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.6:
            return super().number(depth)
        return self.choose(
            self._noted, self._walrus, self._of_text, self._of_map, self._of_object, self._starred, self._immediate,
            self._kept_functions, self._ticked, self._generated,
        )(depth - 1)  # fmt: skip

    def _noted(self, depth: int) -> str:
        return f"note({self.number(depth)}, {self.random.randint(1, 9)})"

    def _walrus(self, depth: int) -> str:
        old = [each for each in self.numbers if each not in self.running and each[0] in "nu"]
        name = self.random.choice(old) if old else self.name("n")
        text = f"({self.pick(name, '1')} + ({name} := {self.number(depth)}) * {name})"
        return text if old else f"(({name} := {self.number(depth)}) - {name})"

    def text(self, depth: int) -> str:
        return self.pick(
            self.random.choice(self.texts), f"str({self.number(0)})",
            f"f'{{{self.number(0)}}}:{{{self.number(0)}!r:>4}}'",
            f"({self.random.choice(self.texts)} + 'ab')", f"{self.random.choice(self.texts)}[::-1]",
            f"','.join(map(str, {self.tuple(0)}))", f"f'{{{self.number(0)}:0{{{self.number(0)} % 5 + 2}}}}'",
        )  # fmt: skip

    def _of_text(self, depth: int) -> str:
        text = self.text(depth)
        return self.pick(f"len({text})", f"int({text}.isdigit())", f"ord(({text} or 'z')[0])", f"{text}.count('a')")

    def _of_map(self, depth: int) -> str:
        if not self.maps:
            return f"len({{{self.number(depth)}: {self.number(0)}, **{{1: {self.number(0)}}}}})"
        name = self.random.choice(self.maps)
        return self.pick(
            f"{name}[{self.number(0)}]", f"{name}.get({self.number(depth)}, {self.number(0)})", f"len({name})",
            f"sum({name}.values())", f"sum(x * 3 + y for x, y in {name}.items())", f"({self.number(0)} in {name})",
        )  # fmt: skip

    def object(self) -> str:
        return self.random.choice(self.objects) if self.objects else f"Number({self.number(0)})"

    def _of_object(self, depth: int) -> str:
        one, other = self.object(), self.pick(self.object(), self.number(0))
        return self.pick(
            f"({one} + {other}).value", f"({one} < {other} < {self.object()}).value", f"{one}[{self.number(depth)}]",
            f"{one}({self.number(0)}, *{self.tuple(0)}, k={self.number(0)})", f"len({one})", f"sum({one})",
            f"({one} and {self.object()}).value", f"(not {one} or {self.number(0)})", f"{one}.double", f"{one}.side",
            f"{one}[{self.number(0)} : {self.number(0)}]", f"(1 if {one} == {other} else {self.number(0)})",
            f"({self.object()} or {one}).double", f"sum([*{one}, {self.number(depth)}, *{self.object()}])",
        )  # fmt: skip

    def _starred(self, depth: int) -> str:
        return self.pick(
            f"gather(*{self.tuple(0)}, {self.number(depth)}, k={self.number(0)})",
            f"gather({self.number(0)}, *[{self.number(depth)}, 2], **{{'z': {self.number(0)}}})",
            f"gather(*each({self.tuple(0)}), *each((1, 2)), note({self.number(0)}), x={self.number(0)})",
            f"gather(x={self.number(depth)}, k={self.number(0)})", f"max(*{self.tuple(0)}, {self.number(0)})",
            f"len({{*{self.tuple(0)}, {self.number(0)}}})", f"sum((*each({self.tuple(0)}), {self.number(depth)}))",
        )  # fmt: skip

    def _immediate(self, depth: int) -> str:
        name = self.name("q")
        self.numbers.append(name)
        value = self.number(min(depth, 1))
        self.numbers.remove(name)
        return self.pick(
            f"(lambda {name}, *z: {value} + len(z))({self.number(depth)}, *{self.tuple(0)}[:2])",
            f"(lambda *z, {name}={self.number(0)}: {value})({self.number(depth)})",
        )

    def _kept_functions(self, depth: int) -> str:
        name = self.name("x")
        self.numbers.append(name)
        value = self.number(min(depth, 1))
        self.numbers.remove(name)
        return self.pick(
            f"sum(f() for f in [lambda: {value} for {name} in {self.tuple(0)}])",
            f"sum([sum(g) for g in [({value} for _ in (1, 2)) for {name} in {self.tuple(0)}[:2]]])",
            f"sum({value} for y in {self.tuple(0)} for {name} in (y, 2) if {name} != {self.number(0)})",
            f"len({{{name} % 3: {value} for {name} in {self.tuple(0)}}})",
            f"len({{{value} for {name} in {self.tuple(0)}}})",
        )  # fmt: skip

    def _ticked(self, depth: int) -> str:
        sign = self.pick("+", "-", "*", "<", "==")
        return f"({self.pick('shared', self.number(0))} {sign} tick({self.number(depth)}) * shared)"

    def _generated(self, depth: int) -> str:
        return self.pick(
            f"next(each({self.tuple(0)}))", f"next((x for x in each({self.tuple(0)}) if x > {self.number(depth)}), 5)",
            f"sum(each(each({self.tuple(0)})))", f"sum(x * y for x, y in zip(each({self.tuple(0)}), each((1, 2))))",
        )  # fmt: skip

    # Statements

    def statement(self, level: int, depth: int) -> None:
        if self.random.random() < 0.55:
            super().statement(level, depth)
            return
        ways = [self._new_text, self._new_map, self._new_object, self._targets, self._effect]
        if depth > 0:
            ways += [self._finally, self._patterns, self._nested, self._else, self._produce, self._delete]
        self.random.choice(ways)(level, depth)

    def _new_text(self, level: int, depth: int) -> None:
        value, name = self.text(1), self.name("s")
        self.line(f"{name} = {value}", level)
        self.texts.append(name)

    def _new_map(self, level: int, depth: int) -> None:
        name = self.name("d")
        value = self.pick(
            f"{{{self.number(1)}: {self.number(1)}, {self.number(0)}: 2}}",
            f"{{x: x * 2 for x in {self.tuple(0)}}}", "{}",
            f"dict(enumerate({self.tuple(0)}))", f"{{**{{1: 2}}, {self.number(0)}: {self.number(0)}}}",
        )  # fmt: skip
        self.line(f"{name} = {value}", level)
        self.maps.append(name)

    def _new_object(self, level: int, depth: int) -> None:
        value = self.pick(
            f"Number({self.number(1)})", f"Number({self.number(0)}, side={self.number(0)})", self.object()
        )
        name = self.name("o")
        self.line(f"{name} = {value}", level)
        self.objects.append(name)

    def _targets(self, level: int, depth: int) -> None:
        number = self.number(1)
        places = [f"{self.object()}.side", f"{self.object()}[{self.number(1)}]", self.name("n"), "shared"]
        places += [f"{name}[{self.number(1)}]" for name in self.maps] + [f"{name}[0]" for name in self.lists]
        one, other, third = (self.random.choice(places) for _ in range(3))
        whole = self.pick(*self.objects, *self.maps, "shared") if self.objects else "shared"
        self.line(
            self.pick(
                f"{one} = {other} = {number}", f"{one}, ({other}, *{third}) = {number}, {self.tuple(0)}",
                f"{one}, {other} = {self.number(0)}, {number}", f"[{one}, {other}] = {third}, _ = each(({number}, 2))",
                f"{one} += {number}" if "n" not in one[0] else f"shared -= {number}", f"{one}: int = {number}",
                f"{whole} += {self.object()}" if whole[0] == "o" else f"{one} = {number}",
                f"{self.object()}.value %= {number}",
            ),
            level,
        )  # fmt: skip

    def _effect(self, level: int, depth: int) -> None:
        self.line(
            self.pick(f"note({self.number(1)})", f"assert {self.truth(1)}, {self.text(0)}", self.number(1)), level
        )

    def _finally(self, level: int, depth: int) -> None:
        self.line("try:", level)
        self.block(level + 1, depth - 1)
        if self.random.random() < 0.6:
            self.line(f"note({self.pick('77', self.number(0))}, 'last')", level + 1)
        if self.random.random() < 0.5:
            name = self.name("e")
            self.line(
                f"except {self.pick('ValueError', '(TypeError, KeyError)', 'Exception', '[ValueError][0]')} as {name}:",
                level,
            )
            self.line(f"note(len({name}.args), 'caught')", level + 1)
            self.block(level + 1, 0, 1)
            if self.random.random() < 0.3:
                self.line(
                    self.pick("raise", f"raise KeyError({name}) from {name}", "continue" if self.loops else "pass"),
                    level + 1,
                )
            if self.random.random() < 0.4:
                self.line("else:", level)
                self.block(level + 1, 0, 1)
        self.line("finally:", level)
        self.block(level + 1, 0, 1)
        if self.random.random() < 0.2:
            leave = self.pick("break", "continue") if self.loops else f"return {self.number(0)}, 3, 4"
            self.line(f"if {self.truth(0)}:", level + 1)
            self.line(leave, level + 2)

    def _patterns(self, level: int, depth: int) -> None:
        subject = self.pick(
            self.tuple(1), self.object(), *self.maps, f"({self.number(1)}, {self.number(0)})", self.text(0)
        )
        one, other, third = self.name("m"), self.name("m"), self.name("m")
        cases = [
            (f"({one}, {other}, *{third})", [one, other]),
            (f"[{one}, 2 | 3 as {other}] | [2, {one}, {other}, *_]", [one, other]),
            (f"Number({one}, 0 as {other})", [one, other]), (f"Number(side={one}) if {one} > {self.number(0)}", [one]),
            (f"{{1: {one}, **{third}}}", [one]), (f"[_, *_, {one}]", [one]),
            (f"int({one}) | [{one}, _, _, _]", [one]), ("[]", []), (f"{third} if note({self.number(0)}, 'guard')", []),
        ]  # fmt: skip
        self.line(f"match {subject}:", level)
        for pattern, names in self.random.sample(cases, 3):
            self.line(f"case {pattern}:", level + 1)
            self.numbers += names
            self.block(level + 2, 0, 1)
            if names:
                self.line(f"note({names[0]}, 'case')", level + 2)
            self.numbers = [each for each in self.numbers if each not in names]
        if self.random.random() < 0.5:
            self.line("case _:", level + 1)
            self.block(level + 2, depth - 1, 1)

    def _nested(self, level: int, depth: int) -> None:
        name, parameter = self.name("h"), self.name("p")
        variable = self.random.choice([each for each in self.numbers if each not in self.running])
        known = [list(each) for each in (self.numbers, self.lists, self.objects)]
        self.line(f"def {name}({parameter}, *, extra={self.number(1)}):", level)
        inner = self.pick("shared", *([variable] if variable[0] in "nu" and variable[1:].isdigit() else []))
        self.line(f"nonlocal {inner}", level + 1)
        running, loops, self.loops = self.running, self.loops, 0
        self.numbers = [each for each in self.numbers if each == inner or each in ("a", "b")] + [parameter, "extra"]
        self.line(f"{inner} = {self.number(2)} % 1009", level + 1)
        self.line(f"{inner} += {self.number(1)}", level + 1)
        self.line(f"return {self.number(1)}", level + 1)
        self.running, self.loops = running, loops
        self.numbers, self.lists, self.objects = known
        self.closures.append(name)

    def _else(self, level: int, depth: int) -> None:
        name = self.name("i")
        self.line(f"for {name} in each({self.tuple(0)}):", level)
        self.loops += 1
        self.block(level + 1, depth - 1, 2)
        self.line(f"if {name} {self.pick('==', '<', '>')} {self.number(0)}:", level + 1)
        self.line(self.pick("break", "continue"), level + 2)
        self.loops -= 1
        self.line("else:", level)
        self.block(level + 1, depth - 1, 1)

    def _produce(self, level: int, depth: int) -> None:
        name, parameter, item = self.name("y"), self.name("p"), self.name("i")
        known = list(self.numbers)
        self.line(f"def {name}({parameter}):", level)
        self.numbers += [parameter]
        self.line(f"for {item} in range({parameter} % 4):", level + 1)
        self.numbers += [item]
        self.line("try:", level + 2)
        self.line(f"yield {self.number(1)}", level + 3)
        self.line(f"if {self.truth(1)}:", level + 3)
        self.line(self.pick("return", f"yield from ({self.number(0)}, {item})", "continue"), level + 4)
        self.line("finally:", level + 2)
        self.line(f"note({item}, 'closed')", level + 3)
        self.numbers = known
        self.line(f"{self.name('n')} = sum({name}({self.number(1)}))", level)
        self.numbers.append(f"n{self.count}")

    def _delete(self, level: int, depth: int) -> None:
        name = self.name("n")
        self.line(f"{name} = {self.number(1)}", level)
        self.line(f"if {self.truth(1)}:", level)
        self.line(f"del {name}", level + 1)
        self.line(self.pick(f"{name} = note(1) + {self.number(0)}", f"note({name} + note(3))", "note(2)"), level)

    def function(self) -> str:
        """Return the text of a function."""
        lines = [
            "LOG.clear()",
            "shared = a",
            "def tick(by):",
            "    nonlocal shared",
            "    shared += by",
            "    return shared",
        ]
        for each in lines:
            self.line(each, 1)
        for _ in range(self.random.randint(3, 6)):
            self.statement(1, 2)
        used = [*self.numbers[-4:], *self.texts[-1:], *self.maps[-1:], *[f"{each}.value" for each in self.objects[-1:]]]
        self.line(f"return {', '.join(used)}, shared", 1)
        return "\n".join([f"def program({', '.join(programs.ARGUMENTS)}):", *self.lines])


def written(seed: int) -> str:
    """Return the text of a program."""
    return f"{programs.HELPERS}\n{HELPERS}\n\n{RicherWriter(seed).function()}\n"


def made(seed: int) -> Callable[..., object]:
    """Return a program as a function whose source can be found."""
    return programs.made(seed, written(seed))


def logged(program: Callable[..., object], log: list[object]) -> Callable[..., object]:
    """Return a program that returns its result, or the exception's name, and what was logged."""

    def run(*arguments):
        try:
            found = program(*arguments)
        except Exception as error:
            found = type(error).__name__.replace("UnboundLocalError", "NameError")
        return found, list(log)

    return run
