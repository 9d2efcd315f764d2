"""Implement `ggp levels`: the levels of a game, their strength, and the tournament that measures it."""

import pathlib
from collections.abc import Mapping

import attrs
import click

from ggp import capabilities, levels
from ggp.cli import completion
from ggp.cli.console import echo, echo_json, echo_table, echo_text
from ggp.cli.help import Helpful
from ggp.cli.number_options import takes_number
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, as_json, takes_position
from ggp.errors import UsageError
from ggp.game import AnyGame, Levelled
from ggp.levels import Grading


@click.command("levels", cls=Helpful)
@takes_position
@click.option("--measure", is_flag=True, help="Play the tournament, and store its results.")
@takes_number("--games", "Number of games between every two players; must be even.", default=20, minimum=2)
@takes_number(
    "--share",
    "In the tournament, the levels get this share of their usual time.",
    default=0.1,
    minimum=0.001,
    maximum=1,
    type=float,
)
@click.option(
    "--searcher",
    "searchers",
    multiple=True,
    metavar="SEARCHER",
    shell_complete=completion.searchers,
    help="Let this searcher take part, with these options. May be repeated (default: the preferred ones).",
)
@takes_number("--seed", "Seed of starts and players.", default=0, minimum=0, maximum=(1 << 63) - 1)
@click.option(
    "--output", metavar="FILE", help="Store the results in this file (default: levels.jsonl in your data directory)."
)
@as_json
def command(
    session: Session,
    position: Position,
    measure: bool,
    games: int,
    share: float,
    searchers: tuple[str, ...],
    seed: int,
    output: str | None,
    as_json: bool,
) -> None:
    """Show the levels of a game with their Elo.

    A level is a budget and means the same in every game. `easy` looks two to four plies ahead and plays a share of its
    moves at random. `medium` enters 1,000 states, `hard` takes half a second a move, and `master` takes three seconds
    in two threads. The level `perfect` exists if the value of the game is known from a book, was found in the time of
    `master`, or is likely to be found in this time. `perfect` plays the moves of the book, proves values in the time of
    `master`, and says whether the value is known.

    With --measure, a tournament finds the searcher that plays best in the time of `hard`, the share of weak moves of
    `easy`, and the Elo of each level. With that share, `easy` loses about a third of its games to a beginner, who looks
    one ply ahead. The beginner's Elo is 0.
    """
    game = position.game
    if games % 2:
        raise UsageError(f"--games must be even (each start is played twice with sides swapped); got {games}")
    if not measure and (searchers or output):
        raise UsageError("--searcher and --output are for the tournament: add --measure")
    if measure:
        if isinstance(game, Levelled):
            raise UsageError(f"{game.name} has levels of its own: `ggp tournament {game.name} LEVEL...` rates them")
        grading: Grading | None = _measured(session, position, games, share, searchers, seed, output)
    else:
        grading = None if isinstance(game, Levelled) else levels.grading(session.registry, game)
    texts = levels.levels(session.registry, game, grading)
    if as_json:
        echo_json(_data(game.name, texts, grading))
        return
    elo, results = levels.elo(session.registry, game, grading), grading.results if grading else {}
    rows = [
        [name, f"{elo[name]:+.0f}" if name in elo else "", _result(results.get(name)), text]
        for name, text in texts.items()
    ]
    echo_table([["level", "Elo", "against the level below", "player"], *rows], texts=(0, 2, 3))
    echo()
    echo_text(_explained(game, grading, session.program()))


def _measured(
    session: Session,
    position: Position,
    games: int,
    share: float,
    searchers: tuple[str, ...],
    seed: int,
    output: str | None,
) -> Grading:
    """Hold a tournament, write its result to a file, and return it."""
    from ggp.experiments.level_tournament import LevelTournament  # only this needs experiments

    for text in searchers:
        session.registry.require(session.registry.parse_searcher(text)[0], position.game)
    with ProgressLine() as line:
        measured = LevelTournament(
            registry=session.registry,
            game=position.game,
            games=games,
            share=share,
            searchers=searchers,
            seed=seed,
            plugins=tuple(str(pathlib.Path(file).resolve()) for file in session.registry.files),
            say=line.show,
        ).run()
    levels.write(levels.own_file() if output is None else pathlib.Path(output), [measured])
    return measured


def _result(counts: tuple[int, int, int] | None) -> str:
    return "" if counts is None else f"+{counts[0]} ={counts[1]} -{counts[2]}"


def _explained(game: AnyGame, grading: Grading | None, program: str) -> str:
    if len(capabilities.players(game)) == 1:
        return f"The levels have no Elo: {game.name} is for one player."
    if grading is None or not grading.elo:
        return f"Their strength has not been measured: `{program} levels {game.name} --measure` measures it."
    return (
        "Elo 0 is a beginner, who looks one ply ahead."
        f" In the tournament, the levels had {grading.share:.0%} of their usual time."
    )


def _data(name: str, texts: Mapping[str, str], grading: Grading | None) -> dict[str, object]:
    return {"game": name, "levels": dict(texts), "tournament": None if grading is None else attrs.asdict(grading)}
