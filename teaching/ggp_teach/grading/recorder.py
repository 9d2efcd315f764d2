"""A tree as a game that students' programs search: every access to a state is recorded."""

from typing import Any, NoReturn, Self

from ggp.game import CHANCE, MAX, MIN, Evaluation
from ggp_teach.exercise_tree import ExerciseTree


class Illegal(Exception):
    """Raised when the student's program does something that the rules forbid; it is recorded, too."""


class Recorder:
    """Records the states that a program accesses."""

    def __init__(self, tree: ExerciseTree, *, transposes: bool = False) -> None:
        self.tree = tree
        self.keys = [hash(node) for node in tree.nodes] if transposes else list(range(len(tree.nodes)))
        """A key for each node; with `transposes`, nodes with the same tree below them have the same key."""
        self.visited: list[int] = []
        """The states in the order of the first access."""
        self.looks = 0
        self.mutated: str | None = None
        self.illegal: str | None = None
        self.asked = False
        """Whether the program has asked, in a state below the root, who is to move."""
        self._seen: set[int] = set()

    def see(self, number: int) -> None:
        """Record an access to a state."""
        self.looks += 1
        if number not in self._seen:
            self._seen.add(number)
            self.visited.append(number)
        if self.looks > 1000 * len(self.tree.nodes) + 10_000:
            raise Illegal("it does not end")

    def change(self, what: str) -> NoReturn:
        """Record that the program tried to change the state."""
        self.mutated = self.mutated or what
        raise Illegal(what)

    def step(self, number: int, action: Any) -> int:
        """Return the state after an action, which must be legal."""
        below = self.tree.below[number]
        if action not in below:
            self.illegal = self.illegal or f"plays {action!r} at {self.tree.names[number]}, where it is not legal"
            raise Illegal(self.illegal)
        return below[action]

    def number(self, thing: object) -> int:
        """Return the number of the state that an object stands for."""
        number: int = object.__getattribute__(thing, "number")
        return number


class OpaqueState:
    """A state that shows nothing itself, so that a program must ask the game about it. It cannot be changed."""

    __slots__ = ("number", "recorder")
    number: int
    recorder: Recorder

    def __init__(self, number: int, recorder: Recorder) -> None:
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "recorder", recorder)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpaqueState) or other.recorder is not self.recorder:
            return False
        return self.recorder.keys[other.number] == self.recorder.keys[self.number]

    def __hash__(self) -> int:
        return hash(self.recorder.keys[self.number])

    def __repr__(self) -> str:
        return self.recorder.tree.names[self.number]

    def __copy__(self) -> "OpaqueState":
        return self

    def __deepcopy__(self, memory: object) -> "OpaqueState":
        return self

    def copy(self) -> "OpaqueState":
        """Return the state itself."""
        return self

    @property
    def to_move(self) -> int:
        """The player to move, which is an attribute of AIMA's states."""
        self.recorder.asked |= self.number > 0
        return self.recorder.tree.to_move(self.number)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        self.recorder.change(f"sets the attribute {name} of a state")

    def __delattr__(self, name: str) -> NoReturn:
        self.recorder.change(f"deletes the attribute {name} of a state")

    def __setitem__(self, key: object, value: object) -> NoReturn:
        self.recorder.change(f"sets the entry {key!r} of a state")

    def __delitem__(self, key: object) -> NoReturn:
        self.recorder.change(f"deletes the entry {key!r} of a state")

    def _changed(self, *_: object) -> NoReturn:
        self.recorder.change("changes a state in place")

    append = pop = extend = insert = remove = clear = update = add = discard = push = sort = reverse = _changed
    make_move = apply = play = do_move = push_move = _changed


class NamedOutcome(str):
    """An outcome of chance with its probability, since outcomes of different nodes share names."""

    probability: float

    def __new__(cls, label: str, probability: float) -> Self:
        made = super().__new__(cls, label)
        made.probability = probability
        return made


