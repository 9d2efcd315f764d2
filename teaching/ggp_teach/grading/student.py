"""A student's searcher, found in a file and run on trees; every call that accesses a state is recorded.

This code runs in a limited process (see `ggp_teach.limited`). The student's program sees a tree through the interface
that its shape expects (see `ggp_teach.grading.shapes`).
"""

import ast
import contextlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from math import inf, isnan
from typing import Any

import attrs

from ggp import capabilities
from ggp.errors import UsageError
from ggp_teach.exercise_tree import ExerciseTree, TreeNode
from ggp_teach.grading import shapes
from ggp_teach.grading.courses import EasyGame, PacmanState, install_stubs
from ggp_teach.grading.nodes import NestedTree, RecordedNode
from ggp_teach.grading.recorder import Illegal, OpaqueState, Recorder
from ggp_teach.grading.shapes import Found
from ggp_teach.limited import preload

ROLES: Mapping[str, str] = {
    "game": "game g problem rules",
    "state": "state s position pos node board n current_state currentstate game_state gamestate tree root",
    "depth": "depth d plies ply limit max_depth maxdepth depth_limit remaining depth_left orig_depth origdepth",
    "alpha": "alpha a lower α",
    "beta": "beta b upper β",
    "maximizing": """maximizing maximizingplayer maximizing_player is_max ismax is_maximizing ismaximizing max_player
        maximize maximise maximising is_maximizing_player max_turn maxturn maximizer is_maximizer is_max_player
        maximising_player""",
    "color": "color colour sign",
    "player": "player turn to_move mover who",
    "evaluate": """evaluate eval eval_fn evalfn evaluation evaluation_function evaluationfunction heuristic h eval_func
        scoring score evaluator eval_function""",
    "index": "nodeindex node_index index idx",
    "leaves": "values scores leaves",
}
"""For each argument, the names that students may give its parameter."""
ROLE = {name: role for role, names in ROLES.items() for name in names.split()}

TASKS = (
    ("expectiminimax", re.compile(r"expect|chance", re.IGNORECASE)),
    ("alphabeta", re.compile(r"alpha_?beta|^ab(_|$)|prun|scout|mtd|pvs|null_?window", re.IGNORECASE)),
    ("minimax", re.compile(r"mini?_?max|nega_?max|decision", re.IGNORECASE)),
)
"""Tasks, each with a pattern for the names of functions and classes."""
SEARCHES = re.compile(r"search|decision|best_?(move|action)|choose|solve|get_?(move|action)$", re.IGNORECASE)
HELPERS = re.compile(r"^_|^(max|min|exp|chance)_?(value|node|player|agent)?s?$|value$|eval|heuristic", re.IGNORECASE)
METHODS = ("getAction", "__call__", "search", "choose", "get_action", "get_move", "alphabeta", "alpha_beta", "minimax")


class Unrecognised(UsageError):
    """Raised if no searcher of a known shape is in the file."""


def serve(setup: dict[str, Any]) -> "Student":
    """Return the handler of questions about the student's file; its greeting describes the searcher in the file."""
    return Student(setup["path"], setup.get("name"), setup.get("task"), setup.get("arguments"))


