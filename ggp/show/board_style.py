"""The style sheet of all boards, for light and dark pages and for print.

The style sheet is the same text in every picture. So if the content security policy of a page lists hashes, one hash is
enough. A page that includes boards may set the custom properties.
"""

import itertools
from collections.abc import Mapping

from ggp.scene import Colour

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
    "seed": "#efe0bd",
    "seed-light": "#fbf4e4",
    "seed-dark": "#dcc291",
    "seed-edge": "#4a3317",
    "field": "#ffffff",
    "edge": "#8c959f",
    "first": "#0b57a4",
    "second": "#b02a1c",
    "play": "#06492a",
    "changed": "#5a0fb0",
    "glow": "#ffe58a",
    "button": "#e3f1e8",
    "dark-square": "#b98a5c",
    "light-square": "#efdcb9",
    "square-ink": "#2b1c0c",
    "felt": "#2e7d50",
    "felt-edge": "#1a5434",
    "felt-ink": "#f2f7f3",
    "frame": "#1c5fc4",
    "frame-edge": "#123f86",
    "hole": "#c3cfe3",
    "paper": "#fffdf4",
    "paper-line": "#a9bdd6",
    "last": "#d8c22a",
    "die": "#fffdf8",
    "pip": "#1f2328",
    "line": "#5b3c1b",
    "max-node": "#dbe9f8",
    "min-node": "#fae0dc",
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
    "seed": "#e6d0a2",
    "seed-light": "#f3e4c4",
    "seed-dark": "#cdb07a",
    "seed-edge": "#1d1207",
    "field": "#22272e",
    "edge": "#768390",
    "first": "#8cc2ff",
    "second": "#ffa79c",
    "play": "#6fe0a4",
    "changed": "#d5a6ff",
    "glow": "#5b4b00",
    "button": "#173526",
    "dark-square": "#9c7350",
    "light-square": "#c9ae84",
    "square-ink": "#0f0802",
    "felt": "#225c3b",
    "felt-edge": "#123521",
    "felt-ink": "#e8f2eb",
    "frame": "#1a4b98",
    "frame-edge": "#0d2a59",
    "hole": "#11161d",
    "paper": "#20252c",
    "paper-line": "#4b5a70",
    "last": "#c9b21c",
    "die": "#f1ece0",
    "pip": "#16191d",
    "line": "#c9a26a",
    "max-node": "#1c3450",
    "min-node": "#4a2521",
}
PAPER = LIGHT | {
    "ground": "#ffffff",
    "wood": "#ffffff",
    "hollow": "#ffffff",
    "seed": "#bbbbbb",
    "seed-light": "#cccccc",
    "seed-dark": "#aaaaaa",
    "button": "#ffffff",
    "piece": "#6a6a6a",
    "dark-square": "#d6d6d6",
    "light-square": "#ffffff",
    "felt": "#dddddd",
    "felt-edge": "#bbbbbb",
    "felt-ink": "#1f2328",
    "frame": "#bbbbbb",
    "hole": "#ffffff",
    "paper": "#ffffff",
    "line": "#1f2328",
    "max-node": "#ffffff",
    "min-node": "#ffffff",
}
PIECES: Mapping[Colour, tuple[str, str, str, str, str]] = {
    "blue": ("#1f63b8", "#123f78", "#ffffff", "#0b57a4", "#8cc2ff"),
    "red": ("#c9301f", "#7f1a10", "#ffffff", "#b02a1c", "#ffa79c"),
    "black": ("#262a2f", "#08090a", "#ffffff", "#1f2328", "#e8eaed"),
    "white": ("#f8f5ec", "#7d7567", "#1f2328", "#1f2328", "#e8eaed"),
    "yellow": ("#f4c92d", "#a67c00", "#1f2328", "#7a5a00", "#e8c65a"),
    "green": ("#1f7a45", "#0e4526", "#ffffff", "#11633a", "#6fe0a4"),
    "orange": ("#d9701a", "#8a4208", "#1f2328", "#9a4a00", "#ffb377"),
    "purple": ("#7439ad", "#451d6d", "#ffffff", "#6a2ea0", "#d5a6ff"),
    "brown": ("#6b3f1d", "#3b210d", "#ffffff", "#6b3f1d", "#d9ae85"),
}
"""For each colour of a player: the colours of the piece, of its edge, of a letter on it, and of texts on a light and on
a dark page.
"""


