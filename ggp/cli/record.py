"""`ggp record`: the games of the store: list, show, export, import, delete."""

import pathlib
from collections.abc import Sequence

import attrs
import click

from ggp.cli.console import assignments, echo, echo_json, echo_table, typed
from ggp.cli.failure import FAILURE, Stopped
from ggp.cli.help import Helpful, HelpfulGroup
from ggp.cli.keyboard_match import takes_store
from ggp.cli.output_file import STANDARD_OUTPUT, takes_csv, write_csv
from ggp.cli.session import Session, as_json, opens_files
from ggp.errors import OptionError, RecordError, UsageError
from ggp.files import write_file
from ggp.play.json_format import to_json
from ggp.play.record_sources import read_file, read_record
from ggp.play.records import Record
from ggp.play.replay import Make, replay
from ggp.play.store import StoredGame, games_table, open_store
from ggp.play.text_format import RESULTS, UNFINISHED, to_text
from ggp.plugins import Registry

FORMATS = {"text": to_text, "json": to_json}


@click.group("record", cls=HelpfulGroup)
def command() -> None:
    """List, show, export, import and delete stored games.

    RECORD is the number of a stored game, a file, or - for standard input.
    """


@command.command("list", cls=Helpful)
@click.option("--unfinished", is_flag=True, help="List unfinished games only.")
@takes_store
@takes_csv
@as_json
@click.pass_obj
def list_games(session: Session, unfinished: bool, store: str | None, csv: str | None, as_json: bool) -> None:
    """List the stored games, the most recent first.

    Parameters are listed only if they differ from the game's defaults; JSON has all of them.
    """
    problems: list[str] = []
    with open_store(store) as games:
        entries = [entry for entry in games.entries(problems.append) if not unfinished or entry.ending is None]
    if csv is not None:
        write_csv(csv, games_table(entries))
    if as_json:
        echo_json([_as_data(entry) for entry in entries])
    elif csv != STANDARD_OUTPUT:
        echo_entries(entries, session.registry)
    if problems:
        raise Stopped("; ".join(problems), FAILURE)


def maker(session: Session, record: Record, source: str, trusted: bool) -> Make:
    """Return the function that makes the game of a record from its name and parameters.

    Arguments:
        trusted: whether the game and the players may open files; true for the user's own records.

    Raises:
        RecordError: the record is not trusted, and one of its players would open a file.
    """
    if trusted:
        return session.registry.game
    try:
        for player in record.players:
            session.registry.require_foreign_player(player.player)
    except OptionError as error:
        raise RecordError(f"{source} cannot be replayed: {error}") from None
    return session.registry.foreign_game


def echo_entries(entries: Sequence[StoredGame], registry: Registry) -> None:
    """Print a table of stored games, each with the parameters that differ from the game's defaults."""
    if not entries:
        echo("no games", err=True)
        return
    rows = [
        [
            str(entry.number),
            entry.changed[:16].replace("T", " "),
            f"{entry.head.game} {assignments(_changed(entry, registry))}".rstrip(),
            " - ".join(f"{player.side} {player.name}" for player in entry.head.players),
            _result(entry),
            str(entry.moves),
        ]
        for entry in entries
    ]
    echo_table([["no.", "saved", "game", "players", "result", "moves"], *rows], texts=(1, 2, 3, 4))


def _changed(entry: StoredGame, registry: Registry) -> dict[str, object]:
    """Return the parameters that differ from the game's defaults; all parameters if the game is not installed."""
    saved_with = registry.games.get(entry.head.game)
    usual = {option.name: typed(option.default) for option in saved_with.options} if saved_with else {}
    return {name: value for name, value in entry.head.parameters.items() if typed(value) != usual.get(name)}


def _result(entry: StoredGame) -> str:
    return UNFINISHED if entry.ending is None else f"{RESULTS[entry.ending.winner]} {entry.ending.how}"


def _as_data(entry: StoredGame) -> dict[str, object]:
    head = attrs.asdict(entry.head)
    names = ("game", "parameters", "players", "start", "seed", "clock", "began")
    ending = None if entry.ending is None else attrs.asdict(entry.ending)
    return (
        {"number": entry.number, "changed": entry.changed}
        | {name: head[name] for name in names}
        | {"moves": entry.moves, "ending": ending}
    )


@command.command("show", cls=Helpful)
@click.argument("source", metavar="RECORD")
@takes_store
@takes_csv
@as_json
def show(source: str, store: str | None, csv: str | None, as_json: bool) -> None:
    """Print a record, as text or as JSON."""
    record = read_record(source, store)
    if csv is not None:
        head = {"game": record.game, "parameters": record.parameters}
        write_csv(csv, record.to_table().headed(head))
    if as_json or csv != STANDARD_OUTPUT:
        click.echo(to_json(record) if as_json else to_text(record), nl=False)  # both escape by themselves


@command.command("export", cls=Helpful)
@click.argument("source", metavar="RECORD")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), help="Format of the file (default: chosen by its extension)."
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@takes_store
def export(source: str, file: str, form: str | None, force: bool, store: str | None) -> None:
    """Write a record to a file: JSON if its name ends in .json, otherwise text."""
    path = pathlib.Path(file)
    if path.exists() and not force:
        raise UsageError(f"{file} exists; overwrite it with --force")
    written = form or ("json" if path.suffix.lower() == ".json" else "text")
    write_file(path, FORMATS[written](read_record(source, store)).encode())


@command.command("import", cls=Helpful)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(dir_okay=False, allow_dash=True))
@opens_files
@takes_store
@click.pass_obj
def import_records(session: Session, files: tuple[str, ...], open_files: bool, store: str | None) -> None:
    """Import records into the store.

    Every record is replayed first; if one of them is wrong, none is imported.
    """
    records: list[Record] = []
    for file in files:
        record = read_file(pathlib.Path(file))
        match = replay(session.registry, record, file, make=maker(session, record, file, open_files))
        records.append(attrs.evolve(record, ending=match.ending))
    with open_store(store) as games:
        for file, record in zip(files, records, strict=True):
            echo(f"{file} is stored as game {games.add(record)}")


@command.command("delete", cls=Helpful)
@click.argument("numbers", metavar="NUMBER...", nargs=-1, required=True, type=click.IntRange(min=1))
@takes_store
def delete(numbers: tuple[int, ...], store: str | None) -> None:
    """Delete games from the store."""
    with open_store(store) as games:
        for number in numbers:
            games.delete(number)
