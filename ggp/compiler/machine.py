"""Object code: optimise modules of LLVM, translate them to object files, and load these.

The object file holds a program as one function of machine words, which is called through ctypes. ctypes releases the
interpreter's lock, so programs in several threads run in parallel.
"""

import collections
import ctypes
import functools
import importlib.metadata
import importlib.util
import platform
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import llvmlite.binding as llvm

OUTSIDE = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "cos", "cosh", "exp", "exp2", "expm1", "fabs",
    "floor", "fma", "fmod", "log", "log10", "log1p", "log2", "memcmp", "memcpy", "memmove", "memset", "nextafter",
    "pow", "rint", "round", "roundeven", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)  # fmt: skip
"""Functions of C's library that machine code may call."""


def available() -> bool:
    """Return whether machine code can be compiled here."""
    return importlib.util.find_spec("llvmlite") is not None


@functools.cache
def versions() -> str:
    """Return the versions of everything that compiles the code, and the processor that the code is for."""
    import llvmlite.binding as llvm

    initialise()
    processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python} llvmlite {importlib.metadata.version('llvmlite')} {processor}"


SLOW_DEPOSIT = ("bdver4", "znver1", "znver2")
"""Processors that take some hundred cycles for an instruction that the others with it do in three."""


@functools.cache
def has_deposit() -> bool:
    """Return whether the processor has a fast instruction (pdep) for the k-th bit that is set in a word."""
    import llvmlite.binding as llvm

    return bool(llvm.get_host_cpu_features().get("bmi2")) and llvm.get_host_cpu_name() not in SLOW_DEPOSIT


@functools.cache
def initialise() -> None:
    """Prepare LLVM, and make C's functions known to its linker."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    library: object = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    for name in OUTSIDE:
        if hasattr(library, name):
            llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


@functools.cache
def _target() -> "llvm.TargetMachine":
    import llvmlite.binding as llvm

    initialise()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="static",
        codemodel="large",  # code and constants may be loaded more than 2 GB apart, which LLVM would abort on
    )


def object_file(assembly: str, recursive: frozenset[str]) -> bytes:
    """Return the object file of a module.

    Arguments:
        assembly: the module as text.
        recursive: the functions that call themselves, directly or through others. All other functions are inlined,
            unless that would make many copies of long functions.
    """
    import llvmlite.binding as llvm

    target = _target()
    made = llvm.parse_assembly(assembly)
    made.triple = target.triple
    made.data_layout = str(target.target_data)
    made.verify()
    # Optimise twice: simplifying functions before they are inlined takes a third less time than optimising once.
    lines = assembly.count("\n")
    large = lines > LARGE
    long = long_functions(assembly)
    for name in long:
        _simplify(made.get_function(name), target)
    if lines > HUGE:
        _optimise(made, target, speed=2)
        return bytes(target.emit_object(made))
    _optimise(made, target, speed=1 if large else 2)
    copied = _copied(made)
    for function in made.functions:
        if not function.is_declaration and function.name != "run" and function.name not in recursive:
            if copied[function.name] <= MOST_COPIED and function.name not in long:
                function.add_function_attribute("alwaysinline")
    _optimise(made, target, speed=2 if large else 3)
    code: bytes = target.emit_object(made)
    return code


MOST_COPIED = 400
"""Maximum number of instructions that inlining a function may add; above this, LLVM decides. Without this limit, `mtdf`
takes twice as long to compile. With it, Kalah's search is 2 % slower with a table, and as fast as before without one.
"""


def _copied(module: "llvm.ModuleRef") -> dict[str, int]:
    """Return for each function of a module how many instructions inlining it everywhere would add."""
    texts = {each.name: str(each) for each in module.functions}
    calls = collections.Counter(name for text in texts.values() for name in CALL.findall(text))
    return {name: text.count("\n  ") * max(0, calls[name] - 1) for name, text in texts.items()}


LARGE = 3000
"""If a module has more lines than this, LLVM optimises it less.