def _properties(colours: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())


def _players(dark: bool) -> str:
    """Return the rules for the classes that name the players' colours: `first-black`, `second-white`."""
    rules = []
    for player, name in itertools.product(("first", "second"), PIECES):
        piece, edge, sign, light_text, dark_text = PIECES[name]
        colours = {player: dark_text if dark else light_text}
        if not dark:
            colours |= {f"{player}-piece": piece, f"{player}-edge": edge, f"on-{player}": sign}
        rules.append(f".{player}-{name}{{{_properties(colours)}}}")
    return "".join(rules)


STYLE = f"""
.ggp-board{{{_properties(LIGHT)}max-width:100%;height:auto;font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif}}
@media (prefers-color-scheme:dark){{.ggp-board{{{_properties(DARK)}}}}}
@media print{{.ggp-board{{{_properties(PAPER)}}}}}
{_players(dark=False)}
@media screen and (prefers-color-scheme:dark){{{_players(dark=True)}}}
.ggp-board text{{fill:var(--ink);text-anchor:middle}}
.ggp-board .ground{{fill:var(--ground)}}
.ggp-board .board{{fill:var(--wood);stroke:var(--wood-edge);stroke-width:2}}
.ggp-board.on-felt .board{{fill:var(--felt-edge);stroke:none}}
.ggp-board.on-felt:not(:has(.square)) .board{{fill:var(--felt);stroke:var(--felt-edge)}}
.ggp-board.on-paper .board{{fill:var(--paper);stroke:var(--paper-line);stroke-width:1}}
.ggp-board.on-frame .board{{fill:var(--frame);stroke:var(--frame-edge)}}
.ggp-board .line{{stroke:var(--edge);stroke-width:2}}
.ggp-board.on-wood .line{{stroke:var(--line);stroke-width:3}}
.ggp-board .outline{{fill:var(--field);stroke:var(--edge);stroke-width:1.5}}
.ggp-board .hexagon .outline{{stroke-width:2}}
.ggp-board.on-wood :is(.square,.hexagon) .outline{{fill:var(--light-square);stroke:var(--wood-edge)}}
.ggp-board.on-felt .square .outline{{fill:var(--felt);stroke:var(--felt-edge)}}
.ggp-board.on-paper .square .outline{{fill:var(--paper);stroke:var(--paper-line)}}
.ggp-board .wall{{fill:var(--hole)}}
.ggp-board.on-frame .square .outline{{fill:transparent;stroke:none}}
.ggp-board .frame{{fill:var(--frame);stroke:var(--frame);stroke-width:.6}}
.ggp-board .bore{{fill:none;stroke:var(--frame-edge);stroke-width:2}}
.ggp-board .round .outline{{fill:var(--hollow);stroke:var(--hollow-edge);stroke-width:2}}
.ggp-board .node .outline{{fill:var(--field);stroke:var(--edge)}}
.ggp-board .up .outline{{fill:var(--max-node);stroke:var(--first)}}
.ggp-board .down .outline{{fill:var(--min-node);stroke:var(--second)}}
.ggp-board.on-wood .round.node .outline{{fill:var(--line);stroke:none}}
.ggp-board .piece .outline{{fill:var(--piece);stroke:var(--hollow-edge)}}
.ggp-board .button .outline{{fill:var(--button);stroke:var(--play)}}
.ggp-board .tray .outline{{fill:var(--wood);stroke:var(--wood-edge);stroke-width:2}}
.ggp-board .slot{{fill:var(--hollow);stroke:var(--hollow-edge);stroke-width:1}}
.ggp-board .die .outline{{fill:var(--die);stroke:var(--pip);stroke-width:1.5}}
.ggp-board .pip,.ggp-board .pips{{fill:var(--pip)}}
.ggp-board .die.max .outline{{fill:var(--first-piece);stroke:var(--first-edge)}}
.ggp-board .die.max :is(.pip,.pips){{fill:var(--on-first)}}
.ggp-board .die.min .outline{{fill:var(--second-piece);stroke:var(--second-edge)}}
.ggp-board .die.min :is(.pip,.pips){{fill:var(--on-second)}}
.ggp-board .seed{{fill:var(--seed);stroke:var(--seed-edge);stroke-width:1}}
.ggp-board .seed:nth-of-type(3n){{fill:var(--seed-light)}}
.ggp-board .seed:nth-of-type(5n+1){{fill:var(--seed-dark)}}
.ggp-board .score .outline{{fill:var(--field);stroke-width:2}}
.ggp-board .score.max .outline{{stroke:var(--first-piece)}}
.ggp-board .score.min .outline{{stroke:var(--second-piece)}}
.ggp-board .digits{{font-weight:600;font-variant-numeric:tabular-nums}}
.ggp-board .round:not(.node) .digits{{fill:var(--wood-ink)}}
.ggp-board .label,.ggp-board .caption{{fill:var(--muted)}}
.ggp-board .line-label{{fill:var(--ink);stroke:var(--ground);stroke-width:5;paint-order:stroke;stroke-linejoin:round}}
.ggp-board .mark{{font-weight:700}}
.ggp-board .coordinate .mark{{font-weight:600;fill:var(--muted)}}
.ggp-board.on-felt .plain .digits{{fill:var(--felt-ink)}}
.ggp-board.on-wood .coordinate .mark{{fill:var(--wood-ink)}}
.ggp-board:is(.on-felt,.on-frame) .coordinate .mark{{fill:var(--felt-ink)}}
.ggp-board .plain .mark{{font-weight:400;white-space:pre}}
.ggp-board .max .mark{{fill:var(--first)}}
.ggp-board .min .mark{{fill:var(--second)}}
.ggp-board .piece .mark{{fill:var(--ground)}}
.ggp-board .dark .outline{{fill:var(--dark-square);stroke:none}}
.ggp-board .light .outline{{fill:var(--light-square);stroke:none}}
.ggp-board.on-wood .dark .outline{{fill:var(--dark-square);stroke:none}}
.ggp-board.on-wood .light .outline{{stroke:none}}
.ggp-board .dark .label,.ggp-board.on-wood .square .label{{fill:var(--square-ink)}}
.ggp-board .disc{{fill:var(--piece);stroke:var(--hollow-edge);stroke-width:1.5}}
.ggp-board .max .disc{{fill:var(--first-piece);stroke:var(--first-edge);--side:var(--first-edge)}}
.ggp-board .min .disc{{fill:var(--second-piece);stroke:var(--second-edge);--side:var(--second-edge)}}
.ggp-board .groove{{fill:none;stroke:var(--hollow-edge);stroke-width:1.5}}
.ggp-board .max .groove{{stroke:var(--on-first);opacity:.45}}
.ggp-board .min .groove{{stroke:var(--on-second);opacity:.45}}
.ggp-board .shine{{fill:#fff;opacity:.32}}
.ggp-board .rim{{fill:none;stroke:var(--on-second);stroke-width:2.5;opacity:.8}}
.ggp-board .crown,.ggp-board .sign{{fill:var(--on-first)}}
.ggp-board .min :is(.crown,.sign){{fill:var(--on-second)}}
.ggp-board .sign{{font-weight:700}}
.ggp-board .fill{{fill:var(--edge)}}
.ggp-board.on-paper .fill{{opacity:.5}}
@media screen{{
.ggp-board :is(.disc,.die .outline){{
filter:drop-shadow(0 2.5px 0 var(--side,#555)) drop-shadow(0 2px 1.5px rgb(0 0 0/.4))}}
.ggp-board .tile{{filter:drop-shadow(0 2px 0 var(--side,#555)) drop-shadow(0 1.5px 1px rgb(0 0 0/.35))}}
.ggp-board .node:is(.up,.down,.square) .outline{{filter:drop-shadow(0 1.5px 1.5px rgb(0 0 0/.25))}}
.ggp-board :is(.pawn.disc,.pebble){{filter:drop-shadow(0 .03px .02px rgb(0 0 0/.4))}}
}}
.ggp-board.on-frame .disc{{filter:none}}
.ggp-board .max .fill{{fill:var(--first-piece)}}
.ggp-board .min .fill{{fill:var(--second-piece)}}
.ggp-board .drawn{{fill:none;stroke:var(--ink);stroke-width:7;stroke-linecap:round}}
.ggp-board .max .drawn{{stroke:var(--first)}}
.ggp-board .min .drawn{{stroke:var(--second)}}
.ggp-board .undrawn{{stroke:var(--edge);stroke-width:2;stroke-dasharray:2 6;stroke-linecap:round;opacity:.8}}
.ggp-board .edge .drawn{{stroke-width:8}}
.ggp-board .end{{fill:var(--ink);pointer-events:none}}
.ggp-board .rand{{fill:none;stroke-width:9;stroke-linejoin:round;stroke-linecap:round}}
.ggp-board .rand.max{{stroke:var(--first-piece)}}
.ggp-board .rand.min{{stroke:var(--second-piece)}}
.ggp-board .pancake{{fill:#d99a4e;stroke:#7a4a16;stroke-width:2}}
.ggp-board .pebble{{fill:#9b9c97;stroke:#4c4f50;stroke-width:1.5}}
.ggp-board .grey1{{fill:#b5afa3}}
.ggp-board .grey2{{fill:#84898d}}
.ggp-board .playable .pebble{{stroke:#0c2b1a;stroke-width:2}}
.ggp-board .round:has(.pebble) .outline{{stroke:var(--hollow-edge);stroke-width:2}}
.ggp-board a:is(:hover,:focus-visible) .pebble{{stroke:#ffe58a;stroke-width:5}}
.ggp-board .cell:not(.max):not(.min) .sign{{fill:#2b1c0c}}
.ggp-board .dot{{fill:var(--play)}}
.ggp-board:is(.on-wood,.on-felt) .square .dot{{fill:#0d2016;opacity:.5}}
.ggp-board .reach{{fill:transparent;stroke:none}}
.ggp-board .playable:where(:not(.empty,.dark,.light)) .outline{{stroke:var(--play);stroke-width:2.5}}
.ggp-board .playable.round:where(:not(.empty)) .outline{{stroke-width:3.5}}
.ggp-board:is(.on-wood,.on-felt,.on-paper,.on-frame) .playable:is(.square,.hexagon) .outline{{stroke-width:1.5}}
.ggp-board .playable .disc{{stroke:var(--play);stroke-width:2.5}}
.ggp-board .playable .undrawn{{stroke:var(--play)}}
.ggp-board .highlighted .outline,.ggp-board.on-wood .highlighted.hexagon .outline{{fill:var(--glow)}}
.ggp-board .highlighted .outline{{stroke:var(--ink);stroke-width:3}}
.ggp-board .highlighted :is(.disc,.pebble){{stroke:var(--glow);stroke-width:5}}
.ggp-board .ring{{fill:none;stroke:var(--last);stroke-width:3}}
.ggp-board.on-frame .ring{{stroke:var(--frame-edge);stroke-width:4}}
.ggp-board .changed .tile{{stroke:var(--last);stroke-width:3.5}}
.ggp-board .tint{{fill:var(--last);stroke:none;opacity:.38}}
.ggp-board a{{cursor:pointer;outline:none}}
.ggp-board a:hover .outline{{stroke-width:5}}
.ggp-board a:hover :is(.disc,.undrawn){{stroke-width:5}}
.ggp-board a:focus-visible .outline{{stroke-width:6!important;stroke:var(--ink)!important}}
.ggp-board a:focus-visible :is(.disc,.undrawn,.reach){{stroke-width:5;stroke:var(--ink)}}
"""
