"""Random programs in closed core: nested control, handlers, lists, objects, tuples and calls.

A program has several functions and one known object, whose variable `fuel` ends loops and recursion.
"""

import random
from collections.abc import Callable

import attrs

from ggp.compiler.core import (
    Assign,
    Atom,
    Attempt,
    Block,
    Constant,
    If,
    Labelled,
    Leave,
    Local,
    Loop,
    Raise,
    Return,
    TypedFunction,
)
from ggp.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STATUS,
    List,
    ObjectOf,
    Optional,
    Tuple,
    Type,
    has_reference,
    size,
)
from tests.compiler.closed import do


class Node:
    """An object whose fields change."""


THREE, LONG = Tuple((INT,) * 3), Tuple((INT,) * 12)
PAIR = Tuple((THREE, BOOL))
STATE = Tuple((LONG, INT, THREE))
ROWS = Tuple((THREE,) * 4)
MAYBE, MAYBE_LONG = Optional(INT), Optional(LONG)
INTS, TRIPLES, BOARDS = List(INT), List(THREE), List(LONG)
NESTED = List(INTS)
NODE = ObjectOf(Node, ("count", "items", "row"), (INT, INTS, THREE))
FIXED = [INT, BOOL, FLOAT, THREE, LONG, PAIR, STATE, ROWS, MAYBE, MAYBE_LONG]
"""Types that arguments and results of a whole program may have."""
KINDS = [INT, INT, *FIXED, INTS, TRIPLES, BOARDS, NESTED, NODE]
VARIABLES = {"fuel": INT, "total": INT, "board": STATE, "row": THREE}
ERRORS = [ValueError, IndexError, KeyError, LookupError, ZeroDivisionError]


@attrs.define(slots=False)
class Known:
    """The known object of a program."""

    fuel: int = 12
    total: int = 0
    board: object = (tuple(range(12)), 5, (7, 8, 9))
    row: object = (1, 2, 3)


def constant(kind: Type, chance: random.Random) -> object:
    """Return a random value of a type that arguments may have."""
    if kind == INT:
        return chance.choice([0, 1, 2, 3, -1, -7, 11, chance.randint(-100, 100)])
    if kind == BOOL:
        return chance.random() < 0.5
    if kind == FLOAT:
        return chance.choice([0.0, -1.5, 2.0, 0.1])
    if isinstance(kind, Optional):
        return None if chance.random() < 0.4 else constant(kind.item, chance)
    if isinstance(kind, List):
        return [constant(kind.item, chance) for _ in range(chance.randint(0, 4))]
    assert isinstance(kind, Tuple)
    return tuple(constant(each, chance) for each in kind.items)


def _digest(kind: Type) -> TypedFunction:
    """Return a function that makes one number of a value, so that a program can tell what it has."""
    body: Block
    if isinstance(kind, ObjectOf):
        body = [Assign("found", Constant(1, INT))]
        for index, each in enumerate(kind.items):
            body.append(do(f"field{index}", "field", "value", detail=index))
            body.extend([do("one", "call", f"field{index}", detail=DIGESTS[each]), do("found", "mix", "found", "one")])
        variables = {f"field{index}": each for index, each in enumerate(kind.items)}
    elif isinstance(kind, List):
        variables = {"index": INT, "length": INT, "more": BOOL, "item": kind.item}
        loop = [
            do("more", "lt", "index", "length"), If(Local("more"), [], [Leave("all")]),
            do("item", "get", "value", "index"), do("one", "call", "item", detail=DIGESTS[kind.item]),
            do("found", "mix", "found", "one"), do("index", "add", "index", 1),
        ]  # fmt: skip
        body = [do("length", "length", "value"), Assign("found", Local("length")), Assign("index", Constant(0, INT)),
                Loop("all", loop)]  # fmt: skip
    else:
        count = size(kind)
        variables = {"words": Tuple((INT,) * count)}
        body = [do("words", "words", "value"), Assign("found", Constant(1, INT))]
        for index in range(count):
            body.extend([do("one", "part", "words", detail=index), do("found", "mix", "found", "one")])
    body.extend([do("short", "and", "found", 65535), Return(Local("short"))])
    variables |= {"found": INT, "one": INT, "short": INT}
    return TypedFunction("digest", ("value",), {"value": kind, **variables}, INT, body, "random.py", 1)


