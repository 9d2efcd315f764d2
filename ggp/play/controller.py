"""The game controller that every front end drives: the prompt, the terminal app, the page and the notebook.

The controller knows whose turn it is, reads moves in notation, takes moves back, gives hints, and describes the moves
and the result in words.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator

import attrs

from ggp import capabilities, repetition
from ggp.errors import IllegalActionError, UnsupportedGameError, UsageError
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, State
from ggp.levels import hint_level, usual_level
from ggp.number_text import many, number
from ggp.opening_book import known_values, listed
from ggp.options import changed
from ggp.play.match import Match, PlayedMove
from ggp.play.player_parser import make_player
from ggp.play.players import HUMAN, ChosenAction, Human, Machine, Participant
from ggp.plugins import Registry
from ggp.searcher import Probing, Report, Searcher, SearchResult, Statistics
from ggp.show.effects import effect
from ggp.show.value_text import value_text, wins_count_one
from ggp.trace import is_traced

SOLVED = "the table of solved positions"
"""Name of the adviser if a hint comes from exact values, not from a searcher."""
LOSSES = {"resigned": "resigns", "time": "has run out of time", "forfeit": "forfeits the game"}
"""Reasons for a loss that was not decided on the board."""


@attrs.define
class Controller:
    """A match, controlled by a front end."""

    registry: Registry
    match: Match
    adviser: str = ""
    """The player who gives hints, as written on the command line; "" means the game's level for hints."""

    @property
    def analyst(self) -> Searcher | None:
        """The searcher that values the moves; see the function `analyst`."""
        return analyst(self.registry, self.match.game)

    @property
    def humans_turn(self) -> bool:
        """Whether a human is to move."""
        if self.match.over:
            return False
        mover = self.match.game.to_move(self.match.state)
        return mover != CHANCE and isinstance(self.match.players[mover], Human)

    def play(self, text: str) -> PlayedMove:
        """Play a human's move, given in the game's notation.

        Raises:
            UsageError: it is not a human's turn.
            NotationError, IllegalActionError: the text is not a move, or the move is not legal.
        """
        if not self.humans_turn:
            raise UsageError("it is not a human's turn")
        return self.match.play(capabilities.notation(self.match.game).parse_action(self.match.state, text))

    def go_to(self, texts: Iterable[str]) -> None:
        """Replace the moves of the match by `texts`, moves in the game's notation. Raises as `played` does."""
        old = self.match
        match = Match(old.game, old.players, old.start, old.seed, timing=old.timing)
        for _, action in played(old.game, old.start, texts):
            match.play(action)
        self.match = match

    def again(self, *, swapped: bool = False) -> None:
        """Begin a new match between the same players from the same start, with other dice.

        Arguments:
            swapped: whether the players change sides.
        """
        old = self.match
        first, second = old.players
        players = (second, first) if swapped else (first, second)
        self.match = Match(old.game, players, old.start, old.seed + 1, timing=old.timing)

    def hint(self) -> "Advice":
        """Return the move that a strong level would play. Raises `UsageError` if it is not a human's turn."""
        if not self.humans_turn:
            raise UsageError("there is no human to advise")
        game = self.match.game
        adviser = make_player(self.registry, self.adviser, game) if self.adviser else usual_adviser(self.registry, game)
        return advise(adviser, game, self.match.state)

    def happened(self) -> list[str]:
        """Return in words the moves after the last human move. If there are no such moves, return the last move."""
        own = last_own(self.match)
        since = self.match.moves[own + 1 :] if own is not None and has_human(self.match) else []
        return [describe_move(self.match.game, self.match.players, move) for move in since or self.match.moves[-1:]]


def has_human(match: Match) -> bool:
    """Return whether a human takes part."""
    return any(isinstance(player, Human) for player in match.players)


def last_own(match: Match, before: int | None = None) -> int | None:
    """Return the index of the last move of a human, or of any player if no human plays.

    Return None if there is no such move yet.

    Arguments:
        before: look only at the first `before` moves; None: look at all moves.
    """
    human = has_human(match)
    for index, move in reversed(list(enumerate(match.moves[:before]))):
        if move.mover != CHANCE and (not human or isinstance(match.players[move.mover], Human)):
            return index
    return None


def take_back(match: Match) -> int:
    """Take back the last move of a human and all moves after it. If no human plays, take back the last move of a player
    in the same way.

    Returns: the number of moves taken back.

    Raises:
        UsageError: there is no move to take back.
    """
    index = last_own(match)
    if index is None:
        raise UsageError("there is no move to take back")
    return match.take_back(match.moves[index].mover)


def usual_adviser(registry: Registry, game: AnyGame) -> Machine:
    """Return the level of the game that gives hints.

    Raises:
        UnsupportedGameError: no player can play the game.
    """
    player = make_player(registry, hint_level(registry, game), game)
    assert isinstance(player, Machine)
    return player


