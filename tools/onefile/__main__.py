"""Build the program `ggp` with all installed plugins as one executable file, by PyInstaller.

A naive build finds no games: plugins are found by their entry points, which PyInstaller does not follow. The hook
beside this file (`hooks/hook-ggp.py`) follows them. The finished file is run to list its games, and is refused if a
game is missing. Without `--fast`, the file searches interpreted and is small; with `--fast`, it includes llvmlite.
"""

import argparse
import importlib.metadata
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
NAME = "ggp.exe" if sys.platform == "win32" else "ggp"

FAST = ("llvmlite", "numpy")
UNWANTED = (
    *("scipy", "matplotlib", "PIL", "distributed", "dask", "pandas", "pyarrow", "numba", "fsspec", "tkinter"),
    *("pytest", "_pytest", "hypothesis", "coverage", "mypy", "ruff", "nox", "playwright", "greenlet", "psutil"),
    *("pyspiel", "open_spiel", "easyAI", "choix", "mcp", "gymnasium", "pettingzoo", "cryptography"),
    *(
        "anywidget",
        "ipywidgets",
        "traitlets",
        "ipykernel",
        "nbclient",
        "nbformat",
        "marimo",
        "IPython",
        "zmq",
        "tornado",
    ),
    *("sphinx", "docutils", "babel", "bs4", "requests", "urllib3", "textual", "setuptools", "pkg_resources", "pip"),
)
"""Packages that may be installed where the file is built, but do not belong in the file."""


def build(output: pathlib.Path, fast: bool) -> pathlib.Path:
    """Build the file in the directory `output`; return its path."""
    unwanted = UNWANTED if fast else (*UNWANTED, *FAST)
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "PyInstaller", "--onefile", "--console", "--noconfirm", "--log-level", "WARN"]
        command += ["--name", "ggp", "--distpath", str(output), "--workpath", work, "--specpath", work]
        command += ["--additional-hooks-dir", str(HERE / "hooks")]
        command += [f"--exclude-module={each}" for each in unwanted]
        command += [f"--copy-metadata={each}" for each in FAST if fast]  # machine code is kept by their versions
        subprocess.run([*command, str(HERE / "entry.py")], check=True)  # noqa: S603
    return output / NAME


def missing(program: pathlib.Path) -> list[str]:
    """Return the games and searchers that are installed here, but are not in the file."""
    from ggp import load_registry

    registry, lacking = load_registry(), []
    for what, installed in (("games", registry.games), ("searchers", registry.searchers)):
        run = subprocess.run([str(program), what, "--json"], check=True, capture_output=True, text=True)  # noqa: S603
        names = {each["name"] for each in json.loads(run.stdout)}
        lacking += sorted(set(installed) - names)
    return lacking


def main() -> int:
    """Build and check; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.onefile", description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("dist"), help="directory of the file")
    parser.add_argument("--fast", action="store_true", help="with machine speed, and several times as large")
    given = parser.parse_args()
    try:
        importlib.metadata.version("pyinstaller")
    except importlib.metadata.PackageNotFoundError:
        print("the build needs pyinstaller: pip install 'ggp[dev]'", file=sys.stderr)  # noqa: T201
        return 2
    program = build(given.output, given.fast)
    lacking = missing(program)
    if lacking:
        print(f"{program} lacks {', '.join(lacking)}", file=sys.stderr)  # noqa: T201
        return 1
    print(f"{program}: {program.stat().st_size / 1e6:.0f} MB")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
