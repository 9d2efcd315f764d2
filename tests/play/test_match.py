"""Players and matches."""

import attrs
import pytest

import ggp
from ggp.play import (
    UNTIMED,
    ChosenAction,
    Clock,
    Ending,
    Human,
    Machine,
    Match,
    TimeControl,
    make_player,
)


@attrs.frozen
class Scripted:
    """Plays given actions."""

    actions: list
    name: str = "scripted"

    def choose(self, game, state, clock=UNTIMED):
        return ChosenAction(self.actions.pop(0))


@pytest.fixture
def registry():
    return ggp.load_registry()


@pytest.fixture
def fig52(registry):
    return registry.game("fig52")


def test_a_match_is_played_move_by_move(fig52):
    match = Match(fig52, (Scripted(["a2"]), Scripted(["c3"])), fig52.initial_state())
    first = match.step()
    assert (first.mover, first.before, first.action, first.after) == (ggp.MAX, "A", "a2", "C")
    assert (match.state, match.over) == ("C", False)
    match.step()
    assert (match.state, match.over, match.winner) == ("C3", True, ggp.MAX)
    assert [move.action for move in match.moves] == ["a2", "c3"]


def test_a_match_can_begin_anywhere_and_take_given_moves(fig52):
    match = Match(fig52, (Scripted([]), Scripted([])), "B")
    assert match.play("b2").mover == ggp.MIN
    assert match.state == "B2"


def test_illegal_moves_are_refused_and_change_nothing(fig52):
    match = Match(fig52, (Scripted(["b1"]), Scripted([])), "A")
    with pytest.raises(ggp.IllegalActionError, match="'b1' is not legal in A: the legal actions are a1, a2, a3"):
        match.step()
    assert match.moves == []


def test_after_the_end_nobody_is_to_move(fig52):
    match = Match(fig52, (Scripted([]), Scripted([])), "B1")
    with pytest.raises(ggp.IllegalActionError, match="no move is possible in B1: the game is over"):
        match.step()


@pytest.mark.parametrize(("utility", "winner"), [(2, ggp.MAX), (-1, ggp.MIN), (0, None)])
def test_the_winner_is_whoever_the_utility_favours(fig52, utility, winner):
    @attrs.frozen
    class Worth:
        def utility(self, state, player):
            return utility

    assert Match(Worth(), (Scripted([]), Scripted([])), "end").winner == winner


def test_chance_rolls_by_its_probabilities_and_the_same_with_the_same_seed(registry):
    pig = registry.game("pig")

    after = pig.result(pig.initial_state(), next(iter(pig.actions(pig.initial_state()))))

    def rolls(seed):
        seeds = range(600 * seed, 600 * seed + 600)
        return [Match(pig, (Scripted([]), Scripted([])), after, each).step().action for each in seeds]

    assert rolls(1) == rolls(1)
    counts = [rolls(1).count(face) for face in sorted(set(rolls(1)))]
    assert len(counts) == 6
    assert all(70 <= count <= 130 for count in counts)


def test_chance_without_outcomes_is_an_error():
    class Bad:
        name = "bad"

        def to_move(self, state):
            return ggp.CHANCE

        def terminal_test(self, state):
            return False

        def actions(self, state):
            return [1]

    with pytest.raises(ggp.GGPError, match="chance is to move in 7, but bad has no method `outcomes`"):
        Match(Bad(), (Scripted([]), Scripted([])), 7).step()


class Lazy:
    """A searcher that answers what it was made with."""

    name = "lazy"

    def __init__(self, **answer):
        self.answer = answer
        self.asked = []

    def search(self, game, state, limits=ggp.Limits(), *, report=None):
        self.asked.append(limits)
        return ggp.SearchResult(value=0, complete=False, **self.answer)


def test_a_machine_returns_the_action_and_result_of_its_searcher(fig52):
    lazy = Lazy(action="a2")
    choice = Machine(lazy, ggp.Limits(depth=3)).choose(fig52, "A")
    assert (choice.action, choice.thinking.action) == ("a2", "a2")
    assert lazy.asked == [ggp.Limits(depth=3)]
    assert Machine(lazy).name == "lazy"


def test_a_machine_that_finds_nothing_says_so(fig52):
    with pytest.raises(ggp.GGPError, match="lazy has found no move within its limits"):
        Machine(Lazy(action=None)).choose(fig52, "A")


def test_ctrl_c_in_a_search_is_ctrl_c_to_the_match(fig52):
    with pytest.raises(KeyboardInterrupt):
        Machine(Lazy(action="a1", stopped="interrupt")).choose(fig52, "A")


def test_players_are_written_as_human_or_as_searchers_with_limits(registry, fig52):
    def ask(game, state, clock):
        return "a3"

    human = make_player(registry, "human", fig52, ask)
    assert isinstance(human, Human)
    assert human.choose(fig52, "A") == ChosenAction("a3")
    machine = make_player(registry, "alphabeta:depth=2", fig52, ask)
    assert (machine.name, machine.limits) == ("alphabeta:depth=2", ggp.Limits(depth=2))
    assert make_player(registry, "alphabeta", fig52, ask).limits == ggp.Limits(seconds=1)


