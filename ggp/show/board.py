"""A state that notebooks display as a board."""

import zlib

import attrs

from ggp import capabilities
from ggp.game import AnyGame, State


@attrs.frozen(repr=False)
class Board:
    """The board of a state: a picture in a notebook, text anywhere else.

    Arguments:
        earlier: an earlier state; changes since then are marked.
    """

    game: AnyGame
    state: State
    earlier: State = None

    def __repr__(self) -> str:
        return capabilities.draw(self.game, self.state).strip("\n")

    def _repr_svg_(self) -> str:
        from ggp.show.board_svg import board_svg  # drawn when it is looked at

        scene = capabilities.scene(self.game, self.state)
        before = scene if self.earlier is None else capabilities.scene(self.game, self.earlier)
        identity = f"board-{zlib.crc32(repr((self.game, self.state, self.earlier)).encode()):x}"
        return board_svg(scene, changed=scene.last_move(before), identity=identity)
