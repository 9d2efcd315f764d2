"""Shows a match: the boards, the moves in words, and the result."""

from collections.abc import Collection

import attrs

from ggp import capabilities
from ggp.cli.console import console, echo, echo_line
from ggp.escapes import LAYOUT, escaped
from ggp.game import CHANCE, AnyGame, Drawn, Scenic, State
from ggp.levels import PERFECT
from ggp.number_text import many
from ggp.play import Match, Participant, PlayedMove, controller
from ggp.scene import COLOURS, Scene
from ggp.show.scene_text import scene_in_colour, scene_text
from ggp.show.value_text import value_text


def has_colour() -> bool:
    """Return whether standard output is a terminal that shows colour."""
    screen = console()
    return screen.is_terminal and not screen.no_color and not screen.is_dumb_terminal


def echo_board(game: AnyGame, state: State, scene: Scene, changed: Collection[str] = ()) -> bool:
    """Print the board: its scene in colours if the terminal has them, otherwise the game's own drawing.

    Returns: whether it was printed; False if the terminal is too narrow.
    """
    screen = console()
    key = signs(game, scene)
    scene = attrs.evolve(scene, caption=f"{scene.caption} ({key})" if key else scene.caption)
    if has_colour() and (isinstance(game, Scenic) or not isinstance(game, Drawn)):
        board = scene_in_colour(scene, changed)
        fits = max(line.cell_len for line in board.split("\n")) <= screen.width
        if fits:
            screen.print(board)
        return fits
    drawing = escaped((game.draw(state) if isinstance(game, Drawn) else scene_text(scene)).strip("\n"), LAYOUT)
    fits = not screen.is_terminal or max(map(len, drawing.split("\n"))) <= screen.width
    if fits:
        echo(drawing)
    return fits


def signs(game: AnyGame, scene: Scene) -> str:
    """Return a text that says which player has which pieces: "X plays ●, O plays ○"; "" if the players' names are
    colours, such as Black.
    """
    discs = {cell.owner: cell.text for cell in scene.cells if cell.text in DISCS and cell.owner is not None}
    names = capabilities.players(game)
    if not discs or {name.lower() for name in names} & {*COLOURS}:
        return ""
    return ", ".join(f"{names[owner]} plays {sign}" for owner, sign in sorted(discs.items()))


DISCS = frozenset("●○")


class MatchView:
    """Shows a match on standard output."""

    def __init__(self, game: AnyGame, players: tuple[Participant, Participant], quiet: bool) -> None:
        self.game = game
        self.players = players
        self.quiet = quiet
        self._scene: Scene | None = None

    def show_board(self, match: Match) -> None:
        """Print the board of the present state."""
        if not self.quiet:
            self.show_state(match.state)

    def show_state(self, state: State) -> None:
        """Print the board of a state, or its notation where the terminal is too narrow for the board."""
        scene = capabilities.scene(self.game, state)
        earlier, self._scene = self._scene or scene, scene
        echo()
        if not echo_board(self.game, state, scene, scene.changed_since(earlier)):
            echo_line(
                f"{capabilities.notation(self.game).format_state(state)} (the terminal is too narrow for the board)"
            )
        echo()

    def show_move(self, move: PlayedMove) -> None:
        """Print the mover, the move, its effect, and the value that a searcher found."""
        if not self.quiet:
            echo_line(self.describe(move))

    def describe(self, move: PlayedMove) -> str:
        """Return the move in one line."""
        plays_perfectly = move.mover != CHANCE and self.players[move.mover].name.partition(":")[0] == PERFECT
        return controller.describe_move(self.game, self.players, move) + _thought(self.game, move, plays_perfectly)

    def result(self, match: Match) -> str:
        """Return a sentence: who has won, and how."""
        return controller.result(match) or f"Not finished, after {moves_text(match)}."


def moves_text(match: Match) -> str:
    """Return the number of moves played, in words."""
    return many(len(match.moves), "move")


def _thought(game: AnyGame, move: PlayedMove, plays_perfectly: bool) -> str:
    """Return the value that the mover found, in brackets; for a perfect player, also whether it is exact."""
    thought = move.thinking
    if thought is None or (thought.statistics.depth == 0 and thought.distance is None):
        return ""
    done, value = thought.statistics, value_text(game, thought.value, exact=thought.exact)
    if thought.distance is not None:
        return f"  [{value}, exact, {many(thought.distance, 'ply', 'plies')} to the end]"
    sure = "exact" if thought.exact else f"depth {done.depth}"
    if plays_perfectly and not thought.exact:
        lower, upper = thought.proved or (0, 0)
        known = (
            "it is proved who wins, but not by how much" if lower > 0 or upper < 0 else "the exact value is not known"
        )
        sure = f"an estimate: {known}, {sure}"
    states = many(done.nodes, "state")
    return f"  [{value}, {sure}, {states}, {done.seconds or move.seconds:.2f} s]"
