"""`ggp accuracy`: compare the moves of players with exact values."""

import re
from collections.abc import Sequence

import click

from ggp import capabilities
from ggp.cli import completion
from ggp.cli.console import assignments, echo, echo_json, echo_rows, echo_table
from ggp.cli.failure import INTERRUPTED, Stopped
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, write_csv
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Session, as_json, takes_game
from ggp.errors import GGPError, UsageError
from ggp.game import AnyGame
from ggp.number_text import many, number
from ggp.play.player_parser import make_player
from ggp.play.players import begin, close
from ggp.plugin_faults import require_sound
from ggp.tables import ResultTable
from ggp_learn.accuracy import PATIENCE, Accuracy, JudgedMove, PositionSet, measure, solved_positions
from ggp_learn.cells import PLIES

WORST = 5
"""Number of worst moves that are printed."""


@click.command("accuracy", cls=Helpful, section="Search and learn")
@takes_game
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True, shell_complete=completion.players)
@takes_number("--positions", "Number of positions.", default=100, minimum=1, maximum=1_000_000)
@click.option("--plies", metavar="A-B", help="Only positions after this many moves (default: all).")
@takes_number(
    "--seconds",
    "Time to find the values of a position. If it is not enough, a later position of the same game is taken.",
    metavar="SECONDS",
    type=float,
    default=PATIENCE,
    minimum=0.01,
    maximum=1e6,
)
@takes_number("--seed", "Seed of the random games that the positions are from.", default=0, minimum=0)
@click.option("--quiet", is_flag=True, help="Print no progress.")
@takes_csv
@as_json
@click.pass_obj
def command(
    session: Session,
    name: str,
    parameters: Sequence[str],
    players: Sequence[str],
    positions: int,
    plies: str | None,
    seconds: float,
    seed: int,
    quiet: bool,
    csv: str | None,
    as_json: bool,
) -> None:
    """Compare the moves of players with exact values.

    Positions are taken from random games, and the value of each move is found by enumeration or by proof. If finding
    the values takes too long, a later position of the same game is taken. A player's move is right if no other move is
    better. For each phase of the game, the report gives the share of right moves and the mean loss. It also gives the
    worst moves. Ctrl-C ends the comparison: the moves examined so far are reported, and the exit status is 130.
    """
    game = session.game(name, parameters)
    require_sound(game, game.initial_state(), session.registry.game_entry(name))
    span = _span(plies)
    participants = [make_player(session.registry, each, game, seed=seed) for each in players]
    measured: list[Accuracy] = []
    with ProgressLine() as line:

        def solved(count: int, unsolved: int) -> None:
            if not quiet:
                left_out = f"{unsolved:,} left out" if unsolved else ""
                line.show(f"solving positions: {count:,} of {positions:,}", left_out, share=count / positions)

        solved_set = solved_positions(game, positions, seed=seed, plies=span, seconds=seconds, report=solved)
        if not solved_set.positions:
            raise GGPError(_none(game, solved_set, seconds))
        interrupted = False
        for player in participants:

            def moved(accuracy: Accuracy) -> None:
                if not quiet:
                    done, wanted = len(accuracy.moves), len(solved_set.positions)
                    best = f"{accuracy.best:.1%} best moves"
                    line.show(f"{accuracy.player}: {done:,} of {wanted:,}", best, share=done / wanted)

            try:
                begin(player)
                measured.append(measure(game, player, solved_set.positions, moved))
            except KeyboardInterrupt:
                interrupted = True
                break
            finally:
                close(player)
    if csv is not None:
        write_csv(csv, ResultTable(row for each in measured for row in each.to_table(game)))
    if as_json:
        echo_json(as_data(game, solved_set, measured, seed))
    elif csv != STANDARD_OUTPUT:
        echo_accuracy(game, solved_set, measured, seed)
    if interrupted:
        raise Stopped("interrupted: only the players listed above were measured on all positions", INTERRUPTED)


