"""`ggp tablebase`: build, list, verify and query endgame tablebases."""

import contextlib
import pathlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor

import click
from ggp_search.tablebases import provenance
from ggp_search.tablebases.ranking import has_ranking, is_layered

from ggp import capabilities
from ggp.cli.console import echo, echo_game, echo_json, echo_rows
from ggp.cli.failure import FAILURE, INTERRUPTED, Stopped
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.number_options import takes_number
from ggp.cli.progress_line import ProgressLine
from ggp.cli.session import Position, Session, as_json, takes_game, takes_position
from ggp.errors import UsageError
from ggp.experiments import workshop
from ggp.game import MAX, AnyGame
from ggp.number_text import number
from ggp_solve import tablebases
from ggp_solve.cli import position_table
from ggp_solve.cli.proof import LARGEST
from ggp_solve.tablebases import consistency, inventory

THREADS = 2
"""Default number of threads that build sections."""
MEMORY = 3072
"""Default memory of an enumeration, in megabytes."""
SAMPLE = 10_000
"""Default number of positions to verify."""


takes_directory = click.option(
    "--directory",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=pathlib.Path),
    help="Directory of the tablebases (default: $GGP_TABLEBASES, or the user's data directory).",
)


@click.group("tablebase", cls=HelpfulGroup, section="Solve", synonyms={"info": "list"})
def command() -> None:
    """Build, list, verify and query endgame tablebases.

    A tablebase holds the exact value of every position of the lowest layers. In Kalah and Awari, the layer of a
    position is the number of seeds in play. If a game can be enumerated, a tablebase may hold all its positions.
    """


@command.command("build", cls=Helpful)
@takes_game
@takes_number("--layer", "Build all layers up to this one.", minimum=0, maximum=127, alias="--grade")
@takes_directory
@takes_number(
    "--memory",
    f"Memory for enumerating a game without layers (default: {MEMORY}).",
    metavar="MB",
    type=float,
    minimum=1,
    maximum=LARGEST,
)
@takes_number("--threads", f"Number of threads that build sections (default: {THREADS}).", minimum=1, maximum=1024)
@takes_number("--processes", "Number of processes that build sections, in place of threads.", minimum=1, maximum=1024)
@click.option(
    "--executor", metavar="dask:ADDRESS", help="Build sections on a cluster that shares DIR. Needs the extra `cluster`."
)
@as_json
@click.pass_obj
def build(
    session: Session,
    name: str,
    parameters: Sequence[str],
    layer: int | None,
    directory: pathlib.Path | None,
    memory: float | None,
    threads: int | None,
    processes: int | None,
    executor: str | None,
    as_json: bool,
) -> None:
    """Build the tablebase of GAME: layer by layer or, for a game without layers, all positions at once.

    Layers that exist are not built again, and damaged ones are refused. After an interruption the same command
    resumes from the finished sections.
    """
    game, folder = session.sound_game(name, parameters), directory or tablebases.default_directory()
    position_table.require_layer(game, layer)
    by_ranking = has_ranking(game)
    given = {"memory": memory} if by_ranking else {"processes": processes, "executor": executor}
    for option, value in given.items():
        if value is not None:
            raise UsageError(
                f"--{option} cannot be used with {game.name}, whose tablebase is built in another way: leave it out"
            )
    if layer is None or not by_ranking:
        position_table.build(game, folder, memory or MEMORY, threads or THREADS, as_json)
        return
    if threads and (processes or executor):
        other = "processes" if processes else "executor"
        raise UsageError(f"--threads and --{other} cannot be used together: each says where the sections are built")
    began = time.perf_counter()
    message = "finished sections are saved, and the same command resumes from them"
    with _interrupted(message), _executor(processes, executor) as pool, ProgressLine() as line:
        report = _report_layers(game.name, layer, line)
        base = tablebases.build_files(game, folder, layer, threads=threads or THREADS, executor=pool, report=report)
    seconds, positions = time.perf_counter() - began, base.count
    if as_json:
        data = {"directory": str(folder), "layer": base.layers - 1, "positions": positions, "seconds": seconds}
        echo_json(position_table.head(game) | data)
        return
    echo_game(game.name, capabilities.parameters(game))
    echo(f"layers 0 to {base.layers - 1}, {positions:,} positions, are in {folder} ({seconds:.1f} s)")


def _executor(processes: int | None, executor: str | None) -> "contextlib.AbstractContextManager[Executor | None]":
    """Return the executor that fills sections in other processes; None for threads of this process."""
    if processes is None and executor is None:
        return contextlib.nullcontext()
    return workshop(processes, executor).open()


@contextlib.contextmanager
def _interrupted(message: str) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        # Ctrl-C in the middle of a clean-up can end as another error.
        if isinstance(error, KeyboardInterrupt) or click.get_current_context().ensure_object(Session).interrupted:
            raise Stopped(f"interrupted: {message}", INTERRUPTED) from None
        raise


