"""Opening tables: the proof of their values, the command that makes them, and searchers that read them."""

import functools
import json

import pytest
from ggp_search.book_answer import answer
from ggp_solve.cli import book as command
from ggp_solve.proof import opening_values
from ggp_solve.proof.opening_values import OpeningValues, opening_layers, require_opening_table
from ggp_solve.proof.prover import Prover

import ggp
from ggp import opening_book as book
from ggp import opening_table
from ggp.cli import main
from ggp.errors import BookError, UnsupportedGameError, UsageError
from ggp.game import MAX

REGISTRY = ggp.load_registry()
FOUR = {"width": 4, "height": 4, "connect": 3}
GAMES = {
    "tictactoe": (REGISTRY.game("tictactoe"), 3),
    "connect three, 4x4": (REGISTRY.game("connectfour", **FOUR), 4),
    "margins, with extra turns": (REGISTRY.game("kalah", houses=3, seeds=2), 4),
    "dominoes": (REGISTRY.game("domineering", rows=3, columns=4), 2),
    "over before the last ply": (REGISTRY.game("nim", heaps=(1, 2)), 9),
}
TICTACTOE, TREE = GAMES["tictactoe"][0], REGISTRY.game("fig52")
CONNECT_FOUR = REGISTRY.game("connectfour", width=4, height=4)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")


def minimax(game):
    """The value of any state, from the rules alone."""

    @functools.cache
    def value(state):
        if game.terminal_test(state):
            return game.utility(state, MAX)
        return (max if game.to_move(state) == MAX else min)(
            value(game.result(state, action)) for action in game.actions(state)
        )

    return value


def reached(game, plies):
    """All states of at most so many plies, symmetric ones included."""
    layer, found = {game.initial_state()}, {game.initial_state()}
    for _ in range(plies):
        going = (state for state in layer if not game.terminal_test(state))
        layer = {game.result(state, action) for state in going for action in game.actions(state)}
        found |= layer
    return found


def make(path, *arguments):
    return main(["book", "make", *arguments, "--output", str(path)])


@pytest.mark.parametrize("name", GAMES)
def test_the_values_are_those_of_minimax(name):
    game, plies = GAMES[name]
    opening = OpeningValues(game, opening_layers(game, plies))
    assert opening.run()
    values, true = opening.values(), minimax(game)
    assert values == {state: true(state) for state in values}
    same = ggp.capabilities.canonical(game)
    assert set(values) == {same(state) for state in reached(game, plies)}


@pytest.mark.slow
def test_compiled_proofs_find_the_same_values(monkeypatch):
    monkeypatch.delenv("GGP_SPEED")
    opening = OpeningValues(CONNECT_FOUR, opening_layers(CONNECT_FOUR, 4))
    assert opening.run()
    assert opening.note is None
    values, true = opening.values(), minimax(CONNECT_FOUR)
    assert values == {state: true(state) for state in values}


def test_only_positions_that_the_rules_do_not_decide_are_searched(monkeypatch):
    game, plies = GAMES["connect three, 4x4"]
    asked = []
    prove = Prover.value
    monkeypatch.setattr(Prover, "value", lambda self, state, guess: asked.append(state) or prove(self, state, guess))
    opening = OpeningValues(game, opening_layers(game, plies))
    opening.run()
    assert len(asked) == len(opening.unproved) < len(opening.layers[-1])
    assert not any(game.terminal_test(state) for state in asked)
    assert all(len(set(game.value_bounds(state))) == 2 for state in asked)


def test_the_command_writes_a_table_of_all_positions(tmp_path, capsys):
    path = tmp_path / "openings.table"
    assert make(path, "tictactoe", "--plies", "3") == 0
    assert f"54 positions of at most 3 plies in {path}, {path.stat().st_size} bytes" in capsys.readouterr().out
    openings, true = opening_table.read(path), minimax(TICTACTOE)
    assert (openings.header.plies, openings.header.positions) == (3, 54)
    states = reached(TICTACTOE, 3)
    assert {state: openings.value(TICTACTOE, state) for state in states} == {state: true(state) for state in states}
    assert [each.name for each in tmp_path.iterdir()] == ["openings.table"]


