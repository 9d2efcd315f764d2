"""Games made from descriptions: what all of them share (notation, drawing, scene), and the form that interprets the
rules.
"""

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeAlias

import attrs

import ggp
from ggp.board_game import Standing, button_cells, choices, listed
from ggp.capabilities import legal_actions
from ggp.escapes import short
from ggp.game import CHANCE, MAX, MIN, Action, ActionT, Player, StateT
from ggp.scene import Cell, Scene
from ggp_gdl.appearance import PIECES, Appearance, read_appearance
from ggp_gdl.boards import MEN, FactBoard, find_board
from ggp_gdl.description import DescriptionError, Term, UnservedGameError, format_term, order, parse_terms
from ggp_gdl.play import Outcome, Referee, State, UnopposedGoalsError, format_state, referee_of

WORD = 62
"""Number of facts in a word of a packed state; numbers of compiled code have 64 bits."""
LINE = 0.45
"""Height of a line of facts below the board."""


class DescribedGame(Generic[StateT, ActionT]):
    """A game that was made from a description.

    Each form of the rules is a subclass that defines the six methods of `ggp.game.Game`. The subclass also adds
    `facts`, `state_of`, `move_of` and `goals`, which translate the game's states and actions into terms and back.
    """

    name: ClassVar[str]
    player_names: ClassVar[tuple[str, ...]]
    repetition: ClassVar[str | None]
    lowest: ClassVar[int]
    highest: ClassVar[int]
    """Bounds of the utility to MAX."""
    restored: ClassVar[Callable[[str, str, str, str], "AnyDescribed"] | None] = None
    """A function that makes the game again, from its text, name, look and form.

    None if the class is in a file of its own.
    """
    form: ClassVar[str]
    """The kind of the states: "words" for tuples of machine words, "facts" for sets of facts."""
    text: ClassVar[str] = ""
    """The description of the game, if it is known."""
    board: ClassVar[FactBoard | None] = None
    look: ClassVar[str] = ""
    """The text of the file beside the description; see `ggp_gdl.appearance`."""
    _falls: ClassVar[bool | None] = None
    """Whether pieces fall in this game; None until this is known."""
    separator: ClassVar[str] = "-"
    """The character between the words of a move."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DescribedGame) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[str, ...]:
        return self.name, self.text, self.look, self.form

    def __repr__(self) -> str:
        return f"<the game {self.name}>"

    def __reduce__(self) -> tuple[object, ...]:
        restored = type(self).restored
        if restored is None:
            return type(self), ()
        return restored, (self.text, self.name, self.look, self.form)

    def initial_state(self) -> StateT:
        raise NotImplementedError

    def to_move(self, state: StateT) -> Player:
        raise NotImplementedError

    def actions(self, state: StateT) -> Iterable[ActionT]:
        raise NotImplementedError

    def result(self, state: StateT, action: ActionT) -> StateT:
        raise NotImplementedError

    def terminal_test(self, state: StateT) -> bool:
        raise NotImplementedError

    def utility(self, state: StateT, player: Player) -> int:
        raise NotImplementedError

    def facts(self, state: StateT) -> Iterable[Term]:
        """Return the facts that hold in a state."""
        raise NotImplementedError

    def state_of(self, facts: frozenset[Term]) -> StateT:
        """Return the state in which exactly these facts hold. Raise NotationError if there is no such state."""
        raise NotImplementedError

    def move_of(self, action: ActionT) -> Term:
        """Return the move that an action stands for."""
        raise NotImplementedError

    def goals(self, state: StateT) -> Sequence[int]:
        """Return the goal of each player, from 0 to 100, in a state in which the game is over."""
        raise NotImplementedError

    def known_board(self) -> FactBoard | None:
        """Return the board that was recognised in the facts; None if there is none."""
        return self.board

    # what a search may use

    def bounds(self, state: StateT) -> tuple[int, int]:
        return self.lowest, self.highest

    # text

    def format_state(self, state: StateT) -> str:
        return format_state(self.facts(state))

    def parse_state(self, text: str) -> StateT:
        """Return the state whose facts are listed in `text`, such as `(cell 1 1 b) (control x)`.

        Raises:
            NotationError: the text is not a list of facts of the game, or nobody has a move in the state.
        """
        try:
            facts = parse_terms(text)
        except DescriptionError as error:
            raise ggp.NotationError(f"{short(text)!r} is not a state of {self.name}: {error}") from None
        if not facts:
            example = self.format_state(self.initial_state())
            raise ggp.NotationError(f"{short(text)!r} is not a state of {self.name}: a state is written like {example}")
        state = self.state_of(frozenset(facts) - {()})
        try:
            if not self.terminal_test(state):
                self.to_move(state)
        except UnservedGameError as error:
            raise ggp.NotationError(f"{short(text)!r} cannot occur in {self.name}: {short(str(error))}") from None
        return state

    def format_action(self, state: StateT, action: ActionT) -> str:
        move = self.move_of(action)
        return read_appearance(self.look).move(move) or spoken(move, self.separator)

    def parse_action(self, state: StateT, text: str) -> ActionT:
        """Return the action that `text` describes: `mark-1-1`, or as in the description `(mark 1 1)`.

        Raises:
            IllegalActionError: the text is not a legal move; the message lists the legal moves.
        """
        legal = {self.format_action(state, each): each for each in legal_actions(self, state)}
        wanted = text.strip().lower()
        joined = self.separator.join(wanted.replace("(", " ").replace(")", " ").split())
        for written, action in legal.items():
            move = self.move_of(action)
            if wanted in (written.lower(), format_term(move)) or joined == spoken(move, self.separator):
                return action
        right = f"the legal moves are {listed(legal)}" if legal else "the game is over"
        raise ggp.IllegalActionError(f"{short(text.strip())!r} is not a legal move: {right}")

    # pictures

    def scene(self, state: StateT) -> Scene:
        """Return a scene: the board that was recognised in the facts, and below it the other facts."""
        board = self.known_board()
        facts = sorted(self.facts(state), key=order)
        if board is None:
            return self._listed(state, facts)
        marks, others = board.contents(facts)
        grid = ggp.Grid(len(board.rows), len(board.columns), upward=True)
        look = read_appearance(self.look)
        pieces = {mark: self._standing(board, look, mark) for mark in set(marks) if mark}
        drawn = {content.lower() for content in board.owners} <= MEN.keys()
        moves: dict[Action, Term] = {}

        def where(action: ActionT) -> int | tuple[int, int] | None:
            move = moves[action] = self.move_of(action)
            if board.names_column(move):
                return board.filled(move, marks, self.facts(self.result(state, action)))
            return board.where(move)

        def reaching(number: int, cell: Cell) -> Cell:
            """Make all cells of a column clickable if a move names only the column."""
            move = moves.get(cell.action)
            drops = move is not None and board.names_column(move)
            column = range(grid.column(number), grid.size, grid.columns) if drops else ()
            return attrs.evolve(cell, reach=tuple(grid.name(each) for each in column if each != number))

        board_scene = grid.scene(
            self,
            state,
            marks,
            pieces,
            where,
            reaching,
            rows=board.rows,
            columns=board.columns,
            chequered=look.chequered,
            material=look.material or ("paper" if drawn else "wood"),
            colours=look.colours,
            gravity=self._fall(board),
        )
        told = [fact for fact in others if not self._names_mover(state, fact)]
        lines = _lines(told, board_scene.cells) if told else ()
        return attrs.evolve(board_scene, cells=(*board_scene.cells, *lines), caption=self._caption(state))

    def _fall(self, board: FactBoard) -> bool:
        """Return whether pieces fall: each first move names a column, and fills the lowest cell of the column."""
        if self._falls is None:
            state = self.initial_state()
            marks, _ = board.contents(self.facts(state))
            first = {action: self.move_of(action) for action in legal_actions(self, state)}
            type(self)._falls = bool(first) and all(
                board.names_column(move)
                and board.filled(move, marks, self.facts(self.result(state, action))) == board.columns.index(move[1])
                for action, move in first.items()
            )
        return self._falls is True

    def _names_mover(self, state: StateT, fact: Term) -> bool:
        """Return whether a fact, such as `(control black)`, only says who is to move, as the caption already does."""
        mover = CHANCE if self.terminal_test(state) else self.to_move(state)
        return mover != CHANCE and fact == ("control", self.player_names[mover])

    def _standing(self, board: FactBoard, look: Appearance, mark: str) -> Standing:
        """Return the owner of the piece that a content means, and how the piece is shown."""
        owner, piece = board.owners.get(mark), look.pieces.get(mark)
        if look.owners.get(mark) in self.player_names:
            owner = self.player_names.index(look.owners[mark])
        sign = board.sign(mark)
        if sign == "●" and owner == MIN:
            sign = "○"
        if piece is not None and piece in PIECES:
            return owner, sign, piece
        if piece is None and mark.lower() in MEN and owner is not None:
            return owner, sign, "cross" if mark.lower() == "x" else "ring"
        if piece is None and owner is None and len(board.owners) == 1:  # as in solitaire
            return None, "●", "stone"
        return owner, piece or sign

    def _listed(self, state: StateT, facts: list[Term]) -> Scene:
        """Return a scene without a board: the facts, and a button for each move."""
        cells = tuple(_lines(facts, ()))
        top = max((cell.y for cell in cells), default=0) + 1
        chosen = choices(self, state, lambda action: None, str)
        return Scene((*cells, *button_cells(chosen, top)), self._caption(state))

    def _caption(self, state: StateT) -> str:
        if not self.terminal_test(state):
            mover = self.to_move(state)
            return f"{'chance' if mover == CHANCE else self.player_names[mover]} to move"
        value = self.utility(state, MAX)
        if len(self.player_names) == 1:
            return f"the end: {value} of 100"
        if value == 0:
            return "a draw"
        goals = sorted(self.goals(state))
        score = "" if goals == [0, 100] else f" {goals[1]} : {goals[0]}"
        return f"{self.player_names[0 if value > 0 else 1]} has won{score}"


AnyDescribed: TypeAlias = DescribedGame[Any, Any]


def spoken(term: Term, separator: str) -> str:
    """Return a move as one word: `mark-1-1`."""
    return term if isinstance(term, str) else separator.join(spoken(part, separator) for part in term)


def _lines(facts: list[Term], above: Iterable[Cell]) -> Iterator[Cell]:
    """Yield facts as lines of text, to be shown below other cells."""
    top = max((cell.y + cell.height for cell in above), default=0.0)
    width = max((cell.x + cell.width for cell in above), default=8.0)
    row = ""
    rows = []
    for text in [spoken(fact, " ") for fact in facts] or ["no fact holds"]:
        if row and len(row) + len(text) > width * 5:
            rows.append(row)
            row = ""
        row = f"{row}, {text}" if row else text
    for number, text in enumerate([*rows, row]):
        y = top + 0.25 + number * LINE
        yield Cell(f"facts {number + 1}", 0, y, width, LINE, "plain", text=text)


class PackedGame(DescribedGame[tuple[int, ...], int]):
    """A game whose states are tuples of words, with a bit for each fact."""

    form = "words"
    compiling_seconds: ClassVar[float] = 20.0
    """The rules of such a game are long, and run a hundred times as fast at machine speed."""
    FACTS: ClassVar[tuple[str, ...]]
    MOVES: ClassVar[tuple[str, ...]]
    unit: ClassVar[int]
    """The difference of goals that counts as a utility of 1."""
    EXCLUSIVE: ClassVar[tuple[tuple[int, int], ...]] = ()
    """Pairs of facts that provably never hold together; if a pair did, the class would be wrong."""
    ENDS: ClassVar[tuple[tuple[int, ...], ...]] = ()
    """Goals in some terminal states; the goals in every other terminal state must be opposed to them. Empty if all
    goals are proved to be opposed.
    """

    @functools.cached_property
    def _terms(self) -> list[Term]:
        return list(parse_terms(" ".join(self.FACTS)))

    @functools.cached_property
    def _moves(self) -> list[Term]:
        return list(parse_terms(" ".join(self.MOVES)))

    @functools.cached_property
    def _numbers(self) -> dict[Term, int]:
        return {term: number for number, term in enumerate(self._terms)}

    def known_board(self) -> FactBoard | None:
        return self.board or find_board(self._terms, self.player_names, {})

    def facts(self, state: tuple[int, ...]) -> list[Term]:
        return [term for i, term in enumerate(self._terms) if state[i // WORD] >> i % WORD & 1]

    def state_of(self, facts: frozenset[Term]) -> tuple[int, ...]:
        words = [0] * len(self.initial_state())
        for fact in facts:
            number = self._numbers.get(fact)
            if number is None:
                raise ggp.NotationError(f"{short(format_term(fact), 60)} is not a fact of {self.name}")
            words[number // WORD] |= 1 << number % WORD
        for pair in self.EXCLUSIVE:
            if all(words[number // WORD] >> number % WORD & 1 for number in pair):
                one, other = (format_term(self._terms[number]) for number in pair)
                raise ggp.NotationError(f"{one} and {other} never hold together in {self.name}")
        return tuple(words)

    def move_of(self, action: int) -> Term:
        return self._moves[action]

    def goals(self, state: tuple[int, ...]) -> Sequence[int]:
        return self.goal_0(state), self.goal_1(state)

    def goal_0(self, state: tuple[int, ...]) -> int:
        raise NotImplementedError

    def goal_1(self, state: tuple[int, ...]) -> int:
        raise NotImplementedError

    def _referee(self) -> Referee:
        return referee_of(self.text, goals=read_appearance(self.look).goals)

    def contradiction(self, state: tuple[int, ...]) -> str:
        """Return a sentence that says which assumption of the class a state breaks."""
        facts = frozenset(self.facts(state))
        if self.text:
            referee = self._referee()
            referee.outcomes.update(dict.fromkeys(map(Outcome, self.ENDS)))
            try:
                if referee.terminal(facts):
                    referee.outcome(facts)
                else:
                    referee.position(facts)
            except UnservedGameError as error:
                return f"{error}, in {format_state(facts)}" if isinstance(error, UnopposedGoalsError) else str(error)
        return f"turns, legal moves or goals are not of the kind that ggp plays in {format_state(facts)}"


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers in a text; a long table in a class is written as such a text."""
    return tuple(map(int, text.split()))


