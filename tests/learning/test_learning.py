"""Learning by temporal differences: networks, training, files of weights, and the evaluation `learned`."""

import json
import math
import os
import signal
import subprocess
import sys
import time

import pytest
from ggp_learn import training as training_module
from ggp_learn.cells import find_own_evaluation
from ggp_learn.training import Training
from ggp_search.learned.evaluation import learned, usable
from ggp_search.learned.state_words import state_type
from ggp_search.learned.weights_file import FORMAT, load_weights
from ggp_search.learned.weights_path import default_path, learned_path

import ggp
from ggp import levels
from ggp.compiler.encoding import flatten
from ggp.compiler.intrinsics import load
from ggp.errors import StoreError, UnknownNameError
from ggp.game import CHANCE, MAX, MIN
from ggp.play.controller import analyst

GAMES = 15
ROUNDED = 0.01
"""What an estimate to play with may differ from what was learned: it is in steps of 1/128, before tanh."""


@pytest.fixture(autouse=True)
def _own_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("GGP_LEARNED", str(tmp_path / "learned"))
    monkeypatch.setattr("ggp_learn.cells.GAMES", 40)  # enough for small boards, and faster


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setenv("GGP_SPEED", "interpreted")


@pytest.fixture(scope="module")
def game():
    return ggp.load_registry().game("tictactoe")


@pytest.fixture
def training(game, interpreted):
    made = Training.begin(game)
    made.run(games=GAMES)
    return made


def states(game):
    """The states of one game, without the last."""
    state, found = game.initial_state(), []
    while not game.terminal_test(state):
        found.append(state)
        state = game.result(state, list(game.actions(state))[-1])
    return found


def test_a_network_that_has_learned_nothing_gives_every_state_the_middle_value(game, interpreted):
    network = Training.begin(game).network
    assert [network.value(state) for state in states(game)] == [0.0] * len(states(game))


def test_following_a_state_bit_by_bit_finds_the_entries_of_its_cells(training, game):
    network, plan = training.network, training.network.plan
    starts = [sum(plan.sizes[:number]) for number in range(len(plan.tuples))]
    kind = state_type(game)
    for state in [*states(game), *reversed(states(game))]:
        network.look(state)
        contents = plan.board.read(flatten(state, kind))
        for slot, (number, cells) in enumerate(plan.images):
            index, stride = starts[number], 1
            for cell in cells:
                index += contents[cell] * stride
                stride *= plan.board.cells[cell].base
            assert load(network.scratch + network.first + 8 * slot) == 8 * index


def test_the_games_own_evaluation_is_an_input(training, game):
    network, own = training.network, training.network.plan.own
    worth = game.evaluations[own.name]
    steps = {}
    for state in states(game):
        network.look(state)
        entry = load(network.scratch + network.last - 8) - network.own_table
        steps[worth(state)] = entry // 8
        assert entry % 8 == 0
        assert entry // 8 == pytest.approx((worth(state) - own.least) / own.width, abs=1)
    assert [steps[value] for value in sorted(steps)] == sorted(set(steps.values()))  # different values, different steps


def test_no_evaluation_and_one_that_is_constant_are_no_input(game):
    assert find_own_evaluation(Pick(), [Pick().initial_state()]) is None
    assert find_own_evaluation(game, [game.initial_state()]) is None


def test_weights_of_an_evaluation_that_the_game_has_no_longer_are_refused(training, game, tmp_path, monkeypatch):
    training.save(tmp_path / "weights")
    monkeypatch.setattr(type(game), "evaluations", {})
    with pytest.raises(StoreError, match=r"had an evaluation 'lines': type `ggp learn tictactoe --to .* --restart`"):
        learned(game, f"learned:{tmp_path / 'weights'}")


def test_after_dice_it_matters_who_moves(interpreted):
    einstein = ggp.load_registry().game("einstein", size=3, side=1)
    network = Training.begin(einstein).network
    roll = einstein.initial_state()
    moved = einstein.result(einstein.result(roll, 1), 0)
    assert einstein.to_move(roll) == einstein.to_move(moved) == CHANCE
    assert [network.set_of(state) for state in (roll, moved)] == [2 + MAX, 2 + MIN]


def test_symmetric_states_have_the_same_value(training, game):
    start = game.initial_state()
    corners = [game.result(start, action) for action in (0, 2, 6, 8)]
    values = [training.network.value(state) for state in corners]
    assert values[0] != 0
    assert values == pytest.approx([values[0]] * 4)


