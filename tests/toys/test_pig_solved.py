"""Pig without a cap on turns, solved: the same as value iteration written apart, and as what is published."""

import pytest
from ggp_solve.solver import Solver, solve
from ggp_toys import Pig


def win_probabilities(goal, sides=6):
    """For each (own points, other's points, points at stake) the chance to win of the player to move, and what to do.

    Values are iterated over all states until nothing changes, as T. W. Neller and C. G. M. Presser describe, but for
    their order of scores.
    """
    wins = {(i, j, k): 0.0 for i in range(goal) for j in range(goal) for k in range(goal - i)}
    changed = 1.0
    while changed > 1e-15:
        changed = 0.0
        for (i, j, k), before in wins.items():
            after = max(rolling(wins, goal, sides, i, j, k), holding(wins, i, j, k))
            changed = max(changed, abs(after - before))
            wins[i, j, k] = after
    return wins


def rolling(wins, goal, sides, i, j, k):
    faces = [1 - wins[j, i, 0]]
    faces += [1.0 if i + k + face >= goal else wins[i, j, k + face] for face in range(2, sides + 1)]
    return sum(faces) / sides


def holding(wins, i, j, k):
    return 1 - wins[j, i + k, 0] if k else 0.0


def test_values_and_best_actions_are_those_of_plain_value_iteration():
    game = Pig(goal=14)
    wins = win_probabilities(14)
    solver = Solver(game, game.initial_state(), precision=1e-11, speed="interpreted")
    solver.run()
    assert solver.method == "interval iteration"
    seen = 0
    for number in range(solver.found.count):
        state = solver.found.state(number)
        first, second, stake, turn, is_rolling = state
        if is_rolling or game.terminal_test(state):
            continue
        own, other = (second, first) if turn else (first, second)
        chance = wins[own, other, stake]
        known = solver.look(state)
        assert known.upper - known.lower <= 1e-11
        assert (1 - known.lower if turn else 1 + known.lower) / 2 == pytest.approx(chance, abs=1e-10)
        by_hand = rolling(wins, 14, 6, own, other, stake), holding(wins, own, other, stake)
        if abs(by_hand[0] - by_hand[1]) > 1e-9:
            assert solver.action(state) == (0 if by_hand[0] > by_hand[1] else 1)
            seen += 1
    assert seen > 500


@pytest.mark.slow
def test_the_first_player_wins_pig_to_100_as_published():
    # T. W. Neller and C. G. M. Presser, Optimal play of the dice game Pig, The UMAP Journal 25(1), 2004: 0.5306
    solved = solve(Pig(goal=100), Pig(goal=100).initial_state(), precision=1e-10)
    assert solved.upper - solved.lower <= 1e-10
    assert round((1 + solved.lower) / 2, 4) == 0.5306


def test_points_come_back_without_a_cap_and_turns_count_with_one():
    assert Pig().repetition == "continues"
    assert Pig(turns=20).repetition is None
    game = Pig()
    state = game.parse_state("5:3 +2 turn 4 rolling")
    assert state == (5, 3, 2, 1, 1)
    assert game.result(state, 1) == (5, 3, 0, 0, 0)
    assert game.parse_state(game.format_state(state)) == state
