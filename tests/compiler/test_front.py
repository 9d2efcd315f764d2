"""Open core comes to the same as the function that it was made from, by Python alone."""

import ast
import cProfile
import random
import sys
import types

import core_cases
import core_programs
import programs
import pytest
from aliased import ALIASED
from authors import GAMES
from constructs import CONSTRUCTS, USUAL
from law import as_core, core_of, differences, outcome, plain, statements

import ggp
import ggp.testing
from ggp.compiler import core
from ggp.compiler.front import open_core
from ggp.compiler.refusals import Refused
from ggp.compiler.runnable import python_text
from ggp.searcher import Limits

PROGRAMS = [25, pytest.param(600, marks=pytest.mark.slow)]
OF_STATE = (
    "to_move", "terminal_test", "key", "score", "canonical", "bounds", "value_bounds", "actions", "outcomes",
    "format_state", "scene", "explain",
)  # fmt: skip
OF_ACTION = ("quiet", "suggest", "result", "format_action")
REGISTRY = ggp.load_registry()
SEARCHED = {"tictactoe": {}, "kalah": {"houses": 3, "seeds": 2}, "pig": {}, "hexapawn": {}}


@pytest.mark.parametrize("name", core_cases.CASES)
def test_a_function_with_an_unusual_order_or_scope_is_the_same_as_core(name):
    assert differences(core_cases.CASES[name], core_cases.ROWS) == []


def test_methods_with_private_names_and_super_are_the_same_as_core():
    rows = [(a, b) for a in (0, 2, "go") for b in (1, 2.5)]
    wanted = [outcome(core_cases.c20, row) for row in rows]
    with as_core([core_cases]) as refused:
        assert [outcome(core_cases.c20, row) for row in rows] == wanted
    assert [each.partition(":")[0] for each in refused] == ["counted"]  # which assigns a global name


def test_every_construct_is_the_same_as_core():
    assert [each for function, rows, _ in CONSTRUCTS.values() for each in differences(function, rows[:12])] == []
    assert [each for function, _ in ALIASED.values() for each in differences(function, USUAL)] == []


@pytest.mark.parametrize("programs_made", PROGRAMS)
def test_random_programs_are_the_same_as_core(programs_made):
    found = [each for seed in range(programs_made) for each in differences(programs.made(seed), programs.inputs(seed))]
    assert found == []


@pytest.mark.parametrize("programs_made", PROGRAMS)
def test_random_programs_with_more_of_the_language_are_the_same_as_core(programs_made):
    for seed in range(programs_made):
        program = core_programs.made(seed)
        log = program.__globals__["LOG"]
        before, after = core_programs.logged(program, log), core_programs.logged(core_of(program), log)
        for row in programs.inputs(seed):
            assert outcome(after, row) == outcome(before, row), f"{row} in\n{core_programs.written(seed)}"


def modules_of(value):
    """The modules of the package that a game or searcher comes from."""
    package = type(value).__module__.partition(".")[0]
    return [module for name, module in sys.modules.items() if name.partition(".")[0] == package]


def played(game, seed, plies):
    """Return all that a game says on one random play."""
    chance, found = random.Random(seed), []
    state = game.initial_state()
    for _ in range(plies):
        for name in OF_STATE:
            found.append((name, outcome(getattr(game, name), (state,)) if hasattr(game, name) else None))
        found += [outcome(game.utility, (state, player)) for player in (0, 1)]
        if game.terminal_test(state):
            break
        actions = list(game.actions(state))
        for action in actions:
            for name in OF_ACTION:
                found.append((name, outcome(getattr(game, name), (state, action)) if hasattr(game, name) else None))
        state = game.result(state, chance.choice(actions))
    return found


@pytest.mark.parametrize("name", REGISTRY.games)
def test_a_game_plays_the_same_as_core(name):
    game = REGISTRY.game(name)
    wanted = [played(game, seed, 4) for seed in (1, 2)]
    with as_core(modules_of(game)) as refused:
        assert [played(game, seed, 4) for seed in (1, 2)] == wanted
    assert [each for each in refused if "`with`" not in each] == []  # a game that reads a file opens it


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_a_game_in_any_style_plays_the_same_as_core(game):
    wanted = [played(game, seed, 9) for seed in range(2)]
    with as_core([sys.modules["authors"]]):
        assert [played(game, seed, 9) for seed in range(2)] == wanted


