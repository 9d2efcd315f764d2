"""Machine code: a recursion compiled by Numba, kept on disk as an object file, loaded without Numba.

The object file holds the recursion with all that it reaches as one function of machine words. It is called at its
address through ctypes, which releases the interpreter's lock; so its searches run in threads side by side.
"""

import ctypes
import functools
import importlib.metadata
import importlib.util
import inspect
import platform
import re
import sys
from collections.abc import Callable
from typing import Any

import attrs

from ggp.errors import GGPError
from ggp_search import cache, words
from ggp_search.translating import translating

Entry = Callable[..., int]


class Live(ctypes.Structure):
    """All that changes while a search runs, as `ggp_search.parts.Live`, and the addresses of its memory."""

    NAMES = (
        "nodes", "limit", "leaves", "estimates", "cutoffs", "table_hits", "generation", "choice",
        "table", "buckets", "rows", "notes", "busy", "tree", "entered", "endgames", "grades", "near", "endgame_hits",
    )  # fmt: skip
    _fields_ = [(name, ctypes.c_int64) for name in NAMES]


@attrs.frozen
class Code:
    """A compiled recursion that can be called."""

    function: Entry
    integral: bool
    """Whether its values are integers; else they are floats."""

    def __call__(self, position: tuple[int, ...], arguments: tuple[Any, ...], live: Live) -> tuple[int, Any]:
        """Its status, 0 if all went well, and its value."""
        value: Any = ctypes.c_int64() if self.integral else ctypes.c_double()
        error = ctypes.c_void_p()
        status = self.function(
            ctypes.addressof(value), ctypes.addressof(error), *position, *arguments, ctypes.addressof(live)
        )
        return status, value.value


def available() -> bool:
    """Whether machine code can be made here."""
    return importlib.util.find_spec("numba") is not None


def identity() -> tuple[Any, ...]:
    """All of this package that makes the code, besides what is compiled."""
    makers = (build, _target, _one_program, _one_function, _optimise, inspect.unwrap(words.teach_numba))
    return versions(), Live.NAMES, *(maker.__code__ for maker in makers)


@functools.cache
def versions() -> str:
    """The versions of all that makes the code, and the processor that it is for."""
    import llvmlite.binding as llvm

    _initialise()
    made_by = (f"{name} {importlib.metadata.version(name)}" for name in ("numba", "llvmlite", "numpy"))
    processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    return " ".join((platform.python_implementation(), platform.python_version(), *made_by, processor))


@functools.cache
def _initialise() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    library: Any = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    for name in C_FUNCTIONS:
        if hasattr(library, name):
            llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


C_FUNCTIONS = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf",
    "erfc", "exp", "exp2", "expm1", "fabs", "floor", "fma", "fmod", "frexp", "hypot", "ldexp", "lgamma", "log",
    "log10", "log1p", "log2", "memcmp", "memcpy", "memmove", "memset", "nearbyint", "pow", "rint", "round", "sin",
    "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc",
)  # fmt: skip
"""What machine code may call besides itself without Numba. The linker does not find them on its own."""


def can_load(kept: cache.Kept) -> bool:
    """Whether all that the code calls is here. Code that allocates calls Numba, which may not have been imported."""
    import llvmlite.binding as llvm

    _initialise()
    return all(llvm.address_of_symbol(name) for name in kept.needs)


def load(kept: cache.Kept, position_words: int, windowed: bool) -> Code:
    """The code of an object file.

    Raises:
        GGPError: its function is not in it; to call it would end the process.
    """
    import llvmlite.binding as llvm

    _initialise()
    engine = _linker()
    engine.add_object_file(llvm.ObjectFileRef.from_data(kept.object_file))
    engine.finalize_object()
    address = engine.get_function_address(kept.symbol)
    if not address:
        raise GGPError(f"object code is damaged: {kept.symbol} is not in it")
    number = ctypes.c_int64 if kept.integral else ctypes.c_double
    words_of = [ctypes.c_int64] * (position_words + 1)
    window = [number, number] if windowed else []
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *words_of, *window, ctypes.c_void_p)
    return Code(kind(address), kept.integral)


