"""Enumeration in several threads finds what it finds in one: the same positions by the same numbers."""

import pytest
from ggp_connectfour import ConnectFour
from ggp_morris import Morris
from ggp_solve.enumeration import retrograde
from ggp_solve.enumeration.enumeration import Enumeration
from ggp_solve.memory import expansion
from ggp_solve.solver import Solver
from ggp_toys import Pig
from samples import but_slow

from ggp import compiler

pytestmark = pytest.mark.skipif(not compiler.machine.available(), reason="there is no machine speed")

GAMES = {
    "with cycles": Morris(diagonals=False),
    "without cycles": ConnectFour(width=4, height=3, connect=3),
    "chance": Pig(goal=9, turns=6, sides=3),
}


def everything(game, threads):
    speed = "compiled" if threads > 1 else "interpreted"  # which is sooner than another compilation
    solver = Solver(game, game.initial_state(), speed=speed, threads=threads)
    solver.run()
    found = solver.found
    assert found.run.threads == threads
    columns = [found.values.content(found.count), found.distances.content(found.count)]
    states = [found.state(number) for number in range(found.count)]
    return states, columns, found.edges, found.solved, found.worths, solver.look(game.initial_state())


@pytest.fixture(autouse=True)
def small_work_for_threads(monkeypatch):
    monkeypatch.setattr(expansion, "LEAST", 1)
    monkeypatch.setattr("ggp_solve.enumeration.backward_induction.ROUND", 1)
    monkeypatch.setattr(retrograde, "SMALL", 1)
    monkeypatch.setattr(retrograde, "BLOCK", 16)


@pytest.mark.parametrize("name", but_slow(GAMES, "chance"))
def test_threads_find_the_same(name, monkeypatch):
    game = GAMES[name]
    rounds = []
    expand = expansion.Expansion.expand
    monkeypatch.setattr(expansion.Expansion, "expand", lambda self: rounds.append(expand(self)) or rounds[-1])
    alone = everything(game, 1)
    assert not rounds
    assert everything(game, 3) == alone
    assert sum(rounds) > 3


def test_edges_for_which_there_is_no_memory_are_found_twice(monkeypatch):
    game, gathered = GAMES["with cycles"], []
    gather = retrograde.gather_edges

    def counted(part, thread, first, last, like):
        gathered.append(first)
        return gather(part, thread, first, last, like)

    monkeypatch.setattr(retrograde, "gather_edges", counted)
    found = everything(game, 1)
    once = len(gathered)
    monkeypatch.setattr(retrograde, "MOST_KEPT", 0)
    assert everything(game, 1) == found
    assert len(gathered) == 3 * once
    monkeypatch.setattr(retrograde, "MOST_KEPT", 1 << 20)
    monkeypatch.setattr(Enumeration, "has_memory", lambda self, size: False)
    monkeypatch.setattr(Enumeration, "require_memory", lambda self, size: None)
    assert everything(game, 1) == found
    assert len(gathered) == 5 * once
