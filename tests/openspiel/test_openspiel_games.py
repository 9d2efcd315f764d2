"""OpenSpiel's games as ours, ours as theirs, and their bot as a player."""

import json
import os
import pathlib
import random
import subprocess
import sys

import pytest

import ggp
from ggp.errors import ConformanceError, OptionError, UnknownNameError, UsageError
from ggp.play import make_player, play_game
from ggp.testing.against import compare_games

if sys.platform == "win32":  # for which there is no OpenSpiel
    pytest.importorskip("pyspiel")
import ggp_openspiel
import pyspiel
from ggp_openspiel.games import served

REGISTRY = ggp.load_registry()
PLIES = int(os.environ.get("GGP_WALK", "10000"))
GAMES = served()
LONG = ("othello", "awari", "breakthrough", "checkers")
"""Games of ours whose simulation by OpenSpiel takes longer than two seconds."""
CHEAP = ("connect_four", "pig", "tic_tac_toe", "mancala", "catch")


def agree(name, plies):
    """Play random games at both: the mover, the legal actions, chance, and the returns."""
    game, theirs = REGISTRY.game(f"openspiel:{name}"), pyspiel.load_game(name)
    dice, done = random.Random(name), 0
    while done < plies:
        state, other = game.initial_state(), theirs.new_initial_state()
        while not other.is_terminal() and done < plies:
            assert not game.terminal_test(state)
            assert game.to_move(state) == (ggp.CHANCE if other.is_chance_node() else other.current_player())
            legal = list(game.actions(state))
            if other.is_chance_node():
                assert dict(game.outcomes(state)) == {action: p for action, p in other.chance_outcomes() if p > 0}
            else:
                assert legal == other.legal_actions()
            action = dice.choice(legal)
            if done % 50 == 0:
                assert game.parse_action(state, game.format_action(state, action)) == action
                assert game.parse_state(game.format_state(state)) == state
                assert game.draw(state).split() == game.draw(game.parse_state(game.format_state(state))).split()
            state = game.result(state, action)
            other.apply_action(action)
            done += 1
        if other.is_terminal():
            assert game.terminal_test(state)
            assert game.utility(state, ggp.MAX) == other.returns()[0]
            assert game.utility(state, ggp.MIN) == -game.utility(state, ggp.MAX)
            low, high = game.bounds(state)
            assert low <= game.utility(state, ggp.MAX) <= high


@pytest.mark.parametrize("name", CHEAP)
def test_random_play_agrees(name):
    agree(name, 500)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_play_of_every_game_agrees_at_length(name):
    agree(name, PLIES)


def test_at_least_35_games_run():
    assert len(GAMES) >= 35


REFUSED = {
    "goofspiel": "its players move at the same time",
    "kuhn_poker": "it has hidden information",
    "efg_game": "it has to be made from a file, or from another game",
    "stones_and_gems": "the probabilities of its chance moves are not known",
}


@pytest.mark.parametrize("name", REFUSED)
def test_games_of_another_kind_are_refused_in_a_sentence(name):
    with pytest.raises(UsageError, match=f"openspiel:{name} cannot be played here: {REFUSED[name]}"):
        REGISTRY.game(f"openspiel:{name}")


def test_an_unknown_game_and_a_wrong_parameter_are_refused():
    with pytest.raises(UnknownNameError, match="OpenSpiel has no game 'chesss'"):
        REGISTRY.game("openspiel:chesss")
    with pytest.raises(OptionError, match="openspiel:breakthrough has no option 'size': its options are columns, rows"):
        REGISTRY.game("openspiel:breakthrough", size=3)
    with pytest.raises(OptionError, match="OpenSpiel refuses these parameters"):
        REGISTRY.game("openspiel:nim", pile_sizes="x")


def test_a_search_finds_what_ours_finds():
    ours, theirs = REGISTRY.game("tictactoe"), REGISTRY.game("openspiel:tic_tac_toe")
    alphabeta = REGISTRY.searcher("alphabeta")
    for game in (ours, theirs):
        found = alphabeta.search(game, game.initial_state())
        assert (found.value, found.exact) == (0, True)


