"""Where machine code is kept on disk: one file for each thing compiled, named by its fingerprint.

A file that is damaged, of another version or not ours is as good as none; one that cannot be written is not written.
`GGP_CACHE_DIR` names another place than the user's cache directory; empty, it keeps nothing.
"""

import hashlib
import json
import os
import pathlib
import warnings

import attrs

from ggp.errors import GGPWarning
from ggp.files import replacing

FORMAT = "ggp machine code 2"
MOST_FILES = 500
"""The oldest files beyond these are removed when a new one is written."""


@attrs.frozen
class Kept:
    """An object file and what is needed to call its one function."""

    symbol: str
    integral: bool
    needs: tuple[str, ...]
    """The symbols that are to be found outside it."""
    object_file: bytes


def directory() -> pathlib.Path | None:
    """The directory of the cache; None if nothing is to be kept."""
    named = os.environ.get("GGP_CACHE_DIR")
    if named is not None:
        return pathlib.Path(named) if named else None
    import platformdirs

    return pathlib.Path(platformdirs.user_cache_dir("ggp", appauthor=False)) / "machine"


def read(name: str) -> Kept | None:
    """What is kept under `name`, or None."""
    place = directory()
    if place is None:
        return None
    try:
        content = (place / f"{name}.ggpo").read_bytes()
        header, _, object_file = content.partition(b"\n")
        said = json.loads(header)
        if said["format"] != FORMAT or said["sha256"] != hashlib.sha256(object_file).hexdigest():
            return None
        return Kept(str(said["symbol"]), bool(said["integral"]), tuple(map(str, said["needs"])), object_file)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(name: str, kept: Kept) -> None:
    """Keep it under `name`: all at once, so that two processes do each other no harm."""
    place = directory()
    if place is None:
        return
    said = {"format": FORMAT, "symbol": kept.symbol, "integral": kept.integral, "needs": kept.needs}
    header = json.dumps({**said, "sha256": hashlib.sha256(kept.object_file).hexdigest()})
    try:
        place.mkdir(parents=True, exist_ok=True)
        with replacing(place / f"{name}.ggpo") as file:
            file.write(header.encode() + b"\n" + kept.object_file)
        _prune(place)
    except OSError as error:
        message = f"machine code cannot be kept in {place} ({error.strerror}): it is compiled anew"
        warnings.warn(message, GGPWarning, stacklevel=2)


def _prune(place: pathlib.Path) -> None:
    files = sorted(place.glob("*.ggpo"), key=lambda file: file.stat().st_mtime)
    for file in files[:-MOST_FILES]:
        file.unlink(missing_ok=True)
