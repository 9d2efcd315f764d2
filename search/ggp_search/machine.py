"""Machine code: a recursion compiled by Numba, kept on disk as an object file, loaded without Numba.

The object file holds the recursion with all that it reaches as one function of machine words. It is called at its
address through ctypes, which releases the interpreter's lock; so its searches run in threads side by side.
"""

import ctypes
import functools
import importlib.metadata
import importlib.util
import platform
from collections.abc import Callable
from typing import Any

import attrs

from ggp_search import cache, words

Entry = Callable[..., int]


class Live(ctypes.Structure):
    """All that changes while a search runs, as `ggp_search.parts.Live`, and the addresses of its memory."""

    NAMES = (
        "nodes", "limit", "leaves", "estimates", "cutoffs", "table_hits", "generation", "choice",
        "table", "buckets", "rows", "notes", "busy", "tree",
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


def load(kept: cache.Kept, position_words: int, windowed: bool) -> Code:
    """The code of an object file."""
    import llvmlite.binding as llvm

    _initialise()
    engine = _linker()
    engine.add_object_file(llvm.ObjectFileRef.from_data(kept.object_file))
    engine.finalize_object()
    number = ctypes.c_int64 if kept.integral else ctypes.c_double
    words_of = [ctypes.c_int64] * (position_words + 1)
    window = [number, number] if windowed else []
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *words_of, *window, ctypes.c_void_p)
    return Code(kind(engine.get_function_address(kept.symbol)), kept.integral)


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


def answers_integers(function: Any, position_words: int) -> bool:
    """Whether a compiled function of a position answers an integer, as Numba infers it."""
    numba = _numba()
    kind = numba.types.UniTuple(numba.int64, position_words)
    dispatcher = numba.njit(error_model="numpy", **_NO_WRAPPERS)(function)
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
    recursion.compile(signature)
    compiled = recursion.overloads[signature]
    if compiled.signature.return_type != number:
        raise TypeError(f"a search for {number} answers {compiled.signature.return_type}")
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="default",
    )
    module = llvm.parse_assembly(compiled.library.get_llvm_str())
    return cache.Kept(compiled.fndesc.llvm_func_name, integral, target.emit_object(module))
