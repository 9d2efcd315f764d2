"""Play a description: whose turn it is, which moves are legal, and what the end is worth.

In GDL, all roles move at the same time, and each has a goal of its own. ggp plays a game on two conditions: in each
state, at most one role has a choice; and a better result for one player is a worse result for the other. Every state
that is visited is checked: a state that breaks these rules stops the game, with a message that gives the state.
"""

import functools
import random
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ggp.escapes import short
from ggp.game import CHANCE, MAX, Player
from ggp_gdl.description import Description, Term, UnservedGameError, format_term, is_variable, literal_of, order, read
from ggp_gdl.reasoner import Reasoner, Situation

RANDOM = "random"
"""The role whose moves are chance."""
DRAW = 50
"""The goal of both players in a draw."""
KEPT = 1000
"""Maximum number of positions that are kept in memory."""

State = frozenset[Term]


class UnopposedGoalsError(UnservedGameError):
    """Raised if both players prefer the same one of two outcomes."""


class Outcome(NamedTuple):
    """The players' goals in a terminal state."""

    goals: tuple[int, ...]

    @property
    def difference(self) -> int:
        """The goal of MAX, minus the goal of MIN in a game for two players."""
        return self.goals[0] - sum(self.goals[1:])

    def is_opposed(self, other: "Outcome") -> bool:
        """Return whether two outcomes are opposed: the players do not both prefer the same outcome."""
        first, second = (mine - its for mine, its in zip(self.goals, other.goals, strict=True))
        return first * second <= 0


class Position:
    """A state with the legal moves of each role, in a fixed order."""

    __slots__ = ("mover", "moves", "situation")

    def __init__(self, situation: Situation, moves: dict[str, list[Term]], mover: Player) -> None:
        self.situation, self.moves, self.mover = situation, moves, mover


