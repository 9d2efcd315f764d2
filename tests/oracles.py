"""Independent programs beside a game: they know positions by their text alone.

A naive program is a function `follow(rows, mover)`: `rows` is the board as the notation has it, a list of lists of
signs from the top, `mover` the sign of the player to move. It returns the value to the first player where the game is
over, else None, and the boards and movers that the moves lead to.
"""

import random

import ggp


def follow_text(follow, text):
    """What a naive program says of a position: the value if the game is over, and the texts after each move."""
    board, mover = text.split(" ")
    value, after = follow([list(row) for row in board.split("/")], mover)
    return value, sorted("/".join("".join(row) for row in rows) + f" {other}" for rows, other in after)


def walk(game, seed, plays):
    """The states of random plays."""
    rng = random.Random(seed)
    for _ in range(plays):
        state = game.initial_state()
        while not game.terminal_test(state):
            yield state
            state = game.result(state, rng.choice(list(game.actions(state))))
        yield state


def check_rules(game, follow, seed=1, plays=50):
    """Every move of random plays is as the naive program has it, and so is the end."""
    for state in walk(game, seed, plays):
        value, after = follow_text(follow, game.format_state(state))
        assert game.terminal_test(state) == (value is not None)
        if value is None:
            found = (game.result(state, action) for action in game.actions(state))
            assert sorted(map(game.format_state, found)) == after
        else:
            assert game.utility(state, ggp.MAX) == value


def naive_value(follow, text, movers, known=None):
    """Return the value to the first player, by a search of all positions that can follow."""
    known = {} if known is None else known
    if text not in known:
        value, after = follow_text(follow, text)
        if value is None:
            best = max if text[-1] == movers[0] else min
            value = best(naive_value(follow, each, movers, known) for each in after)
        known[text] = value
    return known[text]


def check_canonical(game, transform, seed=2, plays=30):
    """States that `transform` turns into each other have one canonical state, which is one of them.

    `transform` takes the rows of a board from the top, and yields those of every symmetric board.
    """
    for state in walk(game, seed, plays):
        board, mover = game.format_state(state).split(" ")
        rows = [list(row) for row in board.split("/")]
        texts = ["/".join("".join(row) for row in turned) + f" {mover}" for turned in transform(rows)]
        found = {game.canonical(game.parse_state(text)) for text in texts}
        assert len(found) == 1
        assert game.format_state(found.pop()) in texts


def mirrored(rows):
    """A board and its mirror image, left for right."""
    return [rows, [row[::-1] for row in rows]]


def check_value_bounds(game):
    """The values of all states of a small game, by their definition, lie within the value bounds; some are exact."""
    known, exact = {}, 0

    def value(state):
        if state not in known:
            if game.terminal_test(state):
                known[state] = game.utility(state, ggp.MAX)
            else:
                best = max if game.to_move(state) == ggp.MAX else min
                known[state] = best(value(game.result(state, action)) for action in game.actions(state))
        return known[state]

    value(game.initial_state())
    for state in known:
        if not game.terminal_test(state):
            low, high = game.value_bounds(state)
            assert low <= known[state] <= high, game.format_state(state)
            exact += low == high
    assert exact > len(known) / 20