def default_opponent(registry: Registry, game: AnyGame, player: object) -> str:
    """Return who plays against a player if the user names no opponent: the usual level against a human, or else a
    human.
    """
    if isinstance(player, str) and player.partition(":")[0] == HUMAN:
        with contextlib.suppress(UnsupportedGameError):  # without a level a human plays
            return usual_level(registry, game)
    return HUMAN


def analyst(registry: Registry, game: AnyGame) -> Searcher | None:
    """Return the searcher that values the moves of the game; None if no searcher can."""
    try:
        return required_analyst(registry, game)
    except UnsupportedGameError:
        return None


def required_analyst(registry: Registry, game: AnyGame) -> Searcher:
    """Return the searcher that values the moves of the game. The searcher uses the learned evaluation and the user's
    tablebases, if there are any.

    Raises:
        UnsupportedGameError: no searcher that is installed can search the game.
    """
    name = registry.preferred_searcher(game)
    searcher = registry.searcher(name, **registry.best_evaluation(game, name))
    return changed(searcher, tablebase="default") if isinstance(searcher, Probing) else searcher


def values_are_means(registry: Registry, game: AnyGame) -> bool:
    """Return whether the analyst's estimates are mean results. The estimates of a learned evaluation are mean results
    in a game in which only wins count.
    """
    try:
        return wins_count_one(game) and bool(registry.best_evaluation(game, registry.preferred_searcher(game)))
    except UnsupportedGameError:
        return False


def watchable_searchers(registry: Registry, game: AnyGame) -> list[str]:
    """Return the names of the searchers that can search the game and whose trees can be drawn."""
    return [name for name in registry.searchers_for(game) if is_traced(registry.searchers[name].factory)]


def played(
    game: AnyGame, state: State, texts: Iterable[str], earlier: Iterable[State] = ()
) -> Iterator[tuple[State, Action]]:
    """Play the moves; yield each state with the action that is played in it.

    Arguments:
        texts: moves in the game's notation.
        earlier: the states before `state`; they count as occurrences for the repetition rule.

    Raises:
        NotationError, IllegalActionError: a text is not a move, or the move is not legal.
    """
    text, occurrences = capabilities.notation(game), repetition.Occurrences(game, earlier)
    for each in texts:
        if game.terminal_test(state) or occurrences.add(state):
            where = text.format_state(state)
            raise IllegalActionError(f"{each!r} cannot be played in {where}: the game is over there")
        action = text.parse_action(state, each)
        yield state, action
        state = game.result(state, action)


def known_result(game: AnyGame, state: State, result: SearchResult | None = None) -> SearchResult | None:
    """Return the state's known values as a search result; `result` if the game knows none.

    Arguments:
        result: a search result of `state`. The estimates of `result` are used for actions without a known value, within
        the known bounds.
    """
    known = known_values(game, state)
    if not known:
        return result
    best = max if game.to_move(state) == MAX else min
    value = best(known.values())
    values = dict(known)
    if result and result.values:
        worst = min if best is max else max  # no other action is better than the best
        values = {action: known.get(action, worst(value, estimate)) for action, estimate in result.values.items()}
    actions = tuple(action for action in values if known.get(action) == value)
    safe = [action for action in actions if action in listed(game, state)]  # a strategy tells how to go on after these
    line = tuple(_known_line(game, state))
    return SearchResult(
        action=line[0],
        value=value,
        complete=True,
        exact=True,
        principal_variation=line,
        values=values,
        best_actions=tuple(safe) or actions,
        note="the value is known: the position is solved",
        speed=result.speed if result else "interpreted",
        statistics=result.statistics if result else Statistics(),
    )


def value_moves(
    analyse: Callable[[Report | None], SearchResult], game: AnyGame, state: State, report: Report | None = None
) -> SearchResult:
    """Return the value of every move of a state: the known value, or else the value that a search finds.

    Arguments:
        analyse: searches the state for the values of its moves, and reports what it finds on the way.

    Raises:
        GGPError: the searcher cannot search the game.
    """
    known = known_result(game, state)
    # If every move has a known value, no search is needed.
    if known and len(known.values or ()) == len(capabilities.legal_actions(game, state)):
        return known

    def look(result: SearchResult) -> None:
        if report:
            report(known_result(game, state, result) or result)

    result = analyse(look if report else None)
    return result if result.stopped == "interrupt" else known_result(game, state, result) or result


def _known_line(game: AnyGame, state: State) -> Iterator[Action]:
    """Yield best actions one after the other, as long as their values are known. Of several best actions, prefer one
    after which values are still known.
    """
    while known := known_values(game, state):
        value = (max if game.to_move(state) == MAX else min)(known.values())
        best = [action for action in known if known[action] == value]
        # Prefer an action after which values are still known: the line then continues with exact play.
        action = next((each for each in best if known_values(game, game.result(state, each))), best[0])
        yield action
        state = game.result(state, action)