def test_with_the_players_exchanged_a_state_is_worth_as_much_to_the_other_one(interpreted):
    hexapawn = ggp.load_registry().game("hexapawn")
    made = Training.begin(hexapawn)
    made.run(games=GAMES)
    state, exchanged = ((0, 1, 1, 1, 0, 0, 2, 2, 2), MIN), ((1, 1, 1, 2, 0, 0, 0, 2, 2), MAX)
    assert made.network.value(state) == pytest.approx(-made.network.value(exchanged))
    assert made.network.value(state) != 0


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(game, interpreted, tmp_path):
    files = []
    for name, seed in (("one", 0), ("same", 0), ("other", 1)):
        made = Training.begin(game, seed=seed)
        made.run(games=5)
        made.seconds, made.milestones = 0.0, []
        made.save(tmp_path / name)
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1]
    assert files[0] != files[2]


def test_a_training_that_is_interrupted_goes_on_as_if_it_had_not_been(training, game, tmp_path):
    training.save(tmp_path / "half")
    resumed = Training.resume(game, tmp_path / "half")
    assert resumed.games == GAMES
    resumed.run(games=GAMES)
    training.run(games=GAMES)
    assert resumed.games == training.games == 2 * GAMES
    for state in states(game):
        assert resumed.network.value(state) == training.network.value(state)


def test_what_was_learned_is_an_evaluation_of_every_searcher(training, game):
    training.save(default_path(game))
    evaluation = learned(game, "learned")
    child = game.result(game.initial_state(), 4)
    found = (
        ggp.load_registry()
        .searcher("minimax", evaluation="learned")
        .analyse(game, game.initial_state(), ggp.Limits(depth=1))
    )
    assert evaluation(child) == pytest.approx(training.network.value(child), abs=ROUNDED)
    assert found.values[4] == evaluation(child)


def test_a_file_may_be_named(training, game, tmp_path):
    training.save(tmp_path / "mine.ggpw")
    named = learned(game, f"learned:{tmp_path / 'mine.ggpw'}")
    child = game.result(game.initial_state(), 4)
    assert named(child) == pytest.approx(training.network.value(child), abs=ROUNDED)


def test_another_name_is_no_learned_evaluation(game):
    assert learned(game, "mobility") is None


def test_what_nobody_has_learned_is_refused_with_the_command(game):
    with pytest.raises(UnknownNameError, match=r"nothing has been learned about tictactoe .*: `ggp learn tictactoe`"):
        learned(game, "learned")
    small = ggp.load_registry().game("tictactoe", h=4, v=3, k=3)
    with pytest.raises(UnknownNameError, match="`ggp learn tictactoe --option h=4`"):
        learned(small, "learned")


