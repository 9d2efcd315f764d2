"""The effect of a move in words. The words are the game's, or else describe how the board has changed."""

from ggp import capabilities
from ggp.game import CHANCE, Action, AnyGame, State
from ggp.scene import BESIDE, Scene
from ggp.show.value_text import things


def effect(game: AnyGame, state: State, action: Action) -> str:
    """Return the effect of a move in words; "" if no effect is seen: "captures a piece and moves again"."""
    after = game.result(state, action)
    told = capabilities.explain(game, state, action)
    if told or game.to_move(state) == CHANCE:
        return told
    return told_by_boards(game, state, after, capabilities.scene(game, state), capabilities.scene(game, after))


def told_by_boards(game: AnyGame, before: State, after: State, old: Scene, new: Scene) -> str:
    """Return in words what a player has gained by a move, and whether that player moves again.

    Arguments:
        old, new: the boards before and after the move.
    """
    mover = game.to_move(before)
    return " and ".join([*gains(old, new, mover), *(["moves again"] if moves_again(game, before, after) else [])])


def moves_again(game: AnyGame, before: State, after: State) -> bool:
    """Return whether the player to move in `before` is also to move in `after`, in a game with an opponent."""
    alone = len(capabilities.players(game)) == 1
    return not alone and not game.terminal_test(after) and game.to_move(before) == game.to_move(after)


def gains(before: Scene, after: Scene, player: int) -> list[str]:
    """Return what a player has captured or gained between two boards, in words; [] if it is nothing."""
    taken = pieces(before, 1 - player) - pieces(after, 1 - player)
    if taken > 0:
        return ["captures a piece" if taken == 1 else f"captures {taken} pieces"]
    gained = after.scores[player] - before.scores[player] if after.scores and before.scores else 0
    return [f"gains {things(gained, after.things)}"] if gained > 0 else []


def pieces(scene: Scene, player: int) -> int:
    """Return the number of a player's pieces on the board; 0 for discs, which only change their owner."""
    standing = [cell for cell in scene.cells if cell.stands and cell.shape not in BESIDE]
    return 0 if any(cell.stands == "disc" for cell in standing) else sum(cell.owner == player for cell in standing)
