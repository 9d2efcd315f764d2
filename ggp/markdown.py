"""Markdown tables, for output to a file."""

from collections.abc import Collection, Sequence

from ggp.escapes import escaped


def markdown_table(rows: Sequence[Sequence[str]], texts: Collection[int] = (0,)) -> str:
    """Return a table with aligned columns.

    Arguments:
        rows: the first row holds the headings.
        texts: indices of the columns that hold text, aligned to the left; the others hold numbers, aligned to the
            right.
    """
    columns = []
    for index, (head, *cells) in enumerate(zip(*rows, strict=True)):
        shown = [escaped(cell).replace("|", "\\|") for cell in (head, *cells)]
        width = max(3, *map(len, shown))
        rule = "-" * width if index in texts else "-" * (width - 1) + ":"
        justify = str.ljust if index in texts else str.rjust
        columns.append([justify(cell, width) for cell in (shown[0], rule, *shown[1:])])
    return "\n".join(f"| {' | '.join(row)} |" for row in zip(*columns, strict=True))
