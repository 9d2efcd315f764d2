"""Layout: break long lines of Python code so that they fit a page of 80 columns."""

import re
import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 79
"""Maximum number of characters of a line."""
HEAD = re.compile(r"(?:if |elif |while |return |yield from |yield |for [\w, ]+ in |[\w\[\], ]+ [|&]?= )")
"""A pattern for the beginning of a statement that ends with an expression."""
PLACE = re.compile(r"(?<=,) | (?=(?:and|or|if|else|[-+*/&|^<>]|//|<<|>>|[=!<>]=) )")
"""A pattern for a blank at which an expression in brackets may be broken: after a comma, or before an operator."""
STEP = "    "


def fit(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of code; each line that is too long is broken into several lines.

    The meaning of the code does not change.
    """
    for line in lines:
        if len(line) <= WIDTH:
            yield line
        else:
            yield from _broken(line)


def filled(text: str, indent: str = "") -> list[str]:
    """Return a text as lines of whole words; each line begins with `indent`."""
    filler = textwrap.TextWrapper(WIDTH, indent, indent, break_long_words=False, break_on_hyphens=False)
    return filler.wrap(text)


def _broken(line: str) -> list[str]:
    code, _, comment = line.partition("  # ")
    indent = code[: len(code) - len(code.lstrip())]
    if comment:
        return [*filled(comment, f"{indent}# "), *fit([code])]
    if code.lstrip().startswith(("#", '"', "'")):
        return [line]
    statement, colon = code.strip().removesuffix(":"), ":" if code.endswith(":") else ""
    matched = HEAD.match(statement)
    if matched is None:  # a call or a function: its own brackets are enough
        return _pieces(statement + colon, indent, indent + 2 * STEP, outermost=1)
    head, expression = matched.group(), statement[matched.end() :]
    opening, closing = "()"
    if expression[0] in "([" and _depths(expression).index(0, 1) == len(expression) - 1:
        opening, expression, closing = expression[0], expression[1:-1], expression[-1]
    return [
        f"{indent}{head}{opening}",
        *_pieces(expression, indent + STEP, indent + STEP, outermost=0),
        f"{indent}{closing}{colon}",
    ]


def _depths(code: str) -> list[int]:
    """Return how many brackets are open after each character; a text in quotes counts as nested very deep."""
    depths, depth, quote = [], 0, ""
    for i, character in enumerate(code):
        if quote:
            quote = "" if character == quote and code[i - 1] != "\\" else quote
        elif character in "'\"":
            quote = character
        else:
            depth += (character in "([{") - (character in ")]}")
        depths.append(len(code) if quote else depth)
    return depths


def _pieces(code: str, first: str, later: str, outermost: int) -> list[str]:
    """Return code in lines, broken where the fewest brackets are open, preferably at `and` and `or`.

    Arguments:
        first: blanks before the first line. later: blanks before the other lines.
        outermost: minimum number of open brackets at a break.
    """
    lines, depths, start, indent = [], _depths(code), 0, first
    places = [matched.start() for matched in PLACE.finditer(code) if outermost <= depths[matched.start()] < len(code)]
    while len(code) - start > WIDTH - len(indent):
        room = start + WIDTH - len(indent)
        near = [matched for matched in places if start + (room - start) // 2 < matched <= room]
        near = near or [matched for matched in places if matched > start][:1]
        if not near:
            break
        matched = min(near, key=lambda at: (depths[at], not code.startswith((" and ", " or "), at), -at))
        lines.append(indent + code[start:matched])
        start, indent = matched + 1, later
    return [*lines, indent + code[start:]]
