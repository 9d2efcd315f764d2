"""Where games begin."""

import pytest

import ggp
from ggp.experiments import even_starts, random_starts, read_starts
from ggp.experiments.starts import LONGEST_WALK, unevenness


@pytest.fixture
def kalah(registry):
    return registry.game("kalah")


def test_starts_are_different_and_the_same_for_the_same_seed(kalah):
    starts = random_starts(kalah, kalah.initial_state(), 300, 4, 1)
    assert len(set(starts)) == 300
    assert starts == random_starts(kalah, kalah.initial_state(), 300, 4, 1)
    assert starts != random_starts(kalah, kalah.initial_state(), 300, 4, 2)
    assert all(kalah.format_state(kalah.parse_state(text)) == text for text in starts)


def test_starts_are_so_many_plies_away(kalah):
    assert random_starts(kalah, kalah.initial_state(), 2, 0, 0) == (kalah.format_state(kalah.initial_state()),) * 2
    after_one = {
        kalah.format_state(kalah.result(kalah.initial_state(), action))
        for action in kalah.actions(kalah.initial_state())
    }
    assert set(random_starts(kalah, kalah.initial_state(), 50, 1, 0)) == after_one


def test_too_few_starts_come_again_in_the_same_order(kalah):
    starts = random_starts(kalah, kalah.initial_state(), 20, 1, 0)
    assert starts[:6] == starts[6:12] == starts[12:18]


def test_without_a_number_of_plies_starts_are_longer_where_there_are_too_few(registry):
    tictactoe = registry.game("tictactoe")
    starts = random_starts(tictactoe, tictactoe.initial_state(), 1500, None, 0)
    assert len(set(starts)) == 1500
    assert {9 - start.count(".") for start in starts} == {4, 5}


def test_starts_may_begin_with_fewer_plies_as_long_as_there_are_enough(registry):
    tictactoe = registry.game("tictactoe")

    def stones(number):
        starts = random_starts(tictactoe, tictactoe.initial_state(), number, None, 0, fewest=1)
        return {9 - start.count(".") for start in starts}

    assert stones(9) == {1}
    assert stones(10) == {1, 2}


def test_without_a_number_of_plies_a_short_game_has_shorter_starts(registry):
    fig52 = registry.game("fig52")
    assert set(random_starts(fig52, "A", 10, None, 0)) == {"B", "C", "D"}


def test_a_player_is_to_move_at_every_start(registry):
    pig = registry.game("pig")
    starts = [pig.parse_state(text) for text in random_starts(pig, pig.initial_state(), 100, 3, 0)]
    assert {pig.to_move(state) for state in starts} == {ggp.MAX, ggp.MIN}
    assert not any(pig.terminal_test(state) for state in starts)


def test_more_plies_than_the_game_has_are_refused(registry):
    fig52 = registry.game("fig52")
    with pytest.raises(
        ggp.UsageError, match="fig52 has no start position 2 plies after A: every random game from there is over"
    ):
        random_starts(fig52, "A", 1, 2, 0)


def test_starts_are_read_from_a_file(kalah, tmp_path):
    file = tmp_path / "starts.txt"
    text = "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S"
    file.write_text(f"# openings\n\n{text}\nmoves C, F\nmoves C\n")
    after = kalah.format_state(kalah.result(kalah.parse_state(text), kalah.parse_action(kalah.parse_state(text), "F")))
    assert read_starts(kalah, kalah.initial_state(), file) == (text, after, text)
    assert read_starts(kalah, kalah.initial_state(), file, 5) == (text, after, text, text, after)
    assert read_starts(kalah, kalah.initial_state(), file, 1) == (text,)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"A\nX\n", "starts.txt, line 2: 'X' is not"),
        (b"moves a3, a1\n", "starts.txt, line 1: "),
        (b"moves a1, b1, x\n", "starts.txt, line 1: 'x' cannot be played in B1: the game is over there"),
        (b"A\nB1\n", "starts.txt, line 2: no game can begin in B1, where the game is over"),
        (b"# nothing\n\n", "starts.txt has no start positions; write each one on a line of its own"),
        (b"\xff\xfe", "starts.txt cannot be read: it is not text in UTF-8"),
    ],
)
def test_what_is_no_start_is_told_by_its_line(registry, tmp_path, content, message):
    file = tmp_path / "starts.txt"
    file.write_bytes(content)
    with pytest.raises(ggp.UsageError, match=message):
        read_starts(registry.game("fig52"), "A", file)


