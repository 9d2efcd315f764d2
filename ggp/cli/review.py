"""`ggp review`: the mistakes of a recorded game, and what was best instead."""

import sys
from collections.abc import Mapping

import attrs
import click

from ggp import capabilities
from ggp.cli.console import assignments, echo, echo_json, echo_line, echo_text
from ggp.cli.help import Helpful
from ggp.cli.keyboard_match import takes_store
from ggp.cli.match_view import echo_board
from ggp.cli.number_options import takes_number
from ggp.cli.progress_line import ProgressLine
from ggp.cli.prompt import BackError, InputEndedError, Prompt, QuitError, ResignError
from ggp.cli.record import maker
from ggp.cli.session import Session, as_json, opens_files
from ggp.errors import UnsupportedGameError, UsageError
from ggp.files import STANDARD_INPUT
from ggp.game import MAX, MIN, Action, AnyGame, State
from ggp.play import Match, Record, controller, review
from ggp.play.players import HUMAN
from ggp.play.record_sources import read_record
from ggp.play.replay import replay
from ggp.play.review import Judged
from ggp.searcher import Limits, SearchResult
from ggp.show.value_text import value_text

COMMANDS = {
    "rules": "prints the rules",
    "back": "shows the best move and goes on to the next mistake",
    "quit": "shows the best move and ends",
    "?": "shows this",
}
"""Words that can be entered instead of a better move, each with its meaning."""


@click.command("review", cls=Helpful)
@click.argument("source", metavar="RECORD")
@takes_number(
    "--nodes",
    "States to search for each move; a move that seems to be a mistake gets ten times as many.",
    default=review.NODES,
    minimum=100,
    maximum=1_000_000_000,
)
@click.option("--mistakes", "only_mistakes", is_flag=True, help="Print the mistakes only, each with its board.")
@click.option("--learn", is_flag=True, help="Ask for a better move in place of each mistake.")
@opens_files
@takes_store
@as_json
@click.pass_obj
def command(
    session: Session,
    source: str,
    nodes: int,
    only_mistakes: bool,
    learn: bool,
    open_files: bool,
    store: str | None,
    as_json: bool,
) -> None:
    """Find the mistakes of a recorded game, and what was best instead.

    RECORD is the number of a stored game, a file, or - for standard input. A move is a mistake (?) or a blunder (??)
    according to the loss in chances to win. With --learn each of your mistakes becomes a puzzle: find a better move.
    """
    if learn and source == STANDARD_INPUT:
        raise UsageError("- reads the record from standard input, which --learn needs: give a file")
    if learn and as_json:
        raise UsageError("--learn and --json cannot be used together: one asks, the other prints data")
    record = read_record(source, store)
    named = f"game {source}" if source.isdigit() else source
    make = maker(session, record, source, open_files or source.isdigit())
    match = replay(session.registry, record, named, make=make)
    reviewer = Reviewer(session, match, nodes)
    judged = reviewer.moves()
    if as_json:
        echo_json(_data(record, match, judged))
        return
    first, second = record.players
    echo_line(f"{record.game} {assignments(record.parameters)}".rstrip())
    echo_line(f"{first.side}: {first.name}, {second.side}: {second.name}, {record.began}")
    if not learn:
        _echo_moves(match, judged, only_mistakes)
    echo_line(". ".join(_summary(match, judged)) + ".")
    if learn:
        _learn(reviewer, judged, record)


@attrs.frozen
class Reviewer:
    """Judges the moves of a match by the searcher that suits its game best."""

    session: Session
    match: Match
    nodes: int

    def search(self, state: State, limits: Limits) -> SearchResult:
        """Return the value of a state; on Ctrl-C the command ends."""
        searcher = controller.analyst(self.session.registry, self.match.game)
        if searcher is None:
            raise UnsupportedGameError(
                f"no searcher can search {self.match.game.name}, so its games cannot be reviewed"
            )
        result = searcher.search(self.match.game, state, limits)
        if result.stopped == "interrupt":
            raise KeyboardInterrupt
        return result

    def judged(self, state: State, action: Action) -> Judged:
        """Return the review of one move."""
        game = self.match.game
        mean = controller.values_are_means(self.session.registry, game)
        return review.judge(game, state, review.reviewed(game, state, action, self.search, self.nodes, mean=mean))

    def moves(self) -> Mapping[int, Judged]:
        """Return the review of each move where there was a choice, by its index."""
        places = review.moves_of_players(self.match.game, self.match.moves)
        judged = {}
        with ProgressLine() as line:
            for done, index in enumerate(places):
                line.show(f"{done} of {len(places)} moves reviewed", share=done / len(places))
                move = self.match.moves[index]
                judged[index] = self.judged(move.before, move.action)
        return judged