def test_the_first_and_every_other_part_of_a_file_that_is_damaged_is_refused(training, game, tmp_path):
    path = tmp_path / "weights"
    training.save(path)
    content = path.read_bytes()
    for place in (20, 200, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(StoreError, match=r"damaged|is not a ggp learned weights|has version"):
            load_weights(path, game)
    path.write_bytes(content[:-8])
    with pytest.raises(StoreError, match="its checksum is wrong: remove it to start again"):
        load_weights(path, game)


def test_weights_of_another_game_are_refused(training, tmp_path):
    training.save(tmp_path / "weights")
    other = ggp.load_registry().game("hexapawn")
    with pytest.raises(
        StoreError, match=r"has weights of tictactoe h=3 v=3 k=3, not of hexapawn rows=3 .*: type `ggp learn"
    ):
        load_weights(tmp_path / "weights", other)


def test_packed_weights_are_small_and_play_like_the_others(training, game, tmp_path, monkeypatch):
    monkeypatch.setattr("ggp_search.learned.weights_file.SEEN", 0.0)
    training.save(tmp_path / "whole")
    training.save(tmp_path / "packed", packed=True)
    whole, packed = (learned(game, f"learned:{tmp_path / name}") for name in ("whole", "packed"))
    for state in states(game):
        assert packed(state) == pytest.approx(whole(state), abs=0.05)
    assert (tmp_path / "packed").stat().st_size < (tmp_path / "whole").stat().st_size / 5
    with pytest.raises(StoreError, match="is packed for playing: learning cannot continue from it"):
        Training.resume(game, tmp_path / "packed")


def test_packed_weights_that_are_cut_short_are_refused(training, game, tmp_path):
    training.save(tmp_path / "packed", packed=True)
    body = FORMAT.read(tmp_path / "packed")
    FORMAT.write(tmp_path / "packed", body[:-40])
    with pytest.raises(StoreError, match="its number of weights is wrong"):
        learned(game, f"learned:{tmp_path / 'packed'}")


def test_hints_reviews_and_levels_use_what_was_learned(training, game):
    registry = ggp.load_registry()
    assert analyst(registry, game).evaluation == "default"
    before = levels.usual_searcher(registry, game)
    training.save(default_path(game))
    assert analyst(registry, game).evaluation == "learned"
    assert levels.usual_searcher(registry, game) == "alphabeta:evaluation=learned"
    default_path(game).write_bytes(b"nonsense")
    assert analyst(registry, game).evaluation == "default"
    assert levels.usual_searcher(registry, game) == before


def test_weights_that_come_with_a_game_are_found_unless_there_are_own_ones(training, game, tmp_path, monkeypatch):
    package = tmp_path / "package"
    monkeypatch.setattr("importlib.resources.files", lambda name: package)
    assert learned_path(game) is None
    training.save(package / "learned" / default_path(game).name, packed=True)
    assert learned_path(game) == package / "learned" / default_path(game).name
    assert learned(game, "learned") is not None
    training.save(default_path(game))
    assert learned_path(game) == default_path(game)


def test_milestones_have_the_games_played_until_then(training):
    assert [each.games for each in training.milestones] == [GAMES]


def test_the_reward_of_a_won_game_goes_back_to_its_states(game, interpreted):
    training = Training.begin(game)
    training.run(games=150)
    won, lost = (game.parse_state(text) for text in ("XX./OO./...", "XX./OO./..X"))
    assert training.network.value(won) > training.network.value(lost)


@pytest.mark.parametrize("arguments", [("--minutes", "0"), ("--games", "0"), ("--threads", "0"), ("--to", "")])
def test_wrong_options_are_refused_in_a_sentence(arguments, capsys):
    from ggp.cli import main

    assert main(["learn", "tictactoe", *arguments]) == 2
    assert arguments[0] in capsys.readouterr().err


def run(capsys, *arguments):
    from ggp.cli import main

    status = main(list(arguments))
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_command_learns_and_goes_on(capsys, interpreted, game):
    status, out, _ = run(capsys, "learn", "tictactoe", "--games", "5", "--threads", "1", "--json")
    first = json.loads(out)
    assert (status, first["games"], first["symmetries"]) == (0, 5, 8)
    assert first["file"] == str(default_path(game))
    status, out, _ = run(capsys, "learn", "tictactoe", "--games", "5", "--threads", "1")
    assert status == 0
    assert "games       10 (5 of them before)" in out
    status, out, _ = run(capsys, "learn", "tictactoe", "--games", "5", "--threads", "1", "--restart", "--json")
    assert json.loads(out)["games"] == 5


def test_the_command_to_try_what_was_learned_names_the_preferred_searcher(capsys, interpreted):
    options = ("--option", "goal=5", "--games", "5", "--threads", "1")
    status, out, _ = run(capsys, "learn", "pig", *options)
    assert (status, "star1:evaluation=learned,seconds=0.1" in " ".join(out.split())) == (0, True)


def test_a_damaged_file_is_refused_by_the_command(capsys, interpreted, game):
    default_path(game).parent.mkdir()
    default_path(game).write_bytes(b"nonsense")
    status, _, err = run(capsys, "learn", "tictactoe", "--games", "5")
    assert status == 1
    assert "is not a ggp learned weights" in err
    assert "remove it to start again" in err


def test_ctrl_c_keeps_what_was_learned(capsys, interpreted, game, monkeypatch):
    begun = []

    def press(self):
        begun.append(self.games)
        if len(begun) == 3:
            signal.raise_signal(signal.SIGINT)
        return False

    monkeypatch.setattr(Training, "is_due", press)
    status, _, err = run(capsys, "learn", "tictactoe", "--threads", "1", "--quiet")
    assert status == 130
    assert "interrupted: " in err
    assert load_weights(default_path(game), game)[0].games > 0


def test_the_weights_are_saved_even_while_strength_is_measured(game, interpreted, tmp_path, monkeypatch):
    made, path, seen = Training.begin(game), tmp_path / "weights", []

    def measure():
        if seen:  # the last time, after learning
            return
        games, end = load_weights(path, game)[0].games, time.monotonic() + 120
        while load_weights(path, game)[0].games == games and time.monotonic() < end:
            time.sleep(0.01)
        seen.append(load_weights(path, game)[0].games > games)
        made.learner.limit = 0

    monkeypatch.setattr(training_module, "SAVED", 0.01)
    monkeypatch.setattr(made, "is_due", lambda: not seen)
    monkeypatch.setattr(made, "measure", measure)
    made.run(path=path)
    assert seen == [True]


def test_a_file_that_cannot_be_written_any_more_ends_learning(game, interpreted, tmp_path, monkeypatch):
    made = Training.begin(game)
    made.run(games=1)
    (tmp_path / "weights").mkdir()
    monkeypatch.setattr(training_module, "SAVED", 0.01)
    with pytest.raises(StoreError, match="weights"):
        made.run(seconds=60, path=tmp_path / "weights")


def test_a_file_that_has_learned_from_no_game_is_no_evaluation(game, interpreted):
    Training.begin(game).save(default_path(game))
    with pytest.raises(StoreError, match=r"has learned from no game yet: `ggp learn tictactoe` continues"):
        learned(game, "learned")
    assert usable(game) is None
    assert Training.resume(game, default_path(game)).games == 0


@pytest.mark.slow
def test_machine_code_learns_the_same_as_python(game, monkeypatch):
    values = []
    for speed in ("interpreted", "compiled"):
        monkeypatch.setenv("GGP_SPEED", speed)
        made = Training.begin(game)
        made.run(games=GAMES)
        values.append([made.network.value(state) for state in states(game)])
    assert values[0] == values[1]


@pytest.mark.slow
def test_a_compiled_search_evaluates_as_python_does(game):
    training = Training.begin(game)
    training.run(games=2000)
    training.save(default_path(game))
    found = {}
    for speed in ("interpreted", "compiled"):
        searcher = ggp.load_registry().searcher("alphabeta", evaluation="learned", speed=speed)
        found[speed] = searcher.search(game, game.initial_state(), ggp.Limits(depth=4))
    assert found["compiled"].speed == "compiled"
    assert found["compiled"].value == pytest.approx(found["interpreted"].value, rel=1e-12)
    assert found["compiled"].statistics.nodes == found["interpreted"].statistics.nodes


def best_moves(capsys, *learning):
    """Learn tic-tac-toe, and return the share of best moves in 1,000 positions, without search."""
    assert run(capsys, "learn", "tictactoe", "--games", "1000000", "--quiet", *learning)[0] == 0
    player = "alphabeta:evaluation=learned,depth=1"
    status, out, _ = run(capsys, "accuracy", "tictactoe", player, "--positions", "1000", "--json")
    assert status == 0
    return json.loads(out)["players"][0]["best"]


@pytest.mark.slow
def test_tictactoe_is_learned_perfectly(capsys):
    assert best_moves(capsys, "--threads", "1", "--seed", "1") == 1  # one thread: it is the same every time


@pytest.mark.slow
def test_tictactoe_is_learned_as_well_by_two_threads_whatever_their_turns(capsys):
    assert best_moves(capsys, "--threads", "2", "--seed", "1") >= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("name", ["einstein", "pig", "kalah", "pancakes", "checkers"])
def test_games_of_all_kinds_are_learned(capsys, name):
    status, out, err = run(capsys, "learn", name, "--games", "40", "--threads", "2", "--json", "--quiet")
    assert status == 0, err
    told = json.loads(out)
    assert told["games"] == 40
    assert math.isfinite(told["value"])


class Pick:
    """Take the numbers 1 to 5 in turn, from cells that are None once they are empty; whoever has more wins."""

    name = "pick"

    def initial_state(self):
        return (1, 2, 3, 4, 5), 0, MAX

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [place for place in range(5) if state[0][place] is not None]

    def result(self, state, action):
        taken = state[0][action]
        left = tuple(None if place == action else state[0][place] for place in range(5))
        return left, state[1] + (taken if state[2] == MAX else -taken), 1 - state[2]

    def terminal_test(self, state):
        return state[0] == (None, None, None, None, None)

    def utility(self, state, player):
        value = 1 if state[1] > 0 else -1
        return value if player == MAX else -value


def test_states_with_parts_that_may_be_none_are_learned(interpreted):
    game = Pick()
    training = Training.begin(game)
    training.run(games=3)
    state = game.result(game.initial_state(), 0)
    assert math.isfinite(training.network.in_python().value(state))


@pytest.mark.slow
def test_both_speeds_evaluate_states_with_parts_that_may_be_none(tmp_path):
    game = Pick()
    training = Training.begin(game)
    training.run(games=500)
    training.save(tmp_path / "weights")
    found = []
    for speed in ("interpreted", "compiled"):
        searcher = ggp.load_registry().searcher("alphabeta", evaluation=f"learned:{tmp_path / 'weights'}", speed=speed)
        found.append(searcher.search(game, game.initial_state(), ggp.Limits(depth=3)).value)
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.slow
def test_the_first_search_of_a_process_is_compiled(game, tmp_path):
    """The check of its code looks at states in Python, while nothing else can be compiled."""
    training = Training.begin(game)
    training.run(games=20)
    training.save(default_path(game))
    command = ["search", "tictactoe", "--searcher", "alphabeta:evaluation=learned,depth=3,speed=compiled", "--json"]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "ggp", *command],
        env=os.environ | {"GGP_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        timeout=200,
        check=True,
    )
    assert json.loads(done.stdout)["speed"] == "compiled"
