"""`ggp puzzle` and `ggp puzzles make`."""

import json

import pytest

from ggp import load_registry
from ggp.capabilities import notation
from ggp.play import puzzle

REGISTRY = load_registry()


@pytest.mark.slow
def test_puzzles_are_made_and_read_again(ggp, tmp_path):
    file = tmp_path / "puzzles.jsonl"
    said = ggp("puzzles", "make", "tictactoe", "--number", "3", "--output", str(file))
    assert said.status == 0, said.out
    game = REGISTRY.game("tictactoe")
    found = puzzle.read_puzzles(game, file.read_text())
    assert len({each.state for each in found}) == 3
    assert [puzzle.as_data(game, each) for each in found] == [
        json.loads(line) for line in file.read_text().splitlines()
    ]


@pytest.mark.slow
def test_a_collection_is_completed_where_it_was_left(ggp, tmp_path):
    whole, file = tmp_path / "whole.jsonl", tmp_path / "puzzles.jsonl"
    assert ggp("puzzles", "make", "tictactoe", "--number", "4", "--output", str(whole)).status == 0
    file.write_text("".join(whole.read_text().splitlines(keepends=True)[:2]))
    said = ggp("puzzles", "make", "tictactoe", "--number", "4", "--resume", "--output", str(file))
    assert said.status == 0, said.out
    assert file.read_text() == whole.read_text()


def test_puzzles_cannot_be_resumed_without_a_file(ggp):
    said = ggp("puzzles", "make", "tictactoe", "--resume")
    assert said.status == 2
    assert "add --output FILE" in " ".join(said.err.split())


def test_a_puzzle_is_tried_until_it_is_right(ggp):
    game = REGISTRY.game("connectfour")
    found = puzzle.puzzle(REGISTRY, game, 3)
    text = notation(game)
    moves = [text.format_action(found.state, action) for action in game.actions(found.state)]
    right = text.format_action(found.state, found.action)
    wrong = next(move for move in moves if move != right)
    said = ggp("puzzle", "connectfour", "--number", "3", input=f"{wrong}\n{right}\n")
    assert said.status == 0
    assert f"No, {wrong} does not win." in said.out
    assert f"Right: {right}" in " ".join(said.out.split())


def test_a_hint_names_the_theme_and_help_names_what_a_puzzle_understands(ggp):
    said = ggp("puzzle", "connectfour", "--number", "3", input="hint\n?\n").out
    assert "Theme: defence.\n" in said
    assert "quit     shows the solution" in said
    assert "resign" not in said
    assert "O to move (X plays ●, O plays ○)" in said