DIGESTS: dict[Type, TypedFunction] = {}
for _kind in [*FIXED, INTS, TRIPLES, BOARDS, NESTED, NODE]:
    DIGESTS[_kind] = _digest(_kind)


class _Writer:
    """Writes one function."""

    def __init__(self, chance: random.Random, name: str, callees: list[TypedFunction], kinds: list[Type]) -> None:
        self.chance = chance
        recursive = chance.random() < 0.4
        self.variables: dict[str, Type] = {}
        self.count = 0
        parameters = {f"p{index}": chance.choice(kinds) for index in range(chance.randint(0, 3))}
        self.variables.update(parameters)
        self.visible: list[list[str]] = [list(parameters)]
        """The names that have values here, by block."""
        self.labels: list[str] = []
        self.left = chance.randint(20, 80)
        """How many statements may still be written."""
        result = chance.choice(kinds)
        self.made = TypedFunction(name, tuple(parameters), self.variables, result, [], "random.py", 1)
        self.callees = [*callees, *([self.made] if recursive else [])]
        body = self.made.body
        self.stop_without_fuel(body, result)
        for _ in range(chance.randint(2, 6)):
            self.fresh(chance.choice(KINDS), body, changes=True)
        body.extend(self.block(0, inside=False))
        self.tell([*self.visible[-1]][:12], body)
        body.append(Return(self.simple(result, body)))

    def tell(self, names: list[str], body: Block) -> None:
        """Mix the values of variables into the variable `total` of the known object."""
        for name in names:
            if self.variables[name] in DIGESTS:
                one, before, mixed, after = (self.name(INT) for _ in range(4))
                body.append(do(one, "call", name, detail=DIGESTS[self.variables[name]]))
                body.extend([do(before, "variable", detail=(0, "total")), do(mixed, "mix", before, one)])
                body.extend([do(after, "and", mixed, 65535), do(None, "put_variable", after, detail=(0, "total"))])

    def stop_without_fuel(self, body: Block, result: Type) -> None:
        fuel, less, empty = self.name(INT), self.name(INT), self.name(BOOL)
        body.extend([do(fuel, "variable", detail=(0, "fuel")), do(less, "sub", fuel, 1)])
        body.append(do(None, "put_variable", less, detail=(0, "fuel")))
        body.append(do(empty, "lt", less, 0))
        ended: Block = []
        ended.append(Return(self.simple(result, ended)))
        body.append(If(Local(empty), ended, []))

    def name(self, kind: Type) -> str:
        self.count += 1
        made = f"v{self.count}"
        self.variables[made] = kind
        return made

    def named(self, kind: Type) -> list[str]:
        return [name for names in self.visible for name in names if self.variables[name] == kind]

    def value(self, kind: Type, body: Block) -> Atom:
        """Return an atom of a type; make one, if there is none or by chance."""
        names = self.named(kind)
        if names and self.chance.random() < 0.75:
            return Local(self.chance.choice(names))
        if not isinstance(kind, (List, ObjectOf)) and self.chance.random() < 0.5:
            return Constant(constant(kind, self.chance), kind)
        return Local(self.fresh(kind, body))

    def fresh(self, kind: Type, body: Block, changes: bool = False, depth: int = 0) -> str:
        """Assign something to a new variable."""
        target = self.name(kind)
        self.set(target, kind, body)
        self.visible[-1].append(target)
        return target

    def set(self, target: str, kind: Type, body: Block) -> None:
        ways = [getattr(self, name) for name in dir(self) if name.startswith("make_")]
        self.chance.shuffle(ways)
        if self.chance.random() < 0.8:
            for way in ways:
                before = len(body)
                if way(target, kind, body):
                    return
                del body[before:]
        if isinstance(kind, List):
            if self.chance.random() < 0.5:
                body.append(do(target, "new_list", self.chance.randint(0, 3)))
            else:
                value = Constant([] if has_reference(kind.item) else constant(kind, self.chance), kind)
                body.append(do(target, "copy", value))
        elif isinstance(kind, ObjectOf):
            body.append(do(target, "new", *(self.simple(each, body) for each in kind.items)))
        else:
            body.append(Assign(target, Constant(constant(kind, self.chance), kind)))

    def simple(self, kind: Type, body: Block) -> Atom:
        """Return an atom without further choices, so that writing ends."""
        names = self.named(kind)
        if names:
            return Local(self.chance.choice(names[-3:] if self.chance.random() < 0.5 else names))
        if isinstance(kind, List):
            target = self.name(kind)
            body.append(do(target, "new_list", 1))
            return Local(target)
        if isinstance(kind, ObjectOf):
            target = self.name(kind)
            body.append(do(target, "new", *(self.simple(each, body) for each in kind.items)))
            return Local(target)
        return Constant(constant(kind, self.chance), kind)

    def index(self, count: int, body: Block) -> Atom:
        if self.chance.random() < 0.4:
            return Constant(self.chance.randrange(count), INT)
        target = self.name(INT)
        body.append(do(target, "mod", self.simple(INT, body), count))
        return Local(target)

    # Ways to make a value; each returns whether it can ---------------------------------------------------------------

    def make_same(self, target: str, kind: Type, body: Block) -> bool:
        names = [each for each in self.named(kind) if each != target]
        if names:
            body.append(Assign(target, Local(self.chance.choice(names))))
        return bool(names)

    def make_number(self, target: str, kind: Type, body: Block) -> bool:
        if kind == INT:
            name = self.chance.choice(["add", "sub", "and", "or", "xor", "bit_count", "neg", "mul"])
            operands = [self.simple(INT, body) for _ in range(1 if name in ("bit_count", "neg") else 2)]
            if name == "mul":
                operands[1] = Constant(3, INT)
            between = self.name(INT)
            body.append(do(between, name, *operands))
            body.append(do(target, "mod", between, 1000))
        elif kind == FLOAT:
            name = self.chance.choice(["fadd", "fsub", "fmul"])
            body.append(do(target, name, self.simple(FLOAT, body), self.simple(FLOAT, body)))
        elif kind == BOOL:
            both = self.chance.choice(FIXED)
            body.append(do(target, self.chance.choice(["eq", "ne"]), self.simple(both, body), self.simple(both, body)))
        return kind in (INT, FLOAT, BOOL)

    def make_order(self, target: str, kind: Type, body: Block) -> bool:
        if kind == BOOL:
            name = self.chance.choice(["lt", "le", "gt", "ge"])
            body.append(do(target, name, self.simple(INT, body), self.simple(INT, body)))
        return kind == BOOL

    def make_part(self, target: str, kind: Type, body: Block) -> bool:
        found = [(name, index) for names in self.visible for name in names
                 for index, each in enumerate(getattr(self.variables[name], "items", ()))
                 if each == kind and isinstance(self.variables[name], Tuple)]  # fmt: skip
        if not found:
            return False
        name, index = self.chance.choice(found)
        owner = self.variables[name]
        assert isinstance(owner, Tuple)
        if len(set(owner.items)) == 1 and self.chance.random() < 0.5:
            body.append(do(target, "pick", name, self.index(len(owner.items), body)))
        else:
            body.append(do(target, "part", name, detail=index))
        return True

    def make_tuple(self, target: str, kind: Type, body: Block) -> bool:
        if not isinstance(kind, Tuple):
            return False
        if len(set(kind.items)) == 1 and self.chance.random() < 0.6:
            index = self.index(len(kind.items), body)
            body.append(do(target, "with_item", self.simple(kind, body), index, self.simple(kind.items[0], body)))
        else:
            body.append(do(target, "make", *(self.simple(each, body) for each in kind.items)))
        return True

    def make_optional(self, target: str, kind: Type, body: Block) -> bool:
        if isinstance(kind, Optional):
            value = Constant(None, NONE) if self.chance.random() < 0.3 else self.simple(kind.item, body)
            body.append(do(target, "convert", value))
            return True
        names = self.named(Optional(kind))
        if not names or isinstance(kind, (List, ObjectOf)):
            return False
        owner, some = self.chance.choice(names), self.name(BOOL)
        body.append(do(some, "is_some", owner))
        absent: Block = [Assign(target, Constant(constant(kind, self.chance), kind))]
        body.append(If(Local(some), [do(target, "content", owner)], absent))
        return True

    def make_item(self, target: str, kind: Type, body: Block) -> bool:
        names = self.named(List(kind))
        if not names:
            return False
        absent: Block = []
        absent.append(Assign(target, self.simple(kind, absent)))
        self.guarded(self.chance.choice(names), body, lambda items, index: do(target, "get", items, index), absent)
        return True

    def make_list(self, target: str, kind: Type, body: Block) -> bool:
        if not isinstance(kind, List):
            return False
        owner = Tuple((kind.item,) * self.chance.choice([3, 4, 12]))
        if self.chance.random() < 0.5 and owner in KINDS:
            body.append(do(target, "list_of", self.simple(owner, body)))
        else:
            body.append(do(target, "copy", self.simple(kind, body)))
        return True

    def make_field(self, target: str, kind: Type, body: Block) -> bool:
        if kind not in NODE.items:
            return False
        body.append(do(target, "field", self.simple(NODE, body), detail=NODE.items.index(kind)))
        return True

    def make_variable(self, target: str, kind: Type, body: Block) -> bool:
        names = [name for name, each in VARIABLES.items() if each == kind and name != "fuel"]
        if names:
            body.append(do(target, "variable", detail=(0, self.chance.choice(names))))
        return bool(names)

    def make_call(self, target: str, kind: Type, body: Block) -> bool:
        found = [each for each in self.callees if each.result == kind]
        if not found:
            return False
        callee = self.chance.choice(found)
        arguments = [self.simple(callee.variables[name], body) for name in callee.parameters]
        body.append(do(target, "call", *arguments, detail=callee))
        return True

    def make_same_list(self, target: str, kind: Type, body: Block) -> bool:
        if kind == BOOL:
            both = self.chance.choice([INTS, NODE])
            body.append(do(target, "same", self.simple(both, body), self.simple(both, body)))
        return kind == BOOL

    # Statements -----------------------------------------------------------------------------------------------------

    def guarded(self, items: str, body: Block, make: Callable[[str, str], Assign], otherwise: Block) -> None:
        """Do something with an index of a list, if it has items."""
        length, some, index = self.name(INT), self.name(BOOL), self.name(INT)
        body.extend([do(length, "length", items), do(some, "gt", length, 0)])
        inner = [do(index, "mod", self.simple(INT, body), length), make(items, index)]
        body.append(If(Local(some), inner, otherwise))

    def block(self, depth: int, inside: bool = True) -> Block:
        body: Block = []
        self.visible.append([])
        for _ in range(self.chance.randint(2, 6 if depth else 15)):
            if self.left <= 0:
                break
            self.left -= 1
            before = len(body)
            self.statement(depth, body)
            if body[before:] and isinstance(body[-1], (Leave, Return, Raise)):
                break
        names = [name for each in self.visible for name in each]
        if self.open(body) and names and self.chance.random() < 0.6:
            self.tell(self.chance.choices(names[-6:], k=2), body)
        self.visible.pop()
        return body

    def statement(self, depth: int, body: Block) -> None:
        chance = self.chance
        choice = chance.random()
        if choice < 0.25:
            self.fresh(chance.choice(KINDS), body)
        elif choice < 0.5:
            names = [name for names in self.visible for name in names]
            if names:
                name = chance.choice(names)
                self.set(name, self.variables[name], body)
        elif choice < 0.62:
            self.change(body)
        elif choice < 0.73 and depth and self.left < 40:
            self.leave(body)
        elif depth < 3:
            self.control(depth + 1, body)

    def change(self, body: Block) -> None:
        chance = self.chance
        kind = chance.choice([INTS, TRIPLES, BOARDS, NESTED, NODE, None])
        if kind is None:
            name = chance.choice(["total", "board", "row"])
            body.append(do(None, "put_variable", self.simple(VARIABLES[name], body), detail=(0, name)))
        elif isinstance(kind, ObjectOf):
            index = chance.randrange(3)
            body.append(
                do(None, "put_field", self.simple(kind, body), self.simple(kind.items[index], body), detail=index)
            )
        else:
            items = self.simple(kind, body)
            assert isinstance(items, Local)
            value = self.simple(kind.item, body)
            if chance.random() < 0.5:
                body.append(do(None, "append", items, value))
            elif chance.random() < 0.7:
                self.guarded(items.name, body, lambda items, index: do(None, "put", items, index, value), [])
            else:
                self.guarded(items.name, body, lambda items, index: do(None, "set_length", items, index), [])

    def leave(self, body: Block) -> None:
        chance = self.chance
        choice = chance.random()
        if choice < 0.8 and self.labels:
            body.append(Leave(chance.choice(self.labels)))
        elif choice < 0.92:
            body.append(Raise(Constant(chance.choice(ERRORS), None)))
        else:
            body.append(Return(self.simple(self.made.result, body)))

    def control(self, depth: int, body: Block) -> None:
        chance = self.chance
        self.count += 1
        label = f"label{self.count}"
        choice = chance.choice(["if", "if", "labelled", "loop", "attempt", "attempt"])
        if choice == "if":
            test = self.simple(BOOL, body)
            body.append(If(test, self.block(depth), self.block(depth) if chance.random() < 0.6 else []))
        elif choice == "labelled":
            self.labels.append(label)
            body.append(Labelled(label, self.block(depth)))
            self.labels.pop()
        elif choice == "loop":
            self.loop(label, depth, body)
        else:
            caught, good = self.name(STATUS), self.name(BOOL)
            inner = self.block(depth)
            kinds = tuple(chance.sample(ERRORS, chance.randint(1, 3)))
            handler = [do(good, "is_caught", caught, detail=kinds), If(Local(good), [], [Raise(Local(caught))])]
            handler.extend(self.block(depth))
            body.append(Attempt(inner, caught, handler))

    def open(self, block: Block) -> bool:
        """Return whether one may write on behind a block."""
        return not block or not isinstance(block[-1], (Leave, Return, Raise))

    def loop(self, label: str, depth: int, body: Block) -> None:
        counter, more = self.name(INT), self.name(BOOL)
        body.append(Assign(counter, Constant(0, INT)))
        self.labels.append(label)
        inner: Block = [
            do(counter, "add", counter, 1),
            do(more, "lt", counter, self.chance.randint(2, 3)),
            If(Local(more), [], [Leave(label)]),
            *self.block(depth),
        ]
        self.labels.pop()
        body.append(Loop(label, inner))


def program(seed: int) -> TypedFunction:
    """Return a random function with all that it calls."""
    chance = random.Random(seed)
    made: list[TypedFunction] = []
    count = chance.randint(1, 3)
    for index in range(count):
        kinds = FIXED if index == count - 1 else [*FIXED, INTS, TRIPLES, NESTED, NODE]
        made.append(_Writer(chance, f"f{index}", made, kinds).made)
    return made[-1]
