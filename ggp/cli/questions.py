"""Ask the questions of `ggp play` without arguments: the game, its parameters, and the players."""

from collections.abc import Callable
from typing import TypeVar

from ggp import capabilities
from ggp.cli.console import echo_choices, echo_options, echo_text
from ggp.cli.failure import FAILURE, Stopped
from ggp.cli.prompt import InputEndedError, Prompt
from ggp.cli.session import Session
from ggp.errors import UsageError
from ggp.game import MAX, MIN, AnyGame
from ggp.levels import levels, usual_level, with_time
from ggp.play import make_player
from ggp.play.players import HUMAN

AnswerT = TypeVar("AnswerT")


def ask_game(session: Session, prompt: Prompt) -> AnyGame:
    """Return the game that the human chooses, with its parameters.

    Raises:
        Stopped: the input has ended.
    """
    games = session.registry.games
    echo_choices({f"{number:>3}  {name}": entry.summary for number, (name, entry) in enumerate(games.items(), 1)})
    numbered = {str(number): name for number, name in enumerate(games, 1)}
    question = "Which game? [name or number] "
    game = _until_right(prompt, question, lambda text: session.game(numbered.get(text, text), ()))
    options = games[game.name].options
    if not options:
        return game
    echo_text(f"{game.name} is played with:")
    echo_options(options, indent=2)
    question = "Other values, as NAME=VALUE, or Enter: "
    return _until_right(prompt, question, lambda text: session.game(game.name, text.split()))


def ask_players(session: Session, game: AnyGame, prompt: Prompt) -> tuple[str, str]:
    """Return the two players, each in the words that the human has typed. Raises as `ask_game` does."""
    named = list(levels(session.registry, game))
    longer = with_time(session.registry, game, seconds=5)
    echo_text(f"Players: human, {', '.join(named)}, {longer} to think longer, or a searcher such as random")
    names = capabilities.player_names(game)

    def player(name: str, usual: str) -> str:
        def check(text: str) -> str:
            make_player(session.registry, text or usual, game, prompt.ask)
            return text or usual

        return _until_right(prompt, f"Who plays {name}? [{usual}] ", check)

    first = player(names[MAX], HUMAN)
    if len(capabilities.players(game)) == 1:
        return first, HUMAN
    return first, player(names[MIN], usual_level(session.registry, game))


def _until_right(prompt: Prompt, question: str, read: Callable[[str], AnswerT]) -> AnswerT:
    """Ask until `read` accepts the answer; return what `read` returns. Wrong input is explained."""
    while True:
        try:
            return read(prompt.read(question))
        except UsageError as error:
            echo_text(str(error))
        except InputEndedError:
            raise Stopped("the input ended before the game began", FAILURE) from None
