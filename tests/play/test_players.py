"""Players from text: levels, seeds, ties, humans, replays."""

import random
from typing import ClassVar

import attrs
import pytest
from ggp_kalah import Kalah
from random_games import game

import ggp
from ggp.capabilities import legal_actions
from ggp.play import Clock, Human, Machine, Match, make_player, play_game
from ggp.play.clock import TimeManager
from ggp.play.json_format import to_json
from ggp.play.players import DEFAULT_LIMITS
from ggp.play.store import open_store
from ggp.searcher import stop_requested, stop_when


def visited(game, seed):
    """Return the states of a random game in which a player moves."""
    dice, state, found = random.Random(seed), game.initial_state(), []
    while not game.terminal_test(state):
        found.append(state)
        state = game.result(state, dice.choice(list(game.actions(state))))
    return found


def moves(record):
    return [move.action for move in record.moves]


def test_a_level_without_a_searcher_is_reported(registry):
    class Odd(type(game("fig52"))):
        levels = property(lambda self: {"easy": "nobody:depth=2"})

    with pytest.raises(ggp.UnknownNameError, match="easy of fig52 is played by 'nobody', which is not a searcher"):
        make_player(registry, "easy", Odd())


class Graded(Kalah):
    """Kalah with a level of its own."""

    levels: ClassVar[dict[str, str]] = {"own": "alphabeta:depth=1,table=8"}


def test_a_level_is_a_machine_with_the_text_of_its_searcher(registry):
    player = make_player(registry, "own", Graded())
    assert (player.name, player.text) == ("own", "alphabeta:depth=1,table=8")


def test_a_level_takes_more_options(registry):
    player = make_player(registry, "own:ties=score,evaluation=seeds", Graded())
    assert player.text == "alphabeta:depth=1,table=8,evaluation=seeds,ties=score"
    assert player.name == "own:ties=score,evaluation=seeds"


@pytest.mark.parametrize("limit", ["depth=3", "seconds=3", "nodes=500"])
def test_a_limit_replaces_all_the_limits_of_a_level(registry, limit):
    assert make_player(registry, f"own:{limit}", Graded()).text == f"alphabeta:table=8,{limit}"


def test_a_share_of_the_moves_of_a_weak_player_is_random_and_the_same_for_the_same_seed(registry):
    kalah = game("kalah")
    states = [state for seed in range(4) for state in visited(kalah, seed)]

    def chosen(text):
        player = make_player(registry, text, kalah)
        return [player.choose(kalah, state).action for state in states]

    strong, weak = chosen("alphabeta:depth=2"), chosen("alphabeta:depth=2,weak=0.5:seed=1")
    assert weak == chosen("alphabeta:depth=2,weak=0.5:seed=1")
    assert weak != chosen("alphabeta:depth=2,weak=0.5:seed=2")
    assert chosen("alphabeta:depth=2,weak=0:seed=1") == strong
    other = sum(one != two for one, two in zip(strong, weak, strict=True)) / len(states)
    assert 0.3 < other < 0.5  # half of the moves are random, and some of those are the best


def test_the_value_of_a_weak_move_is_its_own(registry):
    player = make_player(registry, "minimax:depth=2,weak=1:seed=4", game("fig52"))
    found = player.think(game("fig52"), "A")
    assert (found.action, found.value, found.principal_variation) == ("a3", 2, ("a3",))


def test_a_searcher_that_limits_itself_is_given_no_second(registry):
    assert make_player(registry, "alphabeta", game("nim")).limits == DEFAULT_LIMITS
    player = make_player(registry, "mcts:playouts=50", game("nim"))
    assert player.limits == ggp.Limits()
    assert player.choose(game("nim"), game("nim").initial_state()).thinking.statistics.nodes == 50


def test_levels_and_seeds_give_the_same_game_again(registry):
    kalah = game("kalah")

    def played(seed):
        return play_game(
            kalah, (make_player(registry, "medium", kalah), make_player(registry, "random", kalah, seed=seed))
        )

    assert moves(played(1)) == moves(played(1))
    assert moves(played(1)) != moves(played(2))


