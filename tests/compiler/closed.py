"""Functions in closed core for tests: written, run by CPython, and run as machine code."""

import struct
from collections.abc import Callable

from ggp.compiler import lowering, machine
from ggp.compiler.closed_runner import CoreRunner
from ggp.compiler.compiled_code import Code, Variables
from ggp.compiler.core import Assign, Atom, Block, Constant, Local, Operation, TypedFunction
from ggp.compiler.types import BOOL, FLOAT, INT, NONE, Type
from ggp.compiler.verifier import verify


def atom(value: object) -> Atom:
    """Return a variable for a name, and a constant for anything else that has an evident type."""
    if isinstance(value, (Local, Constant)):
        return value
    if isinstance(value, str):
        return Local(value)
    return Constant(value, {int: INT, bool: BOOL, float: FLOAT, type(None): NONE}[type(value)])


def do(target: str | None, name: str, *operands: object, detail: object = None) -> Assign:
    """Return `target = name(operands)`."""
    return Assign(target, Operation(name, tuple(map(atom, operands)), detail))


def function(
    name: str, parameters: dict[str, Type], variables: dict[str, Type], result: Type, body: Block, **settings: bool
) -> TypedFunction:
    """Return a function of closed core."""
    return TypedFunction(name, tuple(parameters), {**parameters, **variables}, result, body, "test.py", 1, **settings)


def machine_code(
    made: TypedFunction, objects: tuple[object, ...] = (), kinds: tuple[dict[str, Type], ...] = ()
) -> Code:
    """Return a verified function as machine code.

    Arguments:
        objects: the known objects.
        kinds: the types of the variables of each, by name.
    """
    variables = [(number, name, kind) for number, each in enumerate(kinds) for name, kind in each.items()]
    layout, words = lowering.lay_out(variables)
    program = lowering.Module(layout)
    program.add_entry(made)
    for each in program.functions():
        verify(each)
    code = machine.object_file(program.assembly(), program.recursive())
    arguments = tuple(made.variables[name] for name in made.parameters)
    errors = tuple(program.errors)
    loaded = machine.Loaded(code)
    return Code(made.result, arguments, layout, errors, words, program.uses_arena, loaded, (), objects)


def outcome(run: Callable[..., object], *arguments: object) -> object:
    """Return what a call returns, with its type and its bits, or the type of what it raises."""
    try:
        return told(run(*arguments))
    except Exception as error:
        return type(error).__name__


def told(value: object) -> object:
    """Return a value so that it equals others with the same types and bits only."""
    if isinstance(value, float):
        return "float", struct.pack("<d", value)
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [told(each) for each in value]
    return type(value).__name__, value


def both(made: TypedFunction, code: Code, *arguments: object) -> tuple[object, object]:
    """Return the outcome of a call in CPython, and in machine code, with the variables of the known objects."""
    variables = Variables(code)
    native = outcome(code, variables, *arguments)
    python = outcome(CoreRunner(code.objects).call, made, arguments)
    if "Fault" in (native, python):
        return python, native
    names = [(number, name) for number, name in code.layout]
    return (
        (python, [told(getattr(code.objects[number], name)) for number, name in names]),
        (native, [told(variables.get(number, name)) for number, name in names]),
    )
