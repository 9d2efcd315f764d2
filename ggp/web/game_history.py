"""The history of a game: its states from the start on, as an address gives them."""

import functools
import time

import attrs

from ggp import capabilities, repetition
from ggp.errors import IllegalActionError
from ggp.game import CHANCE, MAX, MIN, Action, AnyGame, Player, State
from ggp.play import Match, Participant, PlayedMove
from ggp.play.controller import last_own, result
from ggp.plugin_entries import Entry
from ggp.plugins import Registry
from ggp.scene import Scene
from ggp.web import visitor_players
from ggp.web.address import Address, short
from ggp.web.problems import ProblemError


@attrs.frozen
class GameHistory:
    """A game, its players, and all its states so far."""

    registry: Registry
    entry: Entry
    address: Address
    """The address of the page, with moves in the game's own notation."""
    game: AnyGame
    players: tuple[Participant, Participant]
    states: tuple[State, ...]
    actions: tuple[Action, ...]
    ends_repeated: bool = False
    """Whether the last state ends the game by repetition."""
    _scenes: dict[int, Scene] = attrs.field(factory=dict, init=False, repr=False, eq=False)

    def scene(self, index: int) -> Scene:
        """Return the board after `index` moves, turned as it is displayed."""
        if index not in self._scenes:
            scene = capabilities.scene(self.game, self.states[index])
            if index and any(cell.unowned for cell in scene.cells):
                for earlier in range(index):
                    self.scene(earlier)  # in order, so that there is no deep recursion
                before = self.states[index - 1]
                scene = scene.after(self.scene(index - 1), self.game.to_move(before), self.actions[index - 1])
            scene = scene.turned(self.quarters)
            if self.ends_repeated and index == len(self.states) - 1:
                scene = attrs.evolve(scene, caption=repetition.outcome(self.game, self.states[index]))
            if self.address.resigned is not None and index == len(self.states) - 1:
                cells = tuple(attrs.evolve(cell, action=None) for cell in scene.cells)
                scene = attrs.evolve(scene, cells=cells, moves=(), caption=result(self.match()))
            self._scenes[index] = scene
        return self._scenes[index]

    @property
    def state(self) -> State:
        """The state shown."""
        return self.states[self.address.seen]

    @property
    def over(self) -> bool:
        """Whether the game is over in the state shown."""
        ended = self.ends_repeated or self.address.resigned is not None
        return self.game.terminal_test(self.state) or (ended and self.address.seen == len(self.actions))

    @property
    def finished(self) -> bool:
        """Whether the game is over after its last move, whichever position is shown."""
        return self.game.terminal_test(self.states[-1]) or self.ends_repeated or self.address.resigned is not None

    @property
    def mover(self) -> Player | None:
        """The player to move in the state shown; None at the end of the game."""
        return None if self.over else self.game.to_move(self.state)

    @property
    def visitor_moves(self) -> bool:
        """Whether the visitor is to move in the state shown."""
        return self.mover in (MAX, MIN) and (
            self.address.learns or visitor_players.is_human(self.players[self.mover or 0])
        )

    @property
    def plays_alone(self) -> bool:
        """Whether none of the players is a visitor."""
        return not any(map(visitor_players.is_human, self.players))

    def is_visitor(self, side: Player) -> bool:
        """Return whether the visitor plays this side, and not the other one."""
        return not self.both_human and side in (MAX, MIN) and visitor_players.is_human(self.players[side])

    @property
    def both_human(self) -> bool:
        """Whether both players are visitors."""
        return all(map(visitor_players.is_human, self.players))

    @property
    def waits_for_server(self) -> bool:
        """Whether a machine or chance is to move now."""
        if self.address.at is not None or self.over or self.visitor_moves:
            return False
        return self.mover == CHANCE or not self.plays_alone or self.address.command == "move"

    def text(self, action: Action, index: int | None = None) -> str:
        """Return an action in the game's notation; the action belongs to the state shown, or to the state after `index`
        moves.
        """
        state = self.state if index is None else self.states[index]
        return capabilities.notation(self.game).format_action(state, action)

    @property
    def quarters(self) -> int:
        """The number of quarter turns of the board, so that a visitor who plays one side sees this side at the
        bottom.
        """
        if not self.turnable:
            return (self.address.view or 0) % 2 if self.scene_at_start.is_hexagonal else 0
        if self.address.view is not None:
            return self.address.view
        own = [side for side in (MAX, MIN) if visitor_players.is_human(self.players[side])]
        return 2 if len(own) == 1 and own[0] != self.scene_at_start.below else 0

    @functools.cached_property
    def scene_at_start(self) -> Scene:
        """The scene of the first state, not turned."""
        return capabilities.scene(self.game, self.states[0])

    @property
    def turnable(self) -> bool:
        """Whether the board may be turned."""
        return self.scene_at_start.turnable

    def match(self, players: tuple[Participant, Participant] | None = None) -> Match:
        """Return the game as a match that can be continued and recorded."""
        moves = [
            PlayedMove(self.game.to_move(before), before, action, after)
            for before, action, after in zip(self.states, self.actions, self.states[1:], strict=False)
        ]
        match = Match(self.game, players or self.players, self.states[0], moves=moves)
        if self.address.resigned is not None and not match.over:
            match.resign(self.address.sides.index(self.address.resigned))
        return match

    def after(self, match: Match) -> Address:
        """Return the address after the moves of a match that continues the game."""
        text = capabilities.notation(self.game)
        added = match.moves[len(self.actions) :]
        return self.address.after(*(text.format_action(move.before, move.action) for move in added))

    def own_move_before(self) -> int | None:
        """Return the number of moves that are left after taking back: those before the visitor's last move."""
        return last_own(self.match(), self.address.seen)


