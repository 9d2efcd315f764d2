"""`ggp tablebase` for games that are built layer by layer (see `ggp_solve.layers`); of others as ever."""

import pathlib
import time
from collections.abc import Callable
from typing import Any

import click

from ggp import capabilities
from ggp.cli.failure import FAILURE, INTERRUPTED, Stopped
from ggp.cli.session import Position, Session
from ggp.cli.words import assignments, echo, echo_game, echo_json, hanging
from ggp.errors import UsageError
from ggp.game import MAX, Game
from ggp.show.numbers import number
from ggp_solve import layers, tablebases
from ggp_solve.cli import tablebase as ranked
from ggp_solve.cli.progress_line import ProgressLine
from ggp_solve.speed import runner

command = ranked.command


def _replace(name: str, function: Callable[..., None]) -> None:
    """Let a function do what a subcommand does, where the game is one of layers."""
    old = command.commands[name]
    callback = old.callback
    assert callback is not None

    def dispatched(**given: Any) -> Any:
        session = click.get_current_context().find_object(Session)
        assert session is not None
        board = [given.pop(each, None) for each in ("board", "moves")] if name == "probe" else []
        position = session.position(given["name"], given["parameters"], *(board or (None, None)))
        if not layers.is_layered(position.game):
            return callback(**given, **(dict(zip(("board", "moves"), board, strict=True)) if board else {}))
        return function(position, given["directory"] or tablebases.default_directory(), given)

    old.callback = dispatched


def _build(position: Position, directory: pathlib.Path, given: dict[str, Any]) -> None:
    game: Any = position.game
    for option in ("threads", "processes", "executor"):
        if given[option]:
            raise UsageError(f"--{option} does not go with {game.name}: its layers are built one after another")
    began = time.perf_counter()
    highest = ranked.LAYER.parse(given["layer"])
    run, note = runner(game, game.initial_state())
    with ProgressLine() as line:
        built = layers.Layers(game, highest, run)
        try:
            built.build(lambda layer, count: line.show(f"{game.name}: layer {layer} of {highest}, {count:,} positions"))
        except KeyboardInterrupt:
            raise Stopped("interrupted: nothing is kept", INTERRUPTED) from None
        path = built.write(directory)
    seconds, count = time.perf_counter() - began, built.first[-1]
    if given["as_json"]:
        told = {"file": str(path), "layer": highest, "positions": count, "seconds": seconds, "speed": run.name}
        echo_json(_head(game) | told | {"note": note})
        return
    echo_game(game.name, capabilities.parameters(game))
    echo(f"layers 0 to {highest}, {count:,} positions, are in {path} ({seconds:.1f} s, {run.name})")


def _verify(position: Position, directory: pathlib.Path, given: dict[str, Any]) -> None:
    game = position.game
    built = layers.read(game, directory)
    sample = None if given["everything"] else ranked.SAMPLE.parse(given["sample"] or str(ranked.SAMPLE.default))
    seed = ranked.SEED.parse(given["seed"])
    wrong = built.contradictions(sample, seed)
    if wrong:
        state = capabilities.notation(game).format_state(wrong[0])
        raise Stopped(
            f"the tablebase is wrong at {state}: its value is not that of a best move; build it again", FAILURE
        )
    checked = built.first[-1] if sample is None else sample
    if given["as_json"]:
        echo_json(_head(game) | {"directory": str(directory), "checked": checked, "of": built.first[-1]})
        return
    echo_game(game.name, capabilities.parameters(game))
    of = f"{checked:,} of {built.first[-1]:,} positions of layers 0 to {built.highest}"
    echo(f"{of}: all are worth what the rules say")


def _probe(position: Position, directory: pathlib.Path, given: dict[str, Any]) -> None:
    game: Any = position.game
    state, built, text = position.state, layers.read(game, directory), capabilities.notation(game)
    if game.layer(state) > built.highest:
        raise UsageError(f"{text.format_state(state)} is above the tablebase, whose highest layer is {built.highest}")
    value = built.value(state)
    actions = capabilities.legal_actions(game, state)
    named = {text.format_action(state, action): built.value(game.result(state, action)) for action in actions}
    best = [action for action, worth in named.items() if worth == value]
    if given["as_json"]:
        echo_json(position.head() | {"value": value, "values": named, "best_actions": best})
        return
    head = position.head()
    rows = {
        "game": f"{head['game']} {assignments(head['parameters'])}",
        "state": f"{head['state']}, {'the game is over' if position.over else head['to_move'] + ' to move'}",
        "value": f"{number(value)} to {capabilities.player_names(game)[MAX]}, exact",
        "values": ", ".join(f"{action} {number(worth)}" for action, worth in named.items()),
        "best": ", ".join(best),
    }
    for title, words in rows.items():
        if words:
            echo("\n".join(hanging(title, words, 12)))


def _head(game: Game[Any, Any]) -> dict[str, Any]:
    return {"game": game.name, "parameters": capabilities.parameters(game)}


_replace("build", _build)
_replace("verify", _verify)
_replace("probe", _probe)
