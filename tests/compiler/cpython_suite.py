"""Runs test methods of CPython's own suite as they stand and as core, and prints as JSON what came of them.

    python cpython_suite.py test_patma test_list ...

Each method has a time limit. A method that fails on this Python is left out.
"""

import collections
import contextlib
import importlib
import io
import json
import signal
import sys
import types
import unittest
import warnings

from ggp.compiler.front import open_core
from ggp.compiler.refusals import Refused
from ggp.compiler.runnable import runnable

SECONDS = 30
"""Longest time of a method."""


class Hangs(BaseException):
    """Raised when the time of a method is over."""


def ring(number, frame):
    """Raise the exception that ends a method."""
    raise Hangs


def run(case, name):
    """Return what comes of a test method: passes, fails, skipped or hangs."""
    result = unittest.TestResult()
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            unittest.TestSuite([case(name)]).run(result)
    except Hangs:
        return "hangs"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if result.failures or result.errors:
        return "fails"
    return "skipped" if result.skipped else "passes"


def compared(case, name):
    """Return what comes of a method as core, in a word; None if it cannot be compared."""
    owner = next(each for each in case.__mro__ if name in vars(each))
    method = vars(owner)[name]
    if not isinstance(method, types.FunctionType) or hasattr(method, "__wrapped__"):
        return None
    try:
        core = runnable(open_core(method), method)
    except Refused:
        return "refused"
    if run(case, name) != "passes":
        return None
    setattr(owner, name, core)
    try:
        return {"passes": "same"}.get(found := run(case, name), found)
    finally:
        setattr(owner, name, method)


def main(modules):
    """Compare all methods of some modules of the suite."""
    signal.signal(signal.SIGALRM, ring)
    warnings.simplefilter("ignore")
    count = collections.Counter()
    wrong = []
    for module in modules:
        for case in list(vars(importlib.import_module(f"test.{module}")).values()):
            if isinstance(case, type) and issubclass(case, unittest.TestCase) and case.__module__ == f"test.{module}":
                for name in unittest.TestLoader().getTestCaseNames(case):
                    found = compared(case, name)
                    count[found or "left out"] += 1
                    if found not in ("same", "refused", None):
                        wrong.append(f"{module}.{case.__name__}.{name} {found}")
    print(json.dumps({"count": count, "wrong": wrong}))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
