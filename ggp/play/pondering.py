"""Pondering: machines that search while a human thinks."""

import contextlib
import contextvars
import threading
from collections.abc import Iterable, Iterator

from ggp.game import AnyGame, State
from ggp.play.players import Machine, Participant
from ggp.searcher import Limits, Pondering, stop_when

LONGEST = 60.0
"""Seconds after which a machine stops searching, though the human still thinks."""
PATIENCE = 0.5
"""Maximum number of seconds to wait for the end of pondering after the human's move; only a search that is still being
compiled takes longer to end, and is not waited for.
"""


@contextlib.contextmanager
def pondering(players: Iterable[Participant], game: AnyGame, state: State) -> Iterator[None]:
    """Have every machine that ponders search `state` during the `with` block.

    A machine ponders if its searcher has the option `ponder`, and the option is on. The results are stored only in the
    tree that the searcher keeps. If the search fails, nothing happens: the search for a move will say why.
    """
    ended = threading.Event()

    def search(machine: Machine) -> None:
        with contextlib.suppress(Exception), stop_when(ended.is_set):
            machine.searcher.search(game, state, Limits(seconds=LONGEST))

    threads = [
        threading.Thread(target=contextvars.copy_context().run, args=(search, each), name="ggp-ponder", daemon=True)
        for each in players
        if isinstance(each, Machine) and isinstance(each.searcher, Pondering) and each.searcher.ponder
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join(PATIENCE)
