"""Functions about texts of which the length is known only at run time, or that are names where letters are wanted."""

from collections.abc import Callable

from constructs import TEXTS

SPELLED: dict[str, Callable[..., object]] = {}
ROWS = TEXTS
VALUES = {"X": 1, "O": -1, ".": 0}


def agree(function: Callable[..., object]) -> Callable[..., object]:
    """Enter a function into the table."""
    SPELLED[function.__name__] = function
    return function


@agree
def a_name_that_proves_to_be_a_letter(x, board, mark):
    return board[:4] + mark + board[5:], mark + mark == "XX", mark * 3 in board, mark in board, board.count(mark)


@agree
def numbers_in_texts(x, board, mark):
    cell = f"{board[0]}{x}"
    return f"{x}", f"{'abc'[x % 3]}{x // 3 - 1}", f"{x * 12345 - 7!s}{-x}", cell, cell[0] == board[0], f"<{board}>"


@agree
def a_name_is_compared_with_letters(x, board, mark):
    name = ("X.", "XX", "", "O")[x % 4]
    return name == board[:2], board[x % 9 :] == name, name != board[-1:], name == board, mark == board[x % 5 : x % 7]


@agree
def slices_of_a_length_of_their_own(x, board, mark):
    x %= 9
    first, second = board[:x], board[x:]
    return (
        first + second == board, first == board, first == board[:x], len(first), first.count("X"), first == "",
        second.startswith("X"), first in board, second.find("O"), first.replace("X", "OO"), first.upper(),
        (first + mark)[-1], bool(first), "X" in first, first == mark, first < second, first.isalpha(),
    )  # fmt: skip


@agree
def letters_in_order(x, board, mark):
    return (
        mark < "O", mark >= "X", sorted(board), min(board), max(board), sorted([mark, "A", "Z"]), board < "X........",
        board[: x % 9] < board, "".join(sorted(board)),
    )  # fmt: skip


@agree
def names_in_tables(x, board, mark):
    name = ("north", "so", "a", "")[x % 4]
    return (
        name, len(name), name.upper(), name < "o", name.isalpha(), name in "north a", name + "", name.startswith("n"),
        name.find("o"), max(name, "mm"), name.count("o"),
    )  # fmt: skip


@agree
def letters_looked_up(x, board, mark):
    total = 0
    for place, each in enumerate(board):
        if each == "X":
            total += place
        elif each.islower():
            total += 100
        else:
            total += ord(each)
    values = sum(VALUES[each] for each in board)
    return total, values, [VALUES.get(each, 7) for each in mark], chr(ord(mark) + 1), int("0123456789"[x % 9])


@agree
def rows_joined_from_lists(x, board, mark):
    grid = [list(board[first : first + 3]) for first in (0, 3, 6)]
    grid[x % 3][1] = "Z"
    rows = ["".join(row) for row in grid]
    text = "".join(["".join(row) for row in grid])
    return rows, text, "/".join(rows), [row.count("X") for row in rows], "ZZZ" in rows, text[x % 9], text == board


@agree
def the_other_mark(x, board, mark):
    state = (board, mark)
    other = "O" if state[1] == "X" else "X"
    changed = state[0][: x % 9] + state[1] + state[0][x % 9 + 1 :]
    return (changed, other), changed.count(other) > changed.count(state[1]), state[0].isupper(), other.lower()


@agree
def a_letter_or_none(x, board, mark):
    won = None
    for place in range(3):
        if board[place] != "." and board[place] == board[place + 3]:
            won = board[place]
    return won, won is None, won == mark, won == "X", won or "draw"


@agree
def lists_of_letters_and_names(x, board, mark):
    marks = ["X", "O", None]
    marks[x % 3] = "empty"
    kept = [each for each in board if each != mark]
    return marks, kept, len(kept), kept.count("X"), "X" in kept


@agree
def parts_of_several_letters(x, board, mark):
    return (
        board.count("XO"), board.count(""), board.rfind("X"), board.find("X", x), board.replace("X", "OX"),
        board.endswith("X"), board.replace("XO", "Q").count("Q"), board.swapcase(), board.index("."),
    )  # fmt: skip


@agree
def moves_as_texts_with_numbers(x, board, mark):
    move = "%d,%d" % (x % 3 + 1, x)  # noqa: UP031 - as people write it
    heap, count = map(int, move.split(","))
    letters = "%s has %d%s" % (mark, x, board[0])  # noqa: UP031
    return move, heap, count, "ABC"[x % 3] + str(x), letters, int(str(-x)), board.split("X"), str(mark)