@pytest.mark.parametrize("name", ["kalah", "nim", "pig", "tictactoe"])
def test_the_players_of_a_record_play_it_again(registry, name):
    played = game(name)
    first = play_game(played, tuple(make_player(registry, text, played) for text in ("easy:ties=random", "random")))
    again = play_game(played, tuple(make_player(registry, p.player, played) for p in first.players), seed=first.seed)
    assert moves(again) == moves(first)
    assert [player.player for player in again.players] == [player.player for player in first.players]


class Ties:
    """Two moves of four are worth the same."""

    name = "ties"

    def search(self, game, state, limits=ggp.Limits(), *, report=None):
        return ggp.SearchResult(action="a", value=1, complete=True, principal_variation=("a", "z"))

    def analyse(self, game, state, limits=ggp.Limits(), *, report=None):
        values = {"a": 1, "b": 1 - 1e-12, "c": 1, "d": 0}
        best = tuple(each for each in values if values[each] == 1)
        return attrs.evolve(self.search(game, state), values=values, best_actions=best)


def test_ties_are_broken_among_exact_equals_only(registry):
    from ggp.play.players import AtRandom

    chosen = {Machine(Ties(), ties=AtRandom(seed)).think(None, "s").action for seed in range(50)}
    assert chosen == {"a", "c"}
    other = next(c for s in range(50) if (c := Machine(Ties(), ties=AtRandom(s)).think(None, "s")).action == "c")
    assert other.principal_variation == ("c",)
    assert Machine(Ties()).think(None, "s").principal_variation == ("a", "z")


def test_random_ties_are_best_moves_and_all_of_them_come_up(registry):
    nim = game("nim")
    start = nim.initial_state()
    texts = [f"alphabeta:depth=1,ties=random:seed={seed}" for seed in range(120)]
    chosen = {make_player(registry, text, nim).choose(nim, start).action for text in texts}
    assert chosen == set(legal_actions(nim, start))  # looking one ply ahead, all are worth the same


def test_ties_cost_no_depth_and_equal_moves_still_come_up(registry):
    othello = game("othello")
    start = othello.initial_state()
    plain = make_player(registry, "alphabeta:nodes=150,speed=interpreted", othello).think(othello, start)
    texts = [f"alphabeta:nodes=150,speed=interpreted,ties=random:seed={seed}" for seed in range(4)]
    found = [make_player(registry, text, othello).think(othello, start) for text in texts]
    assert {(each.statistics.depth, each.statistics.nodes, each.value) for each in found} == {
        (plain.statistics.depth, plain.statistics.nodes, plain.value)
    }
    # All first moves are mirror images of each other.
    assert {each.best_actions for each in found} == {tuple(legal_actions(othello, start))}
    assert len({each.action for each in found}) > 1


@pytest.mark.parametrize("name", ["kalah", "fig52", "tictactoe", "nim"])
def test_moves_that_a_search_finds_equally_good_are(registry, name):
    played, depth = game(name), 3
    able = registry.searcher(registry.preferred_searcher(played))
    for state in visited(played, 5)[:6]:
        analysed = able.analyse(played, state, ggp.Limits(depth=depth))
        found = able.search_ties(played, state, ggp.Limits(depth=depth))
        assert (found.best_actions, found.value) == (analysed.best_actions, analysed.value)


def test_ties_are_looked_for_in_a_book_first(registry):
    kalah = game("kalah")
    start = kalah.initial_state()
    found = make_player(registry, "master:ties=random:seed=2", kalah).think(kalah, start)
    best = {action for action, value in kalah.known_values(start).items() if value == found.value}
    assert (found.exact, found.statistics.nodes, found.action in best) == (True, 0, True)


def test_mcts_with_ties_plays_a_move_with_the_most_playouts(registry):
    nim = game("nim")
    start = nim.initial_state()
    for seed in range(5):
        player = make_player(registry, f"mcts:nodes=60,speed=interpreted,ties=random:seed={seed}", nim)
        plain = make_player(registry, f"mcts:nodes=60,speed=interpreted,seed={seed}", nim)
        assert player.searcher == plain.searcher
        found = player.think(nim, start)
        assert found.best_actions == plain.think(nim, start).best_actions
        assert found.action in found.best_actions


