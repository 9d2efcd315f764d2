"""A fingerprint of everything that machine code depends on, so that cached code is never stale.

The fingerprint is computed without translating anything. The fingerprint includes the first function, and every
function that is reached by name. If these functions mention the name of a member, the fingerprint includes the members
with this name of all known objects. So it may include too much, but never too little.
"""

import dataclasses
import dis
import enum
import functools
import hashlib
import inspect
import operator
import pathlib
import pickle
import sys
import types
from collections.abc import Callable

import attrs

from ggp import frozen_games, frozen_states
from ggp.bits import Bits
from ggp.capabilities import own_attributes, variables_of
from ggp.compiler.compiled_code import Cells, Globals, is_array, kept
from ggp.compiler.types import Type, are_numbers, field_names, in_one_order, is_record

FRAMEWORK = "ggp.compiler"
FREEZING = (frozen_states, frozen_games)
FREEZING_NAMES = tuple(each.__name__ for each in FREEZING)
"""The modules that freeze and thaw states, for rules that change their states."""
RUNNERS = (FRAMEWORK, "ggp.frozen_states", "ggp.frozen_games", "ggp_solve")
"""Packages whose classes run machine code or prepare its arguments. Code that is compiled never calls the special
methods of these classes.
"""


class NoFingerprint(Exception):
    """Raised if the code depends on an object whose content is not known."""


@functools.cache
def compiler_digest() -> bytes:
    """Return a digest of the source of the compiler and of the modules that freeze states."""
    digest = hashlib.sha256()
    freezing = [pathlib.Path(each.__file__ or "") for each in FREEZING]
    for path in (*sorted(pathlib.Path(__file__).parent.glob("*.py")), *freezing):
        digest.update(path.read_bytes())
    return digest.digest()


def _home(thing: object) -> str:
    """Return the module of an object, of a class, or of a module itself."""
    if isinstance(thing, types.ModuleType):
        return thing.__name__
    return (thing if isinstance(thing, type) else type(thing)).__module__


@functools.cache
def _is_framework(module: str) -> bool:
    """Return whether a module belongs to ggp itself: nothing in its objects changes except their `variables`."""
    return module.partition(".")[0] in ("ggp", "ggp_search", "ggp_solve")


PLAIN = (int, float, str, bytes, tuple, list, dict, set, frozenset, type(None), Bits, enum.Enum)
"""The types of values that are data."""


def _is_data(value: object) -> bool:
    """Return whether a value is plain data."""
    return isinstance(value, PLAIN) or is_array(value)


OPERATORS = (
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow"),
    *("and", "or", "xor", "lshift", "rshift"),
)
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "hash", "bool")
CONTAINERS = ("getitem", "setitem", "delitem", "len", "contains", "iter", "next", "reversed")
OTHERS = ("call", "neg", "pos", "invert", "abs", "round", "int", "float", "index")
ATTRIBUTES = ("getattr", "getattribute", "setattr", "delattr", "get", "set", "copy", "deepcopy", "replace")
IMPLICIT = frozenset(
    [f"__{name}__" for name in (*OPERATORS, *COMPARISONS, *CONTAINERS, *OTHERS, *ATTRIBUTES)]
    + [f"__{side}{name}__" for name in OPERATORS for side in "ri"]
)
"""Special methods that code calls without naming them."""
MAKING = frozenset(f"__{name}__" for name in ("new", "init", "post_init", "attrs_pre_init", "attrs_post_init"))
"""Special methods that Python calls when it makes an instance of a class."""


def _implicit(thing: object) -> set[str]:
    """Return the author's special methods of an object or a class, which code may call without mentioning them.

    Methods that attrs makes depend only on the fields.
    """
    if isinstance(thing, types.ModuleType):
        return set()
    if isinstance(thing, type) and issubclass(thing, BaseException):
        return set()  # machine code raises the class; Python alone makes the exception
    return {
        name
        for cls in (thing if isinstance(thing, type) else type(thing)).__mro__
        if not cls.__module__.startswith(RUNNERS)
        for name, each in vars(cls).items()
        if (name in IMPLICIT or (name in MAKING and isinstance(thing, type))) and isinstance(each, types.FunctionType)
        if not each.__code__.co_filename.startswith("<") and not _is_library(each.__globals__["__name__"])
        if each.__globals__["__name__"] not in FREEZING_NAMES  # frozen games are compared and hashed by no rule
    }


