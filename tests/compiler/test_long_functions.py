"""Long functions: LLVM only simplifies them, and their code grows with their length."""

import importlib.util
import random

import pytest
from speeds import disagreements

from ggp.compiler import compile as compiled
from ggp.compiler import machine
from ggp.compiler.job import Job
from ggp.compiler.types import BOOL, INT


def long_function(folder, text):
    """Return the function `long` of a module with this text."""
    file = folder / f"made_{len(list(folder.iterdir()))}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.long


def plain(lines):
    """Return a function of assignments, arithmetic and conditions."""
    some, names = random.Random(1), "abcd"
    text = ["def long(a, b, c, d):"]
    for _ in range(lines):
        x, y, z = (some.choice(names) for _ in range(3))
        forms = (
            f"{x} = ({y} + {z}) % 10007",
            f"{x} = ({y} * 3 - {z}) // 7",
            f"if {x} < {y}: {z} = {x} - {y}",
            f"{x} = min({y}, {z}, 99)",
        )
        text.append("    " + some.choice(forms))
    return "\n".join([*text, "    return a, b, c, d", ""])


def gates(lines):
    """Return a function of truth values, each from the last ones."""
    some = random.Random(1)
    text = ["def long(x0, x1, x2, x3):"]
    for number in range(4, lines + 4):
        a, b, c = (f"x{some.randrange(max(0, number - 20), number)}" for _ in range(3))
        text.append(
            f"    x{number} = " + some.choice((f"{a} and {b} or not {c}", f"not {a} or {b}", f"{a} and ({b} or {c})"))
        )
    return "\n".join([*text, f"    return x{lines}, x{lines + 1}, x{lines + 2}, x{lines + 3}", ""])


def assembly(function, kinds):
    """Return a function in LLVM's assembly."""
    program, _ = Job(function, kinds, game=None).specialized()
    return program.lowered().assembly()


@pytest.mark.parametrize(("written", "kind"), [(plain, INT), (gates, BOOL)])
def test_twice_as_many_lines_are_twice_as_much_assembly(tmp_path, written, kind):
    sizes = [assembly(long_function(tmp_path, written(lines)), (kind,) * 4).count("\n") for lines in (400, 800)]
    assert 1.8 * sizes[0] < sizes[1] < 2.2 * sizes[0]


def test_truth_values_of_variables_need_no_branches(tmp_path):
    few, many = (assembly(long_function(tmp_path, gates(lines)), (BOOL,) * 4).count("  br ") for lines in (100, 200))
    assert few == many


def test_only_functions_with_many_choices_are_long(tmp_path):
    short, long = (assembly(long_function(tmp_path, gates(lines)), (BOOL,) * 4) for lines in (50, 1500))
    assert machine.long_functions(short) == []
    assert machine.long_functions(long) == ["long_0.0"]


def test_a_function_of_120_gates_that_are_all_used_is_long(tmp_path):
    def text(lines):
        rows = [f"    x{each} = x{each - 1} and x{each - 2} or not x{each - 4}" for each in range(4, lines + 4)]
        return "\n".join(["def long(x0, x1, x2, x3):", *rows, f"    return x{lines + 3}"])

    short, long = (assembly(long_function(tmp_path, text(lines)), (BOOL,) * 4) for lines in (90, 120))
    assert machine.long_functions(short) == []
    assert machine.long_functions(long) == ["long_0.0"]


@pytest.mark.parametrize("most", [0, 10**6])
@pytest.mark.parametrize("lines", [30, 300])
def test_long_and_short_functions_come_to_the_same_results(tmp_path, monkeypatch, most, lines):
    monkeypatch.setattr(machine, "MOST_CHOICES", most)
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "cache"))
    some = random.Random(lines)
    for written, kind, values in ((plain, INT, range(-50, 50)), (gates, BOOL, (False, True))):
        function = long_function(tmp_path, written(lines))
        code = compiled(function, *(kind,) * 4)
        variables = code.variables()
        for _ in range(20):
            given = [some.choice(values) for _ in range(4)]
            assert code(variables, *given) == function(*given)


def filling(into):
    """Return a function whose helper, which is too long to be written out, puts items into an empty list."""
    text = ["class Box:", "    def __init__(self):", "        self.items = []", "", "def fill(out, n, x):"]
    for number in range(60):
        text += [f"    if n > {number}:", f"        {into}.append(x + {number})"]
    text += ["def long(n, x):", "    out, other = [], Box()"]
    text += ["    fill(out, n, x)", "    return tuple(out)"] if into == "out" else [
        "    fill(other, n, x)", "    return tuple(other.items)"
    ]  # fmt: skip
    return "\n".join([*text, ""])


@pytest.mark.parametrize("into", ["out", "out.items"])
@pytest.mark.parametrize("rows", [((3, 5), (0, 1)), ((2, 0.5), (1, 2.0))])
def test_a_long_helper_puts_items_into_an_empty_list_of_its_caller(tmp_path, into, rows):
    assert disagreements(long_function(tmp_path, filling(into)), rows) == []
