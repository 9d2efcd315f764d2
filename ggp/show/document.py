"""A web page as one file that loads nothing: its frame, its script, and the data of the script."""

import base64
import hashlib
import json
from html import escape

from ggp.show.svg_elements import clean


def document(
    title: str, style: str, body: str, *, head: str = "", script: str = "", data: tuple[str, object] | None = None
) -> str:
    """Return the page. If the page has a script, its content security policy allows this script and no other.

    Arguments:
        body: the content, as HTML.
        head: elements that are added to the head, as HTML.
        data: the data of the script, with the identifier of the element that holds them.
    """
    scripts = ""
    if data:
        text = json.dumps(data[1], ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        scripts += f'<script type="application/json" id="{data[0]}">{clean(text)}</script>'
    if script:
        security_policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {source_hash(script)}"
        head = f'<meta http-equiv="Content-Security-Policy" content="{security_policy}">{head}'
        scripts += f"<script>{script}</script>"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{head}'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(clean(title))}</title>'
        f"<style>{style}</style></head><body>{body}{scripts}</body></html>\n"
    )


def source_hash(text: str) -> str:
    """Return the source for a content security policy that allows this inline script or style sheet."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
