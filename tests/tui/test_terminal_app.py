"""The terminal app, by Textual's pilot: mouse, keys, advice, small windows, and how it is left."""

import asyncio
import itertools
import os
import pty
import subprocess
import sys
import threading
import time

import pytest
from textual.widgets import Input, Static

import ggp
from ggp.cli import main
from ggp.cli.match_view import MatchView as Words
from ggp.errors import StoreError
from ggp.play import ChosenAction, Match, make_player
from ggp.play.controller import Controller
from ggp.tui.app import PlayApp
from ggp.tui.background_match import AppMatch
from ggp.tui.board_view import BoardView
from ggp.tui.human_input import HumanInput

REGISTRY = ggp.load_registry()
LARGE, SMALL = (110, 32), (80, 24)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Run without machine code and animations, since these tests are only about what is shown."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none")


def table(name="kalah", first="human", second="human", keeper=None, **parameters):
    """A match and those who speak for it; players are texts, or objects."""
    game, human_input = REGISTRY.game(name, **parameters), HumanInput()
    players = tuple(
        make_player(REGISTRY, each, game, human_input.ask, seed=1) if isinstance(each, str) else each
        for each in (first, second)
    )
    match = Match(game, players, game.initial_state(), seed=1, keeper=keeper)
    words = Words(game, players, quiet=False)
    return AppMatch(Controller(REGISTRY, match, "medium"), human_input, words.describe, words.result)


class Player:
    """Works the app as a human does."""

    def __init__(self, app, pilot):
        self.app, self.pilot, self.match = app, pilot, app.match

    async def until(self, holds):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            await self.pilot.pause(0.01)
            if holds():
                return
        raise AssertionError(f"it has not come to hold; the app says: {self.status}")

    async def turn(self, count):
        """Wait until so many moves were played and shown, and it is a human's turn or over."""
        await self.until(
            lambda: len(self.match.moves) == count and (self.app.app_match.human_input.waits or self.match.over)
        )
        if self.match.over:
            self.app.playing.join()  # it has told of the end
        await self.told()

    async def told(self):
        """Wait until the app shows all that it was told until now."""
        shown = asyncio.Event()
        self.app.call_later(shown.set)
        await shown.wait()
        await self.pilot.pause()

    async def click(self, name):
        board = self.board
        canvas = board.canvas
        left = (board.size.width - canvas.size[0]) // 2
        top = (board.size.height - canvas.size[1]) // 2
        area = next(area for area in canvas.areas if area.cell.name == name)
        await self.pilot.click(BoardView, offset=(left + area.left, top + area.top))

    async def enter(self, text):
        self.app.action_focus_entry()
        await self.pilot.pause()
        self.app.query_one(Input).value = text
        await self.pilot.press("enter")
        await self.pilot.pause()

    @property
    def board(self):
        return self.app.query_one(BoardView)

    @property
    def status(self):
        return str(self.app.query_one("#status", Static).render())

    def says(self, name):
        return str(self.app.query_one(name, Static).render())


def played(script, found=None, size=LARGE):
    """Run the app with a script for the human; returns the match."""

    async def run():
        app = PlayApp(found or table())
        async with app.run_test(size=size) as pilot:
            player = Player(app, pilot)
            await player.until(lambda: app.app_match.human_input.waits or app.match.over)
            await script(player)
        app.playing.leave()
        app.playing.join()
        return app

    return asyncio.run(run())


def test_a_click_plays_and_the_machine_answers():
    async def script(player):
        await player.click("A")
        await player.until(lambda: len(player.match.moves) > 1 and player.app.app_match.human_input.waits)
        await player.told()
        assert "North (medium) plays" in player.status
        assert "South to move" in player.status

    app = played(script, table(second="medium"))
    assert app.match.moves[0].action == 0


def test_a_move_from_cell_to_cell_is_made_by_two_clicks():
    async def script(player):
        await player.click("b1")
        await player.pilot.pause(0.05)
        assert player.match.moves == []
        await player.click("b2")
        await player.turn(1)
        await player.click("a3")
        await player.click("a3")  # put down again
        await player.pilot.pause(0.05)
        await player.click("c3")
        await player.click("b2")
        await player.turn(2)

    app = played(script, table("hexapawn"))
    assert [move.action for move in app.match.moves] == [(1, 4), (8, 4)]


def test_keys_walk_over_the_board_and_play():
    async def script(player):
        assert player.board.at == "A"
        for key, at in (("right", "B"), ("right", "C"), ("left", "B"), ("up", "B"), ("down", "B"), ("right", "C")):
            await player.pilot.press(key)
            assert player.board.at == at
        await player.pilot.press("enter")
        await player.turn(1)
        assert player.board.at == "A"
        await player.pilot.press("space")
        await player.turn(2)

    app = played(script)
    assert [move.action for move in app.match.moves] == [2, 0]


