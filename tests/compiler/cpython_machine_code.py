"""Runs test methods of CPython's own suite as machine code, and prints as JSON what came of them.

    python cpython_machine_code.py test_patma test_list ...

A method is compiled for a test case whose `setUp` has run. It has passed, as in Python, if it returns None. The
assertions are those of `Assertions`: they mean what `unittest` means by them, but write no messages. A method that
fails with them in Python is left out.
"""

# ruff: noqa: N802, N815  unittest calls them so

import collections
import contextlib
import importlib
import io
import json
import os
import signal
import sys
import types
import unittest
import warnings

from cpython_suite import Hangs, ring

from ggp import compiler

SECONDS = 20
"""Processor time that running a method may take, and compiling it."""
STATUSES = ("same", "asks Python", "raises", "returns something else")
"""What comes of running machine code, by the status of the process that runs it."""


class Assertions:
    """What test methods say, without its messages."""

    def assertTrue(self, value, msg=None):
        if not value:
            raise AssertionError

    def assertFalse(self, value, msg=None):
        if value:
            raise AssertionError

    def assertEqual(self, one, other, msg=None):
        if not one == other:
            raise AssertionError

    assertListEqual = assertTupleEqual = assertSetEqual = assertDictEqual = assertMultiLineEqual = assertEqual

    def assertNotEqual(self, one, other, msg=None):
        if not one != other:
            raise AssertionError

    def assertIs(self, one, other, msg=None):
        if one is not other:
            raise AssertionError

    def assertIsNot(self, one, other, msg=None):
        if one is other:
            raise AssertionError

    def assertIn(self, one, other, msg=None):
        if one not in other:
            raise AssertionError

    def assertNotIn(self, one, other, msg=None):
        if one in other:
            raise AssertionError

    def assertIsNone(self, value, msg=None):
        if value is not None:
            raise AssertionError

    def assertIsNotNone(self, value, msg=None):
        if value is None:
            raise AssertionError

    def assertIsInstance(self, value, kind, msg=None):
        if not isinstance(value, kind):
            raise AssertionError

    def assertNotIsInstance(self, value, kind, msg=None):
        if isinstance(value, kind):
            raise AssertionError

    def assertLess(self, one, other, msg=None):
        if not one < other:
            raise AssertionError

    def assertLessEqual(self, one, other, msg=None):
        if not one <= other:
            raise AssertionError

    def assertGreater(self, one, other, msg=None):
        if not one > other:
            raise AssertionError

    def assertGreaterEqual(self, one, other, msg=None):
        if not one >= other:
            raise AssertionError

    def assertAlmostEqual(self, one, other, msg=None):
        if one != other and not round(abs(one - other) * 10**7) == 0:
            raise AssertionError

    def assertRaises(self, error, function, *arguments, **named):
        try:
            function(*arguments, **named)
        except error:
            return
        raise AssertionError

    def fail(self, msg=None):
        raise AssertionError


def cases(module):
    """Yield each test case of a module, as a class with these assertions, with the names of its test methods."""
    for case in list(vars(module).values()):
        if isinstance(case, type) and issubclass(case, unittest.TestCase) and case.__module__ == module.__name__:
            body = {}
            for base in reversed(case.__mro__):
                if base not in (object, unittest.TestCase):
                    body |= {key: value for key, value in vars(base).items() if not key.startswith(("__", "assert"))}
            yield type(case.__name__, (Assertions,), body), unittest.TestLoader().getTestCaseNames(case)


def ready(kind):
    """Return a test case that is set up."""
    case = kind()
    if hasattr(case, "setUp"):
        case.setUp()
    return case


@contextlib.contextmanager
def at_most(seconds):
    """End what takes longer by an exception."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def passes(kind, method):
    """Return whether a method passes in Python."""
    try:
        with at_most(SECONDS):
            return method(ready(kind)) is None
    except (Exception, Hangs, unittest.SkipTest):
        return False


def outcome(code):
    """Return what comes of machine code. It runs in a process of its own, since no exception reaches it."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        status = 0
        try:
            status = 0 if code(code.variables()) is None else 3
        except compiler.Fault:
            status = 1
        except BaseException:
            status = 2
        os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "hangs" if os.WTERMSIG(status) == signal.SIGPROF else "crashes"
    return STATUSES[os.WEXITSTATUS(status)]


def compared(kind, method):
    """Return what comes of a method as machine code, and why it is refused; None if it cannot be compared."""
    if not isinstance(method, types.FunctionType) or hasattr(method, "__wrapped__") or not passes(kind, method):
        return None, ""
    try:
        with at_most(SECONDS):
            code = compiler.compile(method, ready(kind))
    except compiler.Refused as refused:
        return "refused", refused.message
    except Hangs:
        return "hangs", ""
    except Exception as error:
        return "crashes", repr(error)
    return outcome(code), ""


def main(modules):
    """Compare all methods of some modules of the suite."""
    signal.signal(signal.SIGPROF, ring)
    warnings.simplefilter("ignore")
    count, reasons, wrong = collections.Counter(), collections.Counter(), []
    for name in modules:
        for kind, methods in cases(importlib.import_module(f"test.{name}")):
            for each in methods:
                found, reason = compared(kind, getattr(kind, each))
                count[found or "left out"] += 1
                if found == "refused":
                    reasons[reason] += 1
                print(found, name, kind.__name__, each, reason[:150], file=sys.stderr)  # noqa: T201
                if found not in ("same", "asks Python", "refused", None):
                    wrong.append(f"{name}.{kind.__name__}.{each} {found} {reason}".strip())
    print(json.dumps({"count": count, "wrong": wrong, "reasons": reasons.most_common(40)}))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
