"""Games in other people's shapes: recognized, played unchanged, and refused in words."""

import random
import sys

import pytest
from strangers import AIMA

import ggp
from ggp import capabilities
from ggp.cli import main
from ggp.errors import PluginError
from ggp.testing import check_game

EASYAI = '''
from easyAI import TwoPlayerGame

class Bones(TwoPlayerGame):
    """Whoever takes the last bone loses; players keep what they took."""
    def __init__(self, players=None, pile=9):
        self.players, self.pile, self.current_player = players, pile, 1
        for player in players: player.taken = 0
    def possible_moves(self): return [str(n) for n in (1, 2, 3) if n <= self.pile]
    def make_move(self, move):
        self.pile -= int(move)
        self.player.taken += int(move)
    def unmake_move(self, move):
        self.pile += int(move)
        self.player.taken -= int(move)
    def win(self): return self.pile <= 0
    def is_over(self):
        self.remembered = self.win()
        return self.remembered
    def show(self): print(self.pile, "bones left")
    def scoring(self): return 100 if self.remembered else 0
'''
ALPHAZERO = '''
import numpy as np

class NimGame:
    """A heap as a board."""
    def __init__(self, n): self.n = n
    def getInitBoard(self): return np.array([self.n], dtype=np.int)
    def getBoardSize(self): return (1, 1)
    def getActionSize(self): return 3
    def getNextState(self, board, player, action):
        board[0] -= action + 1
        return board, -player
    def getValidMoves(self, board, player): return [int(board[0] > n) for n in range(3)]
    def getGameEnded(self, board, player): return -1 if board[0] == 0 else 0
    def getCanonicalForm(self, board, player): return board
    def stringRepresentation(self, board): return board.tostring()
'''
GAMESMAN = """
from enum import IntEnum

class Value(IntEnum):
    Loss = 0
    Draw = 1
    Tie = 2
    Win = 3

class TenToZero:
    id, variants, n_players, cyclic = "ten-to-zero", ["default"], 2, False
    def start(): return 10
    def generate_moves(position): return [x for x in (1, 2) if position >= x]
    def do_move(position, move): return position - move
    def primitive(position): return Value.Loss if position == 0 else None
    def to_string(position, mode): return f"{position} left"

class Puzzle:
    variants, n_players, cyclic = ["3", "4"], 1, True
    def __init__(self, variant_id): self.size = int(variant_id)
    def start(self):
        import random
        return random.randrange(1, self.size)
    def generate_moves(self, position): return [-1, 1]
    def do_move(self, position, move): return (position + move) % self.size
    def primitive(self, position): return Value.Win if position == 0 else None
"""
CS50 = """
X, O, EMPTY = "X", "O", None
def initial_state(): return [[EMPTY, EMPTY], [EMPTY, EMPTY]]
def player(board): return X if sum(cell is not None for row in board for cell in row) % 2 == 0 else O
def actions(board): return {(i, j) for i in range(2) for j in range(2) if board[i][j] is None}
def result(board, action):
    copy = [list(row) for row in board]
    copy[action[0]][action[1]] = player(board)
    return copy
def winner(board):
    for line in [*board, *map(list, zip(*board))]:
        if line[0] is not None and line[0] == line[1]: return line[0]
def terminal(board): return winner(board) is not None or not actions(board)
def utility(board): return {X: 1, O: -1, None: 0}[winner(board)]
"""
AIMA_DICE = (
    AIMA
    + """
class Dice(Game):
    def __init__(self):
        self.initial, self.rolls = GameState("X", 0, {}, []), 0
    def chances(self, state): return [1, 3]
    def probability(self, chance): return 0.5
    def outcome(self, state, chance): return state._replace(moves=[0, chance])
    def actions(self, state): return state.moves
    def result(self, state, move):
        self.rolls += 1
        board = dict(state.board)
        board[state.to_move] = board.get(state.to_move, 0) + move
        return GameState("O" if state.to_move == "X" else "X", 0, board, [])
    def terminal_test(self, state): return self.rolls == 4
    def utility(self, state, player): return state.board.get("X", 0) - state.board.get("O", 0)
    def display(self, state): print(state.board)
"""
)
SNAKE = """
class Halves:
    def get_init_board(self): return [5]
    def get_next_state(self, board, player, action): return [board[0] - action - 1], -player
    def get_valid_moves(self, board, player): return [board[0] > 0, board[0] > 1]
    def get_game_ended(self, board, player): return -1 if board[0] == 0 else 0
    def get_canonical_form(self, board, player): return board
"""
SCRATCH = """
class Last:
    def get_initial_state(self): return [4]
    def get_next_state(self, state, action, player): return [state[0] - action - 1]
    def get_valid_moves(self, state): return [state[0] > 0, state[0] > 1]
    def get_value_and_terminated(self, state, action): return (1, True) if state[0] == 0 else (0, False)
"""
CS188 = """
class Corridor:
    def __init__(self, place=2, steps=0): self.place, self.steps = place, steps
    def getNumAgents(self): return 2
    def getLegalActions(self, agentIndex=0): return ["West", "East"] if agentIndex == 0 else ["Stop"]
    def generateSuccessor(self, agentIndex, action):
        return Corridor(self.place + {"West": -1, "East": 1, "Stop": 0}[action], self.steps + 1)
    def isWin(self): return self.place == 4
    def isLose(self): return self.place == 0 or self.steps == 30
    def getScore(self): return 10 - self.steps if self.isWin() else -10
"""
CHESS = """
class Board:
    def __init__(self): self.turn, self.places, self.stack = True, [0, 3], []
    @property
    def legal_moves(self): return (each for each in range(4) if each != self.places[not self.turn])
    def push(self, move):
        self.stack.append(list(self.places))
        self.places[not self.turn] = move
        self.turn = not self.turn
    def pop(self):
        self.places = self.stack.pop()
        self.turn = not self.turn
    def is_game_over(self): return self.places[0] == self.places[1] or len(self.stack) == 20
    def result(self):
        if self.places[0] == self.places[1]: return "0-1" if self.turn else "1-0"
        return "1/2-1/2" if self.is_game_over() else "*"
"""
SUNFISH = """
import collections
Move = collections.namedtuple("Move", "i j prom")
initial = "K..k"
class Position(collections.namedtuple("Position", "board score wc bc ep kp")):
    def gen_moves(self):
        for i, piece in enumerate(self.board):
            if piece == "K":
                for j in (i - 1, i + 1):
                    if 0 <= j < len(self.board): yield Move(i, j, "")
    def rotate(self): return Position(self.board[::-1].swapcase(), -self.score, self.bc, self.wc, 0, -9)
    def value(self, move): return 0
    def move(self, move):
        cells = list(self.board)
        cells[move.j], cells[move.i] = "K", "."
        return Position("".join(cells), self.score, self.wc, self.bc, 0, -9).rotate()
"""
GOMOKU = """
class Board:
    def __init__(self, width=3): self.width, self.players = width, [1, 2]
    def init_board(self, start_player=0):
        self.current_player, self.availables = self.players[start_player], list(range(self.width))
        self.states = {}
    def do_move(self, move):
        self.states[move] = self.current_player
        self.availables.remove(move)
        self.current_player = 3 - self.current_player
    def game_end(self):
        for left in range(self.width - 1):
            if left in self.states and self.states[left] == self.states.get(left + 1): return True, self.states[left]
        return not self.availables, -1
"""
FILES = {
    "aima": AIMA_DICE, "easyai": EASYAI, "azg": ALPHAZERO, "snake": SNAKE, "azfs": SCRATCH, "gamesman": GAMESMAN,
    "cs50": CS50, "cs188": CS188, "chess": CHESS, "fish": SUNFISH, "gomoku": GOMOKU,
}  # fmt: skip
VALUES = {
    "aima-dice": (0, {}),
    "azfs-last": (1, {}),
    "azg-halves": (1, {}),
    "chess-board": (1, {}),
    "cs188-corridor": (7, {}),
    "gomoku-board": (1, {"width": 3}),
    "sunfish-fish": (0, {}),
    "aima-row": (1, {"length": 3}),
    "easyai-bones": (-100, {"pile": 9}),
    "azg-nim": (1, {"n": 7}),
    "gamesman-tentozero": (1, {}),
    "gamesman-puzzle": (1, {"variant": "4"}),
    "cs50-mine": (1, {}),
}
"""The games, with the value of the start, by hand, for these parameters."""
DEPTHS = {"sunfish-fish": 2, "chess-board": 3}
AT_MACHINE_SPEED = sorted(set(VALUES) - {"aima-dice", "cs50-mine", "sunfish-fish"})


