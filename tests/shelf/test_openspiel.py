"""Random games with OpenSpiel beside us, turn by turn: the moves, who is to move, the board, the end and the returns.

GGP_WALK is how many moves of each game the slow tests compare.
"""

import os
import random
import re
import sys
from collections.abc import Callable, Iterator

import attrs
import pytest

import ggp

if sys.platform == "win32":  # for which there is no OpenSpiel
    pytest.importorskip("pyspiel")
import pyspiel

QUICK, SLOW = 600, int(os.environ.get("GGP_WALK", "10000"))
REGISTRY = ggp.load_registry()

Path = tuple[int, ...]
"""OpenSpiel's actions of one turn: it has an action for each jump of checkers, and one for a man that a mill takes."""
Pairs = Iterator[tuple[object, Path]]
"""Our actions, and what they are there."""


def same_numbers(game, state, other) -> Pairs:
    return ((action, (action,)) for action in game.actions(state))


def same_words(words) -> Callable[..., Pairs]:
    """Actions that OpenSpiel calls what `words` does."""

    def pairs(game, state, other) -> Pairs:
        player = other.current_player()
        numbers = {other.action_to_string(player, each): each for each in other.legal_actions()}
        return ((action, (numbers.get(words(game, state, action)),)) for action in game.actions(state))

    return pairs


def breakthrough_words(game, state, step):
    """There Black moves first, down the page."""
    (a, b), (c, d) = ((game.grid.column(cell), game.rows - game.grid.row(cell)) for cell in step)
    captures = step.target in (state.black if state.mover == ggp.MAX else state.white)
    return f"{'abcdefgh'[a]}{b}{'abcdefgh'[c]}{d}{'*' if captures else ''}"


def checkers_pairs(game, state, other) -> Pairs:
    """By the board that they lead to: of ways that lead to the same one, any."""
    paths = {checkers_board(child): path for path, child in turns(other)}
    boards = {game.format_state(game.result(state, move)).split()[0]: move for move in game.actions(state)}
    assert set(boards) == set(paths)
    return ((move, paths[board]) for board, move in boards.items())


def einstein_pairs(game, state, other) -> Pairs:
    """Outcomes by the face of the die, moves by the board that they lead to."""
    if other.is_chance_node():
        return ((rolled(other, action), (action,)) for action in other.legal_actions())
    paths = {einstein_board(other.child(each)): (each,) for each in other.legal_actions()}
    boards = {action: game.format_state(game.result(state, action)).split()[0] for action in game.actions(state)}
    return ((action, paths.get(board, ())) for action, board in boards.items())


def rolled(other, action):
    return int(re.findall("[0-9]+", other.action_to_string(-1, action))[0])


def kalah_pairs(game, state, other) -> Pairs:
    return ((house, (house + (8 if game.to_move(state) else 1),)) for house in game.actions(state))


def morris_pairs(game, state, other) -> Pairs:
    for move in game.actions(state):
        step = move.end if move.start < 0 else 24 * (move.start + 1) + move.end
        yield move, (step,) if move.taken < 0 else (step, move.taken)


def pig_pairs(game, state, other) -> Pairs:
    """There one has to hold to win, and may hold with nothing at stake."""
    if not other.is_chance_node():
        assert other.legal_actions() == [0, 1]
        return same_numbers(game, state, other)
    assert len(other.legal_actions()) == game.sides
    wins = {face: game.terminal_test(game.result(state, face)) for face in game.actions(state)}
    return ((face, (face - 1, 1) if wins[face] else (face - 1,)) for face in wins)


def single_actions(other):
    return {(action,) for action in other.legal_actions()}


def compared_already(other):
    """Nothing: `pairs` has compared the actions."""


def turns(other):
    """The paths to where the other player is to move, or the game is over; and the states there."""
    player, todo = other.current_player(), [((), other)]
    while todo:
        path, state = todo.pop()
        if path and (state.is_terminal() or state.current_player() != player):
            yield path, state
        else:
            todo += [((*path, action), state.child(action)) for action in state.legal_actions()]


def whole_turns(other):
    return {path for path, _ in turns(other)}


def connectfour_board(other):
    return "/".join(str(other).replace("x", "X").replace("o", "O").split())


def checkers_board(other):
    """There the first player's pieces go up from the bottom."""
    rows = [line[1:] for line in str(other).splitlines()[:8]]
    marks = {"o": "b", "8": "B", "+": "w", "*": "W", ".": "."}
    return "/".join("".join(marks[mark] for mark in row[::-1]) for row in rows[::-1])


def einstein_board(other):
    """There b1 is the first blue stone, w1 the first red one."""
    rows = [re.findall(r"\|(..)\|", line) for line in str(other).splitlines() if "|" in line]
    sign = {"b": "123456", "w": "abcdef"}
    return "/".join("".join("." if c == "__" else sign[c[0]][int(c[1]) - 1] for c in row) for row in rows)


