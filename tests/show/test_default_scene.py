"""The scene of a game that describes none, and what a scene tells."""

import ggp
from ggp import Cell, Scene, capabilities
from ggp.show.scene_text import scene_text


class Stones:
    """Take one or two."""

    name = "stones"
    player_names = ("Ann", "Bob")

    def initial_state(self):
        return 3, ggp.MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(2, state[0]) + 1)

    def result(self, state, action):
        return state[0] - action, 1 - state[1]

    def terminal_test(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if state[1] == player else 1


class Drawn(Stones):
    def draw(self, state):
        return "\n".join(" " * n + "o" for n in range(state[0]))

    def explain(self, state, action):
        return f"takes {action}"


class Worded(Stones):
    def initial_state(self):
        return "aaa", ggp.MAX

    def actions(self, state):
        return range(1, min(2, len(state[0])) + 1)

    def result(self, state, action):
        return state[0][action:], 1 - state[1]

    def terminal_test(self, state):
        return not state[0]


def test_a_game_without_a_scene_shows_its_notation_and_a_button_for_each_action():
    assert scene_text(capabilities.scene(Worded(), ("aaa", 0))) == "('aaa', 0)\n [1]  [2]\nAnn to move"


class Marked(Stones):
    def initial_state(self):
        return ggp.Bits.of(0, 1, 2), ggp.MAX

    def actions(self, state):
        return state[0]

    def result(self, state, action):
        return state[0].excluding(action), 1 - state[1]

    def terminal_test(self, state):
        return not state[0]


def test_a_set_of_cells_is_shown_as_such_and_not_as_the_number_that_holds_it():
    shown = scene_text(capabilities.scene(Marked(), Marked().initial_state()))
    assert shown.splitlines()[0].strip() == "(Bits.of(0, 1, 2), 0)"


def test_a_drawing_keeps_its_shape():
    scene = capabilities.scene(Drawn(), (3, 1))
    assert [cell.text for cell in scene.cells] == ["o  ", " o ", "  o", "1", "2"]
    assert scene.caption == "Bob to move"


def test_a_button_stands_for_its_action_and_says_what_it_does():
    chosen = {cell.action: cell.hint for cell in capabilities.scene(Drawn(), (3, 0)).cells if cell.action is not None}
    assert chosen == {1: "takes 1", 2: "takes 2"}
    assert capabilities.scene(Worded(), ("a", 0))["1"].hint == "play 1"


def test_a_game_that_is_over_has_no_buttons():
    scene = capabilities.scene(Worded(), ("", 1))
    assert [cell.action for cell in scene.cells] == [None]
    assert scene.caption == "The game is over"


def test_even_an_empty_drawing_has_a_scene():
    scene = capabilities.scene(Drawn(), (0, 1))
    assert [cell.width for cell in scene.cells] == [0.25]


def test_what_changed_has_another_count_or_text_and_is_not_new():
    before = Scene((Cell("A", 0, 0, count=1), Cell("B", 1, 0, text="X"), Cell("C", 2, 0, count=5)))
    after = Scene((Cell("A", 0, 0, count=2), Cell("B", 1, 0, text=""), Cell("C", 2, 0, count=5), Cell("D", 3, 0)))
    assert after.changed_since(before) == {"A", "B"}
    assert after.changed_since(after) == set()