def test_a_record_of_their_game_is_replayed_as_that_of_a_stranger():
    from ggp.play.replay import replay

    game = REGISTRY.game("openspiel:breakthrough", rows=4, columns=4)
    players = make_player(REGISTRY, "random:seed=1", game), make_player(REGISTRY, "random:seed=2", game)
    record = play_game(game, players, seed=1)
    assert replay(ggp.load_registry(), record).ending == record.ending


SAME = ["connectfour connect_four", "othello othello", "hex hex", "kalah mancala", "breakthrough breakthrough"]
SAME += ["tictactoe tic_tac_toe", "dotsandboxes dots_and_boxes"]


@pytest.mark.parametrize("pair", SAME)
def test_our_games_agree_with_theirs(pair):
    ours, theirs = pair.split()
    game = REGISTRY.game(ours)
    name, _, rest = game.dialect("openspiel").variant.partition("(")
    assert name == theirs
    other = REGISTRY.parse_game(f"openspiel:{theirs}", dict(each.split("=") for each in rest[:-1].split(",") if each))
    assert compare_games(game, other, 300).plies >= 300


def test_awari_agrees_with_oware_until_one_has_more_than_half_of_the_seeds():
    game, theirs = REGISTRY.game("awari", repeated="own"), pyspiel.load_game("oware(num_seeds_per_house=4)")
    assert game.dialect("openspiel").variant == str(theirs)
    dice, ends = random.Random(1), set()
    for _ in range(60):
        state, there, seen = game.initial_state(), theirs.new_initial_state(), set()
        while not there.is_terminal():
            assert list(game.actions(state)) == there.legal_actions()
            seen.add(state)
            action = dice.choice(there.legal_actions())
            state = game.result(state, action)
            there.apply_action(action)
        end = "repeated" if state in seen else "over" if game.terminal_test(state) else "decided"
        lead = {"repeated": game.repetition, "over": lambda at: game.utility(at, ggp.MAX), "decided": game.score}[end]
        assert (lead(state) > 0) - (lead(state) < 0) == there.returns()[0]
        assert end != "decided" or max(state.south, state.north) > 24
        ends.add(end)
    assert ends == {"repeated", "over", "decided"}
    assert REGISTRY.game("awari", grand_slam="capture").dialect("openspiel") is None


def test_their_bot_goes_on_where_openspiel_has_ended_the_game():
    game = REGISTRY.game("awari")
    players = [make_player(REGISTRY, each, game) for each in ("random:seed=1", "openspiel-mcts:simulations=30,seed=5")]
    record = play_game(game, players, seed=1)
    assert record.ending.how in ("finished", "repetition")
    states = [game.initial_state()]
    for move in record.moves:
        states.append(game.result(states[-1], game.parse_action(states[-1], move.action)))
    assert max(states[-3].south, states[-3].north) > 24


def test_checkers_agrees_with_theirs_until_40_moves_without_a_capture():
    game, dice = REGISTRY.game("checkers"), random.Random(2)
    dialect, theirs, several, ends = game.dialect("openspiel"), pyspiel.load_game("checkers"), 0, []
    for _ in range(30):
        state, there, quiet = game.initial_state(), theirs.new_initial_state(), 0
        while not there.is_terminal():
            ways = {action: dialect.action(state, action).split(",") for action in game.actions(state)}
            firsts = {way[0] for way in ways.values()}
            assert firsts == {there.action_to_string(each) for each in there.legal_actions()}
            action = dice.choice(list(ways))
            assert there.current_player() == state.mover
            for word in ways[action]:
                there.apply_action(there.string_to_action(word))
            several += len(ways[action]) > 1
            quiet = 0 if action.captured else quiet + 1
            state = game.result(state, action)
        won = game.utility(state, ggp.MAX) if game.terminal_test(state) else 0
        ends.append((won, there.returns()[0], quiet >= 40))
    assert several > 20
    assert {(won, theirs, drawn) for won, theirs, drawn in ends} <= {(1, 1, False), (-1, -1, False), (0, 0, True)}
    assert len(set(ends)) == 3
    assert REGISTRY.game("checkers", patience=0).dialect("openspiel") is None