def test_ties_by_score_take_what_banks_most(registry):
    kalah = game("kalah", houses=2)
    state = kalah.parse_state("<2,0,0,2,1,1,1> S")
    player = make_player(registry, "alphabeta:depth=8,ties=score", kalah)
    found = player.choose(kalah, state)
    best = registry.searcher("alphabeta").analyse(kalah, state, ggp.Limits(depth=8)).best_actions
    banked = {action: kalah.score(kalah.result(state, action)) for action in best}
    assert banked[found.action] == max(banked.values())
    north = kalah.parse_state("<2,0,0,1,1,2,1> N")
    assert player.choose(kalah, north).action in legal_actions(kalah, north)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "nobody",
            ggp.UnknownNameError,
            r"there is no player 'nobody': a player is human, replay:RECORD, a level \(easy",
        ),
        ("", ggp.UnknownNameError, "there is no player ''"),
        ("human:age=3", ggp.OptionError, "human has no option 'age': its only option is name"),
        ("human", ggp.UsageError, "a human cannot play here: the program cannot ask for moves"),
        ("alphabeta:ties=first", ggp.OptionError, "ties must be score, random or random:seed=N; got 'first'"),
        ("alphabeta:ties=score", ggp.OptionError, "ties cannot be score: tictactoe has no score"),
        ("easy:weak=2", ggp.OptionError, r"weak must be a share of the moves from 0 to 1, such as 0.2, .* got '2'"),
        ("hard:deep=3", ggp.OptionError, "alphabeta has no option 'deep'"),
        ("replay", ggp.OptionError, "replay needs a record: type replay:FILE, or replay:NUMBER"),
        ("replay:none.json", ggp.RecordError, r"none\.json cannot be read"),
        ("replay:7", ggp.StoreError, "there is no game 7 in"),
    ],
)
def test_what_is_no_player_is_refused_in_words(registry, text, error, message):
    with pytest.raises(error, match=message):
        make_player(registry, text, game("tictactoe"))


def test_a_human_may_have_a_name(registry):
    player = make_player(registry, "human:name=Ann, Countess", game("nim"), lambda *asked: (1, 1))
    assert isinstance(player, Human)
    assert (player.name, player.text) == ("Ann, Countess", "human:name=Ann, Countess")
    assert make_player(registry, "human", game("nim"), lambda *asked: (1, 1)).text == "human"


def test_a_replay_plays_the_moves_of_a_file_and_of_the_store(registry, tmp_path):
    nim = game("nim")
    record = play_game(nim, tuple(make_player(registry, "random", nim) for _ in range(2)))
    file = tmp_path / "game.json"
    file.write_text(to_json(record), encoding="utf-8")
    with open_store() as store:
        number = store.add(record)
    for source in (file, number):
        players = tuple(make_player(registry, f"replay:{source}", nim) for _ in range(2))
        assert moves(play_game(nim, players)) == moves(record)
    with pytest.raises(ggp.UsageError, match="cannot be replayed here: it is a record of another game or variant"):
        make_player(registry, f"replay:{file}", game("nim", misere=True))


def test_a_replay_that_is_led_elsewhere_says_so(registry, tmp_path):
    nim = game("nim")
    record = play_game(nim, tuple(make_player(registry, "random", nim, seed=1) for _ in range(2)))
    (tmp_path / "game").write_text(to_json(record), encoding="utf-8")
    player = make_player(registry, f"replay:{tmp_path / 'game'}", nim)
    with pytest.raises(ggp.RecordError, match="has no move in 1,1,1 second: the position is not in the record"):
        player.choose(nim, nim.parse_state("1,1,1 second"))


class Asked:
    """A searcher that remembers its limits."""

    name = "asked"

    def analyse(self, game, state, limits=ggp.Limits(), *, report=None):
        return self.search(game, state, limits, report=report)

    def __init__(self):
        self.limits = []

    def search(self, game, state, limits=ggp.Limits(), *, report=None):
        self.limits.append(limits)
        return ggp.SearchResult(action="a", value=1, complete=True)