NATIVE = (
    types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType,
    types.ClassMethodDescriptorType,
)  # fmt: skip
"""The classes of Python's own functions, which are identified by their names."""
FUNCTIONS = (types.FunctionType, types.MethodType, staticmethod, classmethod)
"""The classes of an author's functions."""
ATOMS = (str, int, type(None), bool, float, bytes, type(...), complex, range, slice)
"""The types of values that their `repr` describes."""
CODE = (types.FunctionType, staticmethod, classmethod, property, functools.cached_property, *NATIVE)
"""The classes of members that are functions, or that call one."""
READERS = frozenset(
    ("getattr", "hasattr", "setattr", "delattr", "attrgetter", "methodcaller", "asdict", "astuple", "vars", "case")
)
"""Functions that reach members whose names the code does not mention, and `case` with a class, which does so, too."""
MATCH_CLASS = dis.opmap["MATCH_CLASS"]


@attrs.define
class Fingerprint:
    """A fingerprint under construction.

    Arguments:
        owners: the ids of the objects that the code belongs to, such as the game. Their fields count only if they are
            mentioned.
    """

    owners: frozenset[int] = frozenset()
    parts: list[str | bytes] = attrs.field(factory=list)
    functions: list[types.FunctionType] = attrs.field(factory=list)
    seen: set[object] = attrs.field(factory=set)
    mentioned: set[str] = attrs.field(factory=set)
    reads_any: bool = False
    """Whether the code may reach members that it does not mention. Then all members of the author's objects count."""
    holders: dict[int, tuple[object, bool, set[str], set[str]]] = attrs.field(factory=dict)
    """For each object, class or module: whether it is an author's, the names of the members that are included if the
    code mentions them, and the names of the members that are always included.
    """
    taken: set[tuple[int, str]] = attrs.field(factory=set)
    classes: dict[str, type] = attrs.field(factory=dict)
    """The classes that were reached, by module and qualified name."""
    folded: list[tuple[object, str, object]] = attrs.field(factory=list)
    """Data and functions in the author's objects that became part of the code. Each entry has the object, the name of
    the attribute, and the value.
    """
    write: Callable[[str | bytes], None] = attrs.field(init=False)
    """Includes a text."""

    def __attrs_post_init__(self) -> None:
        self.write = self.parts.append  # a call of Python's own: there are hundreds, at each start

    def add(self, thing: object) -> None:
        """Include a value."""
        cls = type(thing)
        if cls in ATOMS:
            self.write(f"{cls.__name__} {thing!r};")
        elif cls is Bits and isinstance(thing, Bits):
            self.write(f"bits {thing.word} {thing.width};")
        elif isinstance(thing, Type):
            self.write(f"type {thing};")
        elif isinstance(thing, enum.Enum):
            self.write(f"member {thing.name};")
            self.add(cls)
        elif cls is tuple and are_numbers(thing):
            self.write(f"numbers {thing!r};")
        elif isinstance(thing, (tuple, list)):
            self.write(f"{cls.__name__} {len(thing)};")
            for each in thing:
                self.add(each)
        elif isinstance(thing, (set, frozenset)):
            self.write(f"set {len(thing)};")
            for each in thing if in_one_order(thing) else sorted(thing, key=repr):
                self.add(each)
        elif isinstance(thing, (dict, types.MappingProxyType)):
            self.write(f"dict {len(thing)};")
            for key, value in thing.items():
                self.add(key)
                self.add(value)
        elif not isinstance(thing, CODE) and is_array(thing):
            self.write(f"array {thing.dtype} {thing.shape};")
            self.write(thing.tobytes())
        else:
            self._add_code(thing)

    def _add_code(self, thing: object) -> None:
        thing = inspect.unwrap(thing) if isinstance(thing, functools._lru_cache_wrapper) else thing
        if isinstance(thing, types.FunctionType) and _is_of_the_compiler(thing):
            self.write(f"of the compiler {thing.__qualname__};")  # `compiler_digest` tells its content
        elif isinstance(thing, types.FunctionType):
            self.functions.append(thing)
        elif isinstance(thing, types.MethodType):
            self.add(thing.__func__)
            self.hold(thing.__self__)
        elif isinstance(thing, functools.partial):
            self.add(thing.func)
            self.add(thing.args)
            self.add(thing.keywords)
        elif isinstance(thing, operator.attrgetter):
            self.reads_any = True
            self.hold(thing)
        elif isinstance(thing, (staticmethod, classmethod)):
            self.add(thing.__func__)
        elif isinstance(thing, (property, functools.cached_property)):
            for each in (thing.fget, thing.fset) if isinstance(thing, property) else (thing.func,):
                self.add(each)
        elif isinstance(thing, NATIVE):
            self.write(f"named {thing.__qualname__};")
            self.reads_any |= thing.__name__ in READERS  # under a name of the author's
            if isinstance(thing, (types.BuiltinFunctionType, types.MethodWrapperType)):
                if thing.__self__ is not None and not isinstance(thing.__self__, types.ModuleType):
                    self.add(thing.__self__)  # a text, a dictionary or a list
        elif isinstance(thing, type):
            self._add_class(thing)
        else:
            self.hold(thing)

    def _add_class(self, cls: type) -> None:
        self.write(f"class {cls.__module__}.{cls.__qualname__};")
        name = f"{cls.__module__}.{cls.__qualname__}"
        if name in self.classes or _is_library(cls.__module__):
            self.classes.setdefault(name, cls)
            return
        self.classes[name] = cls
        if issubclass(cls, enum.Enum):
            self.write(repr([(each.name, each.value) for each in cls]))
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            self.write(repr((cls._fields, cls._field_defaults)))  # type: ignore[attr-defined]
        if is_record(cls) and attrs.has(cls):
            for field in attrs.fields(cls):
                self.write(f"field {field.name};")
                for part in (field.default, field.converter):
                    made = part.factory if isinstance(part, attrs.Factory) else part  # type: ignore[arg-type]
                    # A function's repr has its address in it, which differs from process to process.
                    self.add(made) if callable(made) else self.write(repr(made))
        self.hold(cls)
        if not _is_library(type(cls).__module__):
            self.hold(type(cls))  # its special methods are those of the class

    def hold(self, thing: object) -> None:
        """Include an object; the members that the code mentions are included later."""
        if isinstance(thing, types.ModuleType) and _is_library(thing.__name__):
            self.write(f"module {thing.__name__};")
            return
        self.write(f"object {type(thing).__qualname__};")
        if id(thing) not in self.holders:
            is_authors, always = not _is_framework(_home(thing)), _implicit(thing)
            if not isinstance(thing, (type, types.ModuleType)):
                cls: type = type(thing)
                fields, has_content = _of_instances(cls)
                if is_authors and id(thing) not in self.owners:
                    always |= fields
                if has_content:
                    self.write(_content(thing))
            self.holders[id(thing)] = thing, is_authors, _members(thing), always

    def close(self) -> None:
        """Include everything that the objects and functions included so far can reach.

        Raises:
            NoFingerprint: an object is reached whose content is not known.
        """
        while True:
            while self.functions:
                self._add_function(self.functions.pop())
            before = len(self.taken)
            for key, (thing, is_authors, members, implicit) in list(self.holders.items()):
                every = _own_members(thing) if self.reads_any and is_authors else set()
                for name in sorted((self.mentioned & members) | implicit | every):
                    if (key, name) not in self.taken:
                        self.taken.add((key, name))
                        self._add_member(thing, name, is_authors)
            if not self.functions and len(self.taken) == before:
                return

    def _add_function(self, function: types.FunctionType) -> None:
        if function in self.seen:
            return
        self.seen.add(function)
        code = function.__code__
        self._add_instructions(code)
        is_authors = not _is_framework(function.__module__ or "")
        for default in ("__defaults__", "__kwdefaults__"):
            if values := getattr(function, default):
                if is_authors:
                    self._fold(function, default, values)
                self.add(values)
        names = _names(code)
        if "getattr" in names and not _literal_getattr(code):
            raise NoFingerprint(f"{function.__qualname__} calls getattr with a name that is not a constant")
        self.mentioned |= names
        self.reads_any |= is_authors and not READERS.isdisjoint(names)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":
                self.write(f"cell {name};")
                if is_authors:
                    self._fold(Cells(function), name, cell.cell_contents)
                self.add(cell.cell_contents)
        for name in sorted(names):
            if name in function.__globals__:
                self.write(f"global {name};")
                value = function.__globals__[name]
                if is_authors:
                    self._fold(Globals(function.__globals__), name, value)
                self.add(value)

    def _fold(self, thing: object, name: str, value: object) -> None:
        """Record data, or a function, of an author that became part of the code."""
        if isinstance(value, (*FUNCTIONS, type)) or _is_data(value):
            self.folded.append((thing, name, kept(value)))

    def _add_instructions(self, code: types.CodeType) -> None:
        self.write(f"code {code.co_name} {code.co_argcount} {code.co_kwonlyargcount} {code.co_flags} {code.co_names};")
        self.write(f"{code.co_varnames} {code.co_freevars} {code.co_cellvars};")
        self.write(code.co_code + code.co_exceptiontable)
        for each in code.co_consts:
            cls = type(each)
            if cls in ATOMS:  # as `add` does, without a call: there are hundreds
                self.write(f"{cls.__name__} {each!r};")
            elif isinstance(each, types.CodeType):
                self._add_instructions(each)
            else:
                self.add(each)

    def _add_member(self, thing: object, name: str, is_authors: bool) -> None:
        home = thing if isinstance(thing, (type, types.ModuleType)) else type(thing)
        for each in (home,) if isinstance(home, types.ModuleType) else home.__mro__:
            if name in each.__dict__:
                static = each.__dict__[name]  # as it is stored: no property is called
                break
        else:
            static = thing.__dict__[name]
        self.write(f"{home.__qualname__ if isinstance(home, type) else home.__name__}.{name};")
        if isinstance(static, CODE):
            self.add(static)
            if isinstance(static, FUNCTIONS):
                if not isinstance(thing, type) and hasattr(thing, "__dict__") and name in vars(thing):
                    self._add_value(thing, name, is_authors)  # the object has another function in its place
                if is_authors:
                    self._fold(thing, name, getattr(thing, name, None))
            is_read = isinstance(static, (property, functools.cached_property)) and not isinstance(thing, type)
            if is_read and (is_authors or not hasattr(type(thing), "variables")):
                self._add_value(thing, name, is_authors)  # it may depend on what no code says: a file, the environment
        elif hasattr(type(thing), "variables") and name in variables_of(thing):
            self.write("variable;")
        elif isinstance(thing, type) and isinstance(static, (types.MemberDescriptorType, types.GetSetDescriptorType)):
            self.write("field;")
        else:
            self._add_value(thing, name, is_authors)

    def _add_value(self, thing: object, name: str, is_authors: bool) -> None:
        """Include the value of an attribute of a known object."""
        try:
            value = getattr(thing, name)
        except AttributeError:
            self.write("absent;")
        except Exception as error:
            self.write(f"raises {type(error).__name__};")
        else:
            if is_authors:
                self._fold(thing, name, value)
            self.add(value)

    def name(self) -> str:
        """Return the fingerprint as a text."""
        digest = hashlib.sha256()
        for part in self.parts:
            digest.update(part if isinstance(part, bytes) else part.encode())
        return digest.hexdigest()