def test_their_bot_plays_whole_captures_of_checkers():
    game = REGISTRY.game("checkers")
    bot = make_player(REGISTRY, "openspiel-mcts:simulations=20,seed=5", game)
    record = play_game(game, (bot, make_player(REGISTRY, "random:seed=4", game)), seed=1)
    assert record.ending.how == "finished"
    state, captured = game.initial_state(), []
    for move in record.moves:
        action = game.parse_action(state, move.action)
        if state.mover == ggp.MAX:
            captured.append(action.captured.bit_count())
        state = game.result(state, action)
    assert max(captured) > 1


def test_games_that_differ_are_told_apart():
    ours = REGISTRY.game("kalah")
    with pytest.raises(ConformanceError, match="the games differ in "):
        compare_games(ours, REGISTRY.game("kalah", seeds=3))
    with pytest.raises(ConformanceError, match="the games differ in "):
        compare_games(ours, REGISTRY.game("kalah", capture="none"))
    with pytest.raises(UsageError, match="tictactoe and hex write actions differently: 1 is an action in"):
        compare_games(REGISTRY.game("tictactoe"), REGISTRY.game("hex", size=3), 1)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in sorted(REGISTRY.games)]
)
def test_our_games_pass_their_simulation(name):
    names = ggp_openspiel.register()
    (theirs,) = [each for each in names if each == "ggp_" + name.replace("-", "_")]
    pyspiel.random_sim_test(pyspiel.load_game(theirs), num_sims=1, serialize=False, verbose=False)


def test_our_games_are_not_listed_as_theirs():
    assert ggp_openspiel.register()
    assert served() == tuple(GAMES)
    assert not [name for name in served() if name.startswith("ggp_")]


def test_their_algorithms_search_our_games_and_python_ends_well():
    program = """
import ggp_openspiel, pyspiel
from open_spiel.python.algorithms import minimax
ggp_openspiel.register()
game = pyspiel.load_game("ggp_nim(heaps=1;2)")
print(minimax.alpha_beta_search(game, maximum_depth=20)[0])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)  # noqa: S603
    assert (run.returncode, run.stdout) == (0, "1.0\n"), run.stderr


@pytest.mark.parametrize("name", ["connectfour", "openspiel:tic_tac_toe", "nim"])
def test_their_bot_plays_ours_and_theirs(name):
    game = REGISTRY.game(name)
    bot = make_player(REGISTRY, "openspiel-mcts:simulations=30,seed=5", game)
    assert bot.text == "openspiel-mcts:simulations=30,uct=2.0,rollouts=1,seed=5"
    record = play_game(game, (bot, make_player(REGISTRY, "random:seed=1", game)), seed=1)
    assert record.ending.how == "finished"
    again = play_game(game, (bot, make_player(REGISTRY, "random:seed=1", game)), seed=1)
    assert again.moves[0].action == record.moves[0].action


def test_their_bot_finds_the_winning_move_from_a_start_that_was_not_played():
    game = REGISTRY.game("connectfour")
    state = game.parse_state("......./......./......./......./OOO..../XXX.... X")
    bot = make_player(REGISTRY, "openspiel-mcts:simulations=2000,seed=5", game)
    assert game.format_action(state, bot.choose(game, state).action) == "4"


FILE = pathlib.Path(__file__).parents[1] / "data" / "openspiel_playthroughs.jsonl"
PLAYTHROUGHS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def test_there_is_a_playthrough_of_nearly_every_game():
    assert set(GAMES) - {each["game"] for each in PLAYTHROUGHS} <= {"pig"}  # its playthroughs are for more players


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PLAYTHROUGHS)))
def test_published_playthroughs_replay(number):
    published = PLAYTHROUGHS[number]
    game = REGISTRY.parse_game(f"openspiel:{published['game']}", published["parameters"])
    state, legal = game.initial_state(), dict(published["legal"])
    for ply, action in enumerate(published["actions"]):
        actions = list(game.actions(state))
        assert action in actions
        assert len(actions) == legal.get(ply, len(actions))
        state = game.result(state, action)
    assert game.terminal_test(state)
    returns = [game.utility(state, player) for player in range(len(published["returns"]))]
    assert returns == pytest.approx(published["returns"], abs=1e-6)