def stopped_after(monkeypatch, proofs, error):
    """Let the proof that comes after so many proofs raise an error."""
    asked = []
    prove = Prover.value

    def value(self, state, guess):
        if len(asked) == proofs:
            raise error
        asked.append(state)
        return prove(self, state, guess)

    monkeypatch.setattr(Prover, "value", value)
    return asked


def test_an_interrupted_command_goes_on_from_its_proofs(tmp_path, capsys, monkeypatch):
    whole, path = tmp_path / "whole", tmp_path / "openings"
    assert make(whole, "tictactoe", "--plies", "3") == 0
    with monkeypatch.context() as patched:
        stopped_after(patched, 5, KeyboardInterrupt())
        assert make(path, "tictactoe", "--plies", "3") == 130
    assert f"goes on from {path}.attempts" in capsys.readouterr().err
    assert not path.exists()
    with monkeypatch.context() as patched:
        asked = stopped_after(patched, 1000, None)
        assert make(path, "tictactoe", "--plies", "3") == 0
    layers = opening_layers(TICTACTOE, 3)
    assert len(asked) == len(layers[-1]) - 5
    assert path.read_bytes() == whole.read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["openings", "whole"]


def test_the_time_given_ends_it(tmp_path, capsys):
    path = tmp_path / "openings"
    assert make(path, "tictactoe", "--plies", "3", "--seconds", "0") == 1
    assert f"not done in the time given: the same command goes on from {path}.attempts" in capsys.readouterr().err
    assert make(path, "tictactoe", "--plies", "3") == 0
    assert [each.name for each in tmp_path.iterdir()] == ["openings"]


def unfinished(path):
    """Stop the command at once; return the content of its record."""
    make(path, "tictactoe", "--plies", "3", "--seconds", "0")
    record = path.with_name(f"{path.name}.attempts")
    return record, json.loads(command.PROVED.read(record))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"values": {"nowhere": 1}}, "is damaged: 'nowhere' cannot have the value 1 there: remove it"),
        ({"values": {"XO./X../...": "x"}}, "is damaged: expected "),
        ({"plies": 4}, "is about another game or number of plies: remove it to begin anew"),
        ({"game": "nim"}, "is about another game or number of plies: remove it to begin anew"),
        ({"parameters": {"k": 2}}, "is about another game or number of plies: remove it to begin anew"),
    ],
)
def test_a_record_that_cannot_be_right_is_refused(change, said, tmp_path, capsys):
    path = tmp_path / "openings"
    record, data = unfinished(path)
    command.PROVED.write(record, json.dumps(data | change).encode())
    assert make(path, "tictactoe", "--plies", "3") != 0
    assert said in " ".join(capsys.readouterr().err.split())
    assert not path.exists()


def test_a_value_beyond_the_bounds_of_the_game_is_refused(tmp_path, capsys):
    path = tmp_path / "openings"
    record, data = unfinished(path)
    state = opening_layers(TICTACTOE, 3)[-1][0]
    values = {TICTACTOE.format_state(state): 7.0}
    command.PROVED.write(record, json.dumps(data | {"values": values}).encode())
    assert make(path, "tictactoe", "--plies", "3") == 1
    assert "cannot have the value 7 there" in capsys.readouterr().err


def test_a_damaged_record_is_refused(tmp_path, capsys):
    path = tmp_path / "openings"
    record, _ = unfinished(path)
    record.write_bytes(record.read_bytes()[:-3] + b"9}\n")
    assert make(path, "tictactoe", "--plies", "3") == 1
    assert "its checksum is wrong: remove it, and make the table from the beginning" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["openings", "openings.attempts"])
