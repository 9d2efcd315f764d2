"""Values of one of several types, such as moves that are a pair of numbers or "pass"."""

import enum
import linecache
import random
from typing import NamedTuple

import attrs
import pytest
from speeds import Outcome, compile_for, compiled, disagreements, interpreted, same

import ggp
from ggp import compiler
from ggp.compiler.encoding import build, flatten
from ggp.compiler.types import join, type_of

MOVES = ("pass", (1, 2), 3, "swap", (0, 0), 0, (2, 1))
PAIRS = tuple((one, other) for one in MOVES for other in MOVES)
SINGLE = tuple((each,) for each in MOVES)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


def kinds(move):
    if isinstance(move, str):
        return len(move) if move in ("pass", "swap") else 0
    if isinstance(move, tuple):
        row, column = move
        return 10 * row + column + len(move) + sum(move)
    return move + 1


def by_pattern(move):
    match move:
        case "pass":
            return -1
        case (row, column):
            return 10 * row + column
        case int():
            return move
        case _:
            return 99


def by_equality(move):
    if move == "pass":
        return 1, move
    if move == 3 or move == 0:
        return 2, move
    if move != "swap":
        row, column = move
        return row + column, move
    return 0, move


def where_it_raises(move):
    row, column = move
    return row + column


def caught(move):
    try:
        return move + 1
    except TypeError:
        return -1


def equalities(one, other):
    return one == other, one != other, (one, 1) == (other, 1), one in (other, "pass"), one in [other, 3], other is None


def kept(one, other):
    row = [one, other, one, "pass", (1, 2)]
    row.append(other)
    found = {one, other}
    table = {one: 1, other: 2}
    table[one] = table.get(one, 0) + 5
    return (
        row.count(one),
        row.index(other),
        len(found),
        one in found,
        "swap" in found,
        len(table),
        table[other],
        row[-1],
    )


def in_known(move):
    return move in ("pass", "draw"), move in {"swap", 3}, move in ((0, 0), (1, 2)), move not in [3, "pass"]


def truth(move):
    return bool(move), not move, "yes" if move else "no"


def chosen(one, other):
    best = one if one != "pass" else other
    for each in (other, one):
        if isinstance(each, int) and isinstance(best, int) and each > best:
            best = each
    return best


def generated(move):
    def found():
        for index in range(3):
            yield (index, index + 1)
            yield index
        yield move

    total = 0
    for each in found():
        if isinstance(each, tuple):
            total += each[0] * each[1]
        elif isinstance(each, int):
            total += each
        else:
            total += 100
    return total, list(found())[-1]


def or_none(one, other):
    last = None
    if one == other:
        last = one
    if last is None:
        return 1, last
    return 2, last, last == "pass"


def fractions(move):
    other = 0.5 if move == 3 else "x" if move == "pass" else (0.5, 1)
    return other, other == 0.5, isinstance(other, float)


def members(move):
    mark = Colour.RED if move == "pass" else move
    return mark is Colour.RED, mark == Colour.BLUE, mark == 3, isinstance(mark, Colour)


class Step(NamedTuple):
    row: int
    column: int

    def turned(self):
        return Step(self.column, self.row)


def fields(move):
    step = (
        Step(3, 4) if move == "pass" else move if isinstance(move, int) else Step(*move) if move != "swap" else "none"
    )
    if isinstance(step, int):
        return step, None
    return (step.row + step.column, step.turned().row) if step != "swap" else None


def letters(move):
    mark = "X" if move == "pass" else 7 if move == 3 else None
    return mark, mark is None, mark == "X", isinstance(mark, str), isinstance(mark, (str, int))


LENGTHS = (("drop", 3), ("move", 1, 2), ("pass",), ("drop", 0), ("move", 3, 2), "stop")
MIXED = tuple((each,) for each in LENGTHS)
MIXED_PAIRS = tuple((one, other) for one in LENGTHS for other in LENGTHS)


def by_length(move):
    match move:
        case ("drop", place):
            return place
        case ("move", place, other):
            return 10 * place + other
        case ("pass",):
            return -1
        case _:
            return -2, move


