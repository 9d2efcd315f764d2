"""Collections of puzzles: each shipped puzzle has exactly one winning move, and there is one for every day."""

import functools
import pathlib
from itertools import pairwise

import attrs
import pytest
from ggp_search.constants import MAX_PLIES
from ggp_search.engine.driver import prepare
from ggp_solve.proof.prover import new_prover
from ggp_solve.solver import Solver
from ggp_solve.tablebases import build

import ggp
from ggp.game import MAX
from ggp.play import puzzle
from ggp.play.controller import analyst

REGISTRY = ggp.load_registry()
SHIPPED = sorted(path.stem for path in pathlib.Path(__file__).parents[2].glob("games/*/*/puzzles/*.jsonl"))
AT_LEAST_40 = (
    *("awari", "breakthrough", "checkers", "connectfour", "domineering"),
    *("dotsandboxes", "hex", "kalah", "morris", "othello"),
)


@pytest.mark.parametrize("name", AT_LEAST_40)
def test_a_collection_has_40_puzzles_that_differ_with_grade_theme_and_explanation(name):
    game = REGISTRY.game(name)
    found = puzzle.collection(REGISTRY, game)
    assert len({ggp.capabilities.canonical(game)(each.state) for each in found}) >= 40
    for each in found:
        assert each.depth >= 1
        assert each.theme
        assert puzzle.explanation(game, each).startswith(game.format_action(each.state, each.action))
        assert len(list(game.actions(each.state))) >= puzzle.FEWEST


@pytest.mark.parametrize("name", SHIPPED)
def test_there_is_a_puzzle_on_each_of_the_next_400_days(name):
    game = REGISTRY.game(name)
    assert puzzle.collection(REGISTRY, game)
    days = [puzzle.puzzle(REGISTRY, game, puzzle.today() + day) for day in range(400)]
    assert all(one.state != other.state for one, other in pairwise(days))
    assert days[0].number == puzzle.today()


NEVER = {"einstein", "pig", "pancakes", "pong-hau-ki", "fig52"}
"""Games without puzzles: of chance, for one player, or with too few moves to choose from."""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*REGISTRY.games} - {*SHIPPED}))
def test_other_games_have_a_puzzle_on_each_of_the_next_400_days_or_never(name):
    game = REGISTRY.game(name)
    if name in NEVER:
        with pytest.raises(ggp.GGPError, match=f"of {name}: no position was found in which exactly one move wins"):
            puzzle.puzzle(REGISTRY, game, puzzle.today())
        return
    moves = wins_by_recursion(game)
    days = {puzzle.puzzle(REGISTRY, game, puzzle.today() + day) for day in range(400)}
    assert [each for each in days if moves(each.state) != [each.action]] == []


def wins_by_recursion(game):
    """Return a function from a state to the moves that win, by the rules alone."""

    @functools.cache
    def value(state):
        if game.terminal_test(state):
            return game.utility(state, MAX)
        best = max if game.to_move(state) == MAX else min
        return best(value(game.result(state, action)) for action in game.actions(state))

    def found(state):
        sign = 1 if game.to_move(state) == MAX else -1
        return [action for action in game.actions(state) if sign * value(game.result(state, action)) > 0]

    return found


EXPLAINED = {
    "a capture": (
        *("hexapawn", 1, "b3xa2 captures a piece; then White b1-b2; then Black a2-a1, which ends the game. "),
        "In 2 moves Black captures a piece and wins.",
    ),
    "extra turns": (
        *("dotsandboxes", 2, "b1-b2 gains 1 box and moves again; then second b1-c1 (gains 1 box and moves again); "),
        *("then second c2-d2; then first d1-d2 (gains 1 box and moves again). ",),
        "In 7 moves second gains 6 boxes, has 5 extra turns and wins 6 : 3. Theme: extra turn.",
    ),
    "a threat": (
        *("morris", 5, "a3 threatens to win at once, and only 1 of 5 replies prevents it; then White c1; "),
        "then Black c3; then White b1-a1. In 3 moves Black wins. Theme: quiet move.",
    ),
    "a quiet move": (
        *("hex", 1, "d2 is a quiet move; then X a1; then O e2; then X b1. "),
        "In 3 moves O wins. Theme: quiet move.",
    ),
    "a line without an end": (
        *("checkers", 1, "17-14 leaves only one reply; then Black 13-17; then White 14-9; then Black 17-21. "),
        "The win is proved 43 plies deep. Theme: forced reply.",
    ),
}


@pytest.mark.parametrize("case", EXPLAINED)
def test_an_explanation_tells_what_the_line_does(case):
    name, number, *words = EXPLAINED[case]
    game = REGISTRY.game(name)
    assert puzzle.explanation(game, puzzle.puzzle(REGISTRY, game, number)) == "".join(words)


ENDGAME = ".b...b../......../......../......../......../......../......../..w...w. b 0"
"""The puzzles of checkers are from endgames that begin here."""


def winning_moves(name):
    """Return a function from a state to the moves that win, by a proof of another kind than that of the puzzles' maker:
    searches to the end of the game, or a table of all positions where positions can come back.
    """
    game = REGISTRY.game(name)
    if name == "awari":
        return from_table(build(game, 11))
    if name in ("checkers", "morris"):
        # Whoever wins within 80 plies wins before the moves of kings are counted out; whoever never wins does not.
        game = attrs.evolve(game, patience=0) if name == "checkers" else game
        table = Solver(game, game.parse_state(ENDGAME) if name == "checkers" else game.initial_state())
        table.run()
        return from_table(table)
    if name == "breakthrough":  # a search that does not deepen is lost in long lines
        return lambda state: by_values(game, state)
    prover = new_prover(game, game.initial_state())
    return lambda state: by_questions(game, prover.engine, state)


def from_table(table):
    def found(state):
        sign = 1 if table.game.to_move(state) == MAX else -1
        wins = [choice for choice in table.choices(state) if sign * choice.middle > 0]
        assert all(choice.distance is None or choice.distance < 80 for choice in wins)
        return [choice.action for choice in wins]

    return found


def by_values(game, state):
    found = analyst(REGISTRY, game).analyse(game, state, ggp.Limits(nodes=3_000_000))
    assert found.exact
    sign = 1 if game.to_move(state) == MAX else -1
    return [action for action, value in found.values.items() if sign * value > 0]


def by_questions(game, engine, state):
    prepare(ggp.Limits())
    engine.counter.limit, is_max, wins = engine.counter.nodes + 30_000_000, game.to_move(state) == MAX, []
    for action in game.actions(state):
        child = game.result(state, action)
        if game.terminal_test(child):
            value = game.utility(child, MAX)
        else:
            value = engine.within(child, MAX_PLIES, *((0, engine.above(0)) if is_max else (engine.below(0), 0)))
        if value > 0 if is_max else value < 0:
            wins.append(action)
    return wins


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_each_shipped_puzzle_has_exactly_one_winning_move(name, monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "auto")  # other tests of this folder are interpreted
    moves = winning_moves(name)
    found = puzzle.collection(REGISTRY, REGISTRY.game(name))
    assert [each.number for each in found if moves(each.state) != [each.action]] == []


def test_a_file_that_holds_no_puzzles_is_refused():
    game = REGISTRY.game("tictactoe")
    with pytest.raises(ggp.GGPError, match="line 1 is not a puzzle of tictactoe"):
        puzzle.read_puzzles(game, '{"state": "nonsense"}')
