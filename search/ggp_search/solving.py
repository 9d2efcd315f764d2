"""Solving: the exact value of a position, by proof to the end of the game.

    solved = solve(kalah, kalah.initial_state(), Resources(memory=2048, threads=2))
    solved.value, solved.principal_variation

It begins with a small table, which is enough for small games. What takes longer gets a large table and an endgame
tablebase in memory, if the game's positions can be numbered (`ggp.game.Ranking`); and what takes very long, a
larger tablebase. What has been proved stays proved through all of it.
"""

from collections.abc import Callable
from typing import Any

from ggp.game import Game
from ggp.searcher import Limits
from ggp_search.effort import Effort
from ggp_search.engine.driver import prepare
from ggp_search.proving import require_solvable
from ggp_search.solution import Progress, Resources, Solution, Wanted

Report = Callable[[Progress], None]


def solve(
    game: Game[Any, Any],
    state: Any,
    resources: Resources = Resources(),
    *,
    values: bool = False,
    outcome: bool = False,
    report: Report | None = None,
) -> Solution:
    """Prove the value of `state`.

    Arguments:
        values: the value of every action of it, too.
        outcome: only who wins; the value is proved no further than that.
        report: called some times a second.

    Raises:
        UnsupportedGameError: the game is one of chance.
        DepthError: it goes on for more plies than a search can.
    """
    return run(game, state, resources, Wanted(values, outcome), report)[1]


def run(
    game: Game[Any, Any], state: Any, resources: Resources, wanted: Wanted, report: Report | None = None
) -> tuple[Effort, Solution]:
    """As `solve`, with all that was found on the way."""
    require_solvable(game)
    prepare(Limits())
    effort = Effort(game, state, resources, wanted)
    complete = effort.control.run(effort.go, resources.seconds, lambda: effort.look(report))
    return effort, effort.solution(complete)
