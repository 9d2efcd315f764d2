"""The house: no circle of imports, few modules in a room, one meaning for each name, and verbs first in docstrings."""

import ast
import collections
import functools
import gc
import graphlib
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parent.parent
FOLDERS = ("ggp", "search", "teaching", "games", "bridges")
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
"""The source; `build` and the like are no part of it."""

MOST_MODULES = 12
"""Modules of a folder of search/, without `__init__.py`."""

LONGEST_FILE = 600
"""Lines of a file, those of the compiler excepted."""

COMMANDS = {
    "ggp/cli",
    "search/ggp_learn/cli",
    "search/ggp_search/cli",
    "search/ggp_solve/cli",
    "teaching/ggp_teach/cli",
}
"""Folders in which a module has the name of the command that it is."""

NO_VERBS = """
a about all an and any as at below best both by called each exact five for from how if in it its layered nobody none
nothing of one only own plain same so somebody texts that the there this to two under what where whether which while who
whoever whose why with without
"""
"""First words of docstrings that said what a function is about, and not what it does."""

ENDS_IN_S = {"address", "compress", "cross", "discuss", "express", "focus", "guess", "pass", "press", "process"}
"""Verbs that are not in the third person, for all that."""

CALLBACKS = {"Report", "Tell"}
"""Types of functions that are called with what has been found so far, whatever that is."""

QUALIFIED = {"ggp.compiler.core"}
"""Modules whose classes are always written with the module's name: `core.Try` is a statement, as `ast.Try` is."""

TAKEN = {
    "table": ("ggp", "games", "bridges"),
    "known": ("ggp/compiler", "games", "bridges"),
    "words": (
        "ggp/cli",
        "ggp/experiments",
        "ggp/notebook",
        "ggp/show",
        "ggp/testing",
        "ggp/tui",
        "ggp/web",
        "bridges/engines",
        "bridges/kgp",
        "ggp/play",
        "ggp/plain_board.py",
        "ggp/plugin_faults.py",
        "games/gdl/ggp_gdl/boards.py",
        "games/gdl/ggp_gdl/rule_sheet.py",
    ),
    "promise": ("search", "games", "bridges", "teaching", "ggp/compiler", "ggp/play", "ggp/show", "ggp/web"),
    "level": ("search", "games", "ggp/compiler", "ggp/show"),
    "page": ("search", "games", "bridges", "ggp/compiler", "ggp/show/board_svg.py", "ggp/show/album.py"),
    "place": (
        "search",
        "games",
        "bridges",
        "teaching",
        "ggp/cli",
        "ggp/compiler",
        "ggp/play",
        "ggp/show",
        "ggp/testing",
        "ggp/web",
    ),
    "policy": ("ggp/web", "ggp/show", "ggp/experiments", "games", "bridges", "teaching"),
    "note": ("games", "bridges", "ggp/compiler", "ggp/play", "ggp/web", "search/ggp_search/engine/abdada.py"),
    "visit": ("search", "games", "bridges", "ggp/compiler", "ggp/web"),
    "score": ("ggp/experiments", "search/ggp_search/algorithms"),
    "plan": ("ggp/cli/experiment.py", "ggp/cli/match.py", "ggp/cli/tournament.py", "games"),
}
"""Words of the glossary, each with folders in which a variable or function of that name would mean something else."""

PRINTED = {"evaluations.py"}
"""Files whose docstrings are formulas, which commands print."""