def unpacked(move):
    if move[0] == "move":
        _, place, other = move
        return 100 * place + 10 * other + move[-1], len(move), len(move[1:])
    kind, *rest = move
    return 0, len(rest), kind == "drop"


def of_no_such_length(move):
    try:
        kind, place = move
    except ValueError:
        return len(move)
    return kind, place, move[2]


def compared(one, other):
    return (
        one == other,
        one != other,
        one in (("drop", 3), ("pass",)),
        one == ("move", 1, 2),
        {one: 1}.get(other),
        len({one, other}),
    )


@pytest.mark.parametrize(
    ("function", "rows"),
    [
        (by_length, MIXED), (unpacked, MIXED[:-1]), (of_no_such_length, MIXED[:3]), (compared, MIXED_PAIRS),
        (kinds, SINGLE), (by_pattern, SINGLE), (by_equality, SINGLE), (where_it_raises, SINGLE), (caught, SINGLE),
        (equalities, PAIRS), (kept, PAIRS), (in_known, SINGLE), (truth, SINGLE), (chosen, PAIRS), (generated, SINGLE),
        (or_none, PAIRS), (fractions, SINGLE), (members, SINGLE), (letters, SINGLE),
        (fields, SINGLE),
    ],
)  # fmt: skip
def test_both_speeds_agree(function, rows):
    assert disagreements(function, rows) == []


@pytest.mark.parametrize(
    "values",
    [
        (1, (1,)), ("X", 1), (0.5, ""), ("pass", (1, 2), 7), (None, (1, 2), 3), (None, "pass", (1, None)),
        (Colour.BLUE, (1, Colour.RED), "pass", 3), ((1, "a"), (1, (2, 3))), (True, "X"),
        (("drop", 1), ("move", 1, 2), "pass", ("pass",)),
    ],
)  # fmt: skip
def test_a_value_of_several_types_comes_back_from_its_words(values):
    kind = type_of(values[0])
    for each in values[1:]:
        kind = join(kind, type_of(each))
    for each in values:
        assert build(iter(flatten(each, kind)), kind) == each
    words = [tuple(flatten(each, kind)) for each in values]
    assert len({*words}) == len(values)
    assert len({*map(len, words)}) == 1


@pytest.mark.parametrize("values", [(1, (1,), (1, 2)), ("pass", (1, 2), (1, 2, 3))])
def test_tuples_of_different_lengths_are_no_several_types(values):
    with pytest.raises(compiler.NotRepresentable, match=r"tuple.* and tuple.* have no common type"):
        join(join(type_of(values[0]), type_of(values[1])), type_of(values[2]))


@attrs.frozen
class Passing:
    """Take a cell of a board of two rows, or pass; after two passes, or on a full board, who has more cells wins."""

    name = "passing"
    columns: int = 3

    def initial_state(self):
        return ((0,) * (2 * self.columns), ggp.MAX, None)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        for index, cell in enumerate(state[0]):
            if cell == 0:
                yield divmod(index, self.columns)
        yield "pass"

    def result(self, state, action):
        board, player, last = state
        if action == "pass":
            return (board, 1 - player, "over" if last == "pass" else action)
        row, column = action
        index = row * self.columns + column
        return (board[:index] + (player + 1,) + board[index + 1 :], 1 - player, action)

    def terminal_test(self, state):
        return 0 not in state[0] or state[2] == "over"

    def utility(self, state, player):
        board, last = state[0], state[2]
        corner = 1 if isinstance(last, tuple) and last == (0, 0) else 0
        margin = board.count(1) - board.count(2) + corner
        value = (margin > 0) - (margin < 0)
        return value if player == ggp.MAX else -value


@pytest.mark.parametrize("searcher", ["minimax", "alphabeta", "mtdf", "mcts"])
def test_a_game_with_moves_of_two_types_is_searched_alike_at_both_speeds(searcher):
    game, registry = Passing(), ggp.load_registry()
    limits = ggp.Limits(nodes=60) if searcher == "mcts" else ggp.Limits(depth=4)
    for state in (game.initial_state(), game.result(game.initial_state(), "pass"), ((1, 2, 0, 0, 1, 0), 1, (0, 1))):
        found = [
            registry.searcher(searcher, speed=speed).search(game, state, limits)
            for speed in ("interpreted", "compiled")
        ]
        one, other = [(each.action, each.value, each.principal_variation, each.statistics.nodes) for each in found]
        assert one == other


