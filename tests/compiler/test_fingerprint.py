"""Code is kept under a fingerprint of what it was made from: a change that matters makes it new, another does not."""

import collections
import importlib
import linecache
import subprocess
import sys
import threading

import attrs
import pytest
from ggp_search.engine import compiled_engine

import ggp
from ggp import compiler
from ggp.compiler import job
from ggp.compiler.types import type_of


@pytest.fixture(autouse=True)
def _kept(tmp_path, monkeypatch):
    directory = tmp_path / "kept"
    monkeypatch.setenv("GGP_CACHE_DIR", str(directory))
    monkeypatch.setattr(job, "_loaded", collections.OrderedDict())


HELPER = """
FACTOR = 3
UNUSED = 4


def scaled(number):
    return number * FACTOR


def unused():
    return 1
"""
RULES = """
import attrs
import helper_of_rules
from typing import NamedTuple


class Cell(NamedTuple):
    row: int
    column: int

    def total(self):
        return self.row + self.column


@attrs.frozen
class Rules:
    name = "rules"
    size: int = 5
    bonus: int = 0

    def worth(self, cell):
        return helper_of_rules.scaled(cell.total()) + self.size

    def other(self):
        return 17


def adder(amount):
    def add(number):
        return number + amount

    return add


def worth(rules, row):
    return rules.worth(Cell(row, 2))


def named(row, other):
    return row - other


def call_by_name(row):
    return named(row=row, other=1)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Return a function that writes and loads the module of rules, changed as is said."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def load(rules=("", ""), helper=("", "")):
        for name, text, (old, new) in (("helper_of_rules", HELPER, helper), ("rules_here", RULES, rules)):
            assert old in text
            (tmp_path / f"{name}.py").write_text(text.replace(old, new) if old else text)
            sys.modules.pop(name, None)
        for each in tmp_path.glob("__pycache__/*"):
            each.unlink()
        importlib.invalidate_caches()
        for each in [path for path in linecache.cache if path.startswith(str(tmp_path))]:
            del linecache.cache[each]
        return importlib.import_module("rules_here")

    yield load
    for name in ("helper_of_rules", "rules_here"):
        sys.modules.pop(name, None)


def compiled(module, **fields):
    code = compiler.compile(module.worth, module.Rules(**fields), compiler.INT)
    return code.compiled_now, code(code.variables(), 1)


CHANGES = {
    "a rule": {"rules": ("+ self.size", "- self.size")},
    "a constant of another module": {"helper": ("FACTOR = 3", "FACTOR = 5")},
    "a function of another module": {"helper": ("number * FACTOR", "number + FACTOR")},
    "a method of the state's class": {"rules": ("self.row + self.column", "self.row - self.column")},
    "a default of a parameter": {"rules": ("size: int = 5", "size: int = 6")},
}
NO_CHANGES = {
    "nothing": {},
    "another rule": {"rules": ("return 17", "return 18")},
    "another function of another module": {"helper": ("return 1\n", "return 2\n")},
    "another constant": {"helper": ("UNUSED = 4", "UNUSED = 9")},
    "a parameter that is not used": {"rules": ("bonus: int = 0", "bonus: int = 8")},
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_changed_is_compiled_anew(module, change):
    assert compiled(module()) == (True, 14)
    changed = module(**CHANGES[change])
    now, found = compiled(changed)
    assert now
    assert found == changed.worth(changed.Rules(), 1) != 14


@pytest.mark.parametrize("change", NO_CHANGES)
def test_what_is_not_used_may_change(module, change):
    assert compiled(module()) == (True, 14)
    assert compiled(module(**NO_CHANGES[change])) == (False, 14)


def test_a_parameter_of_the_game_is_part_of_it(module):
    rules = module()
    assert compiled(rules, size=5) == (True, 14)
    assert compiled(rules, size=6) == (True, 15)
    assert compiled(rules, size=5) == (False, 14)


def test_a_method_that_is_put_in_another_place_is_another(module, monkeypatch):
    rules = module()
    assert compiled(rules) == (True, 14)
    monkeypatch.setattr(rules.Cell, "total", hundred)
    assert compiled(rules) == (True, 305)


def test_what_a_closure_holds_is_part_of_it(module):
    rules = module()
    for amount in (3, 4):
        code = compiler.compile(rules.adder(amount), compiler.INT)
        assert (code.compiled_now, code(code.variables(), 1)) == (True, 1 + amount)


def test_names_of_parameters_are_part_of_it(module):
    rules = module()
    code = compiler.compile(rules.call_by_name, compiler.INT)
    assert code(code.variables(), 5) == 4
    rules = module(
        rules=("def named(row, other):\n    return row - other", "def named(other, row):\n    return other - row")
    )
    code = compiler.compile(rules.call_by_name, compiler.INT)
    assert code(code.variables(), 5) == rules.call_by_name(5) == -4


def test_another_process_finds_the_code_and_the_classes(module, tmp_path):
    module()
    program = (
        "import rules_here\nfrom ggp import compiler\nfrom ggp.compiler.types import type_of\n"
        "code = compiler.compile(rules_here.worth, rules_here.Rules(), compiler.INT)\n"
        "print(code.compiled_now, code(code.variables(), 1))"
    )
    found = [
        subprocess.run(  # noqa: S603  our own program
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert found == [["True", "14"], ["False", "14"]]


CONVERTED = """
import attrs
def tidy(text):
    return text.strip()