def _members(thing: object) -> set[str]:
    """Return the names of all attributes of an object, a class or a module."""
    own = set(own_attributes(thing))
    if isinstance(thing, types.ModuleType):
        return own
    return own.union(*[each.__dict__ for each in (thing if isinstance(thing, type) else type(thing)).__mro__])


@functools.cache
def _of_instances(cls: type) -> tuple[frozenset[str], bool]:
    """Return the fields by which attrs or dataclasses compare the instances of a class, and whether the instances hold
    values that are no attributes, as those of Python's library may.
    """
    fields = field_names(cls) if attrs.has(cls) or dataclasses.is_dataclass(cls) else ()
    has_content = _is_library(cls.__module__)
    for each in cls.__mro__[1:]:
        has_content |= _is_library(each.__module__) and each.__module__ not in WITHOUT_CONTENT
    return frozenset(fields), has_content and cls.__module__ != "itertools"  # since Python 3.12, pickling these warns


WITHOUT_CONTENT = ("typing", "abc", "enum", "builtins")
"""Modules whose classes, as bases, add no values to an instance."""


def _content(thing: object) -> bytes:
    """Return the content of an instance of a class of Python's library, such as a `Fraction` or a pattern of `re`."""
    try:
        return pickle.dumps(thing)
    except Exception:  # a file, a lock: no rule reads it
        return b""


