"""What the pages show is true: Python is run in order, page by page; commands are run and their output compared."""

import contextlib
import doctest
import io
import linecache
import os
import pathlib
import re
import shlex
import subprocess
import sys
import types

import pytest

from ggp.cli import main
from ggp.testing import PROMISES, SEARCHER_PROMISES

ROOT = pathlib.Path(__file__).parents[2]
PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for page in (*ROOT.glob("docs/*.md"), *ROOT.glob("docs/games/*.md"), *ROOT.glob("docs/course/*.md"))
} | {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def blocks(page, language):
    return [text for found, text in FENCE.findall(PAGES[page]) if found == language]


def pages_with(language):
    return sorted(page for page in PAGES if blocks(page, language))


SLOW = {"docs/conformance.md", "docs/learning.md", "docs/researchers.md", "docs/solving.md", "docs/write-a-game.md"}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(each, marks=[pytest.mark.slow] * (each in SLOW))
        for each in pages_with("python")
        if each != "docs/first-game.md"  # whose blocks are files, see below
    ],
)
def test_the_python_of_the_page_runs(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for example in ("subtraction", "killers"):
        monkeypatch.syspath_prepend(str(ROOT / "examples" / example))
    module = types.ModuleType("page_" + re.sub(r"\W", "_", page))
    monkeypatch.setitem(sys.modules, module.__name__, module)  # so that what it defines can be pickled
    for number, text in enumerate(blocks(page, "python"), 1):
        file = f"<{page}, block {number}>"
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file  # what is compiled is read there
        exec(compile(text, file, "exec"), module.__dict__)  # noqa: S102


def commands(text):
    """The commands of a console block, each with the output shown."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


ONE_PROGRAM = re.compile(r"ggp [^|;&<>$()`]*")
"""A command that needs no shell, and no interpreter of its own, which takes longer to start than most commands run."""

CONSOLE = [
    pytest.param(
        command,
        output,
        id=f"{page}: {command}",
        marks=[pytest.mark.slow] * (not ONE_PROGRAM.fullmatch(command) and page != "README.md"),
    )
    for page in pages_with("console")
    for text in blocks(page, "console")
    for command, output in commands(text)
]


def printed_by_a_shell(command):
    """What a command prints, typed as it is."""
    return subprocess.run(  # noqa: S602
        command,
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ).stdout


def printed_here(command):
    """What `ggp` prints for a command of one program, in this process."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        patch.setattr(sys, "stdin", io.StringIO())
        main(shlex.split(command)[1:])
    return out.buffer.getvalue().decode()


@pytest.mark.parametrize(("command", "shown"), CONSOLE)
def test_the_command_prints_what_the_page_shows(command, shown, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    for name, value in {
        "PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "GGP_SPEED": "interpreted",
        "GGP_CLOCK": "processor",  # a page is right on a busy machine, too
        "GGP_STORE": str(tmp_path / "games.db"),
        "GGP_TABLEBASES": str(tmp_path / "tablebases"),
        "GGP_LEARNED": str(tmp_path / "learned"),
        "TMPDIR": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    found = printed_here(command) if ONE_PROGRAM.fullmatch(command) else printed_by_a_shell(command)
    printed = re.sub(r"^ggp: compiling .*\n", "", found, flags=re.MULTILINE)  # said only if it takes long
    alike = doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert alike, f"shown:\n{shown}\nprinted:\n{found}"


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_links_of_the_page_lead_somewhere(page):
    text = FENCE.sub("", PAGES[page])
    assert [link for link in LINK.findall(text) if not (ROOT / page).parent.joinpath(link).exists()] == []
    for other, section in re.findall(r"\]\(([^)#:\s]*)#([^)]+)\)", text):
        shown = (ROOT / page).parent.joinpath(other).resolve().relative_to(ROOT).as_posix() if other else page
        headings = re.findall(r"^#+ (.*)$", FENCE.sub("", PAGES[shown]), re.MULTILINE)
        assert section in [re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings]


@pytest.mark.parametrize(
    ("page", "file"),
    [("docs/write-a-searcher.md", "ggp_subtraction/searcher.py"), ("docs/conformance.md", "test_subtraction.py")],
)
def test_the_pages_show_the_example_word_for_word(page, file):
    assert (ROOT / "examples" / "subtraction" / file).read_text(encoding="utf-8") in blocks(page, "python")


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/compiler.md", "CONTRIBUTING.md"])
def test_the_files_that_a_page_names_are_there(page):
    named = re.findall(r"`([\w.*-]+/[\w./*-]*)`", PAGES[page])
    assert [name for name in named if not list(ROOT.glob(name.rstrip("/")))] == []


def test_the_tests_that_a_page_names_are_there():
    named = [(page, *each) for page, text in PAGES.items() for each in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)]
    assert len(named) > 20
    assert [each for each in named if f"\ndef {each[2]}(" not in (ROOT / each[1]).read_text(encoding="utf-8")] == []


def test_the_readme_is_short():
    assert len(PAGES["README.md"].splitlines()) <= 140


def test_the_table_of_promises_is_complete():
    for promise, meaning in (*PROMISES.items(), *SEARCHER_PROMISES.items()):
        assert f"| {promise} | {meaning} |" in PAGES["docs/conformance.md"]


def test_every_page_is_in_the_index():
    listed = set(LINK.findall(PAGES["docs/index.md"]))
    assert listed == {page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")} - {"index.md"}


@pytest.mark.slow
def test_the_guide_to_a_first_game_is_followed_to_the_letter(tmp_path):
    """Every command is run as it is typed, and every block is the content of the file that the text names."""
    page = PAGES["docs/first-game.md"]
    files = dict(zip(("ggp_chomp/__init__.py", "test_chomp.py"), blocks("docs/first-game.md", "python"), strict=True))
    steps = {text.split("\n", 1)[0]: text for text in page.split("\n## ")}
    assert all(any(f"content of `{name}`" in " ".join(text.split()) for text in steps.values()) for name in files)
    first, last = blocks("docs/first-game.md", "sh")
    path = os.environ | {"PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def run(command, place, typed=""):
        done = subprocess.run(command, shell=True, cwd=place, env=path, input=typed, capture_output=True, text=True)  # noqa: S602
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"

    run(first, tmp_path)
    folder = tmp_path / "chomp"
    for name, text in files.items():
        assert (folder / name).exists()
        (folder / name).write_text(text)
    for line in last.splitlines():
        command = line.partition("#")[0].strip()
        if not command.startswith("pip "):  # which would change this environment
            run(command, folder, "quit\n")
