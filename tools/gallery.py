"""The gallery: `python -m tools.gallery` draws the pictures of docs/gallery, and writes the page that shows them.

A picture is a name, a caption, and a function that draws the picture with the registered games and searchers.
"""

import pathlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from ggp import Limits, Registry, capabilities, load_registry
from ggp.show.board_svg import board_svg
from ggp.show.search_tree import LIMIT
from ggp.show.tree import fold
from ggp.show.tree_marks import Labels
from ggp.show.tree_svg import tree_svg
from ggp.trace import Traced

DOCS = pathlib.Path(__file__).parents[1] / "docs"
HEAD = """# Gallery

`python -m tools.gallery` draws all pictures: the boards as `ggp show GAME --svg FILE` draws them, the trees as
`ggp tree GAME --svg FILE` does. Each picture is one file that needs nothing else, for light and dark surroundings and
for paper, and has a description for those who cannot see it.
"""


@attrs.frozen
class Picture:
    """One picture."""

    name: str
    """The name of the picture's file, without .svg."""
    words: str
    """The caption of the picture: a sentence."""
    draw: Callable[[Registry], str]


def board(game: str, moves: str = "", position: str | None = None, **parameters: object) -> Callable[[Registry], str]:
    """Return a function that draws a board after some moves and marks the last one."""

    def draw(registry: Registry) -> str:
        played = registry.game(game, **parameters)
        text = capabilities.notation(played)
        state = played.initial_state() if position is None else text.parse_state(position)
        way = []
        for move in moves.split():
            way.append(state)
            state = played.result(state, text.parse_action(state, move))
        scene = capabilities.scene(played, state, way)
        changed = scene.last_move(capabilities.scene(played, way[-1])) if way else ()
        return board_svg(scene, changed=changed, title=game)

    return draw


BOARDS = (
    Picture("kalah", "Kalah as it begins.", board("kalah")),
    Picture(
        "kalah-turn",
        "Kalah after C and F: the house where the last move began is marked, and North's legal moves are green.",
        board("kalah", "C F"),
    ),
    Picture(
        "kalah-full",
        "Houses with many seeds.",
        board("kalah", position="<6,31,104,0,1,12,33,72,5,0,2,100,8,9,10> N"),
    ),
    Picture("kalah-end", "A finished game.", board("kalah", position="<6,27,21,0,0,0,0,0,0,0,0,0,0,0,0> S")),
    Picture("kalah-1-1", "The smallest Kalah.", board("kalah", houses=1, seeds=1)),
    Picture(
        "kalah-3-3-whole",
        "Three houses a side, where an action is a whole turn: turns of several houses are buttons.",
        board("kalah", houses=3, seeds=3, turn="whole"),
    ),
    Picture("kalah-12-9", "Twelve houses a side, nine seeds each.", board("kalah", houses=12, seeds=9)),
    Picture("tictactoe", "Tic-tac-toe after 5, 1 and 9.", board("tictactoe", "5 1 9")),
    Picture("tictactoe-won", "A row that wins.", board("tictactoe", "5 1 9 3 2 4 8")),
    Picture(
        "tictactoe-19-19",
        "Five in a row on 19 by 19.",
        board("tictactoe", "10-10 9-9 9-10 11-10 8-10", h=19, v=19, k=5),
    ),
    Picture("hexapawn", "Hexapawn after the first move.", board("hexapawn", "b1-b2")),
    Picture("breakthrough", "Breakthrough after a capture.", board("breakthrough", "d2-d3 e7-e6 d3-d4 e6-e5 d4xe5")),
    Picture("checkers", "Checkers after three moves: White must capture.", board("checkers", "11-15 22-17 15-19")),
    Picture("connectfour", "Connect Four, won by X across.", board("connectfour", position="4455223")),
    Picture("domineering", "Domineering after four moves.", board("domineering", "d4-d5 b2-c2 g2-g3 e6-f6")),
    Picture(
        "dotsandboxes",
        "Dots and Boxes: the first player has closed two boxes, the second player one.",
        board("dotsandboxes", "a1-b1 c1-d1 b1-c1 b1-b2 a1-a2 c1-c2 a2-b2 b2-c2 c2-d2 d1-d2 a3-b3"),
    ),
    Picture(
        "einstein",
        "EinStein würfelt nicht: the die shows 2, and Blue's second stone may move.",
        board("einstein", "3 c1-d2 5 d4-d3 2"),
    ),
    Picture("hex", "Hex, won by X from top to bottom.", board("hex", "c3 d2 b4 c4 b5 b3 d1 c5 c2 b6 a6 a5 a7", size=7)),
    Picture("othello", "Othello after three moves.", board("othello", "f5 d6 c3")),
    Picture(
        "morris", "Nine men's morris: White has a mill, and takes a man.", board("morris", "a7 d6 d7 b4 g7xd6", men=9)
    ),
    Picture("pong-hau-ki", "Pong Hau K'i after two moves.", board("pong-hau-ki", "a1 a3")),
    Picture("awari", "Awari after six moves.", board("awari", "C d F a D b")),
    Picture("nim", "Nim after two stones were taken from the second heap.", board("nim", "2:2")),
    Picture("nim-large", "Nim with heaps of 1, 30 and 100 stones.", board("nim", heaps=(1, 30, 100))),
    Picture("pancakes", "Pancakes: the stack that takes seven flips.", board("pancakes")),
    Picture("pig", "Pig: to roll or to hold.", board("pig", position="12:7 +5 turn 4")),
    Picture("pig-rolling", "Pig: the die is rolling.", board("pig", position="12:7 +5 turn 4 rolling")),
    Picture("fig52", "The tree of AIMA's figure 5.2, after the move to node C.", board("fig52", "a2")),
    Picture("tree", "A random tree with chance.", board("tree", branching=2, depth=3, chance=0.9, seed=3)),
)


