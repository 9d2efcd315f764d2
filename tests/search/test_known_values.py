"""Games whose values are known: searchers find them."""

import functools
import itertools
import json
import operator
import pathlib
from fractions import Fraction

import pytest

import ggp
from ggp.capabilities import play

DATA = pathlib.Path(__file__).parents[1] / "data"
REGISTRY = ggp.load_registry()
DETERMINISTIC = ["minimax", "alphabeta", "scout", "negascout", "mtdf"]
CHANCE = ["expectiminimax", "star1", "star2"]
SPEEDS = ["interpreted", "compiled"]


def kalah_state(game, board, player):
    """The state of a board given as a flat ring, see tests/data/README.md."""
    houses = len(board) // 2 - 1
    south, north = board[: houses + 1], board[houses + 1 :]
    numbers = [houses, south[-1], north[-1], *south[:-1], *north[:-1]]
    return game.parse_state(f"<{','.join(map(str, numbers))}> {'SN'[player]}")


def solved(most_seeds):
    """The solved positions with so few seeds in their houses."""
    positions = json.loads((DATA / "kalah_solved.json").read_text())
    for position in positions:
        board, houses = position["board"], position["houses"]
        if sum(board) - board[houses] - board[-1] <= most_seeds:
            yield position


def exact_values(position, name, **options):
    game = REGISTRY.game("kalah", houses=position["houses"], capture=position["capture"])
    state = kalah_state(game, position["board"], position["player"])
    found = REGISTRY.searcher(name, **options).analyse(game, state)
    sign = -1 if position["player"] else 1  # theirs are for the player to move
    return found, sign * found.value, {str(house): sign * value for house, value in found.values.items()}


@pytest.mark.parametrize(
    ("name", "most_seeds", "least"),
    [
        pytest.param(*row, marks=pytest.mark.slow)
        for row in (
            ("alphabeta", 12, 40),
            ("alphabeta", 16, 60),
            ("negascout", 12, 40),
            ("mtdf", 12, 40),
            ("scout", 12, 40),
        )
    ],
)
def test_kalah_positions_with_few_seeds_compiled(name, most_seeds, least):
    count = 0
    for position in solved(most_seeds):
        if position["capture"] == "none" and name != "alphabeta":  # such games are long
            continue
        found, value, values = exact_values(position, name, table=4, speed="compiled")
        assert (value, values) == (position["value"], position["move_values"]), position["id"]
        assert found.exact
        count += 1
    assert count > least


@pytest.mark.slow
def test_all_solved_kalah_positions_with_captures_compiled():
    for position in solved(99):
        if position["capture"] == "none":  # such games are long: up to 16 seeds they are above
            continue
        found, value, values = exact_values(position, "alphabeta", table=16, speed="compiled")
        assert (value, values) == (position["value"], position["move_values"]), position["id"]
        assert found.exact


@pytest.mark.parametrize("name", ["alphabeta", "scout"])
def test_kalah_positions_with_few_seeds_interpreted(name):
    for position in solved(7):
        _, value, values = exact_values(position, name, speed="interpreted", table=1)
        assert (value, values) == (position["value"], position["move_values"]), position["id"]


def boards():
    """The boards that are solved in a moment; without captures games are long."""
    for row in json.loads((DATA / "kalah_values.json").read_text()):
        if row["houses"] * row["seeds"] <= (8 if row["capture"] == "none" else 12):
            slow = [pytest.mark.slow] * (row["houses"] * row["seeds"] > 8 and row["id"] != "standard-4-3")
            yield pytest.param(row, id=row["id"], marks=slow)


@pytest.mark.parametrize("row", list(boards()))
def test_kalah_from_the_start(row):
    game = REGISTRY.game("kalah", houses=row["houses"], seeds=row["seeds"], capture=row["capture"])
    speed = (
        "compiled" if row["houses"] * row["seeds"] > 8 else "interpreted"
    )  # which is over before the other has begun
    found = REGISTRY.searcher("mtdf", table=64, speed=speed).analyse(game, game.initial_state())
    assert (found.value, found.exact) == (row["value"], True)
    assert {str(house): value for house, value in found.values.items()} == row["opening_values"]
    end = play(game, game.initial_state(), found.principal_variation)
    assert game.terminal_test(end)
    assert game.utility(end, ggp.MAX) == row["value"]


