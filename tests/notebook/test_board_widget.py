"""The board of a notebook, as Python sees it: what may be asked for, what comes of it, and what is refused."""

import subprocess
import sys

import pytest

import ggp
from ggp.notebook import BoardWidget, play
from ggp.play import UNTIMED, ChosenAction, Machine

traitlets = pytest.importorskip("traitlets")
REGISTRY = ggp.load_registry()
KALAH = REGISTRY.game("kalah")
TICTACTOE = REGISTRY.game("tictactoe")
PIG = REGISTRY.game("pig")


def ask(widget, command, **more):
    """What the browser does on a click."""
    widget.asked = {"command": command, "after": len(widget.moves), "number": object().__repr__(), **more}


def board(game=KALAH, **players):
    return play(game, registry=REGISTRY, seed=1, **players)


def first_cell(game, state):
    return next(iter(game.actions(state)))


def test_a_human_moves_and_the_machine_answers():
    widget = board(south="human", north="medium")
    ask(widget, "play", move="A")
    assert widget.moves[0] == "A"
    assert len(widget.moves) >= 2
    assert KALAH.to_move(widget.match.state) == ggp.MAX
    assert widget.state == KALAH.format_state(widget.match.state)
    assert widget.status.startswith("North (medium) plays ")


def test_a_move_from_cell_to_cell_is_made_by_two_clicks():
    widget = board(REGISTRY.game("hexapawn"))
    assert 'href="?b1"' in widget.board
    assert "#b1-b2" not in widget.board
    ask(widget, "pick", cell="b1")
    assert 'href="#b1-b2"' in widget.board
    assert widget.moves == []
    ask(widget, "pick", cell="a1")
    assert "#b1-b2" not in widget.board
    ask(widget, "play", move="b1-b2")
    assert widget.moves[0] == "b1-b2"


def test_a_level_draws_among_equal_moves_against_a_human_and_keeps_its_name():
    def answer(seed):
        widget = play(TICTACTOE, registry=REGISTRY, seed=seed, x="human", o="medium")
        ask(widget, "play", move="5")
        return widget.moves[1]

    assert len({answer(seed) for seed in range(12)}) > 1
    assert answer(3) == answer(3)
    assert play(TICTACTOE, registry=REGISTRY, x="human", o="medium").match.players[1].name == "medium"


def test_an_extra_turn_is_the_humans_again():
    widget = board(south="human", north="medium")
    ask(widget, "play", move="C")
    assert widget.moves == ["C"]
    assert widget.status == "South plays C: sows 4 seeds from C, ends in the store: an extra turn."


def test_all_answers_since_the_humans_move_are_told():
    widget = board(south="human", north="medium")
    for move in ("C", "F"):
        ask(widget, "play", move=move)
    assert widget.moves == ["C", "F", "b", "a"]
    assert [sentence.split(":")[0] for sentence in widget.status.split(". ")] == [
        "North (medium) plays b",
        "North (medium) plays a",
    ]


def test_a_machine_that_begins_has_moved_before_the_human_looks():
    widget = board(south="easy", north="human")
    assert widget.moves
    assert KALAH.to_move(widget.match.state) == ggp.MIN


def test_chance_moves_by_itself_and_by_the_seed():
    widgets = [board(PIG, first="human", second="human") for _ in range(2)]
    for widget in widgets:
        ask(widget, "play", move="roll")
    assert len(widgets[0].moves) == 2
    assert widgets[0].moves == widgets[1].moves
    assert widgets[0].status == f"Chance: {widgets[0].moves[-1]}."


def test_a_new_game_has_other_dice():
    widget = board(PIG, first="human", second="human")
    rolled = []
    for _ in range(8):
        ask(widget, "play", move="roll")
        rolled.append(widget.moves[1])
        ask(widget, "new")
        assert widget.moves == []
    assert len(set(rolled)) > 1


def test_take_back_takes_the_humans_move_and_the_answers():
    widget = board(south="human", north="medium")
    for move in ("C", "F"):
        ask(widget, "play", move=move)
    ask(widget, "back")
    assert widget.moves == ["C"]
    assert widget.status == "Taken back: 3 moves."
    ask(widget, "back")
    assert widget.status == "Taken back: 1 move."
    ask(widget, "back")
    assert widget.status == "There is no move to take back."


