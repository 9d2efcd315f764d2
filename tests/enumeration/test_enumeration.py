"""Enumeration: values, distances, and what is refused."""

import fractions
import itertools
import random
from typing import ClassVar

import attrs
import pytest
from ggp_ponghauki import PongHauKi
from ggp_solve.enumeration.backward_induction import propagate
from ggp_solve.enumeration.components import solve_components
from ggp_solve.enumeration.enumeration import Enumeration
from ggp_solve.enumeration.interval_iteration import IntervalIteration
from ggp_solve.solver import Solver, StoppedError, TooLargeError, room, solve
from ggp_tictactoe import TicTacToe
from ggp_toys import Nim, Pig

import ggp
from ggp.errors import UsageError
from ggp.game import CHANCE, MAX, MIN
from ggp.repetition import RepetitionError
from ggp.searcher import stop_when
from ggp.testing import minimax_value, random_graph, random_tree
from ggp.testing.graphs import CyclicGraph, Vertex


def naive_solution(graph):
    """Value and distance of each vertex: who can force what, threshold by threshold, in rounds. Endless play is 0."""
    vertices, solved = graph.vertices, {}
    ends = {number: vertex.worth for number, vertex in enumerate(vertices) if not vertex.edges}
    for player, sign in ((MAX, 1), (MIN, -1)):
        for worth in (2, 1):
            for distance in range(len(vertices) + 1):
                for number, vertex in enumerate(vertices):
                    if number in solved:
                        continue
                    known = [solved.get(child) for child in vertex.edges]
                    good = [each and each[0] * sign >= worth and each[1] < distance for each in known]
                    ended = number in ends and ends[number] == worth * sign and distance == 0
                    if ended or (any(good) if vertex.mover == player else good and all(good)):
                        solved[number] = worth * sign, distance
    return solved


def reached(graph):
    found, waiting = {0}, [0]
    while waiting:
        for child in graph.vertices[waiting.pop()].edges:
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


@pytest.mark.parametrize("seed", range(200))
def test_a_graph_with_cycles_is_solved_as_by_the_naive_fixed_point(seed):
    graph = random_graph(random.Random(seed))
    solver = Solver(graph, 0)
    solver.run()
    naive = naive_solution(graph)
    by_bounds = IntervalIteration(_found(graph), 1e-9)
    by_bounds.run()
    by_components = _found(graph)
    propagate(by_components)
    solve_components(by_components)
    for state in reached(graph):
        number = solver.found.positions.find(state)
        value, distance = naive.get(state, (0, None))
        known = solver.look(state)
        assert (known.lower, known.upper) == (value, value)
        if value:
            assert known.distance == distance
        assert by_bounds.lower.get(number) == pytest.approx(value, abs=1e-9)
        assert by_bounds.upper.get(number) == pytest.approx(value, abs=1e-9)
        assert by_components.worths[by_components.values.get(number)] == value


def _found(game):
    found = Enumeration(game, game.initial_state(), 10_000)
    found.find_positions()
    return found


def value_of_strategies(graph, chosen):
    """The value of each vertex if every player plays as chosen: linear equations, solved exactly."""
    vertices = graph.vertices
    moves = {}
    for number, vertex in enumerate(vertices):
        if vertex.mover == CHANCE and vertex.edges:
            total = sum(vertex.weights)
            moves[number] = [
                (child, fractions.Fraction(w, total)) for child, w in zip(vertex.edges, vertex.weights, strict=True)
            ]
        elif vertex.edges:
            moves[number] = [(vertex.edges[chosen[number]], fractions.Fraction(1))]
    ends = {number for number, vertex in enumerate(vertices) if not vertex.edges}
    leading = set(ends)  # the others never come to an end: worth 0
    while more := {number for number in moves if number not in leading and any(c in leading for c, _ in moves[number])}:
        leading |= more
    unknown = sorted(leading - ends)
    rows = []
    for number in unknown:
        row = {other: fractions.Fraction(0) for other in unknown}
        row[number] += 1
        constant = fractions.Fraction(0)
        for child, probability in moves[number]:
            if child in ends:
                constant += probability * vertices[child].worth
            elif child in leading:
                row[child] -= probability
        rows.append(([row[other] for other in unknown], constant))
    values = _solved(rows)
    return {number: vertices[number].worth if number in ends else 0 for number in range(len(vertices))} | dict(
        zip(unknown, values, strict=True)
    )


def _solved(rows):
    """Gauss and Jordan."""
    matrix = [[*row, constant] for row, constant in rows]
    for column in range(len(matrix)):
        pivot = next(row for row in range(column, len(matrix)) if matrix[row][column])
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        matrix[column] = [each / matrix[column][column] for each in matrix[column]]
        for row in range(len(matrix)):
            if row != column and matrix[row][column]:
                factor = matrix[row][column]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[column], strict=True)]
    return [row[-1] for row in matrix]


def naive_value(graph):
    """The value of the start over all positional strategies of both."""
    own = {player: [n for n, v in enumerate(graph.vertices) if v.mover == player and v.edges] for player in (MAX, MIN)}

    def strategies(player):
        ranges = [range(len(graph.vertices[number].edges)) for number in own[player]]
        return [dict(zip(own[player], each, strict=True)) for each in itertools.product(*ranges)]

    return max(
        min(value_of_strategies(graph, first | second)[0] for second in strategies(MIN)) for first in strategies(MAX)
    )


