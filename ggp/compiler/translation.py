"""The translation of a function and everything that it reaches.

Types are found by repeated attempts. The program is translated with the types known so far. Whenever a value does not
fit, its type is widened and recorded as a *fact*, and the translation starts again. It ends when an attempt finds
nothing new.
"""

import ast
import time
from typing import Any

from llvmlite import ir

from ggp.compiler.frames import Frame
from ggp.compiler.llvm_types import POINTER, STATUS, WORD
from ggp.compiler.program import Program
from ggp.compiler.source import parsed
from ggp.compiler.statements import Body
from ggp.compiler.types import BOTTOM, NONE, Type
from ggp.compiler.values import Known, Refused, Value

MOST_ATTEMPTS = 60
MOST_SECONDS = 60.0
"""Processor time after which a translation is given up; the largest of ggp's own games takes a few seconds."""


def translate(program: Program, function: Any, arguments: dict[str, Any]) -> tuple[Any, Type, dict[str, Type]]:
    """Translate a function and everything that it reaches.

    Arguments:
        arguments: by name, `Known` objects, types, or keys of facts (tuples), whose types are to be found.

    Returns:
        The module with its function `run(context, arguments, result)`, whose arguments and result are words in memory;
            the type of the result; the types of the arguments that are not constants.

    Raises:
        Refused: something cannot be compiled.
    """
    program.deadline = time.process_time() + MOST_SECONDS
    for _ in range(MOST_ATTEMPTS):
        program.changed = False
        program.begin()
        kinds = {name: program.facts.get(each, BOTTOM) if isinstance(each, tuple) else each
                 for name, each in arguments.items() if not isinstance(each, Known)}  # fmt: skip
        try:
            result = _entry(program, function, arguments, kinds)
        except Refused:
            if not program.has_long_loops():
                raise
            program.may_loop, program.changed = False, True  # its items may be known, or differ in type inside
            continue
        if not program.changed:
            if result == BOTTOM:
                raise Refused(f"{function.__qualname__} never returns")
            return program.module, result, kinds
    raise Refused(f"the types in {function.__qualname__} grow without end")


def _entry(program: Program, function: Any, arguments: dict[str, Any], kinds: dict[str, Type]) -> Type:
    run = ir.Function(program.module, ir.FunctionType(STATUS, [POINTER, POINTER, POINTER]), "run")
    body = Body(program, run)
    body.frame = Frame(parsed(_ENTRY, __file__), ("entry",), {}, False)
    body.result_kind = NONE
    if ("lists", None) in program.marks:
        body.uses_arena = True
        _ = body.arena_mark
    body.begin_stack()
    offset = [0]

    def word() -> Any:
        place = body.builder.gep(run.args[1], [ir.Constant(WORD, offset[0])], source_etype=WORD)
        offset[0] += 1
        return body.builder.load(place, typ=WORD)

    given: dict[str, Value] = {
        name: each if isinstance(each, Known) else body.imploded(kinds[name], word) for name, each in arguments.items()
    }
    found = body.called(function, given)
    if found.kind not in (BOTTOM, NONE) and not body.dead:
        for index, each in enumerate(body.exploded(found)):
            body.builder.store(each, body.builder.gep(run.args[2], [ir.Constant(WORD, index)], source_etype=WORD))
    body.leave(ir.Constant(STATUS, 0), None)
    body.finish()
    return found.kind


_ENTRY = ast.parse("def run(): pass").body[0]
"""Source of the beginning of a program, which no author wrote."""
