"""The directory of a game's tables, and the names of its files."""

import hashlib
import json
import os
import pathlib
from collections.abc import Mapping

import attrs

from ggp.files import user_path
from ggp.game import AnyGame, Ranking, State
from ggp_search.tablebases.ranking import ranking_of

VARIABLE = "GGP_TABLEBASES"
"""The environment variable that names the default directory."""
SUFFIX, PART_SUFFIX = ".ggpt", ".ggps"
"""Extensions of a layer's file, and of a section's file while the layer is being built."""


def default_directory() -> pathlib.Path:
    """Return the directory that GGP_TABLEBASES names, or one in the user's data directory."""
    return user_path("tablebases", VARIABLE)


@attrs.frozen
class TablebasePaths:
    """The paths of one game's tables in a directory. Games with the same relevant parameters share these paths."""

    directory: pathlib.Path
    game: str
    parameters: Mapping[str, object]
    """The relevant parameters, as a value of JSON."""

    @classmethod
    def of(cls, game: AnyGame, directory: str | os.PathLike[str]) -> "TablebasePaths":
        """Return the game's paths in this directory. Raises as `ranking_of` does."""
        return cls(pathlib.Path(directory), game.name, matters(game, ranking_of(game)))

    @property
    def prefix(self) -> str:
        """The common prefix of the files' names: the game, and a digest of the parameters."""
        text = json.dumps(self.parameters, sort_keys=True)
        return f"{self.game}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    @property
    def lock(self) -> pathlib.Path:
        """The lock file that a process holds while it builds in this directory."""
        return self.directory / f"{self.prefix}.lock"

    def layer(self, layer: int) -> pathlib.Path:
        """Return the file of a layer."""
        return self.directory / f"{self.prefix}-{layer:03}{SUFFIX}"

    def section(self, layer: int, section: int) -> pathlib.Path:
        """Return the file of a section while its layer is being built."""
        return self.directory / f"{self.prefix}-{layer:03}-{section:03}{PART_SUFFIX}"


def matters(game: AnyGame, ranking: Ranking[State]) -> dict[str, object]:
    """Return the parameters that the game's tables depend on, as a value of JSON."""
    return json.loads(json.dumps(dict(ranking.parameters), default=str))
