"""Numba without its own making of machine code: it translates functions, and `ggp_search.machine` does the rest once.

On its own, Numba optimises and assembles every function that a search is made of, each with all that it calls. Here
the whole is put together first and optimised once, in which all of them become part of one function.
"""

import contextlib
import functools
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def translating() -> Iterator[None]:
    """What is compiled meanwhile is only translated to LLVM's language, but for what Python can call, too."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target

    context: Any = cpu_target.target_context
    with global_compiler_lock:
        usual = context._internal_codegen
        context._internal_codegen = _translator(usual)
        try:
            yield
        finally:
            context._internal_codegen = usual


@functools.cache
def _translator(usual: Any) -> Any:
    """What makes code for Numba, made to make none; or as it is, if this version has it elsewhere, which is slower."""
    try:
        from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
        from numba.core.targetconfig import ConfigStack
    except ImportError:
        return usual

    class Library(JITCodeLibrary):
        """Functions with all that they call, as they were translated."""

        def _optimize_functions(self, ll_module: Any) -> None:
            ll_module.data_layout = self._codegen._data_layout

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()  # type: ignore[no-untyped-call]
            return 0

    class Translator(JITCPUCodegen):
        _library_class = Library

        def create_library(self, name: str, **options: Any) -> Any:
            flags = ConfigStack.top_or_none()  # type: ignore[no-untyped-call]
            called = flags is not None and not flags.no_cpython_wrapper
            maker: Any = usual if called else super()
            return maker.create_library(name, **options)

        def set_env(self, env_name: str, env: Any) -> None:
            pass

    return Translator("ggp")  # type: ignore[no-untyped-call]
