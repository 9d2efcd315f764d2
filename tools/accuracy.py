"""The table of accuracy: `python -m tools.accuracy` learns the games that can be solved, measures the accuracy of what
was learned, and writes the table into docs/learning.md.

`python -m tools.accuracy GAME...` does so for the named games, and leaves the other rows as they are.
"""

import os
import pathlib
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence

from ggp_learn.accuracy import measure, solved_positions
from ggp_learn.training import Training
from ggp_search.learned.weights_path import VARIABLE, default_path

from ggp import Registry, capabilities, load_registry
from ggp.cli.console import echo
from ggp.errors import GGPError
from ggp.files import locked, write_file
from ggp.play import make_player

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "learning.md"
BEGIN, END = "<!-- accuracy -->\n", "<!-- end -->"
GAMES: Sequence[tuple[str, Mapping[str, str]]] = (
    ("awari", {"seeds": "1"}),
    ("breakthrough", {"rows": "5", "columns": "4"}),
    ("connectfour", {"width": "5", "height": "4"}),
    ("domineering", {"rows": "5", "columns": "5"}),
    ("dotsandboxes", {"rows": "2", "columns": "2"}),
    ("einstein", {"size": "3", "side": "2"}),
    ("hex", {"size": "4"}),
    ("hexapawn", {"rows": "3", "columns": "3"}),
    ("hexapawn", {"rows": "5", "columns": "5"}),
    ("kalah", {"houses": "4", "seeds": "3"}),
    ("morris", {"men": "3"}),
    ("nim", {}),
    ("othello", {"size": "4"}),
    ("pancakes", {}),
    ("pig", {}),
    ("pong-hau-ki", {}),
    ("tictactoe", {}),
)
"""The games whose exact values can be computed, each with suitable parameters."""
SECONDS = 5.0
"""Time to learn a game, in one thread."""
POSITIONS = 60
PATIENCE = 0.5
"""Maximum time to find the values of a position, in seconds."""
HEAD = ("game", "games learned", "random", "its own, 1 ply", "learned, 1 ply", "its own, 5 plies", "learned, 5 plies")


def row(registry: Registry, name: str, given: Mapping[str, str]) -> list[str]:
    """Return the row of a game: how much was learned, and the share of best moves of each player."""
    game = registry.parse_game(name, given)
    training = Training.begin(game)
    code = training.run(games=10)  # compiles
    began, used = time.process_time(), 0.0
    while used < SECONDS:
        training.run(games=max(10, int(code.rate * 5)), measured=False)
        used = time.process_time() - began
    training.save(default_path(game))
    solved = solved_positions(game, POSITIONS, seconds=PATIENCE)
    searcher = registry.preferred_searcher(game)
    players = ["random"]
    for depth in (1, 5):
        players += [f"{searcher}:depth={depth}", f"{searcher}:evaluation=learned,depth={depth}"]
    shares = [measure(game, make_player(registry, player, game), solved.positions).best for player in players]
    cells = [label(name, given), f"{training.games:,}", *(f"{share:.1%}" for share in shares)]
    if not capabilities.evaluations(game):
        cells[3] = cells[5] = "–"
    return cells


def label(name: str, given: Mapping[str, str]) -> str:
    """Return the name of a game and its parameters."""
    return " ".join([name, *(f"{key}={value}" for key, value in given.items())])


def main(wanted: Sequence[str]) -> None:
    """Write the table of accuracies into docs/learning.md."""
    registry = load_registry()
    for name, given in GAMES:
        if wanted and name not in wanted:
            continue
        try:
            line = "| " + " | ".join(row(registry, name, given)) + " |"
        except GGPError as error:
            echo(f"{label(name, given)}: {error}", err=True)
            continue
        echo(line)
        keep(PAGE, label(name, given), line)


def keep(page: pathlib.Path, name: str, line: str) -> None:
    """Write the row of a game into the table of a page. Other processes may write other rows at the same time."""
    with locked(page.with_name(f"{page.name}.lock"), f"waiting for another process that writes {page}"):
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        old_rows, after = rest.split(END)
        rows = {line.split("|")[1].strip(): line for line in old_rows.splitlines()[2:] if re.match(r"\| \w", line)}
        rows[name] = line
        lines = ["| " + " | ".join(HEAD) + " |", "| --- |" + " ---: |" * (len(HEAD) - 1)]
        lines += [rows[label(*each)] for each in GAMES if label(*each) in rows]
        write_file(page, (before + BEGIN + "\n".join(lines) + "\n" + END + after).encode())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        os.environ[VARIABLE] = directory
        main(sys.argv[1:])
