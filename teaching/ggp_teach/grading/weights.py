"""Weights of marks, from a file that a teacher writes."""

import json
import pathlib
import tomllib
from collections.abc import Mapping

from ggp.errors import OptionError, did_you_mean
from ggp.files import read_bytes, reason
from ggp_teach.grading.checking import WEIGHTS

LARGEST = 1 << 20
"""Maximum size of a file, in bytes."""


def read_weights(path: pathlib.Path) -> Mapping[str, float]:
    """Return the weights of criteria (value, move, visits) and of kinds of cases. A weight that is not in the file has
    its default.

        value = 60
        move = 10
        visits = 30
        "extra turns" = 2     # twice as much as another kind
        chance = 0            # does not count

    Raises:
        OptionError: the file is not such a table, or a name is unknown; the message lists the known names.
    """
    try:
        text = read_bytes(path, LARGEST).decode()
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {reason(error)}") from None
    except ValueError as error:
        raise OptionError(f"{path} is not TOML (or JSON, if its name ends in .json): {error}") from None
    if not isinstance(data, dict):
        raise OptionError(f"{path} must hold names with their weights, such as value = 60")
    for name, weight in data.items():
        if name not in WEIGHTS:
            hint = did_you_mean(name, WEIGHTS)
            raise OptionError(f"{path}: unknown weight {name!r}{hint}; the names are {', '.join(WEIGHTS)}")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < 1e9:
            raise OptionError(f"{path}: the weight {name!r} must be a number from 0 on; got {weight!r}")
    weights = {**WEIGHTS, **data}
    if not any(weights[name] for name in ("value", "move", "visits")):
        raise OptionError(f"{path}: one of value, move and visits must be more than 0")
    return weights