class ContradictionError(UnservedGameError):
    """A state contradicts an assumption that was made when the class was written.

    The message is made when Python raises the error, because machine code knows only the error's class.
    """

    def __init__(self, game: PackedGame, state: tuple[int, ...]) -> None:
        super().__init__(game.contradiction(state))

    def __reduce__(self) -> tuple[object, ...]:
        return UnservedGameError, self.args


class RelationGame(DescribedGame[State, Term]):
    """A game whose states are sets of facts, interpreted by a referee."""

    form = "facts"
    compiled = False
    referee: ClassVar[Referee]

    def facts(self, state: State) -> State:
        return state

    def state_of(self, facts: frozenset[Term]) -> State:
        for fact in facts:
            if not self.referee.is_possible(fact):
                raise ggp.NotationError(f"{short(format_term(fact), 60)} is not a fact of {self.name}")
        return facts

    def move_of(self, action: Term) -> Term:
        return action

    def goals(self, state: State) -> Sequence[int]:
        return self.referee.outcome(state).goals

    def initial_state(self) -> State:
        return self.referee.reasoner.initial_facts()

    def to_move(self, state: State) -> Player:
        return self.referee.position(state).mover

    def actions(self, state: State) -> list[Term]:
        position = self.referee.position(state)
        return list(position.moves[self.referee.role(position.mover)])

    def result(self, state: State, action: Term) -> State:
        return self.referee.result(state, action)

    def terminal_test(self, state: State) -> bool:
        return self.referee.terminal(state)

    unit: ClassVar[int]
    """The difference of goals that counts as a utility of 1."""

    def utility(self, state: State, player: Player) -> int:
        value = self.referee.outcome(state).difference // self.unit
        return value if player == MAX else -value


class ChanceRelationGame(RelationGame):
    """A game of facts with a role `random`, whose moves are equally likely."""

    stochastic = True

    def outcomes(self, state: State) -> list[tuple[Hashable, float]]:
        moves = self.actions(state)
        return [(move, 1 / len(moves)) for move in moves]
