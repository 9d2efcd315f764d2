"""Build the documentation site, without a network: `python -m tools.site --output site`.

The site has the pages of docs/, the changelog, the guide for contributors, and the API reference, made from the
docstrings. Warnings are errors, and every link within the site is checked. Open `site/index.html`.
"""

import argparse
import functools
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from collections.abc import Iterator

from tools.site import bundle

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]

API = {
    "ggp": "What `import ggp` gives",
    "ggp.game": "Games: what a game is, and what it may offer besides",
    "ggp.searcher": "Searchers: the contract, limits and results",
    "ggp.options": "Declared options",
    "ggp.plugin_hooks": "Hooks of plugins",
    "ggp.levels": "Levels of strength",
    "ggp.errors": "Errors",
    "ggp.plugins": "Plugins and the registry",
    "ggp.plugin_entries": "Entries of the registry: a game or searcher, and where it is from",
    "ggp.capabilities": "What a game offers",
    "ggp.scene": "Scenes: how a game is drawn",
    "ggp.board_game": "Games on boards",
    "ggp.grid": "Boards of rows and columns",
    "ggp.bits": "Sets of cells",
    "ggp.point_board": "Boards of points and lines",
    "ggp.tables": "Tables of results",
    "ggp.experiments.experiment": "Experiments",
    "ggp.experiments.results": "Experiments: results",
    "ggp.experiments.runner": "Experiments: playing the games",
    "ggp.experiments.executors": "Experiments: processes and clusters",
    "ggp.experiments.journal": "Experiments: journals",
    "ggp.experiments.pairs": "Experiments: pairs of games and Elo",
    "ggp.experiments.ratings": "Experiments: ratings",
    "ggp.experiments.sprt": "Experiments: sequential tests",
    "ggp.experiments.starts": "Experiments: starts",
    "ggp.experiments.plan_file": "Experiments in files",
    "ggp.show.search_tree": "Search trees",
    "ggp.show.tree": "Search trees in notebooks",
    "ggp.show.tree_svg": "Search trees as SVG",
    "ggp.show.tree_frames": "Search trees for slides",
    "ggp.show.tree_html": "Search trees to step through",
    "ggp.show.board_svg": "Boards as SVG",
    "ggp.show.board": "Boards in notebooks: pictures",
    "ggp.show.result_chart": "The result of a search as a picture",
    "ggp.play.match": "Matches",
    "ggp.play.whole_game": "Matches without a front end",
    "ggp.play.player_parser": "Players from texts",
    "ggp.play.clock": "Clocks",
    "ggp.play.records": "Records of matches",
    "ggp.play.record_writer": "Making records of matches",
    "ggp.play.players": "Players",
    "ggp.play.controller": "The game controller",
    "ggp.trace": "Watching a search",
    "ggp.testing.conformance": "The conformance kit: games",
    "ggp.testing.searchers": "The conformance kit: searchers",
    "ggp.testing.strategies": "Strategies for hypothesis",
    "ggp.testing.trees": "Random trees",
    "ggp.testing.graphs": "Random graphs with cycles",
    "ggp.testing.perft_counts": "Perft",
    "ggp.testing.reference": "Plain minimax",
    "ggp.testing.speeds": "What is not compiled",
    "ggp.notebook.board_players": "Boards in notebooks",
    "ggp.notebook.board_widget": "Boards in notebooks: the widget",
    "ggp.notebook.stepper": "Searches in notebooks",
    "ggp_search.engine.search": "The search object that recursions use",
    "ggp_search.engine.tree_searcher": "Tree searchers",
    "ggp_search.algorithms.minimax": "Minimax",
    "ggp_search.algorithms.alphabeta": "Alpha-beta",
    "ggp_search.algorithms.scout": "SCOUT",
    "ggp_search.algorithms.negascout": "NegaScout",
    "ggp_search.algorithms.mtdf": "MTD(f)",
    "ggp_search.algorithms.quiescence": "Quiescence search",
    "ggp_search.algorithms.dfpn": "Depth-first proof-number search",
    "ggp_search.algorithms.expectiminimax": "Expectiminimax",
    "ggp_search.algorithms.star": "Star1 and star2",
    "ggp_search.algorithms.mcts": "Monte Carlo tree search",
    "ggp_search.algorithms.flat": "Flat Monte Carlo search",
    "ggp_search.algorithms.random": "Random choice",
    "ggp_search.memory.allocator": "Memory of a searcher's own",
    "ggp_search.book_answer": "Opening books",
    "ggp_search.tablebases.tablebase": "Tablebases: probing",
    "ggp_solve.solver": "Solving by enumeration",
    "ggp_solve.analysis": "The value of every move",
    "ggp_solve.proof.proof_solver": "Solving by proof",
    "ggp_solve.certificates.certificate": "Certificates",
    "ggp_solve.certificates.verification": "Certificates: verification",
    "ggp_solve.tablebases.builder": "Tablebases: building",
    "ggp_teach.grading.grading": "Grading",
    "ggp_teach.quizzes.quiz": "Quizzes",
}
"""The modules of the API reference, with their titles."""

OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./([^)#\s]+)(#[^)\s]*)?\)")
"""Links from docs/ to files outside docs/."""
LINK = re.compile(r"\]\(([\w./-]+)\.md(?:#[^)]*)?\)")


def build(output: pathlib.Path, board: bool) -> None:
    """Build the site in the directory `output`, which is emptied first.

    Arguments:
        board: whether the site includes Python, for playing in the browser.

    Raises:
        bundle.MissingRuntimeError: Pyodide is not installed.
        subprocess.CalledProcessError: Sphinx has found something wrong.
        SystemExit: a link leads nowhere.
    """
    script = bundle.script() if board else ""
    with tempfile.TemporaryDirectory() as work:
        source, built = pathlib.Path(work, "source"), pathlib.Path(work, "built")
        write_source(source, board)
        command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", str(HERE), "-d", f"{work}/cache"]
        subprocess.run([*command, str(source), str(built)], check=True, cwd=ROOT)  # noqa: S603
        static = built / "_static"
        shutil.copy(HERE / "browser" / "board.css", static)
        if board:
            shutil.copy(HERE / "browser" / "page.js", static / "board.js")
            (static / "board-files.js").write_text(script, encoding="utf-8")
        if broken := list(dead_links(built)):
            sys.exit("these links lead nowhere:\n" + "\n".join(broken))
        shutil.rmtree(output, ignore_errors=True)
        shutil.copytree(built, output)


def write_source(source: pathlib.Path, board: bool) -> None:
    """Write the pages in the form that Sphinx reads."""
    shutil.copytree(ROOT / "docs", source, ignore=shutil.ignore_patterns("*.py", ".ipynb_checkpoints"))
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        text = text.replace("](docs/", "](").replace("](README.md)", "](index.md)")
        (source / name).write_text(text, encoding="utf-8")
    for page in source.rglob("*.md"):
        depth = "../" * (len(page.relative_to(source).parts) - 1)
        text = page.read_text(encoding="utf-8")
        page.write_text(OUTSIDE.sub(functools.partial(_beside, depth), text), encoding="utf-8")
    (source / "api.md").write_text(_api(source / "api"), encoding="utf-8")
    index = source / "index.md"
    index.write_text(_with_contents(index.read_text(encoding="utf-8")), encoding="utf-8")
    if board:
        page = source / "board.md"
        html = (HERE / "browser" / "board.html").read_text(encoding="utf-8")
        page.write_text(f"{page.read_text(encoding='utf-8')}\n```{{raw}} html\n{html}```\n", encoding="utf-8")


def _beside(depth: str, match: re.Match[str]) -> str:
    """Return a link to the file's page on the site, or only the text if the file has no page."""
    text, path, anchor = match[1], match[2], match[3] or ""
    if (ROOT / "docs" / path).exists():
        return match[0]
    if path in ("CHANGELOG.md", "CONTRIBUTING.md"):
        return f"[{text}]({depth}{path}{anchor})"
    return f"[{text}]({depth}index.md)" if path == "README.md" else text


def _api(folder: pathlib.Path) -> str:
    folder.mkdir()
    for module in API:
        shown = "   :no-members:\n" if module == "ggp" else ""  # its names are documented where they are defined
        page = f"# {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n{shown}```\n"
        (folder / f"{module}.md").write_text(page, encoding="utf-8")
    listed = "\n".join(f"- [{module}](api/{module}.md): {title}." for module, title in API.items())
    pages = "\n".join(f"api/{module}" for module in API)
    return f"# The API\n\n{listed}\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def _with_contents(index: str) -> str:
    """Return the index, with a table of contents for the pages to which each of its sections links."""
    head, *sections = re.split(r"^## ", index, flags=re.MULTILINE)
    parts = [head]
    for section in sections:
        title, _, body = section.partition("\n")
        pages = [page for page in dict.fromkeys(LINK.findall(body)) if not page.startswith("..")]
        extra = {"Reference": ["api"], "About": ["CONTRIBUTING", "CHANGELOG"]}.get(title.strip(), [])
        contents = "\n".join([*pages, *extra])
        parts.append(
            f"## {title}\n{body.rstrip()}\n\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{contents}\n```\n\n"
        )
    return "".join(parts)


class _Page(html.parser.HTMLParser):
    """The links of a page, and the anchors that links can lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def dead_links(site: pathlib.Path) -> Iterator[str]:
    """Yield each link within the site that leads nowhere, with its page."""
    pages = {}
    for path in site.rglob("*.html"):
        pages[path] = _Page()
        pages[path].feed(path.read_text(encoding="utf-8"))
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            there = pages.get(target)
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.exists() or (there and anchor and anchor not in there.places):
                yield f"{path.relative_to(site)}: {link}"


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("site"), help="directory (default: site)")
    parser.add_argument("--no-board", action="store_true", help="leave out the board to play on in the browser")
    given = parser.parse_args()
    try:
        build(given.output, not given.no_board)
    except bundle.MissingRuntimeError as error:
        sys.exit(f"{error}; --no-board builds the site without it")
    except subprocess.CalledProcessError:
        sys.exit("the site was not built: see the warnings above")
    print(f"open {given.output / 'index.html'}")  # noqa: T201


if __name__ == "__main__":
    main()
