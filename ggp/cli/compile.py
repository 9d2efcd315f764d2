"""`ggp compile`: which methods of a game are compiled, and the core that the compiler makes of its rules."""

import functools
import inspect
import types
from collections.abc import Callable, Mapping, Sequence

import click

from ggp.capabilities import method_of
from ggp.cli.check import echo_interpreted
from ggp.cli.console import echo, echo_game, echo_json, echo_table
from ggp.cli.help import Helpful
from ggp.cli.session import Session, as_json, takes_game
from ggp.errors import UsageError
from ggp.game import AnyGame
from ggp.options import values_of


@click.command("compile", cls=Helpful)
@takes_game
@click.option("--method", metavar="NAME", help="Print only this operation, or any other method of the game.")
@click.option(
    "--core", is_flag=True, help="Print the rules in open core, the first form into which the compiler rewrites them."
)
@as_json
@click.pass_obj
def command(
    session: Session, name: str, parameters: Sequence[str], method: str | None, core: bool, as_json: bool
) -> None:
    """Print which operations of a game are compiled to machine code; with --core, print their core.

    Core is a small part of Python in which each statement is one operation. Every function is translated to core before
    it is compiled. `block` and `leave` replace `break`, `match` and `and`. docs/compiler.md explains core.
    """
    game = session.game(name, parameters)
    if core:
        texts = {each: _core(function) for each, function in _functions(game, method).items()}
        if as_json:
            echo_json({"game": game.name, "parameters": values_of(game), "core": texts})
        else:
            echo("\n\n".join(texts.values()))
        return
    from ggp.testing.speeds import operations

    compilable = operations(game)
    if method is not None and method not in compilable:
        raise UsageError(f"{method} is not an operation of {game.name}; the operations are {', '.join(compilable)}")
    shown = {each: compilable[each] for each in compilable if method in (None, each)}
    if as_json:
        rows = {
            each: {"compiled": it.fast is not None, "place": it.source_line, "reason": it.reason}
            for each, it in shown.items()
        }
        echo_json({"game": game.name, "parameters": values_of(game), "operations": rows})
        return
    echo_game(game.name, values_of(game))
    echo()
    lines = [[each, "compiled" if it.fast else "interpreted", it.source_line] for each, it in shown.items()]
    echo_table([["operation", "speed", "source"], *lines], texts=(0, 1, 2))
    echo()
    echo_interpreted({each: it.reason for each, it in shown.items() if it.fast is None})


def _function(game: AnyGame, name: str) -> Callable[..., object] | None:
    static = inspect.getattr_static(game, name, None)
    if isinstance(static, property):
        return static.fget
    if isinstance(static, functools.cached_property | functools.partialmethod):
        return static.func
    return method_of(game, name)


def _functions(game: AnyGame, method: str | None) -> Mapping[str, Callable[..., object]]:
    """Return the functions whose core is printed, by name."""
    from ggp.testing.speeds import operations

    plain = {name: operation.plain for name, operation in operations(game).items()}
    if method is None or method in plain:
        return {name: function for name, function in plain.items() if method in (None, name)}
    function = _function(game, method)
    if not callable(function):
        names = [name for name in dir(type(game)) if not name.startswith("_") and callable(getattr(game, name, None))]
        raise UsageError(f"{game.name} has no method {method}; its methods are {', '.join(names)}")
    return {method: function}


def _core(function: Callable[..., object]) -> str:
    """Return the core of a function as text, with a comment that says where its source is."""
    from ggp.compiler import Refused
    from ggp.compiler.front import open_core
    from ggp.compiler.runnable import python_text

    plain = inspect.unwrap(function)
    if not isinstance(plain, (types.FunctionType, types.MethodType)):
        return f"# {function!r} is not written in Python"
    code = plain.__code__
    location = f"# {code.co_filename.replace(chr(92), '/').rpartition('/')[2]}:{code.co_firstlineno}"
    try:
        return f"{location}\n{python_text(open_core(plain))}"
    except Refused as refused:
        return f"{location}\n# {refused}"
