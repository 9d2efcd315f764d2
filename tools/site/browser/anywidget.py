"""Takes the place of anywidget: the traits that a widget synchronizes are sent to the page by `send`."""

import contextlib
from collections.abc import Callable, Iterator

import traitlets

send: Callable[[dict[str, object]], None] = print
"""A function that sends the values of traits, by name, to the page; `table.listen` sets it."""


class AnyWidget(traitlets.HasTraits):
    """A widget whose traits marked `sync` are shown by the page."""

    model_id = "page"

    def __init__(self) -> None:
        super().__init__()
        self._held: dict[str, object] | None = None
        self.observe(self._on_change)

    def _on_change(self, change: object) -> None:
        if not self.trait_metadata(change["name"], "sync") or change["name"] == "asked":
            return
        if self._held is None:
            send({change["name"]: change["new"]})
        else:
            self._held[change["name"]] = change["new"]

    @contextlib.contextmanager
    def hold_sync(self) -> Iterator[None]:
        """Collect the changes in this block, and send them together at its end."""
        self._held = {}
        try:
            yield
        finally:
            held, self._held = self._held, None
            send(held)
