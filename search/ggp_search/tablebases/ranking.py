"""The numbering of the positions of a game's tablebases, by the game's own ranking, or by its layers."""

from collections.abc import Iterator

import attrs

from ggp import capabilities
from ggp.errors import UnsupportedGameError
from ggp.game import AnyGame, CapableGame, Layered, Ranking, State, capable
from ggp.repetition import may_repeat


@attrs.frozen
class LayeredRanking:
    """The ranking of a game whose positions come back within a layer (see `ggp.game.Layered`): a layer is one section.

    Unlike other rankings, it includes terminal positions.
    """

    game: CapableGame

    @property
    def parameters(self) -> dict[str, object]:
        """See `ggp.game.Ranking`."""
        return dict(capabilities.parameters(self.game))

    def sections(self, layer: int) -> tuple[int, ...]:
        """See `ggp.game.Ranking`."""
        return (self.game.positions(layer),)

    def layer(self, state: State) -> int:
        """See `ggp.game.Ranking`."""
        layer: int = self.game.layer(state)
        return layer

    def rank(self, state: State) -> tuple[int, int]:
        """See `ggp.game.Ranking`."""
        return 0, self.game.rank(state)

    def unrank(self, layer: int, section: int, index: int) -> State:
        """See `ggp.game.Ranking`."""
        return self.game.unrank(layer, index)

    def positions(self, layer: int, section: int, first: int) -> Iterator[State]:
        """See `ggp.game.Ranking`."""
        for index in range(first, self.game.positions(layer)):
            yield self.game.unrank(layer, index)


def is_layered(game: AnyGame) -> bool:
    """Return whether the game's tablebases have layers in which positions come back."""
    return isinstance(game, Layered) and may_repeat(game) and capabilities.ranking(game) is None


def has_ranking(game: AnyGame) -> bool:
    """Return whether the game's tablebases have layers; otherwise one table holds the whole game."""
    return capabilities.ranking(game) is not None or is_layered(game)


def ranking_of(game: AnyGame) -> Ranking[State]:
    """Return the numbering of the positions of the game's tablebases.

    Raises:
        UnsupportedGameError: the game has no numbering with these parameters, or is a game of chance.
    """
    ranking = capabilities.ranking(game)
    if is_layered(game):
        return LayeredRanking(capable(game))
    if ranking is None:
        raise UnsupportedGameError(f"{game.name} has no tablebases with these parameters: it offers no ranking")
    if capabilities.is_stochastic(game):
        raise UnsupportedGameError(f"{game.name} has no tablebases: they are for games without chance")
    return ranking
