"""Opening books: what was proved is found again, and what is damaged is refused."""

import json
import pathlib
import subprocess
import sys

import attrs
import pytest
from ggp_search.book_answer import answer
from ggp_solve.proof.prover import new_prover

import ggp
from ggp import opening_book as book
from ggp.capabilities import play
from ggp.cli import main
from ggp.errors import BookError
from ggp.opening_book import FORMAT

REGISTRY = ggp.load_registry()
NIM, TREE = REGISTRY.game("nim", heaps=(1, 2, 4)), REGISTRY.game("fig52")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setenv("GGP_BOOK", str(tmp_path / "own" / "book.jsonl"))


def proved(game):
    """What is proved of the root, its actions and its line."""
    root = game.initial_state()
    prover = new_prover(game, root, memory=1)
    value = prover.value(root, 0)
    list(prover.line(root, value))
    for action in game.actions(root):
        prover.value(game.result(root, action), value)
    return prover.proved


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "book"
    book.add(path, NIM, proved(NIM))
    return path


def test_the_value_and_the_best_actions_of_the_root_are_found_again(path):
    # 1, 2 and 4 are worth 1 to whoever moves and makes 4 to 3, and only so: 1 xor 2 xor 3 is 0
    entry = book.look(path, NIM, NIM.initial_state())
    assert entry.value == 1
    assert [NIM.format_action(NIM.initial_state(), each) for each in entry.actions] == ["3:1"]


def test_the_values_of_all_actions_are_found_again(path):
    values = proved(NIM)
    for action in NIM.actions(NIM.initial_state()):
        child = NIM.result(NIM.initial_state(), action)
        assert book.look(path, NIM, child).value == values[child][0] == values[child][1]


def test_the_answer_is_best_play_to_the_end(path):
    found = answer(path, NIM, NIM.initial_state())
    end = play(NIM, NIM.initial_state(), found.principal_variation)
    assert (found.action, found.value, found.exact, found.complete) == (found.principal_variation[0], 1, True, True)
    assert NIM.terminal_test(end)
    assert NIM.utility(end, ggp.MAX) == 1
    assert found.note == "the result is from the opening book"


@pytest.mark.parametrize("heaps", [(1, 2, 5), (1, 2, 4, 1)])
def test_another_position_or_variant_is_not_in_it(path, heaps):
    other = REGISTRY.game("nim", heaps=heaps)
    assert book.look(path, other, other.initial_state()) is None
    assert answer(path, other, other.initial_state()) is None


def test_a_game_that_is_over_is_not_in_it(path):
    line = answer(path, NIM, NIM.initial_state()).principal_variation
    assert book.look(path, NIM, play(NIM, NIM.initial_state(), line)) is None


def test_an_action_that_was_proved_too_low_is_not_among_the_best(tmp_path):
    book.add(tmp_path / "b", TREE, proved(TREE))
    entry = book.look(tmp_path / "b", TREE, TREE.initial_state())
    assert (entry.value, [TREE.format_action(TREE.initial_state(), each) for each in entry.actions]) == (3, ["a1"])


def test_games_share_a_book_and_what_is_known_is_not_added_again(path):
    assert book.add(path, TREE, proved(TREE)) > 0
    assert book.add(path, TREE, proved(TREE)) == book.add(path, NIM, proved(NIM)) == 0
    assert book.look(path, NIM, NIM.initial_state()).value == 1
    assert book.look(path, TREE, TREE.initial_state()).value == 3


@pytest.mark.slow
def test_processes_that_add_to_one_book_at_the_same_moment_lose_nothing(tmp_path):
    heaps = ["1,1", "1,2", "2,2"]
    command = [sys.executable, "-W", "error", "-m", "ggp.cli", "solve", "nim", "--quiet", "--book", str(tmp_path / "b")]
    runs = [subprocess.Popen([*command, "--option", f"heaps={each}"], stdout=subprocess.DEVNULL) for each in heaps]  # noqa: S603
    assert [run.wait() for run in runs] == [0] * len(heaps)
    for each in heaps:
        game = REGISTRY.game("nim", heaps=tuple(map(int, each.split(","))))
        assert book.look(tmp_path / "b", game, game.initial_state()) is not None
    assert [file.name for file in tmp_path.iterdir()] == ["b"]


def test_best_actions_are_gathered(tmp_path):
    game = REGISTRY.game("tictactoe")
    root = game.initial_state()
    corner, centre = (game.result(root, game.parse_action(root, each)) for each in "15")
    book.add(tmp_path / "b", game, {root: (0, 0), centre: (0, 1)})
    book.add(tmp_path / "b", game, {root: (0, 0), corner: (0, 1)})
    entry = book.look(tmp_path / "b", game, root)
    assert [game.format_action(root, each) for each in entry.actions] == ["1", "5"]


def test_what_is_not_exact_is_not_added(tmp_path):
    assert book.add(tmp_path / "b", NIM, {NIM.initial_state(): (-1, 1)}) == 0
    assert not (tmp_path / "b").exists()


def test_a_book_that_says_something_else_is_not_written_over(path):
    before = path.read_bytes()
    with pytest.raises(BookError, match=r"/book says that 1,2,4 first of nim is worth 1, but -1 was proved: one"):
        book.add(path, NIM, {NIM.initial_state(): (-1, -1)})
    assert path.read_bytes() == before


