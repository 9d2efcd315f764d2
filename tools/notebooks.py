"""Run the notebooks of the docs and store them with their outputs: `python -m tools.notebooks`.

Sites that host code show notebooks without running them, so pictures and texts are stored. Widgets and frames, which
such sites do not show, and standard error are left out.
"""

import os
import pathlib
import tempfile
from typing import Any

import nbclient
import nbformat

FOLDER = pathlib.Path(__file__).parents[1] / "docs" / "notebooks"
KEPT = ("image/svg+xml", "text/plain")
"""Kinds of outputs that are stored."""


def run(path: pathlib.Path, folder: pathlib.Path) -> object:
    """Return a notebook, run from the top to the end in a folder, with all its outputs."""
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbclient.NotebookClient(
        book, timeout=600, startup_timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}
    ).execute()
    return book


def tidied(book: Any) -> object:
    """Return the notebook without the parts that need not be stored."""
    book.metadata = {key: book.metadata[key] for key in ("kernelspec", "language_info")}
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.metadata = {}
            cell.outputs = [kept for output in cell.outputs if (kept := _kept(output))]
    return book


def _kept(output: Any) -> object:
    if output.output_type == "stream":
        return output if output.name == "stdout" else None
    shown = {media_type: output.data[media_type] for media_type in KEPT if media_type in output.data}
    page = output.data.get("text/html", "")
    if "application/vnd.jupyter.widget-view+json" in output.data or "<iframe" in page:
        return None  # its text says nothing
    if page and "image/svg+xml" not in shown:
        shown["text/html"] = page
    return nbformat.from_dict({**output, "data": shown, "metadata": {}})


def main() -> None:
    """Run all notebooks, and write them."""
    os.environ["GGP_SPEED"] = "interpreted"
    for path in sorted(FOLDER.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["GGP_STORE"] = str(pathlib.Path(folder, "games.db"))
            nbformat.write(tidied(run(path, pathlib.Path(folder))), path)
        print(path)  # noqa: T201 - what a command did


if __name__ == "__main__":
    main()
