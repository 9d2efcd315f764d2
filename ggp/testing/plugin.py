"""The conformance kit as a pytest plugin: `pytest --ggp`.

Each installed game and searcher becomes a test. Plugins of ggp itself are left out, unless there are no others.
"""

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from ggp.plugin_entries import Entry

PluginT = TypeVar("PluginT")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the command line options."""
    group = parser.getgroup("ggp", "games and searchers of ggp")
    group.addoption("--ggp", action="store_true", help="test the installed games and searchers by the conformance kit")
    group.addoption(
        "--ggp-plugin", action="append", default=[], metavar="FILE.py", help="test the games and searchers of this file"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for each game and searcher."""
    files = config.getoption("--ggp-plugin")
    if files or config.getoption("--ggp"):
        items += [
            KitItem.from_parent(session, name=f"ggp {role} {name}", check=check)
            for role, name, check in _checks([str(config.invocation_params.dir / file) for file in files])
        ]


def _checks(files: list[str]) -> Iterator[tuple[str, str, Callable[[], None]]]:
    """Yield the kind, the name and the check of each game and searcher to test."""
    from ggp import GGPError, Limits, load_registry
    from ggp.plugin_hooks import GAMES, GROUP, entry_points
    from ggp.testing import check_game, check_searcher

    registry = load_registry()
    for file in files:
        try:
            registry.load_file(file)
        except GGPError as error:
            raise pytest.UsageError(str(error)) from None
    foreign = {
        entry.value.partition(":")[0].partition(".")[0]
        for group in (GROUP, GAMES)
        for entry in entry_points(group=group)
        if entry.dist and entry.dist.name != "ggp"
    }

    def wanted(entry: "Entry") -> bool:
        if files:
            return entry.source in files
        return not foreign or entry.factory.__module__.partition(".")[0] in foreign

    for name, entry in registry.games.items():
        if wanted(entry):
            yield "game", name, functools.partial(_check, check_game, registry.game, name)
    limits = Limits(depth=3, nodes=1000)  # what samples would do so for as long as it may
    check = functools.partial(check_searcher, limits=limits)
    for name, entry in registry.searchers.items():
        if wanted(entry):
            yield "searcher", name, functools.partial(_check, check, registry.searcher, name)


def _check(check: Callable[[PluginT], object], make: Callable[[str], PluginT], name: str) -> None:
    check(make(name))


class KitItem(pytest.Item):
    """A test of one game or searcher by the kit."""

    def __init__(self, *, check: Callable[[], object], **more: Any) -> None:
        super().__init__(**more)
        self.check = check

    def runtest(self) -> None:
        """Run the kit."""
        self.check()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the sentence about the broken promise; for an unexpected error, the traceback."""
        from ggp import ConformanceError

        return str(excinfo.value) if isinstance(excinfo.value, ConformanceError) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[str, None, str]:
        """Return the location of the test."""
        return "ggp", None, self.name