def written(seed):
    """Return the text of a function made at random of what is done with values of several types."""
    chance = random.Random(seed)
    names, lines = ["a", "b"], ["def program(a, b):", "    n = 0"]

    def name():
        return chance.choice(names)

    def value():
        return chance.choice((name(), name(), '"pass"', '"x"', "3", "n % 5", "(1, 2)", "(n % 3, 1)", "-1"))

    def test():
        one = name()
        return chance.choice(
            (f"{one} == {value()}", f"{one} != {value()}", f"isinstance({one}, str)", f"isinstance({one}, tuple)",
             f"isinstance({one}, (int, str))", f"{one} in ({value()}, {value()})", f"{value()} in [{one}, {name()}]",
             f"not {one}", f"({one}, {name()}) == ({value()}, {value()})", f"{one} in {{3, 'pass'}}")
        )  # fmt: skip

    for number in range(chance.randint(4, 9)):
        made = f"v{number}"
        lines += chance.choice(
            (
                [f"    {made} = {value()} if {test()} else {value()}"],
                [f"    {made} = [{name()}, {value()}, {value()}][n % 3]"],
                [f"    {made} = ({value()}, {name()})[n % 2]"],
                [f"    {made} = {value()}", "    for each in [a, b, 3]:", f"        if each != {name()}:",
                 f"            {made} = each"],
                [f"    if {test()}:", f"        n += {number + 1}"],
                [f"    if isinstance({name()}, tuple) or {test()}:", "        n += 10"],
                [f"    n += [{value()}, {name()}, {name()}].count({value()})"],
                [f"    {made} = {name()}", f"    if isinstance({made}, tuple):", f"        n += {made}[0] * {made}[1]",
                 f"    elif isinstance({made}, int):", f"        n += {made}"],
                [f"    {made} = {name()}", f"    if isinstance({made}, tuple):", f"        one, other = {made}",
                 "        n += one - other"],
                [f"    n += len({{{value()}, {name()}, {value()}}})"],
                [f"    {made} = {{{name()}: 1, {value()}: 2}}.get({value()}, 5)", f"    n += {made}"],
                ["    try:", f"        n += {name()} + 1", "    except TypeError:", "        n += 7"],
            )
        )  # fmt: skip
        if f"    {made} = " in "\n".join(lines):
            names.append(made)
    return "\n".join([*lines, f"    return n, {name()}, {name()}"])


def made(seed):
    """Return the function of `written`; its file is known, so that messages have a place."""
    text = written(seed)
    file = f"<several types {seed}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    names = {}
    exec(compile(text, file, "exec"), names)  # noqa: S102  our own text
    return names["program"]


def outcomes(seeds):
    """Return the differences, and how many calls were compared, asked Python, and how many programs were refused."""
    rows = [row for row in PAIRS if row[0] != row[1]][::5]
    found, calls, asked, refused = [], 0, 0, []
    for seed in seeds:
        program = made(seed)
        try:
            code = compile_for(program, PAIRS)
        except compiler.Refused as error:
            refused.append(str(error))
            continue
        for row in rows:
            want, got = interpreted(program, row), compiled(code, row)
            calls += 1
            asked += got == Outcome(error="Fault")
            if got != Outcome(error="Fault") and not same(want, got):
                found.append(f"{seed} {row}: {want} interpreted, {got} compiled")
    return found, calls, asked, refused


def test_both_speeds_agree_on_programs_made_at_random():
    found, calls, asked, refused = outcomes(range(20))
    assert found == []
    assert asked < calls / 20
    assert len(refused) < 2


@pytest.mark.slow
def test_both_speeds_agree_on_many_programs_made_at_random():
    found, calls, asked, refused = outcomes(range(1000, 1400))
    assert found == []
    assert asked < calls / 20
    assert len(refused) < 40