def read_history(registry: Registry, entry: Entry, address: Address) -> GameHistory:
    """Return the game history that an address describes.

    Raises:
        GGPError: a parameter, a player, the start or a move is wrong.
    """
    game = visitor_players.make_game(registry, entry, address.parameters)
    players = visitor_players.make_players(registry, address.players, game, opening=len(address.moves) < OPENING)
    text = capabilities.notation(game)
    states = [game.initial_state() if address.start is None else text.parse_state(address.start)]
    actions, moves = [], []
    occurrences = repetition.Occurrences(game)
    repeated = occurrences.add(states[0])
    for number, each in enumerate(address.moves, 1):
        if repeated:
            raise ProblemError(f"move {number}, {short(each)}, cannot be played: the game is over before it")
        actions.append(read_move(game, states[-1], each, f"move {number}"))
        moves.append(text.format_action(states[-1], actions[-1]))
        states.append(game.result(states[-1], actions[-1]))
        occurrences.require_declared(states[-1])
        repeated = occurrences.add(states[-1]) and not game.terminal_test(states[-1])
    visitor_players.choices(game, states[-1])
    first, second = (visitor_players.settled(registry, *each) for each in zip(address.players, players, strict=True))
    address = attrs.evolve(address, moves=tuple(moves), players=(first, second))
    address = attrs.evolve(address, parameters=_unusual(entry, game, address))
    if states[0] == game.initial_state():
        address = attrs.evolve(address, start=None)
    return GameHistory(registry, entry, address, game, players, tuple(states), tuple(actions), repeated)


def _unusual(entry: Entry, game: AnyGame, address: Address) -> dict[str, str]:
    """Return the parameters that differ from their defaults."""
    values, defaults = capabilities.parameters(game), {option.name: option.default for option in entry.options}
    return {
        name: text
        for name, text in address.parameters.items()
        if values.get(name, defaults.get(name)) != defaults.get(name)
    }


def read_move(game: AnyGame, state: State, text: str, name: str) -> Action:
    """Return the action that a text in an address describes.

    Arguments:
        name: the name of the move in errors.

    Raises:
        ProblemError: the text is not a legal move of `state`.
    """
    if game.terminal_test(state):
        raise ProblemError(f"{name}, {short(text)}, cannot be played: the game is over before it")
    visitor_players.choices(game, state)
    if len(text) > visitor_players.TEXT:
        raise ProblemError(f"{name}, {short(text)}, is not a move of {game.name}: it is too long")
    try:
        return capabilities.parse_action(game, state, text)
    except IllegalActionError as error:
        raise ProblemError(f"{name} is wrong: {error}") from error


OPENING = 8
"""In this number of first moves, levels choose at random among equal moves, so that games differ. Later, a level always
plays the same move in a state, and responses are cached.
"""
MOST_ANSWERS = 64
"""Maximum number of moves of machines and chance in one response."""
ENOUGH = 3.0
"""Seconds after which a response is sent, even if a machine is still to move. The machine then moves with the next
request.
"""


def machine_moves(history: GameHistory) -> Match:
    """Return the match after the moves of machines and chance, up to the visitor's turn. If only machines play, one of
    them moves once.

    Raises:
        GGPError: a player failed.
    """
    match, before, until = history.match(), len(history.actions), time.monotonic() + ENOUGH
    while not match.over and len(match.moves) - before < MOST_ANSWERS and time.monotonic() < until:
        mover = history.game.to_move(match.state)
        alone = history.plays_alone and mover != CHANCE and len(match.moves) > before
        if alone or (mover != CHANCE and visitor_players.is_human(history.players[mover])):
            break
        match.step()
    return match