def test_a_machine_that_began_keeps_its_opening():
    widget = board(south="easy", north="human")
    opening = list(widget.moves)
    ask(widget, "back")
    assert widget.moves == opening
    assert widget.status == "There is no move to take back."


def test_a_hint_names_a_move_that_can_be_played():
    widget = board(TICTACTOE, x="human", o="human")
    ask(widget, "hint")
    assert widget.status.startswith("hard would play ")
    assert widget.status.split()[3].rstrip(":") in [str(cell) for cell in range(1, 10)]
    assert widget.moves == []


def test_machines_among_themselves_move_one_by_one():
    widget = board(TICTACTOE, x="easy", o="easy")
    assert (widget.moves, widget.enabled) == ([], ["go"])
    assert "href" not in widget.board
    for count in (1, 2):
        ask(widget, "go")
        assert len(widget.moves) == count
    ask(widget, "back")
    assert len(widget.moves) == 1


def test_a_game_to_its_end_says_who_has_won():
    widget = board(TICTACTOE, x="human", o=first_cell)
    for move in ("5", "2", "8"):
        ask(widget, "play", move=move)
    assert widget.over
    assert widget.status == "X plays 8. X (human) wins against O (first_cell)."
    assert widget.enabled == ["back", "new", "swap"]
    assert "href" not in widget.board
    ask(widget, "go")
    assert widget.status == "The game is over."


def test_a_draw_is_called_one():
    widget = board(TICTACTOE, x="human", o="human")
    widget.moves = ["1", "2", "3", "5", "4", "6", "8", "7"]
    ask(widget, "play", move="9")
    assert widget.status == "X plays 9. A draw between X and O."


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"command": "play", "move": "G"}, "'G' "),
        ({"command": "play", "move": "C C"}, "'C C' "),
        ({"command": "play"}, "'None' "),
        ({"command": "play", "move": "<script>"}, "'<script>' "),
    ],
)
def test_what_cannot_be_played_is_answered_in_words(asked, status):
    widget = board(south="human", north="medium")
    ask(widget, **asked)
    assert widget.moves == []
    assert widget.status.startswith(status)


def test_clicks_on_a_board_of_the_past_do_nothing():
    widget = board(TICTACTOE, x="human", o="human")
    for _ in range(2):
        widget.asked = {"command": "play", "after": 0, "move": "1", "number": _}
    widget.asked = {"command": "play", "after": "zero", "move": "2"}
    widget.asked = {}
    assert widget.moves == ["1"]


def test_nobody_plays_for_a_machine():
    widget = board(TICTACTOE, x="easy", o="easy")
    ask(widget, "play", move="1")
    assert (widget.moves, widget.status) == ([], "It is not a human's turn.")


def test_moves_that_are_set_lead_to_their_position():
    widget = board(TICTACTOE, x="human", o="easy")
    widget.moves = ["5", "1"]
    assert widget.state == "O../.X./..."
    assert widget.status == "After 2 moves."
    widget.moves = ["5"]
    assert widget.enabled == ["back", "new", "go"]
    ask(widget, "go")
    assert len(widget.moves) == 2


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["5", "5"], r"'5' .* X|'5' cannot be played|5 is taken|'5'"),
        (["1", "4", "2", "5", "3", "6"], "'6' cannot be played in XXX/OO./...: the game is over there"),
    ],
)
def test_moves_that_the_rules_forbid_are_refused(moves, message):
    widget = board(TICTACTOE, x="human", o="human")
    with pytest.raises(traitlets.TraitError, match=message):
        widget.moves = moves
    assert (widget.moves, widget.state) == ([], ".../.../...")


@pytest.mark.parametrize("trait", ["state", "status", "board", "over", "enabled"])
def test_the_browser_cannot_write_what_is_pythons(trait):
    widget = board()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(widget, trait, before)


def test_what_cells_look_at_is_synchronized():
    synchronized = {name for name in BoardWidget.class_trait_names(sync=True) if not name.startswith("_")}
    assert {"moves", "state", "status", "over", "asked"} <= synchronized


