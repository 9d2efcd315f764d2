"""Widgets in this process, and their other half in a real Chromium."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from anywidget import AnyWidget
    from playwright.sync_api import Browser, Page

HARNESS = """
async ([esm, css, traits]) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const listeners = {};
  const model = {
    get: (name) => traits[name],
    set: (name, value) => { traits[name] = value; unsaved[name] = value; },
    save_changes: () => { toPython(unsaved); unsaved = {}; },
    on: (event, act) => (listeners[event] ??= []).push(act),
    off: (event, act) => { listeners[event] = listeners[event].filter((each) => each !== act); },
  };
  let unsaved = {};
  window.known = (name) => traits[name];
  window.fromPython = (name, value) => {
    if (JSON.stringify(traits[name]) === JSON.stringify(value)) return;
    traits[name] = value;
    for (const act of listeners[`change:${name}`] ?? []) act();
  };
  const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  window.cleanUp = widget.render({ model, el: document.body });
}
"""
"""What a notebook does: it gives the module a model, whose traits it keeps as they are in Python."""


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about what is shown, not about machine speed."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")


@pytest.fixture
def shown(chromium: "Browser") -> Iterator[Callable[..., "Page"]]:
    """Shows a widget on a page of its own, connected with Python. At the end no page may have reported an error."""
    faults: list[str] = []
    contexts = []

    def show(widget: "AnyWidget", *, width: int = 1000, **options: Any) -> "Page":
        options.setdefault("reduced_motion", "reduce")
        context = chromium.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.set_content("<!DOCTYPE html><html lang=en><title>A notebook</title><body>")

        def to_python(changed: dict[str, object]) -> None:
            for name, value in changed.items():
                setattr(widget, name, value)
            tell(page, widget)

        page.expose_function("toPython", to_python)
        page.evaluate(HARNESS, [widget._esm, widget._css, traits(widget)])
        return page

    yield show
    for context in contexts:
        context.close()
    assert faults == []


def traits(widget: "AnyWidget") -> dict[str, object]:
    """What the browser knows of a widget."""
    return {name: getattr(widget, name) for name in widget.keys if not name.startswith("_") and name != "layout"}


def tell(page: "Page", widget: "AnyWidget") -> None:
    """Tell the browser what has changed in Python."""
    for name, value in traits(widget).items():
        page.evaluate("([name, value]) => fromPython(name, value)", [name, value])