@pytest.fixture
def registry(tmp_path):
    registry = ggp.load_registry()
    for name, text in FILES.items():
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        if name == "cs50":
            file = file.rename(tmp_path / "mine.py")
        registry.load_file(file)
    return registry


def test_all_games_are_recognized_and_base_classes_are_none(registry):
    found = sorted(set(registry.games) - set(ggp.load_registry().games))
    assert found == sorted(VALUES)


def searched(registry, name, speed):
    """Return the result of a search of a game at its parameters in `VALUES`."""
    game = registry.game(name, **VALUES[name][1])
    kind = "expectiminimax" if capabilities.is_stochastic(game) else "minimax"
    searcher = registry.searcher(kind, table=0, ordering="none", speed=speed)
    return searcher.search(game, game.initial_state(), ggp.Limits(depth=DEPTHS.get(name, 12)))


@pytest.mark.parametrize("name", VALUES)
def test_its_value_is_right(registry, name):
    assert searched(registry, name, "interpreted").value == VALUES[name][0]


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_MACHINE_SPEED)
def test_machine_code_finds_the_same_value_in_the_same_states(registry, name):
    interpreted, compiled = (searched(registry, name, speed) for speed in ("interpreted", "compiled"))
    assert (compiled.value, compiled.statistics.nodes) == (interpreted.value, interpreted.statistics.nodes)


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUES)
def test_it_keeps_the_promises_of_games(registry, name):
    check_game(registry.game(name), examples=10)


