"""Every game as an environment passes the tests of PettingZoo and of Gymnasium."""

import warnings

import ggp_rl
import gymnasium.utils.env_checker
import pettingzoo.test
import pytest

import ggp

GAMES = sorted(ggp.load_registry().games)
QUICK = ("kalah", "nim", "pig", "pancakes", "tictactoe")
EACH = [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in GAMES]


@pytest.mark.parametrize("name", EACH)
def test_pettingzoo_accepts_it(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its advice on spaces
        pettingzoo.test.api_test(ggp_rl.pettingzoo_env(name), num_cycles=60)


@pytest.mark.parametrize("name", EACH)
def test_gymnasium_accepts_it(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gymnasium.utils.env_checker.check_env(ggp_rl.gymnasium_env(name), skip_render_check=True)


def test_rewards_are_the_utilities_and_extra_turns_stay_with_the_agent():
    env = ggp_rl.pettingzoo_env("kalah", houses=2, seeds=1)
    env.reset(seed=1)
    assert env.agent_selection == "player_0"
    env.step(1)  # the last seed in the store
    assert env.agent_selection == "player_0"
    while env.agents and not any(env.terminations.values()):
        env.step(0)
    assert env.rewards["player_0"] == -env.rewards["player_1"] != 0


def test_an_illegal_action_loses():
    env = ggp_rl.gymnasium_env("tictactoe", opponent="easy")
    seen, _ = env.reset(seed=3)
    assert seen["action_mask"].sum() == 9
    _, reward, over, _, info = env.step(20)
    assert (reward, over) == (-1.0, True)
    assert info["illegal"].startswith("action 20 is not legal")