@attrs.frozen
class Board:
    name: str = attrs.field(default="a", converter=tidy)
    cells: tuple = attrs.field(factory=tuple)
class Rules:
    board = Board()
    def worth(self, number):
        return number + len(self.board.name)
"""


def test_a_field_with_a_converter_is_the_same_in_another_process(tmp_path):
    (tmp_path / "converted_here.py").write_text(CONVERTED)
    program = (
        "import converted_here\nfrom ggp import compiler\n"
        "code = compiler.compile(converted_here.Rules.worth, converted_here.Rules(), compiler.INT)\n"
        "print(code.compiled_now)"
    )
    command = [sys.executable, "-c", program]
    found = [
        subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
        for _ in range(2)
    ]
    assert found == ["True", "False"]


def test_a_class_that_is_defined_again_is_another(module):
    """A plugin may be loaded twice: each code gives back instances of its own class."""
    for _ in range(2):
        rules = module()
        cell = rules.Cell(1, 2)
        code = compiler.compile(rules.Cell.total, type_of(cell))
        assert code(code.variables(), cell) == 3
        code = compiler.compile(swapped, type_of(cell))
        assert type(code(code.variables(), cell)) is rules.Cell


def hundred(cell):
    return 100


def swapped(cell):
    return cell._replace(row=cell.column)


@attrs.frozen
class Stepper:
    name = "stepper"
    step: int = 1


def climbed(stepper, number):
    total = 0
    for each in range(number):
        total += each % 7 * stepper.step
    return total


def test_threads_compile_and_run_side_by_side():
    found, errors = {}, []

    def work(index):
        try:
            stepper = Stepper(index % 4)
            code = compiler.compile(climbed, stepper, compiler.INT)
            variables = code.variables()
            found[index] = [code(variables, 1000 + turn) for turn in range(50)]
        except BaseException as error:  # told below, in the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert errors == []
    assert found == {i: [climbed(Stepper(i % 4), 1000 + turn) for turn in range(50)] for i in range(8)}


OUTSIDE = """
import functools
import os


class Rules:
    @property
    def size(self):
        return int(os.environ["GGP_TEST_SIZE"])

    @functools.cached_property
    def bonus(self):
        return 10 * int(os.environ["GGP_TEST_SIZE"])

    def worth(self, row):
        return row + self.size + self.bonus


def worth(rules, row):
    return rules.worth(row)