@pytest.mark.parametrize("seed", [*range(60), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(60, 200))])
def test_a_graph_with_chance_and_cycles_is_worth_what_the_best_strategies_are(seed):
    graph = random_graph(random.Random(seed), stochastic=True, vertices=8, branching=2)
    solved = solve(graph, 0, precision=1e-9)
    assert solved.upper - solved.lower <= 1e-9
    assert solved.lower - 1e-9 <= float(naive_value(graph)) <= solved.upper + 1e-9


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("stochastic", [False, True])
def test_without_cycles_it_is_backward_induction(seed, stochastic):
    tree = random_tree(random.Random(seed), stochastic=stochastic)
    solved = solve(tree, tree.initial_state())
    assert solved.method == "backward induction"
    assert solved.lower == solved.upper == pytest.approx(minimax_value(tree, tree.initial_state()))


def test_tic_tac_toe_is_a_draw_after_nine_plies():
    game = TicTacToe()
    solved = solve(game, game.initial_state())
    assert (solved.value, solved.distance) == (0, 9)
    assert solved.wins + solved.draws + solved.losses == solved.positions


def test_pong_hau_ki_is_a_draw():
    game = PongHauKi()
    solved = solve(game, game.initial_state())
    assert (solved.value, solved.distance, solved.method) == (0, None, "retrograde analysis")


def test_a_winner_hurries_and_a_loser_resists():
    # 0 (MAX) can win now or later, 1 (MIN) can lose now or later
    graph = CyclicGraph(
        (
            Vertex(MAX, 0, (1, 4)),
            Vertex(MIN, 0, (2, 4)),
            Vertex(MAX, 0, (3,)),
            Vertex(MIN, 0, (4, 5)),
            Vertex(MAX, 1),
            Vertex(MAX, 1),
        )
    )
    solver = Solver(graph, 0)
    solver.run()
    assert [(choice.action, choice.lower, choice.distance) for choice in solver.choices(0)] == [(0, 1, 4), (1, 1, 1)]
    assert solver.action(0) == 1
    assert solver.action(1) == 0


@pytest.mark.parametrize("goal", [3, 5, pytest.param(8, marks=pytest.mark.slow)])
def test_pig_agrees_with_expectiminimax(goal):
    game = Pig(goal=goal, turns=5, sides=3)
    solved = solve(game, game.initial_state())
    assert solved.lower == solved.upper == pytest.approx(minimax_value(game, game.initial_state()))


@attrs.frozen
class Ring:
    """States in a ring, without an end in the first and with one in the last."""

    name: ClassVar[str] = "ring"
    repetition: str | None = None
    states: int = 5

    def initial_state(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return ("on", "end") if state == self.states - 1 else ("on",)

    def result(self, state, action):
        return -1 if action == "end" else (state + 1) % self.states

    def terminal_test(self, state):
        return state == -1

    def utility(self, state, player):
        return 1 if player == ggp.MAX else -1


def test_a_repetition_that_is_not_declared_is_one_sentence():
    with pytest.raises(RepetitionError, match=r"the state \d of ring has come back, and ring does not declare"):
        solve(Ring(), 0)


@pytest.mark.slow
def test_too_many_positions_are_refused_in_one_sentence():
    game = Ring(repetition="draw", states=100_000)
    with pytest.raises(TooLargeError, match=r"ring has more than .* positions, and no more fit in memory"):
        solve(game, 0, memory=1)
    assert room(0, 1, compiled=False) < 10_000


def test_a_game_of_chance_that_ends_by_repetition_is_refused():
    @attrs.frozen
    class Chancy(CyclicGraph):
        repetition: ClassVar[str] = "draw"

    graph = Chancy((Vertex(CHANCE, 0, (0, 1), (1, 1)), Vertex(MAX, 1)))
    with pytest.raises(UsageError, match="graph has chance and ends by repetition: the value of a state depends"):
        solve(graph, 0)


@pytest.mark.parametrize("precision", [0, -1, float("nan")])
def test_a_precision_is_positive(precision):
    graph = random_graph(random.Random(3), stochastic=True)
    with pytest.raises(UsageError, match="the precision must be more than 0; got"):
        solve(graph, 0, precision=precision)


def test_it_ends_when_somebody_wants_it_to():
    with stop_when(lambda: True), pytest.raises(StoppedError):
        solve(TicTacToe(), TicTacToe().initial_state())


@pytest.mark.parametrize("cyclic", [False, True], ids=["a component for each position", "one large component"])
def test_solving_component_by_component_looks_whether_to_stop(monkeypatch, cyclic):
    monkeypatch.setattr("ggp_solve.enumeration.enumeration.OFTEN", 10)
    line = [Vertex(MAX, 0, (number + 1, 0) if cyclic else (number + 1,)) for number in range(300)]
    graph = CyclicGraph((*line, Vertex(MAX, 1)))
    found = _found(graph)
    solved = []
    found.report = lambda progress: solved.append(progress.solved)
    solve_components(found)
    assert found.complete
    assert max(after - before for before, after in itertools.pairwise([*solved, found.count])) <= 11


def test_nim_is_won_by_boutons_rule():
    game = Nim(heaps=(1, 2, 3))
    assert solve(game, game.initial_state()).value == -1
    assert solve(game, (1, 2, 2, ggp.MAX)).value == 1