class Student:
    """A student's file, imported."""

    def __init__(self, path: str, name: str | None, task: str | None, arguments: str | None) -> None:
        self.greeting: dict[str, Any]
        self.path = os.path.abspath(path)  # as frames have it
        self._asked = name, task, arguments
        self._text = ""
        with contextlib.suppress(OSError, UnicodeDecodeError), open(path, encoding="utf-8") as file:
            preload(file.read())

    def load(self) -> None:
        """Import the file, and find the searcher in it."""
        path = self.path
        try:
            with open(path, encoding="utf-8") as file:
                self._text = file.read()
            self._module = load(path)
            self._found = find(self._module, self._text, path, *self._asked)
        except UnicodeDecodeError:
            self.greeting = {"problem": "it cannot be read: it is not text in UTF-8"}
        except (Unrecognised, OSError) as error:
            self.greeting = {"problem": str(error)}
        except Exception as error:
            self.greeting = {"problem": f"it cannot be imported: {told(error, path)}"}
        else:
            self.greeting = attrs.asdict(self._found) | {
                "chance": bool(re.search(r"chance|outcome|probabilit|expect", self._text, re.IGNORECASE)),
                "facts": facts(self._text),
            }

    def __call__(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return what the student's searcher finds in a tree, and which states it looks at."""
        tree = ExerciseTree(TreeNode.from_data(question["tree"]))
        recorder = Recorder(tree, transposes=question["transposes"])
        window = question.get("window")
        alpha, beta = (-inf, inf) if window is None else window
        depth = tree.root.height if question["depth"] is None else question["depth"]
        call = shapes.SHAPES[self._found.shape]
        answer: dict[str, Any] = {}
        returned: list[tuple[int, Any]] = []
        try:
            if question.get("watch"):
                sys.setprofile(_watcher(self.path, recorder, returned))
            try:
                result = call(self._module, self._found, recorder, depth, alpha, beta)
            finally:
                sys.setprofile(None)
            answer["value"], answer["action"] = read(result, recorder)
        except Illegal:
            pass  # written down
        except RecursionError:
            answer["error"] = "it calls itself without end (RecursionError)"
        except MemoryError:
            raise
        except Exception as error:
            answer["error"] = told(error, self.path)
        answer |= {
            "visited": recorder.visited,
            "looks": recorder.looks,
            "mutated": recorder.mutated,
            "illegal": recorder.illegal,
            "asked": recorder.asked,
            "returned": returned,
        }
        return answer


def load(path: str) -> object:
    """Import the file. Small modules take the place of missing modules of CS188."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    install_stubs(os.path.dirname(os.path.abspath(path)))
    name = "student_" + re.sub(r"\W", "_", os.path.splitext(os.path.basename(path))[0])
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Unrecognised("it is not a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def find(module: Any, text: str, path: str, name: str | None, task: str | None, arguments: str | None) -> Found:
    """Return the searcher in a file.

    Arguments:
        name: the function or class; None: the one with the most likely name.
        task: the algorithm; None: the algorithm that the name suggests.
        arguments: for each parameter, the argument that it takes, separated by commas; None: the parameters' names show
            it.

    Raises:
        Unrecognised: there is no such function, or its parameters are unknown.
    """
    own = {
        key: each
        for key, each in vars(module).items()
        if (inspect.isfunction(each) or inspect.isclass(each)) and each.__module__ == module.__name__
    }
    if name is not None and name not in own:
        names = ", ".join(own) or "nothing"
        raise Unrecognised(f"there is no function or class {name!r}; the file defines {names}")
    ranked = [name] if name is not None else _candidates(own, task)
    problems: list[str] = []
    student: list[Found] = []
    for each in ranked:
        try:
            student.append(_shape(module, own, each, own[each], text, path, task, arguments))
        except Unrecognised as error:
            problems.append(str(error))
    if not student:
        if problems:
            raise Unrecognised(problems[0])
        raise Unrecognised(
            "no searcher was recognised: it needs a function such as minimax(game, state, depth) or"
            " alphabeta(game, state, depth, alpha, beta), or a class as in CS188 or easyAI;"
            " --function NAME names another"
        )
    first = student[0]
    windowed = first.task == "minimax" and task is None and facts(text)["has"]
    if windowed and not any(TASKS[1][1].search(each.name) for each in student):
        # A minimax with alpha and beta in its helpers is an alpha-beta.
        first = attrs.evolve(first, task="alphabeta")
    return attrs.evolve(first, others=tuple(each.name for each in student[1:]))


BOUNDS = {"alpha", "beta", "a", "b", "α", "β", "lower", "upper"}
"""Names of the bounds of the window."""


def facts(text: str) -> dict[str, bool]:
    """Return how the text of a program uses the window, to distinguish mistakes that have the same effect."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, RecursionError):
        return dict.fromkeys(("has", "leaves", "returns", "narrows", "compares", "hands"), False)

    def bound(node: ast.AST) -> bool:
        return any(isinstance(each, ast.Name) and each.id in BOUNDS for each in ast.walk(node))

    names = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name)}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    named = {id(call): _called(call.func) for call in calls}
    return {
        "has": {"alpha", "beta"} <= names or {"α", "β"} <= names,
        "leaves": any(
            isinstance(node, ast.If) and bound(node.test) and isinstance(node.body[-1], ast.Break | ast.Return)
            for node in nodes
        ),
        "returns": any(
            isinstance(node, ast.For) and any(isinstance(each, ast.Return) for each in node.body) for node in nodes
        ),
        "narrows": any(
            bound(target) for node in nodes if isinstance(node, ast.Assign | ast.AugAssign) for target in _targets(node)
        ),
        "compares": any(isinstance(node, ast.Compare) and bound(node) for node in nodes),
        "hands": any(bound(part) for call in calls if named[id(call)] in own for part in [*call.args, *call.keywords]),
    }


