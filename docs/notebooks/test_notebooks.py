"""The notebooks run from the top to the end, show what they promise, and are stored with their outputs."""

import pathlib
import re

import nbclient
import nbformat
import pytest

FOLDER = pathlib.Path(__file__).parent
BOOKS = sorted(FOLDER.glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"


def read(path):
    return nbformat.read(path, as_version=4)


def code(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_the_repository_has_the_outputs_that_are_shown_where_code_is_hosted(path):
    book = read(path)
    nbformat.validate(book)
    assert [cell.execution_count for cell in code(book)] == list(range(1, len(code(book)) + 1))
    outputs = [output for cell in code(book) for output in cell.outputs]
    media_types = {media_type for output in outputs for media_type in output.get("data", {})}
    assert "image/svg+xml" in media_types
    assert media_types <= {"image/svg+xml", "text/plain", "text/html"}
    assert [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"] == []
    assert not re.search(r"/(tmp|home|root|Users)/|<iframe", path.read_text(encoding="utf-8"))
    assert set(book.metadata) == {"kernelspec", "language_info"}


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_links_lead_somewhere(path):
    text = "".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    links = re.findall(r"\]\(([^):]+)\)", text)
    assert links
    assert [link for link in links if not (FOLDER / link).exists()] == []


@pytest.fixture
def executed(monkeypatch, tmp_path):
    """Return a function that runs a notebook, whose cells contain their assertions."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setenv("GGP_STORE", str(tmp_path / "games.db"))
    for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable))  # nothing of the user's is used, or left behind

    def execute(path):
        book = read(path)
        nbclient.NotebookClient(
            book, timeout=600, startup_timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
        ).execute()
        return [output for cell in code(book) for output in cell.outputs]

    return execute


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("games-and-searchers", {"image/svg+xml": 9, "text/html": 2, WIDGET: 3}),
        ("kalah", {"image/svg+xml": 9, "text/html": 2, WIDGET: 1}),
    ],
)
def test_the_notebook_runs_and_shows_its_pictures(executed, name, least):
    outputs = executed(FOLDER / f"{name}.ipynb")
    shown = [media_type for output in outputs for media_type in output.get("data", {})]
    assert {media_type: shown.count(media_type) >= number for media_type, number in least.items()} == dict.fromkeys(
        least, True
    )
    assert "application/json" not in shown  # JupyterLab would show it in place of the board
    assert [output.text for output in outputs if output.get("name") == "stderr" and "Warning" in output.text] == []


def test_every_notebook_is_run():
    assert [path.stem for path in BOOKS] == ["games-and-searchers", "kalah"]