@pytest.mark.parametrize(
    ("own", "clock", "limits"),
    [
        (ggp.Limits(depth=3), Clock(), ggp.Limits(depth=3)),
        (ggp.Limits(depth=3), Clock(60.6), ggp.Limits(depth=3, seconds=2.0)),
        (ggp.Limits(seconds=1.5), Clock(60.0), ggp.Limits(seconds=1.5)),
        (DEFAULT_LIMITS, Clock(60.6, increment=1.0), ggp.Limits(seconds=6.0)),
        (DEFAULT_LIMITS, Clock(0.12), ggp.Limits(seconds=0.0008)),
        (DEFAULT_LIMITS, Clock(0.12, increment=1.0), ggp.Limits(seconds=0.07)),
        (DEFAULT_LIMITS, Clock(None, 5.0), ggp.Limits(seconds=4.95)),
        (DEFAULT_LIMITS, Clock(None, 0.04), ggp.Limits(seconds=0.01)),
    ],
)
def test_a_machine_keeps_to_the_clock(own, clock, limits):
    asked = Asked()
    Machine(asked, own).choose(game("fig52"), "A", clock)
    assert asked.limits[0].depth == limits.depth
    assert asked.limits[0].seconds == pytest.approx(limits.seconds)


def test_a_machine_may_spend_the_same_share_of_its_clock_on_each_move():
    asked = Asked()
    Machine(asked, manages=False).choose(game("fig52"), "A", Clock(60.6, increment=1.0))
    assert asked.limits[0].seconds == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("reports", "only", "seconds"),
    [
        pytest.param([(0.0, "a"), (3.0, "a")], False, 5.0, id="clearly best from the beginning: half of the budget"),
        pytest.param([(0.0, "a"), (3.0, "b")], False, 10.0, id="settled in time: the budget"),
        pytest.param([(0.0, "a"), (6.0, "b")], False, 20.0, id="changed late: twice the budget"),
        pytest.param([(0.0, "a")], True, 0.0, id="the only move: nothing"),
    ],
)
def test_a_clock_is_spent_where_it_is_needed(reports, only, seconds):
    times = [0.0]
    manager = TimeManager(10.0, only=only, now=lambda: times[0])
    assert not manager.enough()  # there is nothing to play yet
    for at, action in reports:
        times[0] = at
        manager.look(ggp.SearchResult(action=action, value=0, complete=False))
    assert manager.wanted == seconds
    times[0] = max(seconds, times[0])
    assert manager.enough()


def test_the_only_legal_move_is_played_without_a_search(registry):
    asked, forced = Asked(), attrs.evolve(game("nim"), heaps=(1,))
    players = (Machine(asked), make_player(registry, "human", forced, lambda *asked: None))
    for match in (
        Match(forced, players, forced.initial_state()),
        Match(forced, players[:1] * 2, forced.initial_state()),
    ):
        move = match.step()
        assert (move.action, move.thinking, asked.limits) == ((1, 1), None, [])
    Machine(asked).think(forced, forced.initial_state())  # whoever asks for a value gets it
    assert len(asked.limits) == 1


def test_a_player_with_ties_spends_the_same_share_of_its_clock_on_each_move():
    Machine(asked := Asked(), ties=lambda game, state, actions: actions[0]).think(
        game("fig52"), "A", Clock(60.6, increment=1.0)
    )
    assert [each.seconds for each in asked.limits] == [pytest.approx(3.0)]


def test_a_search_that_the_clock_has_ended_is_no_interruption():
    class Reporting(Asked):
        def search(self, game, state, limits=ggp.Limits(), *, report=None):
            found = ggp.SearchResult(action="a1", value=1, complete=False)
            report(found)
            return attrs.evolve(found, stopped="interrupt" if stop_requested() else None)

    forced = attrs.evolve(game("nim"), heaps=(1,))
    found = Machine(Reporting()).think(forced, forced.initial_state(), Clock(60.0))
    assert found.stopped == "seconds"
    with stop_when(lambda: True):  # somebody else has ended it
        assert Machine(Reporting()).think(forced, forced.initial_state(), Clock(60.0)).stopped == "interrupt"


def test_a_game_may_be_left_after_some_plies(registry):
    nim = game("nim")
    record = play_game(nim, tuple(make_player(registry, "random", nim) for _ in range(2)), plies=2)
    assert (len(record.moves), record.ending) == (2, None)


def test_a_game_begins_where_it_is_told_to(registry):
    nim = game("nim")
    players = tuple(make_player(registry, "random", nim) for _ in range(2))
    record = play_game(nim, players, start=nim.parse_state("1,0,0 second"))
    assert (record.start, moves(record)) == ("1,0,0 second", ["1:1"])


def test_a_match_draws_its_seed_and_tells_it(registry):
    pig = game("pig")
    seeds = {Match(pig, (None, None), pig.initial_state()).seed for _ in range(5)}
    assert len(seeds) == 5
