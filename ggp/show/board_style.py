"""The style sheet of all boards, for light and dark pages and for print.

It is the same text in every picture, so a page whose content security policy lists hashes needs only one. A page that
includes boards may set the custom properties.
"""

LIGHT = {
    "ground": "#fdfcfa",
    "ink": "#1f2328",
    "muted": "#57606a",
    "wood": "#dfbd8e",
    "wood-ink": "#2b1c0c",
    "wood-edge": "#8a6435",
    "hollow": "#bd9562",
    "hollow-edge": "#7d5a2e",
    "piece": "#8a6435",
    "seed": "#fbf1dc",
    "seed-edge": "#4a3317",
    "field": "#ffffff",
    "edge": "#8c959f",
    "first": "#0b57a4",
    "second": "#b02a1c",
    "play": "#06492a",
    "changed": "#5a0fb0",
    "glow": "#ffe58a",
    "button": "#e3f1e8",
    "on-first": "#ffffff",
    "on-second": "#ffffff",
    "dark-square": "#c8a67c",
    "light-square": "#f3e7d0",
}
"""Colours by their use."""
DARK = {
    "ground": "#16191d",
    "ink": "#e8eaed",
    "muted": "#a7b0ba",
    "wood": "#5d4429",
    "wood-ink": "#fbeeda",
    "wood-edge": "#a37f52",
    "hollow": "#382614",
    "hollow-edge": "#a37f52",
    "piece": "#c9a26a",
    "seed": "#f0dcb4",
    "seed-edge": "#1d1207",
    "field": "#22272e",
    "edge": "#768390",
    "first": "#8cc2ff",
    "second": "#ffa79c",
    "play": "#6fe0a4",
    "changed": "#d5a6ff",
    "glow": "#5b4b00",
    "button": "#173526",
    "on-first": "#16191d",
    "on-second": "#16191d",
    "dark-square": "#5d4429",
    "light-square": "#8f734f",
}
PAPER = LIGHT | {
    "ground": "#ffffff",
    "wood": "#ffffff",
    "hollow": "#ffffff",
    "seed": "#bbbbbb",
    "button": "#ffffff",
    "piece": "#6a6a6a",
    "dark-square": "#d6d6d6",
    "light-square": "#ffffff",
}


def _properties(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())


STYLE = f"""
.ggp-board{{{_properties(LIGHT)}max-width:100%;height:auto;font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif}}
@media (prefers-color-scheme:dark){{.ggp-board{{{_properties(DARK)}}}}}
@media print{{.ggp-board{{{_properties(PAPER)}}}}}
.ggp-board text{{fill:var(--ink);text-anchor:middle}}
.ggp-board .ground{{fill:var(--ground)}}
.ggp-board .wood{{fill:var(--wood);stroke:var(--wood-edge);stroke-width:2}}
.ggp-board .line{{stroke:var(--edge);stroke-width:2}}
.ggp-board .outline{{fill:var(--field);stroke:var(--edge);stroke-width:1.5}}
.ggp-board .round .outline{{fill:var(--hollow);stroke:var(--hollow-edge);stroke-width:2}}
.ggp-board .node .outline{{fill:var(--field);stroke:var(--edge)}}
.ggp-board .piece .outline{{fill:var(--piece);stroke:var(--hollow-edge)}}
.ggp-board .button .outline{{fill:var(--button);stroke:var(--play)}}
.ggp-board .seed{{fill:var(--seed);stroke:var(--seed-edge);stroke-width:1}}
.ggp-board .digits{{font-weight:600;font-variant-numeric:tabular-nums}}
.ggp-board .round:not(.node) .digits{{fill:var(--wood-ink)}}
.ggp-board .label,.ggp-board .caption{{fill:var(--muted)}}
.ggp-board .line-label{{fill:var(--ink);stroke:var(--ground);stroke-width:5;paint-order:stroke;stroke-linejoin:round}}
.ggp-board .mark{{font-weight:700}}
.ggp-board .plain .mark{{font-weight:400;white-space:pre}}
.ggp-board .max .mark{{fill:var(--first)}}
.ggp-board .min .mark{{fill:var(--second)}}
.ggp-board .piece .mark{{fill:var(--ground)}}
.ggp-board .dark .outline{{fill:var(--dark-square);stroke:none}}
.ggp-board .light .outline{{fill:var(--light-square);stroke:none}}
.ggp-board .dark .label{{fill:var(--wood-ink)}}
.ggp-board .disc{{fill:var(--piece);stroke:var(--ink);stroke-width:1.5}}
.ggp-board .max .disc{{fill:var(--first)}}
.ggp-board .min .disc{{fill:var(--second)}}
.ggp-board .rim{{fill:none;stroke:var(--on-second);stroke-width:2.5}}
.ggp-board .sign{{fill:var(--on-first)}}
.ggp-board .min .sign{{fill:var(--on-second)}}
.ggp-board .dot{{fill:var(--play)}}
.ggp-board .reach{{fill:transparent}}
.ggp-board .playable:where(:not(.empty,.dark)) .outline{{stroke:var(--play);stroke-width:2.5}}
.ggp-board .playable.round:where(:not(.empty)) .outline{{stroke-width:3.5}}
.ggp-board .playable .disc{{stroke:var(--play);stroke-width:4}}
.ggp-board .highlighted .outline{{fill:var(--glow);stroke:var(--ink);stroke-width:3}}
.ggp-board .ring{{fill:none;stroke:var(--changed);stroke-width:2;stroke-dasharray:5 3}}
.ggp-board a{{cursor:pointer;outline:none}}
.ggp-board a:hover .outline{{stroke-width:5}}
.ggp-board a:focus-visible .outline{{stroke-width:6;stroke:var(--ink)}}
"""
