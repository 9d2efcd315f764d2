"""Pig without a cap on turns, solved: the same as value iteration written apart, and as what is published."""

import pytest
from ggp_solve.solver import Solver
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


def by_policy_iteration(goal, sides=6):
    """The same chances, pair of scores by pair of scores from the highest sum down, and with whom to roll.

    A turn of one player leads to one of the other's with the same two scores by a bust alone. So under a policy the
    chance to win is a number more another times the chance that the other's turn begins with: two equations for the
    two beginnings of turns, solved exactly. Policies are improved until nothing is better.
    """
    wins, rolls = {}, {}
    for total in range(2 * goal - 2, -1, -1):
        for own in range(max(0, total - goal + 1), total // 2 + 1):
            sides_of_pair = {(own, total - own), (total - own, own)}
            policy = {(i, j, k): True for i, j in sides_of_pair for k in range(goal - i)}
            better = True
            while better:
                wins.update(evaluated(wins, policy, sides_of_pair, goal, sides))
                better = False
                for i, j, k in policy:
                    choice = rolling(wins, goal, sides, i, j, k) > holding(wins, i, j, k) + 1e-14
                    better |= (
                        choice != policy[i, j, k]
                        and abs(rolling(wins, goal, sides, i, j, k) - holding(wins, i, j, k)) > 1e-13
                    )
                    policy[i, j, k] = choice
            rolls.update(policy)
    return wins, rolls


def evaluated(wins, policy, pair, goal, sides):
    """The chances of a policy at two scores, where those of higher sums are known."""
    lines = {}  # a + b * (1 - what the other's turn begins with)
    for i, j in pair:
        for k in range(goal - i - 1, -1, -1):
            if policy[i, j, k]:
                after = [(1.0, 0.0) if i + k + face >= goal else lines[i, j, k + face] for face in range(2, sides + 1)]
                lines[i, j, k] = sum(a for a, _ in after) / sides, (1 + sum(b for _, b in after)) / sides
            else:
                lines[i, j, k] = 1 - wins[j, i + k, 0], 0.0
    begins = {}
    for i, j in pair:
        (a, b), (c, d) = lines[i, j, 0], lines[j, i, 0]
        begins[i, j] = (a + b * (1 - c - d)) / (1 - b * d)  # x = a + b (1 - y), y = c + d (1 - x)
    return {(i, j, k): a + b * (1 - begins[j, i]) for (i, j, k), (a, b) in lines.items()}


def test_two_programs_that_share_no_method_agree():
    wins, (others, _) = win_probabilities(12), by_policy_iteration(12)
    assert max(abs(wins[key] - others[key]) for key in wins) < 1e-12


@pytest.mark.slow
def test_pig_to_100_is_worth_what_is_published_and_to_ten_digits_what_another_method_finds():
    # T. W. Neller and C. G. M. Presser, Optimal play of the dice game Pig, The UMAP Journal 25(1), 2004: 0.5306
    game, (wins, rolls) = Pig(goal=100), by_policy_iteration(100)
    solver = Solver(game, game.initial_state(), precision=1e-11)
    solver.run()
    known = solver.look(game.initial_state())
    assert known.upper - known.lower <= 1e-11
    assert round(wins[0, 0, 0], 4) == 0.5306
    assert (1 + known.lower) / 2 == pytest.approx(wins[0, 0, 0], abs=1e-11)
    assert {stake for stake in range(1, 40) if not rolls[0, 0, stake]} == set(range(21, 40))
    # with 41 points to 49, hold at 22 and more, but not at 27: "Pig puzzle solution", possiblywrong.wordpress.com, 2014
    assert {stake for stake in range(1, 40) if not rolls[41, 49, stake]} == set(range(22, 40)) - {27}
    for own in range(0, 100, 7):
        for other in range(0, 100, 9):
            for stake in range(1, min(40, 100 - own)):
                state = own, other, stake, 0, 0
                by_hand = rolling(wins, 100, 6, own, other, stake) - holding(wins, own, other, stake)
                if solver.look(state) and abs(by_hand) > 1e-9:
                    assert solver.action(state) == (0 if rolls[own, other, stake] else 1), state


def test_points_come_back_without_a_cap_and_turns_count_with_one():
    assert Pig().repetition == "continues"
    assert Pig(turns=20).repetition is None
    game = Pig()
    state = game.parse_state("5:3 +2 turn 4 rolling")
    assert state == (5, 3, 2, 1, 1)
    assert game.result(state, 1) == (5, 3, 0, 0, 0)
    assert game.parse_state(game.format_state(state)) == state