_engines: list[Any] = []
"""Linkers of loaded code: it lives as long as they do."""


def _linker() -> Any:
    import llvmlite.binding as llvm

    target = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    _engines.append(engine)
    return engine


@attrs.frozen
class Compiler:
    """Numba, as the two `compile` decorators that factories take."""

    part: Callable[[Any], Any]
    """For operations and hooks, which become part of what calls them."""
    recursion: Callable[[Any], Any]


@functools.cache
def compiler() -> Compiler:
    """Numba, taught the machine words."""
    numba = _numba()
    words.teach_numba()
    flags = {"nogil": True, "error_model": "numpy", "boundscheck": False}
    return Compiler(numba.extending.register_jitable(**flags), numba.njit(**flags, **_NO_WRAPPERS))


_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""The code is called at its address, never as a Python function."""


def _numba() -> Any:
    import numba.extending

    return numba


def compilation_errors() -> tuple[type[Exception], ...]:
    """What Numba raises where it cannot compile a function."""
    if "numba" not in sys.modules:
        return ()
    return (_numba().core.errors.NumbaError, TypeError)


def answers_integers(function: Any, position_words: int) -> bool:
    """Whether a compiled function of a position answers an integer, as Numba infers it."""
    numba = _numba()
    kind = numba.types.UniTuple(numba.int64, position_words)
    dispatcher = numba.njit(error_model="numpy", **_NO_WRAPPERS)(function)
    with translating():
        dispatcher.compile((kind,))
    return isinstance(dispatcher.overloads[(kind,)].signature.return_type, (numba.types.Integer, numba.types.Boolean))


def build(recursion: Any, position_words: int, windowed: bool, integral: bool) -> cache.Kept:
    """The object file of a recursion made with `compiler().recursion`."""
    import llvmlite.binding as llvm
    import numpy as np

    numba = _numba()
    live = numba.from_dtype(np.dtype([(name, np.int64) for name in Live.NAMES]))
    number = numba.int64 if integral else numba.float64
    window = (number, number) if windowed else ()
    signature = (numba.types.UniTuple(numba.int64, position_words), numba.int64, *window, live)
    with translating():
        recursion.compile(signature)
    compiled = recursion.overloads[signature]
    if compiled.signature.return_type != number:
        raise TypeError(f"a search for {number} answers {compiled.signature.return_type}")
    target = _target()
    # Twice: the parts are simplified before they become part of one function, which is else a third slower.
    module = llvm.parse_assembly(_one_program(compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name))
    _optimise(module, target)
    module = llvm.parse_assembly(_one_function(str(module)))
    _optimise(module, target)
    outside = [*module.functions, *module.global_variables]
    needs = tuple(each.name for each in outside if each.is_declaration and not each.name.startswith("llvm."))
    return cache.Kept(compiled.fndesc.llvm_func_name, integral, needs, target.emit_object(module))


def _target() -> Any:
    import llvmlite.binding as llvm

    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="default",
    )


def _one_program(assembly: str, entry: str) -> str:
    """The assembly with nothing to be seen from outside but `entry`.

    Functions that call each other reach back through pointers, which Numba's own linker sets; here they are set.
    """
    pointer = re.compile(r'^(@"\.numba\.unresolved\$([^"]+)") = external .*global ptr', re.MULTILINE)
    assembly = pointer.sub(r'\1 = internal constant ptr @"\2"', assembly)
    part = re.compile(r"^define linkonce_odr (.*)$", re.MULTILINE)
    return part.sub(lambda found: found[0] if entry in found[1] else f"define internal {found[1]}", assembly)


def _one_function(assembly: str) -> str:
    """The assembly of a program with its parts made to be parts of its one function."""
    return re.sub(r"^(define internal .*?)((?: #\d+)? \{)$", r"\1 alwaysinline\2", assembly, flags=re.MULTILINE)


def _optimise(module: Any, target: Any) -> None:
    """Simplify the functions, and put the parts into those that call them."""
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False  # loops here are too short for it
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