def test_keys_walk_up_and_down_between_rows():
    async def script(player):
        for key, at in (("down", "4"), ("down", "7"), ("right", "8"), ("up", "5"), ("up", "2"), ("up", "2")):
            await player.pilot.press(key)
            assert player.board.at == at

    played(script, table("tictactoe"))


def test_every_cell_of_the_board_can_be_clicked_at_a_usual_size():
    async def script(player):
        for number, name in enumerate("152643", start=1):
            await player.click(name)
            await player.turn(number)

    app = played(script, table("tictactoe"), SMALL)
    assert [move.action + 1 for move in app.match.moves] == [1, 5, 2, 6, 4, 3]


def test_a_click_on_a_cell_that_cannot_be_chosen_gives_a_message():
    async def script(player):
        await player.click("North's store")
        assert player.status == "North's store cannot be chosen now."
        await player.click("a")
        assert player.status == "a cannot be chosen now."
        assert player.match.moves == []

    played(script)


def test_a_window_that_is_too_small_says_so_and_plays_by_text():
    async def script(player):
        assert player.board.canvas is None
        said = " ".join(player.board.render_line(y).text.strip() for y in range(6))
        assert said.strip() == (
            "The board needs 34 columns and 6 rows, but has 30 and 7: make the window larger, or enter moves below."
        )
        await player.pilot.click(BoardView, offset=(3, 2))
        assert player.status == "There is too little room for the board."
        await player.pilot.press("enter")
        assert player.match.moves == []
        await player.enter("C")
        await player.turn(1)
        await player.pilot.resize_terminal(80, 24)
        await player.until(lambda: player.board.canvas is not None)

    played(script, size=(30, 12))


def test_a_move_is_entered_in_notation():
    async def script(player):
        await player.enter("C")
        await player.turn(1)
        await player.enter("nonsense")
        assert player.status.startswith("'nonsense' ")
        assert len(player.match.moves) == 1

    played(script)


def test_a_move_is_taken_back():
    async def script(player):
        await player.click("A")
        await player.until(lambda: len(player.match.moves) > 1 and player.app.app_match.human_input.waits)
        await player.pilot.press("u")
        await player.turn(0)
        assert "Taken back: " in player.status
        await player.pilot.press("u")
        await player.until(lambda: "there is no move to take back." in player.status)

    played(script, table(second="easy"))


def test_resigning_ends_the_match():
    async def script(player):
        await player.enter("resign")
        await player.turn(0)
        assert player.status.startswith("South resigns: North wins.")
        await player.click("A")
        assert player.status == "The game is over."
        await player.enter("B")
        assert player.status == "The game is over."

    assert played(script).match.ending.how == "resigned"


def test_a_hint_names_a_move():
    async def script(player):
        await player.pilot.press("h")
        await player.until(lambda: player.status.startswith("medium would play "))
        assert player.match.moves == []

    played(script, table(seeds=7))


def test_the_analysis_follows_the_board():
    async def script(player):
        assert player.says("#analysis") == "a: the value of each move"
        await player.pilot.press("a")
        await player.until(lambda: player.says("#analysis").startswith("3 to MAX, exact"))
        assert "* a1       3" in player.says("#analysis")
        await player.click("C")
        await player.turn(1)
        await player.until(lambda: player.says("#analysis").startswith("2 to MAX, exact"))
        assert player.says("#moves") == "1 move: a2"
        await player.pilot.press("a")
        assert player.says("#analysis") == "a: the value of each move"

    played(script, table("fig52"))


def test_late_results_are_not_shown():
    found = REGISTRY.searcher("alphabeta").analyse(REGISTRY.game("fig52"), "B")

    async def script(player):
        await player.pilot.press("a")
        await player.until(lambda: player.says("#analysis").startswith("3 to MAX, exact"))
        player.app.show_analysis(0, "B", found)
        player.app.show_message(0, "nobody asks any more")
        await player.pilot.pause(0.1)
        assert "* a1" in player.says("#analysis")
        assert "b1  " not in player.says("#analysis")
        assert player.status == "MAX to move"

    played(script, table("fig52"))


def test_a_narrow_window_has_no_analysis_and_says_so():
    async def script(player):
        assert not player.app.query_one("#panel").display
        await player.pilot.press("a")
        assert player.status == "The analysis needs 100 columns or 38 rows; this window has 80 and 24."
        await player.pilot.resize_terminal(120, 30)
        await player.until(lambda: player.app.query_one("#panel").display)

    played(script, size=SMALL)


def test_a_high_window_has_the_analysis_below_the_board():
    async def script(player):
        assert player.app.query_one("#panel").display
        assert player.app.query_one("#panel").region.y >= player.app.query_one("#board").region.bottom
        await player.pilot.press("a")
        await player.until(lambda: player.says("#analysis").startswith("3 to MAX, exact"))

    played(script, table("fig52"), size=(80, 40))