@attrs.frozen
class Advice:
    """A hint: the move of a strong player."""

    action: Action
    move: str
    explanation: str
    """The effect of the move in words, if the game offers them."""
    by: str
    thinking: SearchResult | None

    def sentence(self, game: AnyGame) -> str:
        """Return the advice as a sentence, without a full stop."""
        best = f"best is {self.move}" if self.by == SOLVED else f"{self.by} would play {self.move}"
        thinking = self.thinking
        return (
            f"{best}: {value_text(game, thinking.value, exact=thinking.exact)} ({sure(thinking)})" if thinking else best
        )


def advise(adviser: Participant, game: AnyGame, state: State) -> Advice:
    """Return the best action in `state` if its values are known, otherwise the action that `adviser` would play.

    If all actions are known to be equally good, `adviser` chooses among them, since some of them may delay the end
    longer.

    Raises as `Participant.choose` does.
    """
    known = known_result(game, state)
    alike = known and len(known.best_actions) == len(capabilities.legal_actions(game, state)) > 1
    choice = ChosenAction(known.action, known) if known and not alike else _searched(adviser, game, state)
    if known and alike:
        choice = ChosenAction(choice.action, attrs.evolve(known, action=choice.action))
    move = capabilities.notation(game).format_action(state, choice.action)
    explanation = capabilities.explain(game, state, choice.action)
    return Advice(choice.action, move, explanation, SOLVED if known and not alike else adviser.name, choice.thinking)


def _searched(player: Participant, game: AnyGame, state: State) -> ChosenAction:
    """Return a player's choice. A machine searches even if only one action is legal, so that the choice has a value."""
    if not isinstance(player, Machine):
        return player.choose(game, state)
    result = player.think(game, state)
    if result.stopped == "interrupt":
        raise KeyboardInterrupt
    return ChosenAction(result.action, result)


def sure(result: SearchResult) -> str:
    """Return a clause about how reliable a value is."""
    if result.exact:
        return "exact" if result.distance is None else f"exact, {many(result.distance, 'ply', 'plies')} to the end"
    return f"looking {many(result.statistics.depth, 'ply', 'plies')} ahead"


# ---- in words


def describe_move(game: AnyGame, players: tuple[Participant, Participant], move: PlayedMove) -> str:
    """Return a move in one line: "North (hard) plays f: sows 4 seeds from f"."""
    action = capabilities.notation(game).format_action(move.before, move.action)
    change = effect(game, move.before, move.action)
    what = f"{action}: {change}" if change else action
    if move.mover == CHANCE:
        return f"Chance: {what}"
    return f"{_who(game, players, move.mover, plain=True)} plays {what}"


def result(match: Match) -> str:
    """Return the result in words: "South (human) wins against North (medium), 41 : 7."; "" while the match goes on."""
    ending, game, players = match.ending, match.game, match.players
    if ending is None:
        return ""
    if len(capabilities.players(game)) == 1:
        margin = "" if ending.utility is None else f", with a result of {number(ending.utility)}"
        return f"{_who(game, players, MAX)} has finished after {many(len(match.moves), 'move')}{margin}."
    alike = all(player.text == HUMAN for player in players)  # two humans without names go by their sides alone
    names = [_who(game, players, side, plain=alike) for side in (MAX, MIN)]
    how = f" {repetition.by_rule(game)}" if ending.how == "repetition" else ""
    counted = tally(game, match.state, ending.utility)
    if ending.winner is None:
        score = f", {counted}," if counted else ""
        return f"A draw{how}{score} between {names[MAX]} and {names[MIN]}."
    winner, loser = names[ending.winner], names[1 - ending.winner]
    if ending.how in LOSSES:
        why = f" ({ending.reason})" if ending.reason else ""
        return f"{loser} {LOSSES[ending.how]}{why}: {winner} wins."
    if counted and ending.winner == MIN:
        counted = " : ".join(reversed(counted.split(" : ")))
    utility = ending.utility or 0
    score = f", {counted}" if counted else f": {value_text(game, utility, exact=True)}" if abs(utility) != 1 else ""
    return f"{winner} wins against {loser}{how}{score}."


def tally(game: AnyGame, state: State, utility: float | None) -> str:
    """Return the final points of both players as the board shows them, such as "41 : 7"; "" if it shows none.

    The points are the scores of the scene. If the scene has none, they are the sums of the numbers in each player's
    cells, if these sums agree with the utility.
    """
    if utility is None:
        return ""
    scene = capabilities.scene(game, state)
    counted = [cell for cell in scene.cells if cell.count is not None]
    counts = [[cell.count or 0 for cell in counted if cell.owner == side] for side in (MAX, MIN)]
    summed = tuple(map(sum, counts)) if all(counts) else ()
    for first, second in filter(None, (scene.scores, summed)):
        if (first > second) - (first < second) == (utility > 0) - (utility < 0) and first + second:
            return f"{first:g} : {second:g}"
    return ""


def _who(game: AnyGame, players: tuple[Participant, Participant], side: int, *, plain: bool = False) -> str:
    """Return the name of a side, with the player in brackets.

    Arguments:
        plain: whether to leave out the player if it is a human without a name.
    """
    name, player = capabilities.player_names(game)[side], players[side]
    return name if plain and player.text == HUMAN else f"{name} ({player.name})"