def _report_layers(name: str, highest: int, line: ProgressLine) -> Callable[[int, int, int], None]:
    def report(layer: int, filled: int, positions: int) -> None:
        share = filled / positions if positions else None
        line.show(f"{name}: layer {layer} of {highest}", f"{filled:,} of its {positions:,} positions", share=share)

    return report


@command.command("list", cls=Helpful)
@takes_directory
@as_json
def list_tables(directory: pathlib.Path | None, as_json: bool) -> None:
    """List the tablebases of a directory.

    The exit status is 1 if the header of a file is damaged, or if a file is not a tablebase. This command does not
    check the data, which is checked when it is used.
    """
    folder = directory or tablebases.default_directory()
    tables, problems = inventory.inventory(folder)
    if as_json:
        echo_json({"directory": str(folder), "tablebases": tables, "problems": problems})
    elif not tables:
        echo(f"no tablebases in {folder}", err=True)
    for each in [] if as_json else tables:
        echo_game(each["game"], each["parameters"])
        if each["layer"] is None:
            echo(f"  all {each['positions']:,} positions in {each['bytes']:,} bytes")
            continue
        missing = f", without {', '.join(map(str, each['missing']))}" if each["missing"] else ""
        layers = f"layers 0 to {each['layer']}{missing}"
        echo(f"  {layers}: {each['positions']:,} positions in {each['bytes']:,} bytes")
    if problems:
        raise Stopped("; ".join(problems), FAILURE)


@command.command("verify", cls=Helpful)
@takes_game
@takes_directory
@takes_number("--sample", f"Check this many positions, drawn at random (default: {SAMPLE:,}).", minimum=1)
@click.option("--all", "everything", is_flag=True, help="Check every position.")
@takes_number("--seed", "Seed of the draws.", default=0, minimum=0)
@as_json
@click.pass_obj
def verify(
    session: Session,
    name: str,
    parameters: Sequence[str],
    directory: pathlib.Path | None,
    sample: int | None,
    everything: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Verify the tablebase of GAME by the rules.

    Each position's value must be the best that its actions lead to, by the rules of the interpreted game. If that is
    true of all positions, every value is exact.
    """
    if everything and sample is not None:
        raise UsageError("--all and --sample cannot be used together")
    game, folder = session.sound_game(name, parameters), directory or tablebases.default_directory()
    if not has_ranking(game):
        drawn = None if everything else sample or SAMPLE
        position_table.verify(game, folder, drawn, seed, as_json)
        return
    base = _opened(game, folder)
    number_of = base.count if everything else sample or SAMPLE
    with _interrupted("no position that was checked is wrong"), ProgressLine() as line:
        checked = tablebases.verify(
            base,
            None if everything else number_of,
            seed,
            lambda count: (
                line.show(f"{count:,} of {number_of:,} positions", share=count / number_of)
                if count % 100 == 0
                else None
            ),
        )
    provenance.remember(base.files)
    if as_json:
        counts = {"checked": sum(checked), "of": base.count, "by_layer": checked}
        echo_json(position_table.head(game) | {"directory": str(folder)} | counts)
        return
    echo_game(game.name, capabilities.parameters(game))
    of = f"{sum(checked):,} of {base.count:,} positions of layers 0 to {base.layers - 1}"
    echo(f"{of}: all values agree with the rules")


def _opened(game: AnyGame, folder: pathlib.Path) -> tablebases.Tablebase:
    base = tablebases.open_tablebase(game, folder)
    if not base.layers:
        raise position_table.none_in(game, folder)
    return base


@command.command("probe", cls=Helpful)
@takes_position
@takes_directory
@as_json
def probe(session: Session, position: Position, directory: pathlib.Path | None, as_json: bool) -> None:
    """Look up the exact values of a position of GAME and of its actions, and the best actions.

    A value is a value to MAX, the first player.
    """
    game, state, folder = position.game, position.state, directory or tablebases.default_directory()
    if not has_ranking(game) or is_layered(game):
        position_table.probe(position, folder, as_json)
        return
    base = _opened(game, folder)
    provenance.warn_of_others(game.name, folder, base.files)
    value = consistency.value_of(game, base, state)
    actions = capabilities.legal_actions(game, state)
    values = {action: consistency.value_of(game, base, game.result(state, action)) for action in actions}
    text = capabilities.notation(game)
    named = {text.format_action(state, action): worth for action, worth in values.items()}
    best = [action for action, worth in named.items() if worth == value]
    if as_json:
        echo_json(position.head() | {"value": value, "values": named, "best_actions": best})
        return
    rows = position.rows() | {
        "value": f"{number(value)} to {capabilities.player_names(game)[MAX]}, exact",
        "values": ", ".join(f"{action} {number(worth)}" for action, worth in named.items()),
        "best": ", ".join(best),
    }
    echo_rows(rows)