"""


def test_a_property_that_reads_the_environment_is_compiled_anew_when_it_has_another_value(tmp_path, monkeypatch):
    (tmp_path / "outside_rules.py").write_text(OUTSIDE)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("outside_rules")
    found = []
    for size in ("1", "1", "2"):
        monkeypatch.setenv("GGP_TEST_SIZE", size)
        found.append(compiled(module))
    assert found == [(True, 12), (False, 12), (True, 23)]


def test_code_says_whether_what_became_part_of_it_is_as_it_was(tmp_path, monkeypatch):
    (tmp_path / "outside_rules_2.py").write_text(OUTSIDE)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("outside_rules_2")
    monkeypatch.setenv("GGP_TEST_SIZE", "1")
    code = compiler.compile(module.worth, module.Rules(), compiler.INT)
    assert code.is_current
    monkeypatch.setenv("GGP_TEST_SIZE", "2")
    assert not code.is_current


class Mutable:
    """Rules whose field may change."""

    def __init__(self):
        self.k = 3

    def worth(self, row):
        return row * self.k


def worth_of(rules, row):
    return rules.worth(row)


def test_a_field_that_is_changed_is_seen():
    rules = Mutable()
    code = compiler.compile(worth_of, rules, compiler.INT)
    assert (code(code.variables(), 5), code.is_current) == (15, True)
    rules.k = 7
    assert not code.is_current
    again = compiler.compile(worth_of, rules, compiler.INT)
    assert again(again.variables(), 5) == 35


@attrs.frozen
class Caller:
    """An object that is called."""

    function: object

    def __call__(self, number):
        return self.function(number)


def doubled(number):
    return 2 * number


def tripled(number):
    return 3 * number


def called(caller, number):
    return caller(number)


def test_an_object_that_is_called_is_known_by_what_its_call_does():
    codes = [compiler.compile(called, Caller(each), type_of(1)) for each in (doubled, tripled)]
    assert [code(code.variables(), 7) for code in codes] == [14, 21]


def test_code_of_a_search_is_found_again_wherever_its_memory_lies(monkeypatch):
    registry, names = ggp.load_registry(), []
    game = registry.game("tictactoe")
    searcher = registry.searcher("mcts")
    monkeypatch.setattr(job, "_find", lambda each, named: names.append((each, named.name)))
    for _ in range(2):  # the first job holds its memory, so that the second one's lies elsewhere
        compiled_engine.is_cached(searcher.plan(game, game.initial_state(), ggp.Limits(nodes=100)))
    (first, one), (second, other) = names
    assert first is not second
    assert one == other


@pytest.mark.slow
def test_code_with_a_learned_evaluation_is_found_again_by_another_process():
    run = [sys.executable, "-m", "ggp", "search", "hex", "--searcher", "mcts:evaluation=learned", "--nodes", "200"]
    said = [subprocess.run(run, capture_output=True, text=True, check=True).stderr for _ in range(2)]  # noqa: S603
    assert ["compiling" in each for each in said] == [True, False]


MADE = """
import copy


class Counter:
    def __init__(self, value):
        self.value = value

    def __iadd__(self, other):
        self.value += other
        return self

    def __radd__(self, other):
        return other + self.value

    def __eq__(self, other):
        return self.value == other

    def __len__(self):
        return 3

    def __copy__(self):
        return Counter(self.value)

    def __getattr__(self, name):
        return 10

    @property
    def half(self):
        return self.value // 2

    @half.setter
    def half(self, half):
        self.value = 2 * half


def counted(a):
    counter = Counter(a)
    counter += 1
    copied = copy.copy(counter)
    sums = 1 + counter, counter == 5, len(counter), copied.value, counter.missing
    copied.half = 4
    return sums, copied.value
"""
CHANGED = {
    "__init__": ("self.value = value", "self.value = value + 1"),
    "__iadd__": ("self.value += other", "self.value -= other"),
    "__radd__": ("return other + self.value", "return other - self.value"),
    "__eq__": ("self.value == other", "self.value != other"),
    "__len__": ("return 3", "return 4"),
    "__copy__": ("return Counter(self.value)", "return Counter(-self.value)"),
    "__getattr__": ("return 10", "return 11"),
    "a setter": ("2 * half", "3 * half"),
}


@pytest.mark.parametrize("change", CHANGED)
def test_special_methods_of_what_a_function_makes_are_part_of_it(change, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    found = []
    for text in (MADE, MADE.replace(*CHANGED[change])):
        (tmp_path / "made_here.py").write_text(text)
        linecache.cache.pop(str(tmp_path / "made_here.py"), None)
        sys.modules.pop("made_here", None)
        importlib.invalidate_caches()
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        module = importlib.import_module("made_here")
        code = compiler.compile(module.counted, compiler.INT)
        assert (code.compiled_now, code(code.variables(), 4)) == (True, module.counted(4))
        found.append(module.counted(4))
    assert found[0] != found[1]


READ_BY_NAME = """
import collections
import fractions
import operator
import re
import types

import attrs

FIELD, TAIL, read = "weight", "ght", getattr
GOAL_AT = 3
helpers = types.SimpleNamespace(weight=GOAL_AT)


@attrs.frozen
class Point:
    x: int
    __match_args__ = ("total",)

    @property
    def total(self):
        return self.x + GOAL_AT


@attrs.frozen
class Rules:
    weight: int = GOAL_AT

    def bonus_of(self, number):
        return number + GOAL_AT

    def worth(self, number):
        RULE