def module(path: pathlib.Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[{"ggp": 0, "search": 1, "teaching": 1, "games": 2, "bridges": 2}[parts[0]] :]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def trees() -> dict[pathlib.Path, list[ast.AST]]:
    """The nodes of all files. While they are made no garbage is collected, since all of them stay: it would take twice
    as long as reading the files.
    """
    gc.disable()
    try:
        return {path: list(ast.walk(ast.parse(path.read_text()))) for path in FILES}
    finally:
        gc.freeze()
        gc.enable()


def nodes(path: pathlib.Path) -> list[ast.AST]:
    return trees()[path]


@functools.cache
def modules() -> dict[str, pathlib.Path]:
    return {module(path): path for path in FILES}


def imported(path: pathlib.Path) -> set[str]:
    """All modules of ours that a file imports, in functions and for types, too."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{each.name}" for each in node.names}
            found |= {name if name in modules() else node.module for name in names}
    return found & modules().keys() - {module(path)}


def room(name: str) -> str:
    """The compiler is one room: its rules for numbers and for containers know each other."""
    return "ggp.compiler" if name.startswith("ggp.compiler.") else name


def test_no_imports_go_in_a_circle():
    graph: dict[str, set[str]] = collections.defaultdict(set)
    for name, path in modules().items():
        graph[room(name)] |= {room(each) for each in imported(path)} - {room(name)}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def folders_of(text: str) -> list[str]:
    return re.findall("`([^`]+)/`", text)


def test_rooms_import_what_the_architecture_says():
    page = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"^\| (`.+/`) \| .* \| (.+) \|$", page, re.MULTILINE)
    allowed = {room: {room, *folders_of(may)} for rooms, may in rows for room in folders_of(rooms)}
    for rooms, may in rows:
        if may.startswith("all of `ggp/`"):
            for room in folders_of(rooms):
                allowed[room] |= {each for each in allowed if each.split("/")[0] == "ggp"}

    @functools.cache
    def folder(path: pathlib.Path) -> str:
        inside = path.relative_to(ROOT)
        return max((each for each in allowed if any(above.match(each) for above in inside.parents)), key=len)

    wrong = {
        f"{path.relative_to(ROOT)} imports {other}"
        for path in FILES
        for other in imported(path)
        if folder(modules()[other]) not in allowed[folder(path)]
    }
    assert sorted(wrong) == []


def test_the_framework_knows_no_game_and_no_searcher_and_searchers_no_solver():
    forbidden = {"ggp": ("ggp_",), "ggp_search": ("ggp_solve", "ggp_learn"), "ggp_solve": ("ggp_learn",)}
    for name, path in modules().items():
        for other in imported(path):
            assert not other.startswith(forbidden.get(name.partition(".")[0], ("-",))), f"{name} imports {other}"


def test_a_room_of_search_has_few_modules():
    rooms = collections.Counter(path.parent for path in FILES if path.name != "__init__.py")
    assert {str(room): count for room, count in rooms.items() if "search" in room.parts and count > MOST_MODULES} == {}


def test_no_file_is_too_long():
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in FILES}
    long = {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE}
    assert {name: lines for name, lines in long.items() if not name.startswith("ggp/compiler/")} == {}


def in_many_places(places: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: where for name, where in places.items() if len(where) > 1}


def test_no_two_files_of_search_and_the_framework_have_one_name():
    places = collections.defaultdict(list)
    for path in FILES:
        folder = str(path.parent.relative_to(ROOT))
        if not path.name.startswith("__") and folder not in COMMANDS and not folder.startswith(("games", "bridges")):
            places[path.name].append(folder)
    assert in_many_places(places) == {}


def test_no_two_classes_of_search_and_the_framework_have_one_name():
    places = collections.defaultdict(list)
    for name, path in modules().items():
        if path.relative_to(ROOT).parts[0] not in ("games", "bridges") and name not in QUALIFIED:
            for node in nodes(path):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(name)
            for node in nodes(path)[0].body:  # names of types
                target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
                if isinstance(target, ast.Name) and re.fullmatch("[A-Z]+[a-z].*(?<!T)", target.id):
                    places[target.id].append(name)
    assert {name: where for name, where in in_many_places(places).items() if name not in CALLBACKS} == {}


def test_names_take_no_word_of_the_glossary_for_something_else():
    wrong = []
    for path in FILES:
        folder = path.relative_to(ROOT).as_posix()
        for node in nodes(path):
            match node:
                case ast.FunctionDef(name="table" | "score"):  # programs of users have these former names
                    continue
                case ast.arg(arg=name) | ast.Name(id=name) | ast.FunctionDef(name=name):
                    if name in TAKEN and folder.startswith(TAKEN[name]):
                        wrong.append(f"{folder}:{node.lineno} {name}")
    assert wrong == []


def test_a_kind_in_the_compiler_is_a_type_of_machine_code_and_no_class_of_python():
    wrong = []
    for path in (path for path in FILES if path.is_relative_to(ROOT / "ggp/compiler")):
        for node in nodes(path):
            name = node.arg if isinstance(node, ast.arg) else ast.unparse(getattr(node, "target", None) or ast.Pass())
            annotation = getattr(node, "annotation", None) if name == "kind" else None
            is_class = annotation is not None and re.match(r"(type|str|Any)\b", ast.unparse(annotation))
            if isinstance(node, ast.Attribute) and (node.attr == "kind" or node.attr.startswith("__")):
                is_class = re.search(r"\bkind\.\w+$", ast.unparse(node))
            if is_class:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert wrong == []


def test_no_two_files_of_tests_have_one_name():
    """Since pytest imports them by it: a second one ends the whole run at collection."""
    names = collections.Counter(path.name for path in (ROOT / "tests").rglob("*.py"))
    assert not [name for name, times in names.items() if times > 1 and name != "conftest.py"]


def test_docstrings_of_functions_begin_with_a_verb():
    wrong = []
    for path in FILES:
        for node in nodes(path) if path.name not in PRINTED else ():
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            words = (ast.get_docstring(node) or "Do").split()
            if not any("property" in ast.unparse(each) for each in node.decorator_list):
                first = words[0].strip(",.:;").lower()
                third_person = first.endswith("s") and first not in ENDS_IN_S
                if first in NO_VERBS.split() or third_person or not first.isalpha():
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {words[0]}")
    assert wrong == []


def test_no_docstring_begins_with_what():
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        for node in nodes(path)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and str(node.value.value)[:5] == "What "
    ]
    assert wrong == []


def declared() -> set[str]:
    """What the contracts of games and searchers declare."""
    found = set()
    for path in (ROOT / "ggp" / name for name in ("game.py", "searcher.py", "trace.py")):
        for node in nodes(path):
            protocol = isinstance(node, ast.ClassDef) and "Protocol" in "".join(map(ast.unparse, node.bases))
            for each in node.body if protocol else ():
                if isinstance(each, ast.FunctionDef):
                    found.add(each.name)
                elif isinstance(each, ast.AnnAssign):
                    found.add(ast.unparse(each.target))
    return found


def test_what_is_looked_up_in_a_game_or_a_searcher_is_declared():
    contract, wrong = declared() | {"__doc__"}, []
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr") and len(node.args) > 1:
                subject, name = ast.unparse(node.args[0]).rpartition(".")[2], node.args[1]
                looks_up = subject in ("game", "searcher", "factory", "finder") and isinstance(name, ast.Constant)
                if looks_up and name.value not in contract:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {name.value}")
    assert wrong == []


def test_what_a_room_says_of_its_modules_is_so():
    """A name in backquotes in the docstring of a room is a module of the room, or something that the room defines."""
    packages = {path.parent.name for path in FILES}
    for init in (path for path in FILES if path.name == "__init__.py"):
        tree = ast.parse(init.read_text(encoding="utf-8"))
        said = ast.get_docstring(tree) or ""
        modules = {path.stem for path in init.parent.iterdir() if path.suffix == ".py" or path.is_dir()}
        imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
        names = {alias.asname or alias.name for node in imports for alias in node.names}
        wrong = {*re.findall(r"(?<!extra )`([a-z_]+)`", said)} - modules - names - packages
        assert not wrong, f"{module(init)}: {wrong}"
