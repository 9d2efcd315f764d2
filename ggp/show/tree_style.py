"""The style sheet of all search trees, for light and dark pages and for print.

The style sheet is the same text in every picture. So if the content security policy of a page lists hashes, one hash is
enough.
"""

LIGHT = {
    "ground": "#fdfcfa",
    "ink": "#1f2328",
    "muted": "#57606a",
    "edge": "#57606a",
    "faint": "#8c959f",
    "max": "#d8e9fb",
    "max-edge": "#0b57a4",
    "min": "#fbe0db",
    "min-edge": "#b02a1c",
    "chance": "#f4e8c1",
    "chance-edge": "#7a5a00",
    "leaf": "#ffffff",
    "best": "#0a5c36",
    "cut": "#b02a1c",
    "now": "#8a2be2",
}
"""Colours by their use."""
DARK = {
    "ground": "#16191d",
    "ink": "#e8eaed",
    "muted": "#a7b0ba",
    "edge": "#a7b0ba",
    "faint": "#768390",
    "max": "#14304d",
    "max-edge": "#8cc2ff",
    "min": "#4a1f1a",
    "min-edge": "#ffa79c",
    "chance": "#40340f",
    "chance-edge": "#e8c65a",
    "leaf": "#22272e",
    "best": "#6fe0a4",
    "cut": "#ffa79c",
    "now": "#d5a6ff",
}
PAPER = LIGHT | {"ground": "#ffffff"}


def properties(colours: dict[str, str]) -> str:
    """Return the colours as CSS custom properties."""
    return "".join(f"--tree-{name}:{colour};" for name, colour in colours.items())


STYLE = f"""
.ggp-tree{{{properties(LIGHT)}font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif}}
@media (prefers-color-scheme:dark){{.ggp-tree{{{properties(DARK)}}}}}
@media print{{.ggp-tree{{{properties(PAPER)}}}}}
.ggp-tree .ground{{fill:var(--tree-ground)}}
.ggp-tree :where(.mark>text){{fill:var(--tree-ink);font-size:11px;text-anchor:middle}}
.ggp-tree .value{{font-size:14px;font-weight:600}}
.ggp-tree .beside{{text-anchor:start}}
.ggp-tree .order{{fill:var(--tree-muted);font-style:italic}}
.ggp-tree .before{{text-anchor:end}}
.ggp-tree .window,.ggp-tree .below{{fill:var(--tree-muted)}}
.ggp-tree .branch{{fill:none;stroke:var(--tree-edge);stroke-width:1.3}}
.ggp-tree .action{{stroke:var(--tree-ground);stroke-width:6;stroke-linejoin:round;paint-order:stroke}}
.ggp-tree .symbol{{fill:var(--tree-leaf);stroke:var(--tree-edge);stroke-width:1.5;stroke-linejoin:round}}
.ggp-tree .max>.symbol{{fill:var(--tree-max);stroke:var(--tree-max-edge)}}
.ggp-tree .min>.symbol{{fill:var(--tree-min);stroke:var(--tree-min-edge)}}
.ggp-tree .chance>.symbol{{fill:var(--tree-chance);stroke:var(--tree-chance-edge)}}
.ggp-tree .entered>.symbol{{stroke-dasharray:2 3}}
.ggp-tree .principal>.branch{{stroke:var(--tree-best);stroke-width:4}}
.ggp-tree .mark.principal>.symbol{{stroke-width:3}}
.ggp-tree .unvisited>.branch{{stroke:var(--tree-faint);stroke-dasharray:5 4}}
.ggp-tree .unvisited>.symbol{{fill:none;stroke:var(--tree-faint);stroke-dasharray:3 3}}
.ggp-tree .unvisited>text,.ggp-tree .more>text{{fill:var(--tree-muted);font-weight:400}}
.ggp-tree .more>.branch{{stroke:var(--tree-faint);stroke-dasharray:1 4;stroke-linecap:round}}
.ggp-tree .cut{{fill:none;stroke:var(--tree-cut);stroke-width:2}}
.ggp-tree .current>.symbol{{stroke:var(--tree-now);stroke-width:4;stroke-dasharray:none}}
"""