@pytest.mark.parametrize("name", VALUES)
def test_states_are_written_and_read(registry, name):
    game, dice = registry.game(name), random.Random(1)
    text, state = capabilities.notation(game), game.initial_state()
    for _ in range(30):
        assert text.parse_state(text.format_state(state)) == state
        if game.terminal_test(state):
            break
        action = dice.choice(capabilities.legal_actions(game, state))
        if game.to_move(state) != ggp.CHANCE:
            assert text.parse_action(state, text.format_action(state, action)) == action
        state = game.result(state, action)


def test_drawings_are_what_the_games_print(registry):
    game = registry.game("easyai-bones")
    assert game.draw(game.initial_state()) == "9 bones left"
    game = registry.game("aima-row")
    assert game.draw(game.result(game.initial_state(), 1)) == ".X..."
    game = registry.game("aima-dice")
    assert game.draw(game.initial_state()) == "{}"


def test_what_the_program_prints_says_what_was_recognized(tmp_path, capsys):
    file = tmp_path / "row.py"
    file.write_text(AIMA)
    assert main(["--plugin", str(file), "games", "aima-row"]) == 0
    assert "Row, a game written for aima: Two stones side by side in a row win." in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(["--plugin", str(file), "match", "aima-row", "alphabeta:depth=2", "random", "--games", "2"]) == 0


@pytest.mark.slow
def test_they_are_checked_like_any_game(tmp_path, capsys):
    file = tmp_path / "row.py"
    file.write_text(AIMA)
    assert main(["check", str(file), "--examples", "5"]) == 0
    assert "all promises are kept" in capsys.readouterr().out


REFUSED = {
    "one of two that fails": (AIMA + "\nclass Broken(Row):\n    def __init__(self): pass\n", None),
    "one that fails": (
        EASYAI.replace("self.pile -= int(move)", "self.heap -= 1"),
        "Bones looks like a game for easyai, but cannot be played: AttributeError",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_served_is_refused_in_a_sentence(case, tmp_path):
    text, sentence = REFUSED[case]
    file = tmp_path / "theirs.py"
    file.write_text(text)
    if sentence is None:  # the others in the file can
        ggp.load_registry().load_file(file)
    else:
        with pytest.raises(PluginError, match=sentence):
            ggp.load_registry().load_file(file)


def test_neighbours_of_the_file_are_found(tmp_path):
    folder = tmp_path / "heaps_of_strangers"
    folder.mkdir()
    (folder / "Logic.py").write_text("START = 7\n")
    (folder / "HeapGame.py").write_text(
        ALPHAZERO.replace("import numpy as np", "import numpy as np\nfrom .Logic import START")
    )
    registry = ggp.load_registry()
    before = [*sys.path]
    registry.load_file(folder / "HeapGame.py")
    assert "azg-nim" in registry.games
    assert sys.path == before


@pytest.mark.parametrize("name", ["ConnectFour", "Hexapawn", "Nim", "TicTacToe", "Awele", "Knights", "ThreeMusketeers"])
def test_games_of_easyai_itself_are_played_to_their_end(name):
    import importlib.util
    import pathlib

    place = pathlib.Path(importlib.util.find_spec("easyAI").origin).parent / "games" / f"{name}.py"
    registry = ggp.load_registry()
    registry.load_file(place)
    game, dice = registry.game(f"easyai-{name.lower()}"), random.Random(2)
    state = game.initial_state()
    for _ in range(200):
        if game.terminal_test(state):
            break
        state = game.result(state, dice.choice(list(game.actions(state))))
    assert game.terminal_test(state) or name in ("Awele", "Knights")