def test_the_users_own_book_is_made_where_it_is_wanted_and_may_not_be_there(tmp_path):
    assert book.look("default", NIM, NIM.initial_state()) is None
    book.add("default", NIM, proved(NIM))
    assert (tmp_path / "own" / "book.jsonl").exists()
    assert book.look("default", NIM, NIM.initial_state()).value == 1


def test_without_a_name_the_users_own_book_is_in_the_data_directory(monkeypatch):
    monkeypatch.delenv("GGP_BOOK")
    assert book.default_path().parts[-2:] == ("ggp", "book.jsonl")


def test_a_book_that_is_not_there_or_cannot_be_written_is_told_of(tmp_path):
    with pytest.raises(BookError, match=r"^the opening book .*/none cannot be read: no such file or directory$"):
        book.look(tmp_path / "none", NIM, NIM.initial_state())
    with pytest.raises(BookError, match=r"^the opening book .*/none/b cannot be written: no such file or directory$"):
        book.add(tmp_path / "none" / "b", NIM, proved(NIM))


def with_line(lines, **changed):
    return [lines[0], json.dumps(json.loads(lines[1]) | changed), *lines[2:]]


# How the lines of a book are changed, and what is said of it
CHANGED = {
    "no JSON": (lambda lines: [*lines[:2], "hello"], r"line 3: it is not JSON: malformed: invalid character"),
    "a value too large": (
        lambda lines: [lines[0], lines[1].replace("1.0", "1e999")],
        r"line 2: it is not JSON: number",
    ),
    "a value of no type": (
        lambda lines: with_line(lines, value="1"),
        r"line 2: expected float, got str - at",
    ),
    "a strange entry": (lambda lines: with_line(lines, by="me"), r"line 2: there is no such entry as 'by'$"),
    "a position twice": (lambda lines: [*lines, lines[1]], r"line \d+: 1,2,4 first occurs twice$"),
    "an illegal action": (
        lambda lines: with_line(lines, best=["1:2"]),
        r"cannot be right: '1:2' is not an action in 1,2",
    ),
    "no action": (lambda lines: with_line(lines, best=["x" * 99]), r"cannot be right: 'x{57}\.\.\.' is not an action"),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_damaged_book_is_refused_with_the_line_named(case, path):
    change, said = CHANGED[case]
    lines = path.read_text().splitlines()
    assert json.loads(lines[1])["position"] == "1,2,4 first"
    path.write_bytes(FORMAT.encode(*(f"{line}\n".encode() for line in change(lines)[1:])))
    with pytest.raises(BookError, match=said):
        book.look(path, NIM, NIM.initial_state())


def test_an_action_that_a_lax_notation_lets_through_is_refused(path):
    class Lax(type(NIM)):
        def parse_action(self, state, text):
            return (0, 9)

    lax = Lax(heaps=(1, 2, 4))
    wrong = r"cannot be right: '3:1' is not an action in 1,2,4 first: it is not legal in 1,2,4 first$"
    with pytest.raises(BookError, match=wrong):
        book.look(path, lax, lax.initial_state())


# Bytes of a damaged book
DAMAGED = {
    "cut off": (lambda data: data[:-9], r"is damaged: its checksum is wrong$"),
    "empty": (lambda data: b"", r"is not a ggp opening book, or its first line is damaged$"),
    "another version": (lambda data: data.replace(b":2,", b":1,", 1), r"has version 1, and this ggp reads version 2$"),
    "not UTF-8": (lambda data: FORMAT.encode(b'{"game":"\xff"}'), r"line 2: it is not UTF-8$"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_bytes_are_refused(case, path):
    damage, said = DAMAGED[case]
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BookError, match=said):
        book.look(path, NIM, NIM.initial_state())


def test_a_book_that_is_too_large_is_refused(path, monkeypatch):
    monkeypatch.setattr(book, "FORMAT", attrs.evolve(FORMAT, largest=10))
    book._read.cache_clear()
    with pytest.raises(BookError, match=r"/book cannot be read: it is larger than 0 MB$"):
        book.look(path, NIM, NIM.initial_state())


def test_solve_adds_what_it_proves(tmp_path, capsys):
    path = pathlib.Path(tmp_path / "b")
    assert main(["solve", "nim", "--option", "heaps=1,2,4", "--book", str(path), "--quiet"]) == 0
    capsys.readouterr()
    found = answer(path, NIM, NIM.initial_state())
    assert NIM.terminal_test(play(NIM, NIM.initial_state(), found.principal_variation))


@pytest.mark.parametrize("name", ["alphabeta", "mcts", "flat", "solver"])
def test_a_searcher_that_is_told_to_plays_from_the_book_and_else_searches(name, path):
    with_book, without = REGISTRY.searcher(name, book=str(path)), REGISTRY.searcher(name)
    known = with_book.search(NIM, NIM.initial_state())
    assert (known.action, known.statistics.nodes) == (answer(path, NIM, NIM.initial_state()).action, 0)
    other = REGISTRY.game("nim", heaps=(1, 2, 5))
    assert with_book.search(other, other.initial_state()).statistics.nodes > 0
    assert without.search(NIM, NIM.initial_state()).statistics.nodes > 0