@pytest.mark.parametrize("name", REGISTRY.searchers)
def test_a_searcher_visits_the_same_as_core(name, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")

    def found():
        for game, parameters in SEARCHED.items():
            made = REGISTRY.game(game, **parameters)
            searcher = REGISTRY.searcher(name, **({"seed": 1} if name in ("mcts", "random") else {}))
            limits = Limits(nodes=150) if name in ("mcts", "dfpn") else Limits(depth=3)
            try:
                result = searcher.search(made, made.initial_state(), limits)
            except ggp.GGPError as error:
                yield str(error)
            else:
                yield plain((result.value, result.action, result.principal_variation, result.statistics.nodes))

    pages = [each for each in sys.modules.values() if each.__name__.startswith("ggp_search.algorithms")]
    wanted = list(found())
    assert any("," in str(each) for each in wanted)
    with as_core(pages):
        assert list(found()) == wanted


# What core is ---------------------------------------------------------------------------------------------------------


def every_function():
    for function in [*core_cases.CASES.values(), *[each for each, _, _ in CONSTRUCTS.values()]]:
        yield open_core(function)


def test_all_names_of_variables_differ():
    def owners(function):
        yield from function.variables
        for each in core.statements_in(function.body):
            if isinstance(each, core.Define):
                yield from owners(each.function)

    for function in every_function():
        names = list(owners(function))
        assert len(names) == len(set(names)), function.name


def test_a_label_is_left_inside_its_block_and_nothing_is_left_uselessly():
    def check(block, around):
        for each in block:
            if isinstance(each, core.Leave):
                assert each.label in around
            inside = (each.label,) if isinstance(each, (core.Labelled, core.Loop, core.Each)) else ()
            if isinstance(each, core.Labelled):
                left = [one.label for one in core.statements_in(each.body) if isinstance(one, core.Leave)]
                assert each.label in left
            for inner in core.blocks_in(each):
                check(inner, (*around, *inside))
            if isinstance(each, core.Define):
                check(each.function.body, ())
            if isinstance(each, (core.Leave, core.Return, core.Raise)):
                assert each is block[-1]

    for function in every_function():
        check(function.body, ())


def test_operands_are_atoms_and_every_statement_has_its_line():
    for function in every_function():
        for each in statements(function):
            assert function.line <= each.line < function.line + 60
            value = getattr(each, "value", None)
            operands = value.operands if isinstance(value, core.Operation) else [value] if value is not None else []
            assert all(isinstance(one, (core.Local, core.Global, core.Constant)) for one in operands)


def scores(board, weights):
    best = None
    for place, mark in enumerate(board):
        if (0 < mark <= 2 and not place % 2) or mark == 9:
            continue
        best = max(best or 0, weights[place])
    return best


def test_core_reads_like_python():
    assert (
        python_text(open_core(scores))
        == """\
def scores(board, weights):
    best = None
    t1 = enumerate(board)
    for t2 in t1:
        t3 = unpack(t2, 2)
        place = t3[0]
        mark = t3[1]
        block next1:
            block if1:
                block if2:
                    t4 = 0 < mark
                    if t4:
                        t5 = mark <= 2
                        if t5:
                            t6 = place % 2
                            if not t6:
                                leave if2
                    t7 = mark == 9
                    if not t7:
                        leave if1
                leave next1
            t8 = best
            if not t8:
                t8 = 0
            t9 = weights[place]
            best = max(t8, t9)
    return best"""
    )


def test_the_text_of_any_core_is_printed():
    for function in every_function():
        assert python_text(function).startswith(f"def {function.name if function.name.isidentifier() else 'function'}(")


# Refusals -------------------------------------------------------------------------------------------------------------


def opens(path):
    with open(path):
        return 1


def assigns_a_global(a):
    global COUNT
    COUNT = a


def receives():
    got = yield 1
    return got


def returns_from_a_generator(a):
    yield a
    return a


def has_a_class():
    class Inner:
        len("made")

    return Inner


def has_a_class_of_what_changes(a):
    class Inner:
        def value(self):
            return a

    a += 1
    return Inner().value()


def looks_at_its_variables(a):
    return locals()


def chooses_an_exception(a):
    try:
        return a
    except ValueError if a else KeyError:  # noqa: B030
        return 1


async def waits(a):
    return await a


def decorates(a):
    @property
    def inner():
        return a

    return inner


REFUSED = {
    opens: "`with` is not compiled",
    assigns_a_global: "COUNT is assigned, but is not a variable of this function",
    receives: "the value of a `yield` is not compiled",
    returns_from_a_generator: "a generator that returns a value is not compiled",
    has_a_class: "the class Inner inside a function does more than define methods and constants",
    has_a_class_of_what_changes: "the class Inner inside a function uses a, whose value may change",
    looks_at_its_variables: r"locals\(\) looks at the variables of the function",
    chooses_an_exception: "`except` with a condition is not compiled",
    waits: "`async def` is not compiled",
    decorates: "the inner function inner has a decorator, which is not compiled",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_what_has_no_form_in_core_is_refused_with_its_line(function):
    with pytest.raises(Refused, match=rf"^test_front\.py:\d+: {REFUSED[function]}") as caught:
        open_core(function)
    code = function.__code__
    assert caught.value.line[0] == code.co_filename
    assert code.co_firstlineno <= caught.value.line[1] < code.co_firstlineno + 7


def test_a_function_without_source_is_refused():
    space = {}
    exec("def made(a): return a", space)  # noqa: S102
    with pytest.raises(Refused, match=r"the source of made cannot be found"):
        open_core(space["made"])


def test_a_function_whose_file_has_changed_is_refused(tmp_path):
    file = tmp_path / "rules.py"
    module = types.ModuleType("rules")
    for text in ("def rule(a):\n    return a + 1\n", "def rule(a):\n    return a + 2\n"):
        file.write_text(text)
        if "+ 1" in text:
            exec(compile(text, str(file), "exec"), module.__dict__)  # noqa: S102
    with pytest.raises(Refused, match=r"^rules\.py:1: the source of rule has changed since it was imported$"):
        open_core(module.rule)


def test_each_of_several_lambdas_on_a_line_is_found():
    found = [lambda a: a + 1, lambda a: (lambda b: a + b)(2), lambda a, b=3: a * b]
    inner = (lambda: lambda c: c)()
    for function in [*found, inner]:
        assert core_of(function)(5) == function(5)


def nested(depth):
    return "a" if depth == 0 else f"({nested(depth - 1)} + a * {depth})"


def function_of(text, name="made"):
    return programs.made(name, text.replace("def made", "def program"))


@pytest.mark.slow
def test_core_is_made_in_time_linear_in_the_length():
    def calls(lines):
        body = "\n".join(f"    x{i} = (a + x{max(i - 1, 0)}) * {i} if x{i // 2} > {i} else -a" for i in range(1, lines))
        function = function_of(f"def made(a):\n    x0 = a\n{body}\n    return x{lines - 1}\n", f"long {lines}")
        counted = cProfile.Profile()
        counted.runcall(open_core, function)
        return sum(each.callcount for each in counted.getstats())

    calls(100)
    assert calls(1200) < 6 * calls(300)


def test_deep_nesting_is_core_or_refused():
    assert core_of(function_of(f"def made(a):\n    return {nested(60)}\n", "deep 60"))(1) == 1 + sum(range(61))
    for depth in (1500, 20000):
        text = "def made(a):\n    return " + " + ".join(["a"] * depth) + "\n"
        try:
            open_core(programs.made(f"deep {depth}", text.replace("made", "program")))
        except (Refused, MemoryError, RecursionError) as error:  # Python itself may not be able to compile it
            assert not isinstance(error, Refused) or "nested too deeply" in str(error)  # noqa: PT017


def test_every_node_of_the_language_has_a_rule_or_a_refusal():
    from ggp.compiler.front import NAMES, PATTERNS, STATEMENTS, VALUES

    inside = {"Starred", "MatchStar"}  # parts of others
    for base, table in ((ast.expr, VALUES), (ast.stmt, STATEMENTS), (ast.pattern, PATTERNS)):
        classes = [each for each in base.__subclasses__() if each.__module__ == "ast" and each.__name__[0].isupper()]
        assert [each.__name__ for each in classes if each not in table | NAMES and each.__name__ not in inside] == []