def tictactoe_board(other):
    return str(other).replace("x", "X").replace("o", "O").replace("\n", "/")


def awari_board(other):
    north, south = (line.split() for line in str(other).splitlines()[2:4])
    second, first = re.findall("score = ([0-9]+)", str(other))
    return f"<{','.join(south)};{first};{','.join(north[::-1])};{second}>"


def kalah_board(other):
    """There are North's store, South's houses and store, and North's houses."""
    north, *south = (str(int(each)) for each in other.observation_tensor(0)[:14])
    return f"<6,{','.join([south[6], north, *south[:6], *south[7:]])}>"


@attrs.frozen
class Beside:
    """A game of ours, and what it is in OpenSpiel."""

    ours: str
    theirs: str
    pairs: Callable[..., Pairs] = same_numbers
    options: dict[str, object] = attrs.field(factory=dict)
    board: Callable[..., str] | None = None
    """OpenSpiel's board as we write it, if it prints one."""
    paths: Callable[..., set[Path]] = single_actions
    margin: bool = False
    """Whether OpenSpiel returns the margin; else it returns who has won."""
    until: Callable[..., bool] = lambda state: False
    """Where the rules part: what follows is not compared."""
    capped: bool = False
    """Whether long games end earlier there."""


GAMES = [
    Beside("awari", "oware", board=awari_board, capped=True),
    Beside("breakthrough", "breakthrough", same_words(breakthrough_words)),
    Beside("breakthrough", "breakthrough(rows=6,columns=4)", same_words(breakthrough_words), {"rows": 6, "columns": 4}),
    Beside(
        "checkers",
        "checkers",
        checkers_pairs,
        paths=compared_already,
        until=lambda state: state.kings or state.quiet >= 30,
    ),
    Beside("connectfour", "connect_four", board=connectfour_board),
    *(
        Beside(
            "dotsandboxes",
            f"dots_and_boxes(num_rows={rows},num_cols={columns},utility_margin=true)",
            options={"rows": rows, "columns": columns},
            margin=True,
        )
        for rows, columns in [(1, 1), (2, 2), (3, 2), (4, 4)]
    ),
    Beside("einstein", "einstein_wurfelt_nicht", einstein_pairs, board=einstein_board),
    *(Beside("hex", f"hex(board_size={size})", options={"size": size}) for size in (3, 7, 11)),
    Beside("kalah", "mancala", kalah_pairs, board=kalah_board),
    Beside("morris", "nine_mens_morris", morris_pairs, {"men": 9}, paths=whole_turns, capped=True),
    Beside(
        "nim",
        "nim(pile_sizes=3;4;5,is_misere=false)",
        same_words(lambda _game, _state, a: f"pile:{a[0]}, take:{a[1]};"),
    ),
    Beside("othello", "othello"),
    Beside("pig", "pig(winscore=20)", pig_pairs, paths=compared_already),
    Beside("tictactoe", "tic_tac_toe", board=tictactoe_board),
]


def start(beside, game, other, rng):
    """The first state; there chance places the stones, rolls the die, and says who begins."""
    if beside.theirs != "einstein_wurfelt_nicht":
        return game.initial_state()
    while other.is_chance_node():
        action = rng.choice(other.legal_actions())
        face = rolled(other, action)
        other.apply_action(action)
    return game.parse_state(f"{einstein_board(other)} {['blue', 'red'][other.current_player()]} {face}")


def compare(beside, moves, seed=1):
    """Play random games at both until so many moves are the same."""
    game, rng = REGISTRY.game(beside.ours, **beside.options), random.Random(seed)
    theirs = pyspiel.load_game(beside.theirs)
    compared = ended = 0
    while compared < moves or not ended:
        other = theirs.new_initial_state()
        state = start(beside, game, other, rng)
        while not other.is_terminal() and not beside.until(state):
            assert not game.terminal_test(state), game.format_state(state)
            assert game.to_move(state) == (ggp.CHANCE if other.is_chance_node() else other.current_player())
            pairs = list(beside.pairs(game, state, other))
            assert beside.paths(other) in (None, {path for _, path in pairs}), game.format_state(state)
            action, path = rng.choice(pairs)
            for step in path:
                other.apply_action(step)
            state = game.result(state, action)
            if beside.board and not other.is_terminal():  # which clears some boards there, and others here
                assert game.format_state(state).startswith(beside.board(other))
            compared += 1
        if other.is_terminal() and game.terminal_test(state):
            value = game.utility(state, ggp.MAX)
            assert other.returns()[0] == (value if beside.margin else (value > 0) - (value < 0))
            ended += 1
        else:
            assert beside.until(state) or beside.capped, game.format_state(state)
            ended += beside.until(state)


@pytest.mark.parametrize("beside", GAMES, ids=lambda beside: beside.theirs)
def test_random_games_agree(beside):
    compare(beside, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("beside", GAMES, ids=lambda beside: beside.theirs)
def test_long_walks_agree(beside):
    compare(beside, SLOW, seed=2)
