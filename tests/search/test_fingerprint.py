"""The fingerprint of a function tells all that it is made from, and nothing else."""

import importlib.util
import itertools
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from ggp_search.fingerprint import NoFingerprint, fingerprint

_numbers = itertools.count()


def module(directory, source):
    """The source as a module."""
    path = directory / f"module_{next(_numbers)}.py"
    path.write_text(textwrap.dedent(source))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def print_of(directory, source):
    return fingerprint(module(directory, source).f)


CHANGES = {
    "code": ("def f(x): return x + 1", "def f(x): return x - 1"),
    "a constant": ("def f(x): return x + 1", "def f(x): return x + 2"),
    "the type of a constant": ("def f(x): return x + 1", "def f(x): return x + 1.0"),
    "a constant's sign": ("def f(x): return x + 0.0", "def f(x): return x + -0.0"),
    "true and one": ("def f(x): return x == 1", "def f(x): return x == True"),
    "a text": ("def f(x): return 'a'", "def f(x): return 'b'"),
    "a tuple of constants": ("def f(x): return x in (1, 2)", "def f(x): return x in (1, 3)"),
    "a set of constants": ("def f(x): return x in {1, 2}", "def f(x): return x in {1, 3}"),
    "a default": ("def f(x, y=1): return x + y", "def f(x, y=2): return x + y"),
    "a default that is named": ("def f(x, *, y=1): return x + y", "def f(x, *, y=2): return x + y"),
    "a global": ("K = 1\ndef f(x): return x + K", "K = 2\ndef f(x): return x + K"),
    "a global list": ("K = [1, 2]\ndef f(x): return K[x]", "K = [1, 3]\ndef f(x): return K[x]"),
    "how a tuple is nested": ("K = (1, (2, 3))\ndef f(x): return K", "K = (1, 2, (3,))\ndef f(x): return K"),
    "an operation's name": ("def f(x): return x.real", "def f(x): return x.imag"),
    "a function reached": (
        "def g(x): return x + 1\ndef f(x): return g(x)",
        "def g(x): return x + 2\ndef f(x): return g(x)",
    ),
    "a function reached by another": (
        "K = 1\ndef h(x): return x + K\ndef g(x): return h(x)\ndef f(x): return g(x)",
        "K = 2\ndef h(x): return x + K\ndef g(x): return h(x)\ndef f(x): return g(x)",
    ),
    "a function reached in a function inside": (
        "def g(x): return 1\ndef f(x):\n    def h(): return g(x)\n    return h()",
        "def g(x): return 2\ndef f(x):\n    def h(): return g(x)\n    return h()",
    ),
    "which of two functions is called": (
        "def g(x): return 1\ndef h(x): return 2\ndef f(x): return g(x) - h(x)",
        "def g(x): return 1\ndef h(x): return 2\ndef f(x): return h(x) - g(x)",
    ),
    "a value closed over": (
        "def make(k):\n    def f(x): return x + k\n    return f\nf = make(1)",
        "def make(k):\n    def f(x): return x + k\n    return f\nf = make(2)",
    ),
    "which of two values is closed over": (
        "def make(k, l):\n    def f(x): return x * k + l\n    return f\nf = make(1, 2)",
        "def make(k, l):\n    def f(x): return x * k + l\n    return f\nf = make(2, 1)",
    ),
    "a function closed over": (
        "def make(g):\n    def f(x): return g(x)\n    return f\nf = make(lambda x: x + 1)",
        "def make(g):\n    def f(x): return g(x)\n    return f\nf = make(lambda x: x + 2)",
    ),
    "an array": (
        "import numpy as np\nK = np.array([1, 2])\ndef f(x): return K[x]",
        "import numpy as np\nK = np.array([1, 3])\ndef f(x): return K[x]",
    ),
    "an array's shape": (
        "import numpy as np\nK = np.zeros((2, 3))\ndef f(x): return K[x]",
        "import numpy as np\nK = np.zeros((3, 2))\ndef f(x): return K[x]",
    ),
    "an array's type": (
        "import numpy as np\nK = np.zeros(2, np.int64)\ndef f(x): return K[x]",
        "import numpy as np\nK = np.zeros(2, np.float64)\ndef f(x): return K[x]",
    ),
    "a function of a library": (
        "import math\ndef f(x): return math.floor(x)",
        "import math\ndef f(x): return math.ceil(x)",
    ),
    "a name taken from a library": (
        "from math import floor as g\ndef f(x): return g(x)",
        "from math import ceil as g\ndef f(x): return g(x)",
    ),
    "a member of an enumeration": (
        "import enum\nclass E(enum.IntEnum):\n    A = 1\ndef f(x): return x + E.A",
        "import enum\nclass E(enum.IntEnum):\n    A = 2\ndef f(x): return x + E.A",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of(change, tmp_path):
    before, after = CHANGES[change]
    assert print_of(tmp_path, before) != print_of(tmp_path, after)
    assert print_of(tmp_path, before) == print_of(tmp_path, before)


ATTRIBUTES = {
    "a constant": ("K = 1", "K = 2", "def f(x): return helper.K"),
    "a function": ("def g(x): return 1", "def g(x): return 2", "def f(x): return helper.g(x)"),
    "what its function reaches": (
        "K = 1\ndef g(x): return K",
        "K = 2\ndef g(x): return K",
        "def f(x): return helper.g(x)",
    ),
    "what the second function takes from it": (
        "J = 0\nK = 1",
        "J = 0\nK = 2",
        "def g(x): return helper.J\ndef h(x): return helper.K\ndef f(x): return g(x) + h(x)",
    ),
}


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_a_change_of_a_modules_attribute(attribute, tmp_path):
    before, after, source = ATTRIBUTES[attribute]
    prints = []
    for content in (before, after):
        made = module(tmp_path, source)
        made.helper = module(tmp_path, content)
        made.helper.__name__ = "helper"
        prints.append(fingerprint(made.f))
    assert prints[0] != prints[1]


@pytest.mark.parametrize("constant", [1, 2])
def test_a_change_of_an_attribute_of_a_module_in_a_module(constant, tmp_path):
    made, outer = module(tmp_path, "def f(x): return outer.inner.K"), module(tmp_path, "")
    made.outer, outer.inner = outer, module(tmp_path, f"K = {constant}")
    before = fingerprint(made.f)
    outer.inner.K = 3
    assert fingerprint(made.f) != before
    outer.inner.K = constant
    assert fingerprint(made.f) == before


UNCHANGED = {
    "lines and comments": ("def f(x): return x", "# a word\n\n\ndef f(x):\n    # another\n    return x"),
    "a global that is not reached": ("K = 1\ndef f(x): return x", "K = 2\ndef f(x): return x"),
    "a function that is not reached": ("def g(): return 1\ndef f(x): return x", "def f(x): return x"),
}


@pytest.mark.parametrize("same", UNCHANGED)
def test_what_makes_no_difference(same, tmp_path):
    before, after = UNCHANGED[same]
    assert print_of(tmp_path, before) == print_of(tmp_path, after)


def test_functions_that_call_each_other_have_one(tmp_path):
    source = "def f(x): return g(x - 1) if x else {}\ndef g(x): return f(x - 1) if x else 1"
    assert print_of(tmp_path, source.format(0)) != print_of(tmp_path, source.format(2))


def test_the_order_of_things_counts():
    assert fingerprint(1, 2) != fingerprint(2, 1)
    assert fingerprint((1, 2)) != fingerprint(1, 2) != fingerprint([1, 2])


REFUSED = {
    "a dict": ("K = {1: 2}\ndef f(x): return K[x]", r"\{1: 2\} of dict"),
    "an object": ("K = object()\ndef f(x): return K", "of object"),
    "a class": ("class C:\n    K = 1\ndef f(x): return C.K", "of type"),
    "a method": ("class C:\n    def g(self): return 1\nh = C().g\ndef f(x): return h()", "of method"),
    "a wrapped function": (
        "import functools\n@functools.lru_cache\ndef g(x): return 1\ndef f(x): return g(x)",
        "of _lru_cache_wrapper",
    ),
    "a list with such a thing": ("K = [1, {}]\ndef f(x): return K", r"\{\} of dict"),
}


@pytest.mark.parametrize("thing", REFUSED)
def test_what_cannot_be_told_is_refused(thing, tmp_path):
    source, message = REFUSED[thing]
    with pytest.raises(NoFingerprint, match=message):
        print_of(tmp_path, source)


def test_a_wrapped_function_in_a_module_is_refused_too(tmp_path):
    made = module(tmp_path, "def f(x): return helper.g(x)")
    made.helper = module(tmp_path, "import functools\n@functools.lru_cache\ndef g(x): return 1")
    with pytest.raises(NoFingerprint, match="of _lru_cache_wrapper"):
        fingerprint(made.f)


def test_an_array_that_changes_has_another():
    array = np.zeros(3)
    before = fingerprint(array)
    array[1] = 1
    assert fingerprint(array) != before


ACROSS = """
    import numpy as np
    from ggp_kalah import Kalah
    from ggp_search.fingerprint import fingerprint
    from ggp_search.machine import identity
    from ggp_tictactoe import TicTacToe

    K = frozenset(["a", "b", "c", "d"])
    def f(x): return x in {"p", "q", "r", "s"} or x in K

    forms = [game.compiled(lambda function: function) for game in (Kalah(), TicTacToe())]
    operations = [getattr(form, name) for form in forms for name in ("result", "actions", "utility", "bounds")]
    print(fingerprint(f, K, np.arange(5), *operations, *identity()))
"""


def test_it_is_the_same_in_every_process(tmp_path):
    pytest.importorskip("numba")
    path = tmp_path / "across.py"
    path.write_text(textwrap.dedent(ACROSS))
    said = {
        subprocess.run(  # noqa: S603 - our own interpreter and file
            [sys.executable, path],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(said) == 1
    assert len(said.pop().strip()) == 64