def test_a_searcher_that_cannot_play_the_game_is_refused(registry):
    with pytest.raises(ggp.UnsupportedGameError, match="alphabeta cannot search pig"):
        make_player(registry, "alphabeta", registry.game("pig"), None)


def test_the_preferred_searcher_is_the_one_that_says_so_among_those_that_can(fig52):
    def searcher(own, **more):
        able = {"unsupported_reason": lambda self, game: None, "search": None, "analyse": None}
        return type(own, (), {"name": own} | able | more)

    registry = ggp.Registry()
    registry.register(searcher("another"), searcher("good", preference=5), searcher("great", preference=5))
    registry.register(searcher("unable", preference=9, unsupported_reason=lambda self, game: "no"))
    assert registry.preferred_searcher(fig52) == "good"


def test_without_any_searcher_for_the_game_there_is_none_to_prefer(fig52):
    with pytest.raises(ggp.UnsupportedGameError, match="no searcher that is installed can search fig52"):
        ggp.Registry().preferred_searcher(fig52)


class Slow:
    """Takes so many seconds, by the clock that it moves on itself."""

    name = text = "slow"

    def __init__(self, time, *seconds):
        self.time = time
        self.seconds = list(seconds)

    def choose(self, game, state, clock=UNTIMED):
        self.time.now += self.seconds.pop(0)
        return ChosenAction(next(iter(game.actions(state))))


class Time:
    now = 0.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def time(monkeypatch):
    clock = Time()
    monkeypatch.setattr("ggp.play.match.time", clock)
    return clock


def timed(registry, time, control, *seconds):
    nim = registry.game("nim")
    return Match(nim, (Slow(time, *seconds), Slow(time, *[0.5] * 20)), nim.initial_state(), timing=control)


def test_the_clock_counts_each_players_seconds_and_gives_the_increment(registry, time):
    match = timed(registry, time, TimeControl(game=10, increment=2), 3, 4)
    assert match.clock(ggp.MAX) == Clock(10, None, 2)
    for _ in range(4):
        match.step()
    assert match.clock(ggp.MAX).left == pytest.approx(10 - 3 + 2 - 4 + 2)
    assert match.clock(ggp.MIN).left == pytest.approx(10 - 0.5 + 2 - 0.5 + 2)
    assert [move.seconds for move in match.moves] == [3, 0.5, 4, 0.5]


def test_who_runs_out_of_time_for_the_game_has_lost(registry, time):
    match = timed(registry, time, TimeControl(game=10), 6, 5)
    match.step()
    match.step()
    assert match.step() is None
    assert (match.over, match.winner, len(match.moves)) == (True, ggp.MIN, 2)
    assert match.ending == Ending(how="time", winner=ggp.MIN)


def test_who_runs_out_of_time_for_a_move_has_lost(registry, time):
    match = timed(registry, time, TimeControl(move=1), 1, 1.1)
    match.step()
    match.step()
    assert match.step() is None
    assert match.ending == Ending(how="time", winner=ggp.MIN)


def test_compiling_is_on_nobodys_clock(fig52, time):
    class Compiling:
        name = text = "compiling"

        def choose(self, game, state, clock=UNTIMED):
            time.now += 5
            counts = ggp.Statistics(compile_seconds=4.5)
            return ChosenAction("a1", ggp.SearchResult(action="a1", value=0, complete=True, statistics=counts))

    match = Match(fig52, (Compiling(), Scripted([])), "A", timing=TimeControl(move=1))
    assert match.step().seconds == 0.5


def test_a_move_is_taken_back_with_all_after_it(registry, time):
    match = timed(registry, time, TimeControl(game=10), 1, 2)
    start = match.state
    match.step()
    match.step()
    assert match.take_back(ggp.MAX) == 2
    assert (match.state, match.moves, match.clock(ggp.MAX).left) == (start, [], 10)
    with pytest.raises(ggp.UsageError, match="first has no move to take back"):
        match.take_back(ggp.MAX)


def test_resigning_ends_the_match_and_can_be_taken_back(fig52):
    match = Match(fig52, (Scripted([]), Scripted([])), "A")
    match.play("a1")
    match.resign(ggp.MAX)
    assert match.ending == Ending(how="resigned", winner=ggp.MIN)
    with pytest.raises(ggp.IllegalActionError, match="no move is possible in B: the game is over"):
        match.play("b1")
    with pytest.raises(ggp.UsageError, match="MIN cannot resign: the game is over"):
        match.resign(ggp.MIN)
    match.take_back(ggp.MAX)
    assert not match.over


def test_a_finished_game_ends_with_its_utility(fig52):
    match = Match(fig52, (Scripted(["a1"]), Scripted(["b1"])), "A")
    assert match.ending is None
    match.step()
    match.step()
    assert match.ending == Ending(how="finished", winner=ggp.MAX, utility=3.0)


def test_a_game_that_is_resumed_rolls_as_it_would_have(registry):
    pig = registry.game("pig")

    def players():
        return tuple(make_player(registry, text, pig) for text in ("random:seed=1", "random:seed=2"))

    whole = Match(pig, players(), pig.initial_state(), seed=5)
    while not whole.over:
        whole.step()
    part = Match(pig, players(), pig.initial_state(), seed=5, moves=whole.moves[:7])
    while not part.over:
        part.step()
    assert [move.action for move in part.moves] == [move.action for move in whole.moves]