@pytest.mark.parametrize(
    ("given", "seated"),
    [
        ({}, ("human", "medium")),
        ({"south": "human"}, ("human", "medium")),
        ({"north": "human"}, ("medium", "human")),
        ({"second": "human"}, ("medium", "human")),
        ({"north": "easy"}, ("human", "easy")),
        ({"south": "easy", "second": "hard"}, ("easy", "hard")),
    ],
)
def test_who_is_not_named_is_the_human_or_the_middle_level(given, seated):
    assert tuple(player.name for player in board(**given).match.players) == seated


def test_players_are_texts_objects_and_functions():
    class Last:
        name = text = "last"

        def choose(self, game, state, clock=UNTIMED):
            return ChosenAction(list(game.actions(state))[-1])

    widget = board(TICTACTOE, x=Last(), o="human")
    assert widget.moves == ["9"]
    machine = Machine(REGISTRY.searcher("alphabeta"), ggp.Limits(depth=2))
    assert board(TICTACTOE, x=machine, o="human").match.players[0] is machine
    assert board(TICTACTOE, x=first_cell, o="human").status == "X (first_cell) plays 1."


def test_players_that_draw_lots_draw_different_ones():
    assert [player.text for player in board(x="random", o="random", game=TICTACTOE).match.players] == [
        "random:seed=1",
        "random:seed=2",
    ]


def test_a_function_that_fails_is_told_on_the_board():
    def hasty(game, state):
        return 1 // 0

    def cheat(game, state):
        return 99

    assert (
        board(TICTACTOE, x=hasty, o="human").status
        == "Hasty failed: ZeroDivisionError: integer division or modulo by zero."
    )
    widget = board(TICTACTOE, x=cheat, o="human")
    assert widget.status.startswith("99 is not legal in .../.../...: the legal actions are 1, 2")
    assert (widget.moves, widget.enabled) == ([], ["go"])


def test_an_interrupted_machine_can_go_on():
    class Tired:
        name = text = "tired"
        slept = False

        def choose(self, game, state, clock=UNTIMED):
            if not self.slept:
                self.slept = True
                raise KeyboardInterrupt
            return ChosenAction(first_cell(game, state))

    widget = board(TICTACTOE, x="human", o=Tired())
    ask(widget, "play", move="5")
    assert widget.status == "Interrupted. “Go on” lets the next player move."
    assert widget.enabled == ["back", "new", "go"]
    ask(widget, "go")
    assert widget.moves == ["5", "1"]


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ({"west": "human"}, "kalah has no player 'west': its players are south and north"),
        ({"south": "human", "first": "easy"}, "first is given twice: south is first"),
        ({"south": 5}, "5 is not a player: a player is a text such as 'human', or function"),
        ({"south": "nobody"}, "there is no player 'nobody'"),
        ({"south": "star1:depth"}, "depth"),
    ],
)
def test_wrong_players_are_refused_in_a_sentence(players, message):
    with pytest.raises(ggp.UsageError, match=message):
        board(**players)


def test_a_game_that_describes_nothing_can_be_played():
    class Race:
        name = "race"

        def initial_state(self):
            return (0, 0)

        def to_move(self, state):
            return state[1]

        def actions(self, state):
            return [1, 2]

        def result(self, state, action):
            return (state[0] + action, 1 - state[1])

        def terminal_test(self, state):
            return state[0] >= 4

        def utility(self, state, player):
            return 1 if state[1] != player else -1

    widget = board(Race(), first="human", second=first_cell)
    ask(widget, "play", move="2")
    assert widget.moves == ["2", "1"]


def test_without_the_extra_one_sentence_says_which():
    program = "import sys; sys.modules['anywidget'] = None\nimport ggp.notebook"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)  # noqa: S603
    assert run.stderr.splitlines()[-1] == "ModuleNotFoundError: widgets need an extra: pip install 'ggp[notebook]'"


def test_ggp_loads_nothing_of_it_by_itself():
    program = "import sys, ggp.show, ggp.cli.app; print({'anywidget', 'traitlets', 'textual'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert run.stdout.strip() == "set()"