def test_help_names_the_keys_and_r_twice_resigns():
    async def script(player):
        await player.pilot.press("question_mark")
        assert "r twice (resign)" in player.status
        await player.pilot.press("r")
        assert player.status == "Press r once more to resign."
        await player.pilot.press("r")
        await player.until(lambda: player.match.over)

    assert played(script).match.ending.how == "resigned"


def test_a_game_is_played_to_its_end():
    async def script(player):
        for number, name in enumerate("14253", start=1):
            await player.click(name)
            await player.turn(number)
        assert "X wins against O." in player.status
        await player.pilot.press("u")
        assert player.status == "The game is over."
        await player.pilot.press("q")

    assert played(script, table("tictactoe")).match.over


def test_it_is_nobodys_turn_while_a_machine_thinks():
    thinking = threading.Event()

    class Slow:
        name = text = "slow"

        def choose(self, game, state, clock=None):
            from ggp.searcher import stop_requested

            thinking.set()
            while not stop_requested():
                time.sleep(0.001)
            raise KeyboardInterrupt

    async def script(player):
        await player.click("A")
        await player.until(thinking.is_set)
        await player.told()
        await player.pilot.press("u")
        assert player.status == "It is not your turn."
        await player.pilot.press("q")

    app = played(script, table(second=Slow()))
    assert app.playing.left
    assert app.playing.failure is None
    assert len(app.match.moves) == 1


def test_a_player_that_fails_ends_the_app_with_its_error():
    class Broken:
        name = text = "broken"

        def choose(self, game, state, clock=None):
            raise ggp.GGPError("it is broken")

    async def script(player):
        await player.click("A")
        await player.until(lambda: player.app.playing.failure is not None)

    assert str(played(script, table(second=Broken())).playing.failure) == "it is broken"


def test_a_store_that_fails_is_told_and_the_game_goes_on():
    def full(match):
        raise StoreError("the disk is full")

    async def script(player):
        await player.click("A")
        await player.turn(1)
        assert "The game is no longer saved: the disk is full" in player.status

    app = played(script, table(keeper=full))
    assert app.match.keeper is None


def test_one_click_is_one_move():
    clicked = threading.Event()

    class First:
        name = text = "first"

        def choose(self, game, state, clock=None):
            assert clicked.wait(60)
            return ChosenAction(next(iter(game.actions(state))))

    human_input = HumanInput()
    human_input.play(5)
    human_input.command("back")
    assert not human_input.waits

    async def script(player):
        player.app.app_match.human_input.play(0)
        player.app.app_match.human_input.play(1)
        clicked.set()
        await player.turn(2)

    played(script, table(second=First()))


def test_without_a_terminal_one_sentence_says_so(capsys):
    assert main(["play", "kalah", "--tui", "--no-store"]) == 2
    assert (
        capsys.readouterr().err == "ggp: --tui needs a terminal: standard input and output must not be files or pipes\n"
    )


def test_quiet_and_the_app_exclude_each_other(capsys):
    assert main(["play", "kalah", "--tui", "--quiet"]) == 2
    assert (
        capsys.readouterr().err
        == "ggp: --tui and --quiet cannot be used together: --tui shows the board, --quiet does not\n"
    )


def test_without_the_extra_one_sentence_says_which(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "textual", None)
    assert main(["play", "kalah", "--tui", "--no-store"]) == 2
    assert capsys.readouterr().err == "ggp: the terminal app needs an extra: pip install 'ggp[tui]'\n"


def test_in_a_terminal_a_game_is_played_kept_and_left(tmp_path):
    store = tmp_path / "games.db"
    command = [sys.executable, "-W", "error", "-m", "ggp.cli", "play", "nim", "--tui", "--store", str(store)]
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:  # noqa: S603
        os.close(theirs)
        shown = b""
        for wanted, keys in ((b"first to move", b"\r"), (b"second", b"q"), (b"you quit after", b"")):
            while wanted not in shown:
                shown += os.read(ours, 65536)
            os.write(ours, keys)
        assert process.wait(120) == 0
    os.close(ours)
    assert b"continues it" in shown.replace(b"\r\n", b" ")


def test_seeds_are_sown_one_by_one(monkeypatch):
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "full")
    monkeypatch.setattr("ggp.tui.board_view.STEP", 0.03)
    seen = []

    async def script(player):
        draw = player.board._draw

        def noted():
            draw()
            shown = player.board._way[0] if player.board._way else player.board._scene
            seen.append([shown[name].count for name in ("C", "D", "E", "F", "South's store")])

        monkeypatch.setattr(player.board, "_draw", noted)
        await player.click("C")
        await player.turn(1)
        await player.until(lambda: not player.board._way)

    played(script)
    stages = [each for each, _ in itertools.groupby(seen)]
    assert [4, 4, 4, 4, 0] in stages
    assert stages[-4:] == [[0, 5, 4, 4, 0], [0, 5, 5, 4, 0], [0, 5, 5, 5, 0], [0, 5, 5, 5, 1]]
