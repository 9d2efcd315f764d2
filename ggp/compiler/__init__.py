"""Plain classes and functions compiled to machine code.

    code = compile(function, game, STATE, INT)
    variables = code.variables()                # all that changes while it runs
    code(variables, game.initial_state(), 4)    # == function(game, game.initial_state(), 4)

An argument that is a `Type` (or `STATE`, `ACTION`: the game's types) is passed at each call, as an ordinary value. Any
other argument is a constant, which becomes part of the code. See docs/compiler.md for how it works.

`job` is the entry point. `front` rewrites functions as core (`core`), by their syntax alone; `specialization` turns
core into closed core, by the rules for each operation (`rules`, `arithmetic`, `containers`, `letters`, `callables`,
`iteration`, `exceptions`, `mutable_states`, `arrays`). `verifier` checks the result, `lowering` translates it, and
`machine` loads the code, which `cache` keeps by its `fingerprint`. `types` has the types of machine code, and
`encoding` the values as machine words. `closed_runner` runs the same program in Python.
"""

from ggp.compiler.budget import Budget
from ggp.compiler.compiled_code import Code, Variables, objects_of
from ggp.compiler.encoding import flatten
from ggp.compiler.job import (
    ACTION,
    STATE,
    cached,
    cached_type,
    compile,  # noqa: A004
    result_type,
    state_and_action,
)
from ggp.compiler.refusals import Fault, Refused
from ggp.compiler.types import BOOL, FLOAT, INT, NotRepresentable, Type, size

__all__ = [
    "ACTION",
    "BOOL",
    "FLOAT",
    "INT",
    "STATE",
    "Budget",
    "Code",
    "Fault",
    "NotRepresentable",
    "Refused",
    "Type",
    "Variables",
    "cached",
    "cached_type",
    "compile",
    "flatten",
    "objects_of",
    "result_type",
    "size",
    "state_and_action",
]  # fmt: skip
