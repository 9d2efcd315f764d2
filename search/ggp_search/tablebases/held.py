"""A tablebase that is at hand: where its grades are in memory, and what they say."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs

from ggp.game import CompiledForm, Game, Ranking
from ggp_search import endgames
from ggp_search.blocks import Block
from ggp_search.parts import interpreted
from ggp_search.tablebases.files import Mapped
from ggp_search.tablebases.filling import filler, ranking_of
from ggp_search.words import save


@attrs.define
class Tablebase:
    """The grades below `grades`, each of them whole."""

    game: Game[Any, Any]
    ranking: Ranking
    grades: int = 0
    _directory: Block = attrs.field(factory=lambda: Block(8 * endgames.SECTIONS * endgames.GRADES))
    _held: list[Any] = attrs.field(factory=list)
    _form: CompiledForm = attrs.field(init=False)
    _known: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._form = self.game.compiled(interpreted)  # type: ignore[attr-defined]
        self._known = endgames.known_value(self._form, self.ranking, interpreted)

    @property
    def files(self) -> list[Mapped]:
        """The files of its grades; none of a tablebase that is in memory only."""
        return [each for each in self._held if isinstance(each, Mapped)]

    @property
    def address(self) -> int:
        """Where the directory is, see `ggp_search.endgames`."""
        return self._directory.address

    def place_at(self, grade: int, address: int, memory: Any) -> None:
        """Say that the sections of a grade lie one after the other from `address` on, in `memory`, which is kept."""
        self._held.append(memory)
        for section, size in enumerate(self.ranking.sections(grade)):
            self.place_section(grade, section, address)
            address += size

    def place_section(self, grade: int, section: int, address: int) -> None:
        """Say where one section lies, in memory that the caller keeps."""
        save(self.address + 8 * (endgames.SECTIONS * grade + section), address)

    def grade(self, state: Any) -> int:
        """The grade of a state that is not terminal."""
        return int(self.ranking.grade(self._form.encode(state)))

    def value(self, state: Any) -> float | None:
        """The exact value to MAX of a state that is not terminal; None if its grade is not there."""
        position = self._form.encode(state)
        grade = self.ranking.grade(position)
        return float(self._known(position, grade, self.address)) if grade < self.grades else None


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
