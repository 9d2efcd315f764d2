"""Escaping of texts from files, peers and plugins: no control characters, and not too long."""

import re

UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Characters to escape: control characters, changes of text direction, line separators, and surrogates."""
LAYOUT = "\n\t"
"""Characters that are not escaped in a text of several lines."""


def escaped(text: str, keep: str = "") -> str:
    """Return the text with control characters escaped as in JSON: `\\u001b`.

    Arguments:
        keep: characters that stay as they are; `LAYOUT` for a text of several lines.
    """
    return UNSAFE.sub(lambda matched: matched[0] if matched[0] in keep else f"\\u{ord(matched[0]):04x}", text)


def short(text: str, most: int = 60) -> str:
    """Return the text; if it has more than `most` characters, its end is replaced by dots."""
    return text if len(text) <= most else text[: most - 3] + "..."
