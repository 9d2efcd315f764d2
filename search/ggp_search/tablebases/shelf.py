"""Where the tables of a game lie: the directory, and the names of the files in it."""

import hashlib
import json
import os
import pathlib
from collections.abc import Mapping
from typing import Any

import attrs

from ggp.game import Game, Ranking
from ggp_search.tablebases.filling import ranking_of

VARIABLE = "GGP_TABLEBASES"
"""The environment variable that names the default directory."""
SUFFIX, PART_SUFFIX = ".ggpt", ".ggps"
"""Of a grade's file, and of a section's while the grade is being made."""


def default_directory() -> pathlib.Path:
    """The directory that GGP_TABLEBASES names, else one in the user's data directory."""
    named = os.environ.get(VARIABLE)
    if named:
        return pathlib.Path(named)
    import platformdirs

    return pathlib.Path(platformdirs.user_data_dir("ggp", appauthor=False)) / "tablebases"


@attrs.frozen
class Shelf:
    """The tables of one game in a directory. Games that agree in what matters have one shelf."""

    directory: pathlib.Path
    game: str
    parameters: Mapping[str, Any]
    """Those that matter, as JSON has them."""

    @classmethod
    def of(cls, game: Game[Any, Any], directory: str | os.PathLike[str]) -> "Shelf":
        """The game's shelf in this directory. Raises as `ranking_of` does."""
        return cls(pathlib.Path(directory), game.name, matters(game, ranking_of(game)))

    @property
    def prefix(self) -> str:
        """What its files' names begin with: the game, and a digest of the parameters."""
        text = json.dumps(self.parameters, sort_keys=True)
        return f"{self.game}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    @property
    def lock(self) -> pathlib.Path:
        """What a process that builds here holds."""
        return self.directory / f"{self.prefix}.lock"

    def grade(self, grade: int) -> pathlib.Path:
        """The file of a grade."""
        return self.directory / f"{self.prefix}-{grade:03}{SUFFIX}"

    def section(self, grade: int, section: int) -> pathlib.Path:
        """The file of a section while its grade is being made."""
        return self.directory / f"{self.prefix}-{grade:03}-{section:03}{PART_SUFFIX}"


def matters(game: Game[Any, Any], ranking: Ranking) -> dict[str, Any]:
    """The parameters that the game's tables depend on, as JSON has them."""
    named = ranking.parameters
    plain: dict[str, Any] = json.loads(json.dumps(dict(named), default=str))
    return plain