def test_a_file_of_another_kind_is_never_overwritten(name, tmp_path, capsys):
    (tmp_path / name).write_text("my notes")
    assert make(tmp_path / "openings", "tictactoe", "--plies", "3") == 1
    assert f"{tmp_path / name} exists and is not a ggp" in capsys.readouterr().err
    assert (tmp_path / name).read_text() == "my notes"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pig"], "pig is a game of chance: the values of an opening table cannot be proved by search"),
        (["morris"], "morris has positions that come back: the values of an opening table cannot be proved by search"),
        (["nim", "--side", "first"], "--side does not work with --plies: a table has all positions from the start on"),
        (["nim", "--nodes", "9"], "--nodes does not work with --plies"),
        (["nim", "--position", "3,4,5 first"], "--position does not work with --plies"),
        (["nim", "--moves", "1:2"], "--moves does not work with --plies"),
    ],
)
def test_what_no_table_can_be_made_of_is_refused(arguments, said, tmp_path, capsys):
    assert make(tmp_path / "openings", *arguments, "--plies", "2") == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_too_many_positions_are_counted(monkeypatch):
    monkeypatch.setattr(opening_values, "MOST_POSITIONS", 20)
    said = "has more than 20 positions of at most 3 plies, and 16 of at most 2: give --plies 2 or less"
    with pytest.raises(UsageError, match=said):
        opening_layers(TICTACTOE, 5)


def test_a_table_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(opening_table, "LARGEST", 100)
    with pytest.raises(UsageError, match="54 positions of tictactoe take 0 MB, and an opening table has at most 0 MB"):
        opening_layers(TICTACTOE, 3)


def test_more_values_than_a_table_can_have_are_refused(monkeypatch):
    monkeypatch.setattr(opening_table, "MOST_VALUES", 1)
    opening = OpeningValues(TICTACTOE, opening_layers(TICTACTOE, 3))
    with pytest.raises(UnsupportedGameError, match="positions of tictactoe have more than 1 different values"):
        opening.run()


def test_a_notation_that_confuses_positions_is_refused(monkeypatch):
    monkeypatch.setattr(type(TICTACTOE), "format_state", lambda self, state: "a board")
    with pytest.raises(UnsupportedGameError, match="writes two different positions in the same way"):
        opening_layers(TICTACTOE, 2)


def test_a_tree_of_figures_has_a_table():
    require_opening_table(TREE)
    opening = OpeningValues(TREE, opening_layers(TREE, 1))
    assert opening.run()
    assert sorted(opening.values().values()) == [2, 2, 3, 3]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    game, plies = GAMES["connect three, 4x4"]
    opening = OpeningValues(game, opening_layers(game, plies))
    opening.run()
    path = tmp_path_factory.mktemp("openings") / "mine"
    opening_table.write(path, game, plies, opening.values())
    return path


def test_searchers_read_a_table_as_they_read_a_book(path):
    game, plies = GAMES["connect three, 4x4"]
    true = minimax(game)
    for state in reached(game, plies - 1):
        if game.terminal_test(state):
            assert book.look(path, game, state) is None
            continue
        best = [action for action in game.actions(state) if true(game.result(state, action)) == true(state)]
        assert book.look(path, game, state) == book.BookEntry(true(state), tuple(best))
        found = answer(path, game, state)
        assert (found.value, found.exact, found.best_actions) == (true(state), True, tuple(best))
    named = REGISTRY.searcher("alphabeta", book=str(path)).search(game, game.initial_state())
    assert named.note == "the result is from the opening book"


def test_behind_the_last_ply_and_in_other_games_a_table_has_no_answer(path):
    game, plies = GAMES["connect three, 4x4"]
    later = reached(game, plies + 1) - reached(game, plies)
    assert {book.look(path, game, state) for state in later} == {None}
    assert book.look(path, CONNECT_FOUR, CONNECT_FOUR.initial_state()) is None
    assert book.look(path, TICTACTOE, TICTACTOE.initial_state()) is None


def test_a_table_that_has_changed_is_read_again_and_a_damaged_one_refused(path, tmp_path):
    game, _ = GAMES["connect three, 4x4"]
    mine = tmp_path / "mine"
    mine.write_bytes(path.read_bytes())
    assert book.look(mine, game, game.initial_state()) is not None
    mine.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(BookError, match="its checksum is wrong"):
        book.look(mine, game, game.initial_state())


def test_nothing_is_added_to_a_table(path, capsys):
    before = path.read_bytes()
    assert main(["solve", "nim", "--book", str(path), "--quiet"]) == 1
    assert f"{path} exists and is not a ggp opening book" in capsys.readouterr().err
    assert path.read_bytes() == before
