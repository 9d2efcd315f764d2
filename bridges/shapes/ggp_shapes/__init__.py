"""Games that were written for other frameworks, used without changes: AIMA's, easyAI's, alpha-zero-general's,
GamesmanPy's, CS50's, OpenSpiel's.

Games are recognized by the methods that they have: `ggp --plugin FILE games`. They run interpreted.
"""

from collections.abc import Iterable

import ggp

__all__: list[str] = []


@ggp.hookimpl
def ggp_adapters() -> Iterable[object]:
    from ggp_shapes.frameworks import recognize

    return [recognize]