So a search with a table compiles in two thirds of the time. The searches of eight games keep their speed within 5 %,
and the search of Morris is 9 % slower.
"""
HUGE = 10_000
"""If a module has more lines than this, LLVM optimises it only once, which takes two thirds of the time.

A search with a table compiles 0.4 s faster for Morris, and 0.8 s faster for Hexapawn.
"""
TWICE, ONCE = 1.8, 1.2
"""The cost of LLVM's work on a line of assembly, if it optimises twice, and if it optimises once. The unit is the
compiler's work on a statement of closed core (measured on nine games).
"""


def work_on(assembly: str) -> int:
    """Return about how many statements of closed core the compiler could write while LLVM translates a module."""
    lines = assembly.count("\n")
    return int(lines * (ONCE if lines > HUGE else TWICE))


MOST_CHOICES = 1000
"""A function with more branches and choices than this is only simplified by LLVM. About 1,000 plain lines have this
many. For each statement, the other passes look at all conditions before it, and for each truth value at all of its
operands. So their time grows with the square of the number of choices. With these passes, 10,000 plain lines take 123
s. Without them, 10,000 plain lines take 3.7 s, and 10,000 lines of gates take 7.3 s. No game of ours has a function
with more than 700 branches and choices.
"""
GATE = 5
"""An `and` or `or` of truth values counts as this number of branches, since LLVM takes longer for it.

For example, 100 lines of `a and b or not c` count as 1,000 branches. With 4 instead of 5, 120 such lines took 3.3 to
3.9 ms each on a busy machine; with 5, they take 0.45 ms each.
"""
_CHOICE = re.compile(r"[^ ].*:$|  [^ ]+ = (?:select|and i1|or i1) ")
"""A pattern for a line of assembly that begins a block or chooses a value."""


def long_functions(assembly: str) -> list[str]:
    """Return the functions of a module with more than `MOST_CHOICES` branches and choices, too many for LLVM's slow
    passes.
    """
    counts: collections.Counter[str] = collections.Counter()
    name = ""
    for line in assembly.split("\n"):
        if line.startswith("define "):
            name = line.partition("@")[2].partition("(")[0]
        elif _CHOICE.match(line):
            counts[name] += GATE if " i1 " in line and " = select" not in line else 1  # `and` and `or` of truth values
    return [name for name, count in counts.items() if count > MOST_CHOICES]


def _simplify(function: "llvm.ValueRef", target: "llvm.TargetMachine") -> None:
    """Optimise a function by the passes whose time grows only with its length; exclude it from all other passes."""
    import llvmlite.binding as llvm

    manager = llvm.create_new_function_pass_manager()
    for add in (manager.add_sroa_pass, manager.add_simplify_cfg_pass, manager.add_sccp_pass,
                manager.add_aggressive_dce_pass, manager.add_simplify_cfg_pass):  # fmt: skip
        add()
    manager.run(function, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))
    function.add_function_attribute("noinline")
    function.add_function_attribute("optnone")


CALL = re.compile(r'\bcall [^\n@]*@"?([^"(\n]+)"?\(')
"""A pattern for a call in the text of a module; it captures the name of the function."""


def _optimise(module: "llvm.ModuleRef", target: "llvm.TargetMachine", speed: int) -> None:
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(speed_level=speed)
    options.loop_vectorization = options.slp_vectorization = False  # loops here are too short for it
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)


class Loaded:
    """An object file in memory. The memory is released when the last reference to the object is gone."""

    def __init__(self, code: bytes) -> None:
        """Load an object file.

        Raises:
            ValueError: the object file cannot be linked.
        """
        import llvmlite.binding as llvm

        initialise()
        target = llvm.Target.from_default_triple().create_target_machine()
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
        try:
            self.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self.engine.finalize_object()
            address = self.engine.get_function_address("run")
        except RuntimeError as error:
            raise ValueError(str(error)) from error
        if not address:
            raise ValueError("the object code has no function `run`")
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self.run = prototype(address)
