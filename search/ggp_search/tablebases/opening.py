"""Finding tablebases on disk."""

import os
import pathlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ggp.errors import TablebaseError, UnsupportedGameError
from ggp.game import Game
from ggp_search.engine.endgames import LAYERS
from ggp_search.tablebases import files
from ggp_search.tablebases.filling import ranking_of
from ggp_search.tablebases.held import Tablebase
from ggp_search.tablebases.shelf import Shelf, default_directory


def open_tablebase(game: Game[Any, Any], directory: str | os.PathLike[str], grades: int = LAYERS) -> Tablebase:
    """The game's tablebase in a directory: the grades from 0 up to the first one that is not there.

    Arguments:
        grades: no more than so many.

    Raises:
        UnsupportedGameError: the game has no tablebases.
        TablebaseError: a file is damaged, or of something else.
    """
    shelf, base = Shelf.of(game, directory), Tablebase(game, ranking_of(game))
    mapped = []
    for grade in range(grades):
        path = shelf.grade(grade)
        if not path.exists():
            break
        mapped.append(map_grade(shelf, base, path, grade))
    with ThreadPoolExecutor(os.cpu_count()) as executor:  # checksums are reckoned without the interpreter's lock
        list(executor.map(files.check, mapped))
    return base


def map_grade(shelf: Shelf, base: Tablebase, path: pathlib.Path, grade: int) -> files.Mapped:
    """Put a grade's file into the tablebase, as its next grade, without a look at the data.

    Raises:
        TablebaseError: it is the file of something else.
    """
    mapped = files.open_mapped(path)
    require(shelf, mapped, grade, None, base.ranking.sections(grade))
    base.place_at(grade, mapped.address, mapped)
    base.grades = grade + 1
    return mapped


def require(shelf: Shelf, mapped: files.Mapped, grade: int, section: int | None, sizes: tuple[int, ...]) -> None:
    """Require that a file is what its name says.

    Raises:
        TablebaseError: it is not.
    """
    header = mapped.header
    if (header.game, header.parameters) != (shelf.game, dict(shelf.parameters)):
        what = f"{header.game} {_named(header.parameters)}, and not of {shelf.game} {_named(shelf.parameters)}"
    elif (header.grade, header.section) != (grade, section):
        what = f"grade {header.grade}, and not of grade {grade}"
    elif header.sections != sizes:
        what = f"another numbering of the positions of {shelf.game}"
    else:
        return
    raise TablebaseError(f"{mapped.path} is a tablebase of {what}: {files.AGAIN}")


def _named(parameters: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in parameters.items())


def find_tablebase(game: Game[Any, Any]) -> Tablebase | None:
    """The game's tablebase in the default directory; None if there is none, or the game has none.

    Raises:
        TablebaseError: a file is damaged, or of something else.
    """
    try:
        base = open_tablebase(game, default_directory())
    except UnsupportedGameError:
        return None
    return base if base.grades else None