@pytest.mark.parametrize(
    ("name", "speed"),
    [(name, "interpreted") for name in DETERMINISTIC[1:]]  # minimax is counted in test_known_counts
    + [pytest.param(name, "compiled", marks=[pytest.mark.slow] * (name != "mtdf")) for name in DETERMINISTIC[1:]],
)
def test_tictactoe_is_a_draw(name, speed):
    game = REGISTRY.game("tictactoe")
    found = REGISTRY.searcher(name, speed=speed).search(game, game.initial_state())
    assert (found.value, found.exact, len(found.principal_variation)) == (0, True, 9)


@pytest.mark.parametrize("misere", [False, True])
def test_nim_is_the_xor_rule(misere):
    searcher = REGISTRY.searcher("alphabeta", table=1, speed="interpreted")
    for heaps in itertools.combinations_with_replacement(range(6), 3):
        if not any(heaps):
            continue
        game = REGISTRY.game("nim", heaps=heaps, misere=misere)
        first_wins = functools.reduce(operator.xor, heaps) != 0
        if misere and max(heaps) <= 1:
            first_wins = not first_wins
        assert searcher.search(game, game.initial_state()).value == (1 if first_wins else -1), heaps


@pytest.mark.parametrize("name", DETERMINISTIC)
@pytest.mark.parametrize("speed", SPEEDS)
def test_every_searcher_plays_nim(name, speed):
    game = REGISTRY.game("nim", heaps=(2, 3, 4))
    for heaps in [(1, 2, 3), (2, 3, 4), (1, 1, 0)]:
        state = game.parse_state(f"{','.join(map(str, heaps))} first")
        expected = 1 if functools.reduce(operator.xor, heaps) else -1
        assert REGISTRY.searcher(name, speed=speed).search(game, state).value == expected


@functools.cache
def pig_value(game, state):
    """Pig's value to MAX in rational numbers, by the interpreted rules and no searcher."""
    if game.terminal_test(state):
        return Fraction(game.utility(state, ggp.MAX))
    if game.to_move(state) == ggp.CHANCE:
        outcomes = list(game.outcomes(state))
        total = sum(pig_value(game, game.result(state, outcome)) for outcome, _ in outcomes)
        return total / len(outcomes)
    children = [pig_value(game, game.result(state, action)) for action in game.actions(state)]
    return max(children) if game.to_move(state) == ggp.MAX else min(children)


@pytest.mark.parametrize(
    ("name", "sides", "goal", "speed"),
    [(name, *board, "interpreted") for name in CHANCE for board in ((3, 5), (2, 6))]
    + [pytest.param(name, 3, 5, "compiled", marks=[pytest.mark.slow] * (name != "star2")) for name in CHANCE],
)
def test_pig_is_worth_what_rational_numbers_say(name, sides, goal, speed):
    game = REGISTRY.game("pig", sides=sides, goal=goal, turns=4)
    exact = float(pig_value(game, game.initial_state()))
    for table in (0, 4):
        found = REGISTRY.searcher(name, table=table, speed=speed).analyse(game, game.initial_state())
        assert found.value == pytest.approx(exact, abs=1e-9)
        for action, value in found.values.items():
            expected = float(pig_value(game, game.result(game.initial_state(), action)))
            assert value == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_random_never_beats_alphabeta_at_tictactoe():
    game = REGISTRY.game("tictactoe")
    alphabeta = REGISTRY.searcher("alphabeta", table=1)
    answer = functools.cache(lambda state: alphabeta.search(game, state).action)
    for seed in range(1_000):
        chance = REGISTRY.searcher("random", seed=seed)
        state, ours = game.initial_state(), seed % 2
        while not game.terminal_test(state):
            mine = game.to_move(state) == ours
            state = game.result(state, answer(state) if mine else chance.search(game, state).action)
        assert game.utility(state, ours) >= 0