def tree(
    game: str,
    searcher: str,
    depth: int | None,
    labels: Labels = "window",
    limit: int = LIMIT,
    nodes: int | None = None,
    **parameters: object,
) -> Callable[[Registry], str]:
    """Return a function that draws the search tree from a game's initial state."""

    def draw(registry: Registry) -> str:
        played, finder = registry.game(game, **parameters), registry.searcher(searcher)
        assert isinstance(finder, Traced)
        events = finder.trace(played, played.initial_state(), Limits(depth=depth, nodes=nodes))
        return tree_svg(fold(played, events, limit), labels=labels, title=f"{searcher} on {game}")

    return draw


TREES = (
    *(
        Picture(f"tree-fig52-{name}", f"AIMA's figure 5.2 under {name}.", tree("fig52", name, 2))
        for name in ("minimax", "alphabeta", "scout", "expectiminimax")
    ),
    Picture(
        "tree-fig52-ranges",
        "Figure 5.2 under alphabeta, with the range in which each value is known to lie.",
        tree("fig52", "alphabeta", 2, "ranges"),
    ),
    Picture("tree-pig", "Pig under expectiminimax: chance, and estimates.", tree("pig", "expectiminimax", 3)),
    Picture(
        "tree-kalah-3-3",
        "Kalah with three houses and three seeds each, four plies deep under alphabeta.",
        tree("kalah", "alphabeta", 4, houses=3, seeds=3),
    ),
    Picture(
        "tree-best-order",
        "Figure 5.2 with the leaves of its last move in the best order: alphabeta visits five leaves.",
        tree("tree", "alphabeta", 2, file=str(DOCS / "course" / "best.json")),
    ),
    Picture(
        "tree-nim",
        "Nim with heaps of 1 and 2 under minimax: the same states occur again.",
        tree("nim", "minimax", 3, heaps=(1, 2)),
    ),
    Picture(
        "tree-horizon-alphabeta",
        'At the horizon: at a depth of one ply, alphabeta chooses the move "take".',
        tree("tree", "alphabeta", 1, file=str(DOCS / "course" / "horizon.json")),
    ),
    Picture(
        "tree-horizon-quiescence",
        'Beyond the horizon: quiescence sees what follows, and chooses the move "wait".',
        tree("tree", "quiescence", 1, file=str(DOCS / "course" / "horizon.json")),
    ),
    Picture(
        "tree-nim-mcts",
        "Nim with heaps of 2 and 2 after 20 playouts of mcts.",
        tree("nim", "mcts", None, nodes=20, heaps=(2, 2)),
    ),
    Picture("tree-fig52-dfpn", "AIMA's figure 5.2 under dfpn: proof and disproof numbers.", tree("fig52", "dfpn", 2)),
    Picture(
        "tree-nim-solved", "Nim with heaps of 1 and 2, solved by alphabeta.", tree("nim", "alphabeta", 3, heaps=(1, 2))
    ),
    Picture(
        "tree-kalah",
        "Kalah, four plies deep under alphabeta: the first 30 of 390 visits.",
        tree("kalah", "alphabeta", 4, limit=30),
    ),
)


def beside(*drawings: Callable[[Registry], str]) -> Callable[[Registry], str]:
    """Return a function that draws pictures side by side, in one file."""

    def draw(registry: Registry) -> str:
        parts, x, height = [], 0.0, 0.0
        for drawing in drawings:
            svg = drawing(registry)
            result = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
            assert result
            parts.append(svg.replace("<svg ", f'<svg x="{x:g}" ', 1))
            x, height = x + float(result[1]) + GAP, max(height, float(result[2]))
        size = f'width="{x - GAP:g}" height="{height:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x - GAP:g} {height:g}" {size} role="group"'
        title = '<title id="front-title">A board and a search</title>'
        return f'{head} aria-labelledby="front-title">{title}{"".join(parts)}</svg>'

    return draw


GAP = 24
"""Distance between two pictures that stand side by side, in units of the drawing."""

FRONT = Picture(
    "front",
    "Kalah after two moves, and the tree that alpha-beta visits in figure 5.2 of AIMA.",
    beside(board("kalah", "C F"), tree("fig52", "alphabeta", 2)),
)
PICTURES = (FRONT, *BOARDS, *TREES)


def scenes() -> dict[str, str]:
    """Return the pictures of docs/scenes.md; each shows the `scene` that the lines before the picture make."""
    pictures: dict[str, str] = {}
    names: dict[str, Any] = {}
    page = (DOCS / "scenes.md").read_text(encoding="utf-8")
    for lines, words, name in re.findall(r"```python\n(.*?)```\s+!\[(.*?)\]\((.*?)\)", page, re.DOTALL):
        exec(lines, names)  # noqa: S102 - a page of this project
        pictures[name] = board_svg(names["scene"], title=words) + "\n"
    return pictures


def files(registry: Registry, pictures: Iterable[Picture]) -> Mapping[str, str]:
    """Return every file of the gallery, the page included, by its path in docs."""
    shown = list(pictures)
    page = "\n".join([HEAD, *(f"![{each.words}](gallery/{each.name}.svg)\n\n{each.words}\n" for each in shown)])
    return {"gallery.md": page} | scenes() | {f"gallery/{each.name}.svg": each.draw(registry) + "\n" for each in shown}


def main() -> None:
    """Write the files."""
    (DOCS / "gallery").mkdir(exist_ok=True)
    for name, text in files(load_registry(), PICTURES).items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(DOCS / name)  # noqa: T201 - what a command did


if __name__ == "__main__":
    main()
