"""A tablebase that is at hand: where its grades are in memory, and what they say."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs

from ggp.compiler.memory import save
from ggp.game import Game, Ranking
from ggp_search.engine.blocks import Block
from ggp_search.engine.endgames import LAYERS, SECTIONS, Endgames
from ggp_search.tablebases.files import Mapped
from ggp_search.tablebases.filling import filler, ranking_of


@attrs.define
class Tablebase:
    """The grades below `grades`, each of them whole."""

    game: Game[Any, Any]
    ranking: Ranking
    grades: int = 0
    _directory: Block = attrs.field(factory=lambda: Block(8 * SECTIONS * LAYERS))
    _held: list[Any] = attrs.field(factory=list)

    @property
    def files(self) -> list[Mapped]:
        """The files of its grades; none of a tablebase that is in memory only."""
        return [each for each in self._held if isinstance(each, Mapped)]

    @property
    def address(self) -> int:
        """Where the directory is, see `ggp_search.engine.endgames`."""
        return self._directory.address

    def place_at(self, grade: int, address: int, memory: Any) -> None:
        """Say that the sections of a grade lie one after the other from `address` on, in `memory`, which is kept."""
        self._held.append(memory)
        for section, size in enumerate(self.ranking.sections(grade)):
            self.place_section(grade, section, address)
            address += size

    def place_section(self, grade: int, section: int, address: int) -> None:
        """Say where one section lies, in memory that the caller keeps."""
        save(self.address + 8 * (SECTIONS * grade + section), address)

    def grade(self, state: Any) -> int:
        """The grade of a state that is not terminal."""
        return self.ranking.layer(state)

    def value(self, state: Any) -> float | None:
        """The exact value to MAX of a state that is not terminal; None if its grade is not there."""
        known = Endgames(self.game, self)
        return float(known.value(state)) if known.holds(state) else None


def build(game: Game[Any, Any], grades: int, threads: int = 1) -> Tablebase:
    """All grades below `grades`, in memory.

    Raises:
        UnsupportedGameError: the game has no tablebases.
        TablebaseError: a value does not fit into a byte.
    """
    made, fill = Tablebase(game, ranking_of(game)), filler(game)
    with ThreadPoolExecutor(threads) as executor:
        for grade in range(grades):
            sizes = made.ranking.sections(grade)
            block = Block(sum(sizes))
            made.place_at(grade, block.address, block)
            filled = [
                executor.submit(fill, grade, section, 0, sizes[section], made.address)
                for section in sorted(range(len(sizes)), key=lambda section: -sizes[section])
            ]
            for each in filled:
                each.result()
            made.grades = grade + 1
    return made