class Referee:
    """The rules of a description, as turns of two players and of chance.

    Arguments:
        goals: which goals count if the players' goals are not opposed; see `ggp_gdl.appearance.Appearance.goals`.

    Raises:
        UnservedGameError: the game has more than two roles besides chance.
    """

    def __init__(self, description: Description, title: str = "", goals: str = "opposed") -> None:
        self.description = description
        self.title = title
        self.are_goals_opposed = goals == "opposed"
        self.players = [role for role in description.roles if role != RANDOM]
        if not 1 <= len(self.players) <= 2:
            names = f" ({short(', '.join(self.players), 60)})" if self.players else ""
            raise UnservedGameError(f"it has {len(self.players)} players{names}: ggp plays games of one or two")
        self.roles = description.roles
        self.has_draws = len(self.players) == 2 and DRAW in goal_values(description)
        self.reasoner = Reasoner(description)
        self.outcomes: dict[Outcome, None] = {}
        self.rehearsed: list[list[State]] = []
        """The states of random games, from `ggp_gdl.rehearsal.rehearse`."""
        self._words: set[object] | None = None
        """The words of the description, and the names of its facts."""
        self._positions: OrderedDict[State, Position] = OrderedDict()
        self._situations: OrderedDict[State, Situation] = OrderedDict()
        self.waits: dict[str, Term] = {}
        """The waiting move of each role, if it is known."""

    def is_possible(self, fact: Term) -> bool:
        """Return whether the rules could produce a fact, judging by the words in the fact."""
        if self._words is None:
            names = (rule.head.name[1:] for rule in self.description.rules if rule.head.name[0] in ("init", "next"))
            terms = (each.args for rule in self.description.rules for each in rule.atoms)
            self._words = {word for each in terms for word in words_in(each)} | set(names)
        name, args = literal_of("true", fact)
        return name[1:] in self._words and all(word in self._words for word in words_in(args))

    def scale(self) -> tuple[int, int, int]:
        """Return the bounds of the utility to MAX, and the difference of goals that counts as a utility of 1."""
        values = goal_values(self.description)
        if len(self.players) == 1:
            return values[0], values[-1], 1
        plain = set(values) <= {0, 50, 100} and all(each.difference % 100 == 0 for each in self.outcomes)
        unit = 100 if plain else 1
        most = (values[-1] - values[0]) // unit
        return -most, most, unit

    def situation(self, state: State) -> Situation:
        situation = self._situations.get(state)
        if situation is None:
            situation = self._situations[state] = self.reasoner.situation(state)
            if len(self._situations) > KEPT:
                self._situations.popitem(last=False)
        return situation

    def position(self, state: State) -> Position:
        """Return the legal moves of a state that is not terminal, and the player to move.

        Raises:
            UnservedGameError: a role has no legal move, or two roles have a choice.
        """
        shown = self._positions.get(state)
        if shown is None:
            shown = self._positions[state] = self._look(state)
            if len(self._positions) > KEPT:
                self._positions.popitem(last=False)
        return shown

    def _look(self, state: State) -> Position:
        situation = self.situation(state)
        found: dict[Term, set[Term]] = {role: set() for role in self.roles}
        for mover, move in self.reasoner.legal(situation):
            found.get(mover, set()).add(move)
        moves = {role: found[role] for role in self.roles}
        for role, legal in moves.items():
            if not legal:
                raise UnservedGameError(
                    f"{self._place('legal', role)}{role} has no legal move in {format_state(state)}"
                )
        choosing = [role for role, legal in moves.items() if len(legal) > 1]
        if len(choosing) > 1:
            raise UnservedGameError(f"{choosing[0]} and {choosing[1]} choose at the same time in {format_state(state)}")
        return Position(
            situation, {role: sorted(legal, key=order) for role, legal in moves.items()}, self._mover(moves)
        )

    def _mover(self, moves: dict[str, set[Term]]) -> Player:
        """Return the player who has a choice.

        If nobody has a choice, return the player whose only move is something other than waiting. If all wait, return
        the first player.
        """
        for role, legal in moves.items():
            if len(legal) > 1:
                for other in moves.keys() - {role}:
                    self.waits.setdefault(other, next(iter(moves[other])))
                return self.number(role)
        active = [role for role, legal in moves.items() if self.waits.get(role) not in legal and role in self.waits]
        return self.number(active[0]) if active else MAX

    def number(self, role: str) -> Player:
        """Return the player who plays a role."""
        return CHANCE if role == RANDOM else self.players.index(role)

    def role(self, player: Player) -> str:
        """Return the role of a player, or of chance."""
        return RANDOM if player == CHANCE else self.players[player]

    def result(self, state: State, move: Term) -> State:
        """Return the state after a move of the player to move; each other player makes its only legal move."""
        position = self.position(state)
        mover = self.role(position.mover)
        joint = [(role, move if role == mover else legal[0]) for role, legal in position.moves.items()]
        return self.reasoner.next(position.situation, joint)

    def _place(self, keyword: str, role: str) -> str:
        """Return the line of the description with the rule for a role's moves or goals, as a text: `line 12: `."""
        heads = [rule.head for rule in self.description.rules if rule.head.name[0] == keyword]
        head = next((each for each in heads if each.args[0] == role or is_variable(each.args[0])), None)
        return f"line {head.line}: " if head else ""

    def terminal(self, state: State) -> bool:
        return self.reasoner.terminal(self.situation(state))

    def outcome(self, state: State) -> Outcome:
        """Return the goals of a terminal state.

        If the game has draws, a terminal state in which no player has a goal is a draw. Descriptions of chess end in
        this way after a number of moves.

        Raises:
            UnservedGameError: a player has no goal or several goals, or the goals are not opposed to the goals of
            another end.
        """
        goals = self.reasoner.goals(self.situation(state))
        if self.has_draws and not any(goals.get(role) for role in self.players):
            goals = {role: {DRAW} for role in self.players}
        for role in self.players:
            if len(goals.get(role, ())) != 1:
                has = f"the goals {sorted(goals[role])}" if goals.get(role) else "no goal"
                raise UnservedGameError(f"{self._place('goal', role)}{role} has {has} at the end {format_state(state)}")
        result = Outcome(tuple(next(iter(goals[role])) for role in self.players))
        if result not in self.outcomes:
            if len(self.players) == 2 and self.are_goals_opposed:
                for other in self.outcomes:
                    if not result.is_opposed(other):
                        both = " and ".join("/".join(map(str, each.goals)) for each in (other, result))
                        raise UnopposedGoalsError(
                            f"its goals are not opposed: {' and '.join(self.players)} prefer the same one of the "
                            f"outcomes {both}"
                        )
            self.outcomes[result] = None
        return result

    def play_out(self, generator: random.Random, plies: int) -> Iterator[State]:
        """Yield the states of a random game with at most `plies` moves."""
        state = self.reasoner.initial_facts()
        yield state
        for _ in range(plies):
            if self.terminal(state):
                self.outcome(state)
                return
            position = self.position(state)
            state = self.result(state, generator.choice(position.moves[self.role(position.mover)]))
            yield state


def words_in(term: Term) -> Iterator[str]:
    """Yield all words of a term, or of a tuple of terms."""
    if isinstance(term, str):
        yield term
    else:
        for part in term:
            yield from words_in(part)


def goal_values(description: Description) -> list[int]:
    """Return all goals that the rules name."""
    goals: set[int] = set()
    for rule in description.rules:
        if rule.head.name[0] == "goal":
            value = rule.head.name[1] if len(rule.head.name) > 1 else rule.head.args[1]
            goals |= set(range(101)) if is_variable(value) else {int(format_term(value))}
    return sorted(goals)


@functools.lru_cache(maxsize=64)
def referee_of(text: str, title: str = "", goals: str = "opposed") -> Referee:
    """Return the referee of a description, with the arguments of `Referee`."""
    return Referee(read(text), title, goals)


def format_state(state: Iterable[Term]) -> str:
    """Return the facts of a state as GDL writes them, always in the same order; `()` if there are none."""
    return " ".join(map(format_term, sorted(state, key=order))) or "()"