def _span(text: str | None) -> tuple[int, int]:
    if text is None:
        return 0, PLIES
    matched = re.fullmatch(r"(\d{1,6})-(\d{1,6})", text.strip(), re.ASCII)
    if not matched or int(matched[1]) > int(matched[2]):
        raise UsageError(f"--plies needs two numbers of moves, the smaller one first: 8-30; got {text!r}")
    return int(matched[1]), int(matched[2])


def _none(game: AnyGame, solved_set: PositionSet, seconds: float) -> str:
    if solved_set.unsolved:
        return (
            f"no position of {game.name} was solved, in {seconds:g} s each: give more --seconds, or later positions"
            " with --plies"
        )
    return f"random games of {game.name} have no such positions: give other --plies"


def as_data(game: AnyGame, solved_set: PositionSet, measured: Sequence[Accuracy], seed: int) -> dict[str, object]:
    """Return the accuracy of each player, for JSON."""
    return {
        "game": game.name,
        "parameters": capabilities.parameters(game),
        "positions": len(solved_set.positions),
        "left_out": solved_set.unsolved,
        "method": solved_set.method,
        "seed": seed,
        "players": [
            {
                "player": each.player,
                **_figures(each),
                "phases": {phase: _figures(part) for phase, part in each.phases.items()},
                "worst": [_worst(game, move) for move in each.worst(WORST)],
            }
            for each in measured
        ],
    }


def _figures(accuracy: Accuracy) -> dict[str, object]:
    return {
        "moves": len(accuracy.moves),
        "best": accuracy.best,
        "best_where_it_matters": accuracy.best_where_it_matters,
        "mean_loss": accuracy.loss,
        "mean_seconds": _mean_seconds(accuracy),
    }


def _mean_seconds(accuracy: Accuracy) -> float:
    return sum(move.seconds for move in accuracy.moves) / max(1, len(accuracy.moves))


def _worst(game: AnyGame, move: JudgedMove) -> dict[str, object]:
    text, state = capabilities.notation(game), move.position.state
    return {
        "state": text.format_state(state),
        "move": text.format_action(state, move.action),
        "loss": move.loss,
        "best": _best(game, move),
    }


def _best(game: AnyGame, move: JudgedMove) -> list[str]:
    text, state, values = capabilities.notation(game), move.position.state, move.position.values
    return [text.format_action(state, action) for action in values if not move.position.loss(action)]


def echo_accuracy(game: AnyGame, solved_set: PositionSet, measured: Sequence[Accuracy], seed: int) -> None:
    """Print the accuracy of each player."""
    left = (
        f", with later positions in place of {solved_set.unsolved:,} that were too hard" if solved_set.unsolved else ""
    )
    echo_rows(
        {
            "game": f"{game.name} {assignments(capabilities.parameters(game))}".rstrip(),
            "positions": f"{len(solved_set.positions):,} of random games, seed {seed}{left}",
            "values": f"exact, by {solved_set.method}",
        }
    )
    echo()
    heads = ["player", "best moves", "where it matters", "mean loss", "ms a move"]
    phases = [phase for phase in ("beginning", "middle", "end") if any(phase in each.phases for each in measured)]
    rows = [
        [
            each.player,
            f"{each.best:.1%}",
            "" if each.best_where_it_matters is None else f"{each.best_where_it_matters:.1%}",
            number(each.loss),
            f"{1000 * _mean_seconds(each):.1f}",
            *[f"{each.phases[phase].best:.1%}" for phase in phases],
        ]
        for each in measured
    ]
    echo_table([[*heads, *phases], *rows])
    for each in measured:
        worst = each.worst(WORST)
        if worst:
            echo()
            echo(f"Worst of {many(len([m for m in each.moves if not m.is_best]), 'wrong move')} of {each.player}:")
            echo()
            texts = [(_worst(game, move), _best(game, move), move.loss) for move in worst]
            rows_of_worst = [
                [str(w["state"]), str(w["move"]), ", ".join(best), number(loss)] for w, best, loss in texts
            ]
            echo_table([["position", "move", "best", "loss"], *rows_of_worst], texts=(0, 1, 2))