def _targets(node: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _candidates(own: Mapping[str, object], task: str | None) -> list[str]:
    """Return the names of functions and classes that may be searchers, the most likely name first."""

    def rank(name: str) -> tuple[int, ...] | None:
        each = own[name]
        if inspect.isclass(each):
            if not any(callable(getattr(each, method, None)) and method in vars(each) for method in METHODS):
                return None
        elif HELPERS.search(name) and not re.search(r"alpha_?beta|mini_?max|negamax|expecti?max", name, re.IGNORECASE):
            return None
        task_name = task_of(name, "", None)
        wanted = {"alphabeta": 0, "expectiminimax": 1, "minimax": 2}.get(task_name or "", 4)
        if task is not None and task_name == task:
            wanted = -1
        if task_name is None and not SEARCHES.search(name) and not inspect.isclass(each):
            return None
        cut = re.search(r"player$|cutoff|agent$", name, re.IGNORECASE) and not inspect.isclass(each)
        helper = HELPERS.search(name) is not None or name.startswith("_")
        return wanted, int(helper), int(bool(cut)), list(own).index(name)

    ranks = {name: rank(name) for name in own}
    return sorted((name for name, each in ranks.items() if each is not None), key=lambda name: ranks[name] or ())


def _called(function: ast.expr) -> str:
    """Return the name of a function or a method that is called; "" for any other expression."""
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return str(name)
    return ""


def task_of(name: str, text: str, roles: Iterable[str] | None) -> str | None:
    """Return the algorithm that a name or the parameters suggest; None if they suggest none."""
    for task, names in TASKS:
        if names.search(name):
            return "alphabeta" if task == "minimax" and roles is not None and "alpha" in roles else task
    if roles is not None and "alpha" in roles:
        return "alphabeta"
    return None


def _shape(
    module: Any, own: Mapping[str, Any], name: str, each: Any, text: str, path: str, task: str | None, given: str | None
) -> Found:
    if inspect.isclass(each):
        return _class_shape(name, each, text, path, task, given)
    roles = _roles(each, given)
    task_name = task or task_of(name, text, roles) or _task_of_text(text, path)
    single = [role for role in roles if role]
    if single == ["state"] and {"actions", "result"} <= own.keys() & vars(module).keys():
        if re.search(r"alpha", text, re.IGNORECASE):
            task_name = task or "alphabeta"
        return Found(shape="cs50", name=name, task=task_name, roles=roles)
    if "leaves" in roles:
        return Found(shape="leaves", name=name, task=task_name, roles=roles)
    if "game" in roles and "state" in roles and "cutoff_test" in inspect.signature(each).parameters:
        # AIMA's search with a cutoff counts depth from 1, and evaluates for the player at the root.
        kept = tuple("" if role == "evaluate" else role for role in roles)
        return Found(shape="aima", name=name, task=task_name, roles=kept)
    if "game" in roles and "state" in roles:
        shape = "function" if "depth" in roles else "aima"
        dice = shape == "aima" and re.search(r"\.chances\(", text) is not None
        return Found(shape=shape, name=name, task=task_name, roles=roles, dice=dice and task_name == "expectiminimax")
    if "game" in roles:
        return Found(shape="easyai", name=name, task=task_name, roles=roles)
    if "state" in roles:
        lists = re.search(r"isinstance\([^)]*\b(list|tuple|int|float)\b|type\(\w+\)\s*(is|==)", text)
        return Found(shape="lists" if lists else "nodes", name=name, task=task_name, roles=roles)
    raise Unrecognised(f"{name} has no parameter for the state; name all parameters, as in --arguments game,state")


def _class_shape(name: str, each: Any, text: str, path: str, task: str | None, given: str | None) -> Found:
    method = next(method for method in METHODS if method in vars(each))
    task_name = task or task_of(name, text, None) or _task_of_text(text, path)
    if method == "getAction":
        return Found(shape="cs188", name=name, task=task_name, method=method)
    roles = _roles(getattr(each, method), given, method=True)
    made = _roles(each.__init__, None, method=True) if "__init__" in vars(each) else ()
    if [role for role in roles if role] == ["game"] or (roles[:1] == ("game",) and "state" not in roles):
        return Found(shape="easyai", name=name, task=task_name, roles=roles, made_with=made, method=method)
    if "state" not in roles:
        raise Unrecognised(f"the method {method} of {name} has no parameter for the state")
    if "game" not in (*roles, *made):
        raise Unrecognised(f"neither {name} nor its method {method} has a parameter for the game")
    shape = "function" if "depth" in (*roles, *made) else "aima"
    return Found(shape=shape, name=name, task=task_name, roles=roles, made_with=made, method=method)


def _roles(function: Any, given: str | None, *, method: bool = False) -> tuple[str, ...]:
    """Return for each parameter the argument that it takes, such as `state` or `depth`.

    Raises:
        Unrecognised: a parameter without default has an unknown name.
    """
    named: list[str] = []
    parameters = list(inspect.signature(function).parameters.values())[1 if method else 0 :]
    if given is not None:
        roles = [each.strip() for each in given.split(",")]
        for role in roles:
            if role not in ROLES:
                raise Unrecognised(f"--arguments takes {', '.join(ROLES)}; got {role!r}")
        return tuple(roles)
    for each in parameters:
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD, each.KEYWORD_ONLY):
            break
        role = ROLE.get(each.name.lower(), "")
        if role in named and each.default is not each.empty:  # two names for one thing: the second keeps its default
            role = ""
        if not role and each.default is each.empty:
            raise Unrecognised(
                f"the parameter {each.name!r} of {capabilities.function_name(function)} is not known;"
                " name all parameters, as in --arguments game,state,depth,alpha,beta"
            )
        named.append(role)
    return tuple(named)


