"""Play a whole game without a user interface, for experiments and notebooks."""

from ggp.game import AnyGame, State
from ggp.play.match import Keeper, Match, new_seed
from ggp.play.players import Participant
from ggp.play.record_writer import record_of
from ggp.play.records import Record, TimeControl


def play_game(
    game: AnyGame,
    players: tuple[Participant, Participant],
    *,
    start: State = None,
    seed: int | None = None,
    timing: TimeControl | None = None,
    plies: int | None = None,
    keeper: Keeper | None = None,
) -> Record:
    """Return the record of a game between two players.

    Arguments:
        players: MAX's and MIN's player.
        start: the first state; None: the game's initial state.
        seed: seed of the dice; None draws one. The record includes it.
        timing: the clock; None: no limit.
        keeper: is called after every move.
        plies: the number of moves after which the game is left unfinished; None: never.

    Raises:
        GGPError: a player failed.
    """
    begin = game.initial_state() if start is None else start
    match = Match(game, players, begin, new_seed() if seed is None else seed, timing=timing, keeper=keeper)
    while not match.over and (plies is None or len(match.moves) < plies):
        match.step()
    return record_of(match)
