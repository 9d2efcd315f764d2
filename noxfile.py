"""Sessions of nox: `nox -l` lists them, `nox -s lint tests-3.11` runs some of them, and `.ci/run` runs all of them.

`nox --no-venv` uses the current environment instead of creating one for each session. Sessions for a Python that is not
installed are skipped; Pythons that pyenv has installed are found.
"""

import os
import pathlib
import tomllib

import nox

nox.options.sessions = ["lint", "types", "tests"]
nox.options.error_on_missing_interpreters = False
nox.options.reuse_existing_virtualenvs = True

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
# pyenv's commands, such as python3.12, work for the versions that are selected: select all of them.
pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"), "versions")
if found := [path.name for version in PYTHONS for path in sorted(pyenv.glob(f"{version}.*"))]:
    os.environ.setdefault("PYENV_VERSION", ":".join(found))

SOME = ["tests/plugins", "tests/search/test_figure_5_2.py", "tests/cli/test_search.py", "tests/cli/test_listing.py"]
"""Tests that depend most on the versions of Python and of dependencies, besides the conformance kit."""


def install(session: nox.Session, *packages: str) -> None:
    """Install packages, unless the session runs in the environment of nox itself."""
    if session.virtualenv.venv_backend != "none":
        session.install(*packages)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and spelling."""
    install(session, "ruff", "codespell")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("codespell")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types, strictly."""
    install(session, "-e", ".[dev]")
    session.run("mypy")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run all tests except the slow ones; arguments after `--` are passed to pytest."""
    install(session, "-e", ".[dev]")
    session.run("pytest", *session.posargs)


@nox.session(python=PYTHONS[1:])
def plugins(session: nox.Session) -> None:
    """Check every game and searcher, plugins and the command line on a newer Python."""
    install(session, "-e", ".[fast,testing]", "pytest-xdist")
    few = {"CI": None}  # few hypothesis examples: what depends on Python fails at the first
    session.run("pytest", *(session.posargs or ["tests/conformance/test_registered.py", *SOME]), env=few)


@nox.session
def slow(session: nox.Session) -> None:
    """Run the slow tests."""
    install(session, "-e", ".[dev]")
    session.run("pytest", "-m", "slow", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """Run the tests and print which lines they do not run; what runs as machine code counts as not run."""
    install(session, "-e", ".[dev]")
    session.run("pytest", "--cov", "--cov-report=term:skip-covered", *session.posargs)


@nox.session(python="3.11")
def oldest(session: nox.Session) -> None:
    """Run the tests of plugins, searches and the command line with the oldest supported dependencies."""
    project = tomllib.loads(pathlib.Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["fast"], *extras["testing"]]
    session.install("-e", ".", "pytest-xdist", *(each.replace(">=", "==") for each in needed))
    session.run("pytest", *(session.posargs or SOME))


@nox.session
def site(session: nox.Session) -> None:
    """Build the documentation site."""
    install(session, "-e", ".[docs]")
    session.run("python", "-m", "tools.site", *(session.posargs or ["--output", "site"]))