GOAL, OF_POINT, NTH = Point(GOAL_AT), operator.attrgetter("total"), operator.itemgetter(GOAL_AT)
LETTERS, PART, QUEUE = re.compile("a" * GOAL_AT), fractions.Fraction(GOAL_AT), collections.deque([GOAL_AT])
PLACE_OF, WORTH_OF = ("x" * GOAL_AT + "a").index, {1: GOAL_AT}.get


class Counted(type):
    def __len__(cls):
        return GOAL_AT


class Thing(metaclass=Counted):
    pass
"""
RULES_THAT_READ_BY_NAME = {
    "a text": "return number + getattr(self, 'weight')",
    "a constant, beside another text": "return number + getattr(self, FIELD) + len('text')",
    "a text that is put together": "return number + getattr(self, f'wei{TAIL}')",
    "another name of getattr": "return number + read(self, 'weight')",
    "of a namespace": "return number + getattr(helpers, 'weight')",
    "a method": "return getattr(self, 'bonus_of')(number)",
    "a name that may be missing": "return number + getattr(self, 'weight' if GOAL_AT == 3 else 'none', 1)",
    "fields in a dictionary": "return number + attrs.asdict(self)['weight']",
    "a pattern with keywords": "match Point(number):\n            case Point(total=t):\n                return t",
    "a pattern with positions": "match Point(number):\n            case Point(t):\n                return t",
    "an attrgetter": "return number + operator.attrgetter('weight')(self)",
    "an attrgetter of the module": "return OF_POINT(Point(number))",
    "an itemgetter of the module": "return NTH((1, 2, 3, 4, 5, number))",
    "a pattern of a text": "return number + len(LETTERS.findall('aaaaaaaaa'))",
    "a fraction": "return number + int(PART * 2)",
    "a deque": "return number + QUEUE[0]",
    "a method of a text": "return number + PLACE_OF('a')",
    "a method of a dictionary": "return number + WORTH_OF(1, 0)",
    "a special method of a metaclass": "return number + len(Thing)",
    "fields that are compared": "return 1 if Point(number - 1) == GOAL else 0",
    "fields that are hashed": "return 1 if Point(number - 1) in {GOAL} else 0",
}


@pytest.mark.parametrize("rule", RULES_THAT_READ_BY_NAME.values(), ids=RULES_THAT_READ_BY_NAME)
def test_what_code_reaches_without_its_name_is_part_of_it(rule, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    found = []
    for goal in ("3", "4"):
        text = READ_BY_NAME.replace("RULE", rule).replace("GOAL_AT = 3", f"GOAL_AT = {goal}")
        (tmp_path / "read_here.py").write_text(text)
        linecache.cache.pop(str(tmp_path / "read_here.py"), None)
        sys.modules.pop("read_here", None)
        importlib.invalidate_caches()
        module = importlib.import_module("read_here")
        code = compiler.compile(module.Rules.worth, module.Rules(), compiler.INT)
        assert code(code.variables(), 4) == module.Rules().worth(4)
        found.append(module.Rules().worth(4))
    assert found[0] != found[1]


class Replaceable:
    """Rules whose functions may be replaced."""

    def of_class(self):
        return 1

    @staticmethod
    def of_nobody():
        return 1

    def worth(self, row, more=1):
        return row + self.of_class() + self.of_nobody() + more + outer_function() + variable_around()


def outer_function():
    return 1


def _around():
    found = 1

    def read():
        return found

    def write(value):
        nonlocal found
        found = value

    return read, write


variable_around, change_around = _around()
REPLACED = {
    "a method": lambda patch, rules: patch.setattr(Replaceable, "of_class", lambda self: 5),
    "a method of one object": lambda patch, rules: setattr(rules, "of_class", lambda: 5),
    "a static method": lambda patch, rules: patch.setattr(Replaceable, "of_nobody", staticmethod(lambda: 5)),
    "a default": lambda patch, rules: patch.setattr(Replaceable.worth, "__defaults__", (5,)),
    "a function": lambda patch, rules: patch.setitem(globals(), "outer_function", lambda: 5),
    "a variable around a function": lambda patch, rules: change_around(5),
}


@pytest.mark.parametrize("what", REPLACED)
def test_a_function_that_is_replaced_is_seen(what, monkeypatch):
    change_around(1)
    rules = Replaceable()
    code = compiler.compile(worth_of, rules, compiler.INT)
    assert (code(code.variables(), 0), code.is_current) == (5, True)
    REPLACED[what](monkeypatch, rules)
    assert not code.is_current
    again = compiler.compile(worth_of, rules, compiler.INT)
    assert again(again.variables(), 0) == rules.worth(0) == 9
