"""Runs test methods of CPython's own suite as they stand and as core, and prints as JSON what came of them.

    python cpython_suite.py test_patma test_list ...

Each method has a limit of processor time, which other work on the machine does not use up. A method that fails on this
Python is left out.
"""

import collections
import contextlib
import gc
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
"""Processor time that a method may take."""


class Hangs(BaseException):
    """Raised when the time of a method is over."""


def ring(number, frame):
    """Raise the exception that ends a method."""
    raise Hangs


def run(case, name):
    """Return what comes of a test method: passes, fails, skipped or hangs."""
    result = unittest.TestResult()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            unittest.TestSuite([case(name)]).run(result)
    except Hangs:
        return "hangs"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if any(Hangs.__name__ in text for _, text in result.errors):  # unittest catches each exception of a method
        return "hangs"
    if result.failures or result.errors:
        return "fails"
    return "skipped" if result.skipped else "passes"


def compared(case, name):
    """Return what comes of a method as core, in a word; None if it cannot be compared."""
    owner = next(each for each in case.__mro__ if name in vars(each))
    method = vars(owner)[name]
    if not isinstance(method, types.FunctionType) or hasattr(method, "__wrapped__"):
        return None
    gc.freeze()
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
    signal.signal(signal.SIGPROF, ring)
    warnings.simplefilter("ignore")
    count = collections.Counter()
    wrong = []
    for module in modules:
        cases = list(vars(importlib.import_module(f"test.{module}")).values())
        # Many methods collect garbage; what is frozen, no collection visits. But literals are no longer tracked after
        # two collections, and some methods look at that.
        gc.collect()
        gc.collect()
        for case in cases:
            if isinstance(case, type) and issubclass(case, unittest.TestCase) and case.__module__ == f"test.{module}":
                for name in unittest.TestLoader().getTestCaseNames(case):
                    found = compared(case, name)
                    count[found or "left out"] += 1
                    if found not in ("same", "refused", None):
                        wrong.append(f"{module}.{case.__name__}.{name} {found}")
    print(json.dumps({"count": count, "wrong": wrong}))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
