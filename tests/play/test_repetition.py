"""Games whose states come back: what ends them, and what says so."""

import random
from typing import ClassVar

import attrs
import pytest
from ggp_search.algorithms.alphabeta import AlphaBeta

import ggp
from ggp import repetition
from ggp.errors import PluginError
from ggp.play import ChosenAction, Match, play_game
from ggp.play.clock import UNTIMED
from ggp.play.record_writer import record_of
from ggp.play.replay import replay
from ggp.play.text_format import from_text, to_text
from ggp.repetition import Occurrences, RepetitionError, played_before, states_played
from ggp.testing.graphs import CyclicGraph, Vertex


@attrs.frozen
class Ring:
    """Four states in a ring: MAX and MIN go on in turn, and MAX may leave from the third."""

    name: ClassVar[str] = "ring"
    repetition: object = "draw"
    occurrences: int = 2

    def initial_state(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return ("on", "leave") if state == 2 else ("on",)

    def result(self, state, action):
        return 4 if action == "leave" else (state + 1) % 4

    def terminal_test(self, state):
        return state == 4

    def utility(self, state, player):
        return 3 if player == ggp.MAX else -3


class First:
    """Plays the first action, and remembers what had been played."""

    name = text = "first"

    def __init__(self):
        self.heard = []

    def choose(self, game, state, clock=UNTIMED):
        self.heard.append(states_played())
        return ChosenAction(next(iter(game.actions(state))))


def ring_match(**declared):
    return Match(Ring(**declared), (First(), First()), 0)


def played_out(match):
    while not match.over:
        match.step()
    return match


@pytest.mark.parametrize(
    ("declared", "moves", "winner", "utility"),
    [
        ({}, 4, None, 0.0),
        ({"occurrences": 3}, 8, None, 0.0),
        ({"repetition": 2}, 4, ggp.MAX, 2.0),
        ({"repetition": -0.5}, 4, ggp.MIN, -0.5),
        ({"repetition": lambda state: state - 1}, 4, ggp.MIN, -1.0),
    ],
)
def test_a_repetition_ends_the_match_at_its_worth(declared, moves, winner, utility):
    match = played_out(ring_match(**declared))
    assert (len(match.moves), match.winner, match.ending) == (
        moves,
        winner,
        ggp.play.Ending(how="repetition", winner=winner, utility=utility),
    )


def test_nobody_plays_on_after_a_repetition():
    match = played_out(ring_match())
    with pytest.raises(ggp.IllegalActionError, match="no move is possible in 0: the game is over"):
        match.play("on")


def test_a_game_that_continues_does_not_end_by_repetition():
    match = ring_match(repetition="continues")
    for _ in range(40):
        match.step()
    assert not match.over


def test_a_repetition_that_is_not_declared_is_one_sentence():
    match = ring_match(repetition=None)
    with pytest.raises(RepetitionError) as error:
        played_out(match)
    assert str(error.value) == (
        "the state 0 of ring has come back, and ring does not declare the value of a repetition: write"
        ' `repetition = "draw"` in the class, or its value to MAX'
    )
    assert (len(match.moves), match.over) == (3, False)


@pytest.mark.parametrize("declared", ["tie", float("nan"), float("inf")])
def test_what_is_no_rule_is_refused(declared):
    with pytest.raises(PluginError, match=r"ring declares repetition = .*: it must be 'draw', 'continues', a finite"):
        ring_match(repetition=declared)


def test_a_first_occurrence_cannot_end_the_game():
    with pytest.raises(PluginError, match="ring declares occurrences = 1: it must be a whole number, 2 or more"):
        ring_match(occurrences=1)


def test_moves_that_are_taken_back_are_not_counted():
    match = ring_match()
    for _ in range(3):
        match.step()
    match.take_back(ggp.MAX)
    match.step()
    assert not match.over
    match.step()
    assert match.over


def test_players_hear_what_was_played_before():
    match = played_out(ring_match())
    assert match.players[0].heard == [(), (0, 1)]
    assert match.players[1].heard == [(0,), (0, 1, 2)]
    assert states_played() == ()


def test_states_played_are_known_within_alone():
    with played_before([1, 2]):
        assert states_played() == (1, 2)
    assert states_played() == ()


class RingRegistry:
    """Knows one game."""

    def game(self, name, **parameters):
        return Ring(**parameters)

    foreign_game = game


def test_a_record_tells_of_the_repetition_and_is_held_to_it():
    record = record_of(played_out(ring_match(occurrences=3)))
    text = to_text(record)
    assert text.splitlines()[-1] == "1/2-1/2 repetition {utility 0.0}"
    again = from_text(text.encode())
    assert again == record
    assert replay(RingRegistry(), again).ending == record.ending
    for wrong in (
        attrs.evolve(record, ending=attrs.evolve(record.ending, how="finished")),
        attrs.evolve(record, moves=record.moves[:-1]),
        attrs.evolve(record, moves=(*record.moves, record.moves[0])),
    ):
        with pytest.raises(ggp.RecordError, match="cannot be replayed"):
            replay(RingRegistry(), wrong)


def test_a_whole_game_ends_by_repetition():
    record = play_game(Ring(), (First(), First()))
    assert (len(record.moves), record.ending.how) == (4, "repetition")


def test_outcomes_are_told_by_name():
    assert repetition.outcome(Ring(), 0) == "A draw by repetition"
    assert repetition.outcome(Ring(repetition=1), 0) == "MAX wins by repetition"
    assert repetition.outcome(Ring(repetition=-1), 0) == "MIN wins by repetition"


def test_the_rule_of_a_game_is_named_where_it_ends_play():
    awari = ggp.load_registry().game("awari", repeated="own")
    assert repetition.by_rule(awari) == "by repetition (each player gets the seeds on their own side)"
    drawn = "A draw by repetition (the seeds left are shared)"
    awari = ggp.load_registry().game("awari")
    assert repetition.outcome(awari, awari.initial_state()) == drawn


def test_occurrences_count_equal_states():
    counted = Occurrences(Ring(occurrences=3))
    assert [counted.add(state) for state in (0, 1, 0, 1, 0)] == [False, False, False, False, True]


def test_random_graphs_end_when_they_are_played():
    from ggp.testing.graphs import random_graph

    endings = set()
    for seed in range(100):
        graph = random_graph(random.Random(seed))
        record = play_game(graph, (First(), First()))
        endings.add(record.ending.how)
        assert len(record.moves) <= len(graph.vertices)
    assert endings == {"finished", "repetition"}


@pytest.mark.parametrize(
    ("before", "value", "action"),
    [((), 3, 0), ((1,), 0, 0), ((1, 1), 0, 0), ((2,), 3, 0)],
)
def test_a_search_knows_the_states_of_the_game_so_far(before, value, action):
    graph = CyclicGraph((Vertex(ggp.MAX, 0, (1, 2)), Vertex(ggp.MIN, 0, (3,)), Vertex(ggp.MAX, -1), Vertex(ggp.MAX, 3)))
    with played_before(before):
        found = AlphaBeta(speed="interpreted").search(graph, 0)
    assert (found.value, found.action, found.exact) == (value, action, True)