def test_a_file_that_is_not_there_is_told(registry, tmp_path):
    with pytest.raises(ggp.UsageError, match=r"none.txt cannot be read: no such file"):
        read_starts(registry.game("fig52"), "A", tmp_path / "none.txt")


def test_a_file_that_is_too_large_is_refused(registry, tmp_path, monkeypatch):
    monkeypatch.setattr("ggp.experiments.starts.LARGEST", 1 << 20)
    file = tmp_path / "starts.txt"
    file.write_bytes(b"A\n" * (1 << 20))
    fig52 = registry.game("fig52")
    with pytest.raises(ggp.UsageError, match=r"starts.txt cannot be read: it is larger than 1 MB"):
        read_starts(fig52, fig52.initial_state(), file)


def test_play_without_end_among_fewer_positions_than_starts_gives_them_again(registry):
    """Pong Hau K'i has 60 positions, and random play of it lasts as long as one likes."""
    ponghauki = registry.game("pong-hau-ki")
    starts = random_starts(ponghauki, ponghauki.initial_state(), 500, None, 0)
    assert len(starts) == 500
    assert 20 <= len(set(starts)) < 60


class Counting:
    """A counter that grows by one for ever."""

    name = "counting"

    def initial_state(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return (1,)

    def result(self, state, action):
        return state + action

    def terminal_test(self, state):
        return False

    def utility(self, state, player):
        return 0


def test_starts_are_no_more_than_so_many_plies_away():
    starts = random_starts(Counting(), 0, 1000, None, 0)
    assert len(set(starts)) == LONGEST_WALK - 3  # from four plies on


def test_even_starts_are_those_with_the_values_nearest_to_a_draw():
    registry = ggp.load_registry()
    kalah = registry.game("kalah", houses=3, seeds=2)
    starts = even_starts(registry, kalah, kalah.initial_state(), 20)
    candidates = random_starts(kalah, kalah.initial_state(), 200)
    exact = registry.searcher("alphabeta")
    values = {each: abs(exact.search(kalah, kalah.parse_state(each)).value) for each in candidates}
    assert [values[each] for each in starts] == sorted(values.values())[:20]
    assert starts == even_starts(registry, kalah, kalah.initial_state(), 20)
    decided = max(values, key=values.get)
    assert unevenness(exact.search(kalah, kalah.parse_state(decided))) == (True, values[decided])
    assert unevenness(exact.search(kalah, kalah.parse_state(starts[0]))) == (values[starts[0]] != 0, values[starts[0]])


def test_starts_that_look_even_are_searched_again_at_machine_speed(monkeypatch):
    registry = ggp.load_registry()
    kalah = registry.game("kalah", houses=3, seeds=2)
    monkeypatch.setenv("GGP_SPEED", "compiled")
    monkeypatch.setattr("ggp.experiments.starts.JUDGED_NODES", 30)
    starts = even_starts(registry, kalah, kalah.initial_state(), 10)
    monkeypatch.setattr("ggp.experiments.starts.JUDGED_AGAIN_NODES", 30)
    quick = even_starts(registry, kalah, kalah.initial_state(), 10)
    exact = registry.searcher("alphabeta")
    sums = [sum(abs(exact.search(kalah, kalah.parse_state(each)).value) for each in found) for found in (starts, quick)]
    assert sums[0] < sums[1]
    monkeypatch.undo()
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setattr("ggp.experiments.starts.JUDGED_AGAIN_NODES", 0)  # a second search would fail
    assert even_starts(registry, registry.game("nim"), registry.game("nim").initial_state(), 2)


def test_a_proof_that_one_player_wins_makes_a_start_less_even_than_any_guess():
    registry = ggp.load_registry()
    kalah = registry.game("kalah", houses=2, seeds=2)
    proved, guessed = (
        registry.searcher("alphabeta").search(kalah, kalah.initial_state(), limits)
        for limits in (ggp.Limits(), ggp.Limits(depth=1))
    )
    assert unevenness(proved) > unevenness(guessed)
    assert not unevenness(guessed)[0]
