"""How far a solve is, in a line."""

from ggp.cli.session import Position
from ggp.show.numbers import interval, number
from ggp_search.solution import Progress


def in_words(position: Position, progress: Progress) -> str:
    """What it is at, what is proved, and how fast it goes."""
    rate = progress.states / progress.seconds if progress.seconds else 0.0
    asked = f" that it is {number(progress.question[1])} or more" if progress.question else ""
    parts = [
        f"{progress.seconds:.0f} s",
        progress.doing + (asked if progress.doing == "proving" else ""),
        f"value {interval(*progress.interval)}" if progress.interval else "",
        f"{progress.states:,} states ({rate:,.0f}/s)" if progress.states else "",
        " ".join(position.format_line(progress.line)),
    ]
    return "  ".join(part for part in parts if part)