def _summary(match: Match, judgements: Mapping[int, Judged]) -> list[str]:
    return review.summary(match.game, ((move.mover, judgements.get(index)) for index, move in enumerate(match.moves)))


def _echo_moves(match: Match, judgements: Mapping[int, Judged], only_mistakes: bool) -> None:
    """Print each move with its value, and the best move below each mistake."""
    game, text = match.game, capabilities.notation(match.game)
    for index, move in enumerate(match.moves):
        judged = judgements.get(index)
        if only_mistakes and not (judged and judged.verdict):
            continue
        if only_mistakes:
            echo()
            echo_board(game, move.before, capabilities.scene(game, move.before))
            echo()
        who = (*capabilities.player_names(game), "chance")[move.mover]
        line = f"{index + 1}. {who} {text.format_action(move.before, move.action)}{judged.sign if judged else ''}"
        if judged:
            value = judged.compared
            line += f"  [{value_text(game, value.value, exact=value.exact)}, {value.sure}]"
        echo_line(line)
        if judged and judged.verdict:
            reply = f"; then {judged.compared.reply}" if judged.compared.reply else ""
            echo_text(f"{judged.verdict}: {judged.sentence}{reply}", indent=4)
    if only_mistakes:
        echo()


def _learn(reviewer: Reviewer, judgements: Mapping[int, Judged], record: Record) -> None:
    """Ask for a better move in place of each mistake of the human. If neither player is human, or both are, do so for
    both.
    """
    match, prompt = reviewer.match, Prompt(sys.stdin, quiet=False, commands=COMMANDS)
    human = [side for side in (MAX, MIN) if record.players[side].player == HUMAN] or [MAX, MIN]
    mistakes = [index for index, each in judgements.items() if each.verdict and match.moves[index].mover in human]
    if not mistakes:
        echo("There is no mistake to learn from.")
    for number, index in enumerate(mistakes, 1):
        move, judged = match.moves[index], judgements[index]
        played = capabilities.notation(match.game).format_action(move.before, move.action)
        echo(f"\nMistake {number} of {len(mistakes)}, move {index + 1}:")
        echo_board(match.game, move.before, capabilities.scene(match.game, move.before))
        echo_text(f"{capabilities.mover_name(match.game, move.before)} played {played}. Find a better move.")
        try:
            _ask(reviewer, prompt, move.before)
        except (BackError, ResignError):  # the next one
            echo_text(f"B{judged.sentence[1:]}.")
        except (QuitError, InputEndedError):
            echo_text(f"B{judged.sentence[1:]}.")
            return


def _ask(reviewer: Reviewer, prompt: Prompt, state: State) -> None:
    """Ask for moves until one of them is not a mistake."""
    game = reviewer.match.game
    while True:
        action = prompt.ask(game, state)
        tried, move = reviewer.judged(state, action), capabilities.notation(game).format_action(state, action)
        if not tried.verdict:
            why = capabilities.explain(game, state, action)
            echo_text(f"Right: {review.praise(tried.compared, move)}{f'; it {why}' if why else ''}.")
            return
        echo_text(f"No, {move} is a {tried.verdict}, too: {tried.loss}. Try again; back shows the best move.")


def _data(record: Record, match: Match, judgements: Mapping[int, Judged]) -> dict[str, object]:
    """Return the review as data; values are values to MAX."""
    return {
        "game": record.game,
        "parameters": record.parameters,
        "players": [player.name for player in record.players],
        "moves": [_row(match.game, index, match, judgements.get(index)) for index in range(len(match.moves))],
        "summary": _summary(match, judgements),
    }


def _row(game: AnyGame, number: int, match: Match, judged: Judged | None) -> dict[str, object]:
    move = match.moves[number]
    row: dict[str, object] = {
        "number": number + 1,
        "side": (*capabilities.player_names(game), "chance")[move.mover],
        "move": capabilities.notation(game).format_action(move.before, move.action),
    }
    if judged:
        value = judged.compared
        row |= {"verdict": judged.verdict or None, "value": value.value, "best": value.best}
        row |= {
            "best_value": value.best_value,
            "exact": value.exact,
            "depth": value.depth,
            "reply": value.reply or None,
        }
    return row