def _task_of_text(text: str, path: str) -> str:
    """Return the algorithm that a whole file is about."""
    for task, names in TASKS[:2]:
        if names.search(os.path.basename(path)) or (task == "alphabeta" and re.search(r"\balpha\b", text)):
            return task
    return "minimax"


def read(result: object, recorder: Recorder) -> tuple[float | None, str | None]:
    """Return the value and the action in the result of a searcher; None for one that is missing."""
    value: float | None = None
    action: str | None = None
    legal = recorder.tree.actions(0)
    parts = list(result) if isinstance(result, list | tuple) and not isinstance(result, NestedTree) else [result]
    for part in parts:
        if isinstance(part, str) and part in legal and action is None:
            action = part
        elif isinstance(part, OpaqueState | RecordedNode | NestedTree | EasyGame):
            number = part.number if isinstance(part, EasyGame) else recorder.number(part)
            for label, child in recorder.tree.below[0].items():
                if child == number and action is None:
                    action = label
        elif isinstance(part, int | float) and not isinstance(part, bool) and value is None:
            value = None if isnan(part) else float(part)
    return value, action


def told(error: Exception, path: str) -> str:
    """Return the text of an error of the student's program, with the line of the file."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    text = str(error)
    if isinstance(error, SyntaxError) and error.lineno:
        lines, text = [error.lineno], error.msg  # its text would repeat the line
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {text}{where}"[:300]


def _watcher(path: str, recorder: Recorder, returned: list[tuple[int, Any]]) -> Callable[..., None]:
    """Return a profiler that records the number that is returned for each state."""

    def watch(frame: Any, event: str, argument: Any) -> None:
        if event != "return" or frame.f_code.co_filename != path:
            return
        code = frame.f_code
        for name in code.co_varnames[: code.co_argcount]:
            each = frame.f_locals.get(name)
            if isinstance(each, OpaqueState | RecordedNode | NestedTree | PacmanState):
                value, _ = read(argument, recorder)
                if value is not None:
                    returned.append((recorder.number(each), value))
                return

    return watch
