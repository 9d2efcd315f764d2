"""Tables of results: rows of plain values by column, as CSV, Parquet, or a data frame of pandas."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ggp.errors import UsageError

if TYPE_CHECKING:
    import pandas

    from ggp.game import AnyGame, State

TableRow = dict[str, object]


class ResultTable(list[TableRow]):
    """A list of rows. All rows have the columns of the first one.

    Numbers stay numbers. A value that is not known is None: an empty field in CSV, a missing value in pandas.

    Arguments:
        empty: the columns of a table without rows; pandas cannot read a file without columns.
    """

    def __init__(self, rows: Iterable[TableRow] = (), empty: Sequence[str] = ("number",)) -> None:
        super().__init__(rows)
        self.empty = tuple(empty)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(dict.fromkeys(name for row in self for name in row)) if self else list(self.empty)

    def headed(self, shared: Mapping[str, object]) -> "ResultTable":
        """Return the table with the same nested values added at the beginning of each row."""
        return ResultTable((flat(shared) | row for row in self), (*flat(shared), *self.empty))

    def to_csv(self) -> str:
        """Return the table as CSV with a line of column names, as `pandas.read_csv` reads it without options."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        for row in self:
            writer.writerow([_written(row.get(name)) for name in self.columns])
        return text.getvalue()

    def to_pandas(self) -> "pandas.DataFrame | list[TableRow]":
        """Return a data frame. Without pandas (extra `data`), return the rows as a plain list."""
        try:
            import pandas
        except ImportError:
            return list(self)
        return pandas.DataFrame(list(self), columns=self.columns)

    def to_parquet(self) -> bytes:
        """Return the table in Parquet's format.

        Raises:
            UsageError: pyarrow (extra `data`) is not installed.
        """
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise UsageError("Parquet needs an extra: pip install 'ggp[data]'; CSV needs none") from None
        file = io.BytesIO()
        arrays = {name: [row.get(name) for row in self] for name in self.columns}
        pyarrow.parquet.write_table(pyarrow.table({name: _alike(column) for name, column in arrays.items()}), file)
        return file.getvalue()


Table = ResultTable
"""The earlier name of `ResultTable`."""


class Tabular:
    """A result that has a table: a class that defines `to_table` inherits `to_pandas`."""

    __slots__ = ()

    def to_table(self, game: "AnyGame | None" = None, state: "State" = None) -> ResultTable:
        """Return the result as a table.

        Arguments:
            game, state: the game and its position. A result that does not store the game needs both, to show moves in
            the
                game's notation.
        """
        raise NotImplementedError

    def table(self, game: "AnyGame | None" = None, state: "State" = None) -> ResultTable:
        """Return the same as `to_table`, by its earlier name."""
        return self.to_table(game, state)

    def to_pandas(self, game: "AnyGame | None" = None, state: "State" = None) -> "pandas.DataFrame | list[TableRow]":
        """Return the table as a data frame. Without pandas (extra `data`), return it as a list of rows."""
        return self.to_table(game, state).to_pandas()


def _written(value: object) -> object:
    """Return a value for CSV: whole floats without a point, infinities and unknown values as pandas reads them."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return int(value)
    return value


def _alike(column: list[object]) -> list[object]:
    """Return a column whose numbers have one type, as Parquet requires."""
    if any(isinstance(each, float) for each in column):
        return [float(each) if isinstance(each, int) and not isinstance(each, bool) else each for each in column]
    return column


def flat(values: Mapping[str, object], prefix: str = "") -> TableRow:
    """Return nested values as one row: `statistics.nodes` for an inner name, lists of texts joined by blanks."""
    row: TableRow = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            row |= flat(value, f"{prefix}{name}.")
        elif isinstance(value, list | tuple):
            row[f"{prefix}{name}"] = " ".join(map(str, value))
        else:
            row[f"{prefix}{name}"] = value
    return row


def result_table(rows: Iterable[Mapping[str, object]], empty: Sequence[str] = ("number",)) -> ResultTable:
    """Return a table of nested values, each flattened to a row; `empty` is as in `ResultTable`."""
    return ResultTable((flat(row) for row in rows), empty)
