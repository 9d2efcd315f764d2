"""A searcher that ponders, and writes what it does into a file."""

import pathlib
import time
from typing import ClassVar

import attrs

import ggp
from ggp.searcher import stop_requested


@attrs.frozen(eq=False)
class Patient:
    """Patient: plays the first action, and ponders until it is stopped."""

    name: ClassVar[str] = "patient"
    ponder: bool = ggp.option(True, "whether it ponders")
    compiled: bool = ggp.option(True, "whether it says that it runs compiled")
    notes: str = ggp.option("", "the file")

    def unsupported_reason(self, game):
        return None

    def search(self, game, state, limits=ggp.Limits(), *, report=None):
        action = next(iter(game.actions(state)))
        speed = "compiled" if self.compiled else "interpreted"
        result = ggp.SearchResult(action=action, value=0.0, complete=True, speed=speed)
        if limits.seconds is not None and limits.seconds > 5:
            self.note(f"ponders in {state}")
            while not stop_requested():
                time.sleep(0.001)
            self.note(f"rests in {state}")
        else:
            self.note(f"moves in {state}")
        return result

    def note(self, text):
        with pathlib.Path(self.notes).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    analyse = search


@ggp.hookimpl
def ggp_searchers():
    return [Patient]
