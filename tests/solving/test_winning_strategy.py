"""Winning strategies: the proof over the opening, the book that it becomes, and the command that makes it."""

import pytest
from ggp_solve.proof.winning_strategy import WinningStrategy, require_strategy

import ggp
from ggp import opening_book as book
from ggp.cli import main
from ggp.errors import UnsupportedGameError
from ggp.game import MAX, MIN

REGISTRY = ggp.load_registry()
FOUR = REGISTRY.game("connectfour")
NIM = REGISTRY.game("nim", heaps=(1, 2, 4))
SMALL = REGISTRY.game("connectfour", width=5, height=4, connect=3)


def strategy(game, side=MAX, nodes=1, **parameters):
    made = WinningStrategy(REGISTRY, game, game.initial_state(), side, nodes, **parameters)
    made.run()
    return made


def test_whoever_follows_it_wins_against_every_reply():
    made = strategy(NIM)
    assert made.wins
    moves, waiting, seen = dict(made.lines()), [NIM.initial_state()], set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        if NIM.terminal_test(state):
            assert NIM.utility(state, MAX) == 1
        elif NIM.to_move(state) == MIN:
            waiting += [NIM.result(state, each) for each in NIM.actions(state)]
        elif state in moves:
            waiting.append(NIM.result(state, moves[state]))
    assert len(moves) > 1


def test_it_ends_where_a_search_proves_the_win_within_the_nodes():
    assert list(strategy(NIM, nodes=100_000).lines()) == []


def test_the_side_that_does_not_win_has_none():
    assert strategy(NIM, MIN).wins is False


def test_what_was_tried_before_is_not_tried_again():
    first = strategy(NIM)
    calls = []
    again = strategy(NIM, tried=dict(first.tried), keep=lambda: calls.append(1))
    assert again.wins
    assert calls == []


@pytest.mark.parametrize(("name", "why"), [("pig", "is a game of chance"), ("kalah", "wins of more than one value")])
def test_a_game_without_such_a_book_is_refused(name, why):
    with pytest.raises(UnsupportedGameError, match=why):
        require_strategy(REGISTRY.game(name))


def test_the_book_is_that_of_the_strategy(tmp_path, capsys):
    path = tmp_path / "book"
    option = ["--option", "width=5", "--option", "height=4", "--option", "connect=3"]
    assert main(["book", "make", "connectfour", *option, "--nodes", "20", "--output", str(path)]) == 0
    assert "X wins:" in capsys.readouterr().out
    for state, action in strategy(SMALL, nodes=20).lines():
        assert book.look(path, SMALL, state) == book.BookEntry(1.0, (action,))


def test_a_mirrored_position_has_the_mirrored_move(tmp_path):
    states = [FOUR.parse_state(moves) for moves in ("4412", "4476")]
    book.add_strategy(tmp_path / "book", FOUR, 1, [(FOUR.canonical(states[0]), 2)])
    found = [book.look(tmp_path / "book", FOUR, each).actions for each in states]
    assert sorted(found) == [(2,), (4,)]


def test_a_draw_or_a_loss_makes_no_book(tmp_path, capsys):
    command = ["book", "make", "tictactoe", "--output", str(tmp_path / "book")]
    assert main(command) == 1
    assert "X does not win" in capsys.readouterr().err
    assert not (tmp_path / "book").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nim", "--side", "third"], "there is no side 'third': the sides are first and second"),
        (["tictactoe", "--moves", "1,4,2,5,3"], "the game is over: there is nothing to play"),
    ],
)
def test_what_cannot_be_made_is_refused(arguments, said, tmp_path, capsys):
    assert main(["book", "make", *arguments, "--output", str(tmp_path / "book")]) == 2
    assert said in capsys.readouterr().err


def test_the_command_goes_on_from_its_attempts(tmp_path, capsys):
    path = tmp_path / "book"
    command = ["book", "make", "nim", "--option", "heaps=1,2,4", "--nodes", "1", "--output", str(path)]
    assert main([*command, "--seconds", "0"]) == 1
    assert "goes on from" in capsys.readouterr().err
    assert (tmp_path / "book.attempts").exists()
    assert main(command) == 0
    assert [each.name for each in tmp_path.iterdir()] == ["book"]
