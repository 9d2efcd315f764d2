"""Pondering: a machine searches while a human thinks."""

import itertools
import threading

import attrs
import pytest
from ggp_search import MonteCarlo
from ggp_toys import Nim

import ggp
from ggp.play import Human, Machine, Match
from ggp.play.pondering import pondering
from ggp.searcher import stop_requested

GAME = Nim((3, 4, 5))


@attrs.define(eq=False)
class Patient:
    """A searcher that searches until it is stopped."""

    ponder: bool = True
    name: str = "patient"
    began: threading.Event = attrs.field(factory=threading.Event)
    states: list = attrs.field(factory=list)
    ended: list = attrs.field(factory=list)

    def search(self, game, state, limits=ggp.Limits(), *, report=None):
        self.states.append(state)
        self.began.set()
        while not stop_requested():
            threading.Event().wait(0.001)
        self.ended.append(state)


def test_a_machine_that_ponders_searches_until_the_human_has_moved():
    patient = Patient()

    def ask(game, state, clock):
        assert patient.began.wait(120)
        assert not patient.ended
        return next(iter(game.actions(state)))

    match = Match(GAME, (Human(ask), Machine(patient)), GAME.initial_state())
    match.step()
    assert patient.states == patient.ended == [match.start]


@pytest.mark.parametrize(
    "players",
    [
        pytest.param((Machine(Patient(ponder=False)),), id="not asked to"),
        pytest.param((Human(None),), id="a human"),
    ],
)
def test_others_do_not_ponder(players):
    before = set(threading.enumerate())  # some of which may end meanwhile
    with pondering(players, GAME, GAME.initial_state()):
        assert set(threading.enumerate()) <= before


def test_programs_do_not_ponder_against_programs():
    patient, other = Patient(), Machine(MonteCarlo(speed="interpreted"), ggp.Limits(nodes=5))
    Match(GAME, (other, Machine(patient)), GAME.initial_state()).step()
    assert patient.states == []


def test_a_search_that_fails_while_pondering_harms_nobody():
    class Failing(Patient):
        def search(self, game, state, limits=ggp.Limits(), *, report=None):
            raise RuntimeError("the rules fail")

    match = Match(GAME, (Human(lambda game, state, clock: next(iter(game.actions(state)))), Machine(Failing())),
                  GAME.initial_state())  # fmt: skip
    assert match.step() is not None


def test_playouts_while_the_human_thinks_count_for_the_reply():
    ends, thought = itertools.count(1), threading.Event()

    class Counting(Nim):
        def utility(self, state, player):
            if next(ends) == 300:  # of playouts, which visit each reply some ten times
                thought.set()
            return super().utility(state, player)

    game, searcher = Counting((3, 4, 5)), MonteCarlo(speed="interpreted", ponder=True)
    with pondering([Machine(searcher)], game, game.initial_state()):
        assert thought.wait(120)
    assert len(searcher.kept) == 1
    reply = game.result(game.initial_state(), next(iter(game.actions(game.initial_state()))))
    searcher.search(game, reply, ggp.Limits(nodes=1))
    assert searcher.kept[0].engine.search.own.root.visits > 1
