"""What states are worth to MAX, as far as somebody has searched them: for the curve of a game."""

import math
import threading
import time
from collections import OrderedDict
from typing import Any

import attrs

from ggp import capabilities
from ggp.errors import GGPError
from ggp.game import MAX, Game
from ggp.play import preferred_searcher
from ggp.plugins import Registry
from ggp.searcher import Limits
from ggp.web.course import Course

MOST = 20_000
"""States whose values are kept."""
QUICK = Limits(nodes=2_000, seconds=0.5)
"""What a search for one point of a curve may take."""
PATIENCE = 3.0
"""Seconds after which no more points of a curve are searched."""


@attrs.define
class Values:
    """Values of states, the latest first to stay."""

    _known: OrderedDict[Any, float] = attrs.field(factory=OrderedDict)
    _lock: Any = attrs.field(factory=threading.Lock)

    def remember(self, game: Game[Any, Any], state: Any, value: float) -> None:
        """Keep the value of a state."""
        if not math.isfinite(value):
            return
        key = _key(game, state)
        with self._lock:
            self._known[key] = value
            self._known.move_to_end(key)
            if len(self._known) > MOST:
                self._known.popitem(last=False)

    def known(self, game: Game[Any, Any], state: Any) -> float | None:
        """The value of a state; None if nobody has searched it."""
        if game.terminal_test(state):
            return game.utility(state, MAX)
        with self._lock:
            return self._known.get(_key(game, state))

    def along(self, course: Course) -> list[float | None]:
        """The values of all states of a game; those unknown are searched, quickly, as long as there is time."""
        end = time.monotonic() + PATIENCE
        return [self._found(course.registry, course.game, state, end) for state in course.states]

    def _found(self, registry: Registry, game: Game[Any, Any], state: Any, end: float) -> float | None:
        value = self.known(game, state)
        if value is None and time.monotonic() < end:
            try:
                searcher = registry.searcher(preferred_searcher(registry, game))
                value = searcher.search(game, state, QUICK).value
            except GGPError:
                return None
            self.remember(game, state, value)
        return value


def _key(game: Game[Any, Any], state: Any) -> Any:
    return game.name, repr(capabilities.parameters(game)), state
