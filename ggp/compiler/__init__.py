"""Plain classes and functions made into machine code.

    code = compile(function, game, STATE, INT)
    block = code.block()                    # all that changes while it runs
    code(block, game.initial_state(), 4)    # == function(game, game.initial_state(), 4)

An argument that is a `Type` (or `STATE`, `ACTION`: those of the game) is given at each call, as an
ordinary value; anything else is known now, and becomes part of the code. See `ggp.compiler.program` for how.
"""

from ggp.compiler.code import ACTION, STATE, Block, Code, Fault, compile, kept, kept_type, objects_of, result_type  # noqa: A004
from ggp.compiler.types import BOOL, FLOAT, INT, NotRepresentable, Type
from ggp.compiler.values import Refused

__all__ = [
    "ACTION", "BOOL", "FLOAT", "INT", "STATE", "Block", "Code", "Fault", "NotRepresentable", "Refused", "Type",
    "compile", "kept", "kept_type", "objects_of", "result_type",
]  # fmt: skip