class RecordedGame:
    """A game in the terms of ggp and of AIMA: it answers everything that a search may ask."""

    MAX, MIN, CHANCE = MAX, MIN, CHANCE

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._tree = recorder.tree
        self.initial = OpaqueState(0, recorder)

    def _at(self, state: object, look: bool = True) -> int:
        if not isinstance(state, OpaqueState):
            raise TypeError(f"{state!r} is not a state")
        if look:
            self._recorder.see(state.number)
        return state.number

    def initial_state(self) -> OpaqueState:
        """Return the root."""
        return self.initial

    def to_move(self, state: OpaqueState) -> int:
        """Return the player to move: 0 for MAX, 1 for MIN, -1 for chance."""
        number = self._at(state, look=False)
        self._recorder.asked |= number > 0
        return self._tree.to_move(number)

    player = current_player = turn = to_move

    def actions(self, state: OpaqueState) -> list[str]:
        """Return the actions."""
        return list(self._tree.actions(self._at(state)))

    legal_moves = legal_actions = moves = get_actions = possible_moves = actions

    def result(self, state: OpaqueState, action: str) -> OpaqueState:
        """Return the state after an action."""
        return OpaqueState(self._recorder.step(self._at(state, look=False), action), self._recorder)

    make_move = apply = successor = next_state = play = get_result = result

    def successors(self, state: OpaqueState) -> list[tuple[str, OpaqueState]]:
        """Return the actions with the states after them."""
        return [(action, self.result(state, action)) for action in self.actions(state)]

    def terminal_test(self, state: OpaqueState) -> bool:
        """Return whether the game is over."""
        return self._tree.terminal_test(self._at(state))

    is_terminal = terminal = game_over = is_over = is_game_over = over = terminal_test

    def utility(self, state: OpaqueState, player: Any = MAX) -> float:
        """Return the utility to a player, or the estimate if the state is not terminal."""
        return self._tree.utility(self._at(state), MIN if player in (MIN, "MIN", "min") else MAX)

    def evaluate(self, state: OpaqueState, player: object = MAX) -> float:
        """Return the estimate of a state."""
        return self.utility(state, player)

    eval = evaluation = heuristic = score = estimate = eval_fn = evaluate

    @property
    def evaluations(self) -> dict[str, Evaluation]:
        """The estimate, in the form in which games of ggp offer it."""
        return {"estimate": Evaluation(self.evaluate, bounded=True)}

    def bounds(self, state: OpaqueState) -> tuple[float, float]:
        """Return the least and the greatest utility."""
        return self._tree.bounds(0)

    def outcomes(self, state: OpaqueState) -> list[tuple[str, float]]:
        """Return the outcomes of chance with their probabilities."""
        return list(self._tree.outcomes(self._at(state)))

    def chances(self, state: OpaqueState) -> list[str]:
        """Return the outcomes of chance (AIMA)."""
        return [NamedOutcome(outcome, share) for outcome, share in self.outcomes(state)]

    def outcome(self, state: OpaqueState, chance: str) -> OpaqueState:
        """Return the state after an outcome (AIMA: another outcome may follow, because the dice are thrown again)."""
        tree, number = self._tree, self._at(state, look=False)
        above = tree.above[number]
        if above >= 0 and tree.nodes[above].mover == CHANCE and chance in tree.below[above]:
            number = above
        return OpaqueState(self._recorder.step(number, chance), self._recorder)

    def probability(self, *arguments: Any) -> float:
        """Return the probability of an outcome; some of AIMA's programs pass the state as the first argument."""
        outcome = arguments[-1]
        if isinstance(outcome, NamedOutcome):
            return outcome.probability
        for node in self._tree.nodes:
            for edge in node.edges:
                if len(arguments) == 2 and node is not self._tree.nodes[arguments[0].number]:
                    continue
                if edge.label == outcome and node.mover == CHANCE:
                    return edge.probability
        raise KeyError(outcome)

    @property
    def stochastic(self) -> bool:
        """Whether chance moves."""
        return self._tree.stochastic