def _own_members(thing: object) -> set[str]:
    """Return the names of the members that an author has given to an object, a class or a module."""
    if isinstance(thing, types.ModuleType):
        own = {name for name, each in vars(thing).items() if not isinstance(each, types.ModuleType)}
    else:
        classes = (thing if isinstance(thing, type) else type(thing)).__mro__
        authors = [each for each in classes if not (_is_library(each.__module__) or _is_framework(each.__module__))]
        own = set(own_attributes(thing)).union(*[each.__dict__ for each in authors])
    return {name for name in own if not name.startswith("__")}


@functools.lru_cache(4096)
def _names(code: types.CodeType) -> frozenset[str]:
    """Return the names that code mentions, including the functions inside it."""
    names = set(code.co_names)
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            names |= _names(each)
    if MATCH_CLASS in code.co_code[::2]:
        names.add("case")
    return frozenset(names)


def _literal_getattr(code: types.CodeType) -> bool:
    """Return whether the code has a constant that may be the name of an attribute for `getattr`: a quick guess."""
    return any(isinstance(each, str) and each.isidentifier() for each in code.co_consts)


def _is_of_the_compiler(function: types.FunctionType) -> bool:
    """Return whether `compiler_digest` covers a function: one of the compiler, or one that freezes states.

    A method of a frozen game is not covered, since it calls the author's method.
    """
    module, name = function.__module__ or "", function.__qualname__
    return module.startswith(f"{FRAMEWORK}.") or (module in FREEZING_NAMES and ("." not in name or "<" in name))


@functools.cache
def _is_library(module: str) -> bool:
    """Return whether a module belongs to Python or to a library, so that its version identifies its content."""
    return module.partition(".")[0] in {*sys.stdlib_module_names, "numpy", "attr", "attrs", "msgspec"}
