"""CPython's own tests pass as core, too, and those that are compiled pass as machine code."""

import importlib.util
import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
MODULES = (
    "test_patma", "test_generators", "test_list", "test_dict", "test_set", "test_int", "test_float", "test_string",
    "test_tuple", "test_bool", "test_range", "test_enumerate", "test_grammar", "test_compare", "test_augassign",
    "test_unpack", "test_scope", "test_keywordonlyarg", "test_positional_only_arg", "test_named_expressions",
    "test_iter", "test_slice", "test_raise", "test_exceptions", "test_fstring", "test_contains", "test_richcmp",
    "test_itertools", "test_operator", "test_math",
)  # fmt: skip
SEES_MORE = {
    "test_patma.TestTracing": "traces lines",
    "test_generators.GeneratorTest.test_name": "reads the qualified name of an inner function",
    "test_generators.YieldFromTests.test_generator_gi_yieldfrom": "reads what a generator delegates to",
    "test_tuple.TupleTest.test_bug7466": "asks the garbage collector what it tracks",
    "test_tuple.TupleTest.test_track_subtypes": "asks the garbage collector what it tracks",
    "test_positional_only_arg.PositionalOnlyTestCase.test_annotations_constant_fold": "reads bytecode",
    "test_exceptions.PEP626Tests.test_lineno_in_try": "reads line numbers of `finally`",
    "test_positional_only_arg.PositionalOnlyTestCase.test_annotations_in_closures": "reads annotations",
    **dict.fromkeys(
        (
            "test_dict.DictTest.test_container_iterator",
            "test_set.TestSet.test_container_iterator",
            "test_set.TestSetSubclass.test_container_iterator",
            "test_set.TestFrozenSet.test_container_iterator",
            "test_set.TestFrozenSetSubclass.test_container_iterator",
            "test_scope.ScopeTests.testCellLeak",
            "test_iter.TestCase.test_ref_counting_behavior",
            "test_slice.SliceTest.test_cycle",
            "test_exceptions.ExceptionTests.test_memory_error_cleanup",
            "test_itertools.TestBasicOps.test_islice",
            "test_itertools.TestBasicOps.test_tee",
        ),
        "sees when memory is freed: variables of core live longer",
    ),
}
"""Tests of what no law speaks of, and why."""


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("test.test_patma") is None, reason="this Python has no suite"),
    pytest.mark.skipif(sys.platform == "win32", reason="there is no alarm"),
]


def _found(script):
    run = [sys.executable, str(HERE / script), *MODULES]
    return json.loads(subprocess.run(run, capture_output=True, text=True, check=True, timeout=1200).stdout)  # noqa: S603


def test_methods_of_the_suite_pass_as_core():
    found = _found("cpython_suite.py")
    wrong = [each for each in found["wrong"] if not any(each.startswith(known) for known in SEES_MORE)]
    assert wrong == []
    assert found["count"]["same"] >= 1500


def test_methods_of_the_suite_that_are_compiled_pass_as_machine_code():
    found = _found("cpython_machine_code.py")
    assert found["wrong"] == []
    assert found["count"]["same"] >= 600
