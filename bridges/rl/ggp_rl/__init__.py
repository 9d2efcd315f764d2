"""Environments for reinforcement learning: every game with the interfaces of PettingZoo and Gymnasium.
Needs the extra `rl`.

env = ggp_rl.pettingzoo_env("kalah", houses=4)     # two agents, in turn
env = ggp_rl.gymnasium_env("kalah", opponent="medium")     # one agent against a player of ggp
"""

from typing import Any

__all__ = ["gymnasium_env", "pettingzoo_env"]


def pettingzoo_env(name: str, /, **parameters: object) -> Any:
    """Return the environment of a game for PettingZoo (AEC). Raises as `Registry.game` does."""
    from ggp_rl.environments import TurnEnvironment

    return TurnEnvironment(name, parameters)


def gymnasium_env(name: str, /, opponent: str = "random", **parameters: object) -> Any:
    """Return the environment of a game for Gymnasium, in which a player of ggp is the opponent.

    Raises as `Registry.game` and `make_player` do.
    """
    from ggp_rl.environments import SoloEnvironment

    return SoloEnvironment(name, parameters, opponent)
