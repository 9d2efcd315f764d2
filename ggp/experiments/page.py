"""The report of an experiment as a web page: one file that loads nothing else, with tables and plots."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from ggp import capabilities
from ggp.escapes import escaped
from ggp.experiments.experiment import Outcome
from ggp.experiments.pairs import SCORES, Pairs
from ggp.experiments.report import Figures, blocks, title
from ggp.experiments.results import Results
from ggp.game import AnyGame
from ggp.play import Match, controller
from ggp.play.replay import Absent
from ggp.show import board_style, replay_page
from ggp.show.board_layout import Box
from ggp.show.line_chart import Axes, label
from ggp.show.replay_page import PlayedGame, games_data, script_hash
from ggp.show.svg_elements import XY, circle, line, rectangle

STYLE = """
:root{color-scheme:light dark;--ground:#fdfcfa;--ink:#1f2328;--muted:#57606a;--line:#d0d7de;
--one:#0b57a4;--band:#0b57a433}
@media screen and (prefers-color-scheme:dark){:root{--ground:#16191d;--ink:#e8eaed;--muted:#a7b0ba;--line:#3d444d;
--one:#8cc2ff;--band:#8cc2ff33}}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,"Segoe UI","DejaVu Sans",sans-serif}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin:1.5rem 0 .3rem}
.verdict{font-size:1.2rem;border-left:4px solid var(--one);padding:.2rem .8rem}
.wide{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td.words{text-align:left}td.words{white-space:normal}a{color:var(--one)}
thead th{color:var(--muted);font-weight:600}tbody th{font-weight:400}
svg{display:block;width:100%;height:auto;max-width:48rem;min-width:32rem}
svg text{fill:var(--ink);font-size:13px}svg :is(.muted,.scale){fill:var(--muted)}.scale{text-anchor:end}
.grid{stroke:var(--line);stroke-width:1}.even{stroke:var(--muted);stroke-width:1;stroke-dasharray:4 4}
.curve{fill:none;stroke:var(--one);stroke-width:2.5}.band{fill:var(--band)}.dot{fill:var(--one)}.error{stroke:var(--one);stroke-width:2}
@media print{:root{--ground:#fff}}
"""
WIDTH, HEIGHT, LEFT, RIGHT = 760, 300, 60, 16
"""Sizes and margins of a plot, in pixels."""
CURVE = 400
"""Maximum number of points of a curve."""


def page(figures: Figures, results: Results, game: AnyGame) -> str:
    """Return the page of an experiment, from `report.data` and its results; the first games can be replayed on it."""
    html = Element("html", lang="en")
    head, body = SubElement(html, "head"), SubElement(html, "body")
    SubElement(head, "meta", charset="utf-8")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src '{script_hash()}'"
    SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": policy})
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(head, "title").text = escaped(title(figures))
    SubElement(head, "style").text = STYLE + replay_page.STYLE + board_style.STYLE
    main = SubElement(body, "main")
    SubElement(main, "h1").text = escaped(title(figures))
    said, *rest = blocks(figures)
    SubElement(main, "p", {"class": "verdict"}).text = escaped(str(said))
    _plots(main, figures, results)
    SubElement(main, "h2").text = "Results"
    for index, block in enumerate(rest):
        if isinstance(block, str):
            SubElement(main, "p").text = escaped(block)
        else:
            _html_table(main, block, shaded="ratings" in figures and index == 1)
    played = [_game(game, outcome) for outcome in results.shown]
    _games(main, played, results)
    text = tostring(html, encoding="unicode", method="html")
    scripts = f"{games_data(game, [each for each, _ in played])}<script>{replay_page.script()}</script>"
    return f"<!DOCTYPE html>\n{text.replace('</body>', f'{scripts}</body>')}\n"


def _game(game: AnyGame, outcome: Outcome) -> tuple[PlayedGame, str]:
    """Return a game to play through, and its result in words."""
    record = outcome.record
    first, second = (Absent(each.name, each.player) for each in record.players)
    match = Match(game, (first, second), capabilities.notation(game).parse_state(record.start))
    for move in record.moves:
        match.play(capabilities.parse_action(game, match.state, move.action))
    if record.ending and not match.over:
        match.decided = record.ending
    names = zip((first.name, second.name), capabilities.player_names(game), strict=True)
    title = f"Game {outcome.number + 1}: " + " against ".join(f"{name} ({side})" for name, side in names)
    actions = [move.action for move in match.moves]
    return PlayedGame(outcome.number + 1, title, match.start, actions), controller.result(match) or "Not finished."


def _games(main: Element, played: Sequence[tuple[PlayedGame, str]], results: Results) -> None:
    """Add the list of games, each with a link to the board that replays it."""
    if not played:
        return
    SubElement(main, "h2").text = "Games" if len(played) == results.games else f"The first {len(played)} games"
    main.append(replay_page.viewer())
    element = Element("table")
    _scrolled(main, element, "Table of the games")
    row = SubElement(SubElement(element, "thead"), "tr")
    for head in ("game", "result", "moves"):
        SubElement(row, "th", scope="col").text = head
    body = SubElement(element, "tbody")
    for game, words in played:
        row = SubElement(body, "tr")
        cell = SubElement(row, "th", scope="row")
        SubElement(cell, "a", href=f"#game-{game.number}").text = f"Game {game.number}"
        SubElement(row, "td", {"class": "words"}).text = escaped(words)
        SubElement(row, "td").text = str(len(game.actions))


def _html_table(main: Element, rows: Sequence[Sequence[str]], *, shaded: bool) -> None:
    """Add a table with a header row and a header column; the cell of a higher score is darker."""
    element = Element("table")
    _scrolled(main, element, f"Table of each {rows[0][0]}")
    row = SubElement(SubElement(element, "thead"), "tr")
    for cell in rows[0]:
        SubElement(row, "th", scope="col").text = escaped(cell)
    body = SubElement(element, "tbody")
    most = max((float(cell) for row in rows[1:] for cell in row[1:] if cell), default=1) if shaded else 1
    for cells in rows[1:]:
        row = SubElement(body, "tr")
        SubElement(row, "th", scope="row").text = escaped(cells[0])
        for cell in cells[1:]:
            share = 40 * float(cell) / (most or 1) if shaded and cell else 0
            style = {"style": f"background:color-mix(in srgb,var(--one) {share:.0f}%,transparent)"} if share else {}
            SubElement(row, "td", style).text = escaped(cell)


def _scrolled(main: Element, wide: Element, label: str = "Plot") -> None:
    """Add an element that may be wider than the page, in a box that scrolls."""
    SubElement(main, "div", {"class": "wide", "tabindex": "0", "role": "region", "aria-label": label}).append(wide)


def _plots(main: Element, figures: Figures, results: Results) -> None:
    if "ratings" in figures:
        SubElement(main, "h2").text = "Ratings in Elo, with 95 % intervals"
        _scrolled(main, _ratings(figures["ratings"]["players"]))
        return
    (meeting,) = results.meetings
    if meeting.points:
        first = escaped(figures["players"][0])
        SubElement(main, "h2").text = f"The score of {first} in the course of the match, with its 95 % interval"
        _scrolled(main, _score_curve(meeting.points, first))
        SubElement(main, "h2").text = f"The points of {first} in each pair of games"
        _scrolled(main, _pairs(Pairs.of(meeting.points)))


def _figure(height: float, label: str) -> Element:
    root = Element("svg", viewBox=f"0 0 {WIDTH} {height:g}", role="img")
    root.set("aria-label", label)
    return root


def _text(root: Element, point: XY, words: str, anchor: str = "middle", css_class: str = "") -> None:
    label(root, point, words, css_class).set("text-anchor", anchor)


def _score_curve(scored: Sequence[float], player: str) -> Element:
    """Return a plot of the score so far after each pair of games, with its interval."""
    ends = sorted({max(1, round(len(scored) * step / CURVE)) for step in range(1, CURVE + 1)})
    scores = [Pairs.of(scored[:end]) for end in ends]
    root = _figure(HEIGHT, f"{player} scored {100 * scores[-1].score:.0f} % after {2 * len(scored)} games")
    axes = Axes(width=WIDTH, height=HEIGHT, left=LEFT, right=RIGHT, bottom=36, last=len(scored), low=0, high=1)
    for quarter in SCORES:
        axes.horizontal(root, quarter, "even" if quarter == 0.5 else "grid", f"{100 * quarter:.0f} %")
    for share in (0.25, 0.5, 0.75, 1):
        games = f"{round(2 * len(scored) * share):,}" + (" games" if share == 1 else "")
        across = axes.at(len(scored) * share, 0)[0]
        _text(root, (across, HEIGHT - 14), games, "end" if share == 1 else "middle", "muted")
    lower, upper = zip(*(each.interval() for each in scores), strict=True)
    axes.band(root, zip(ends, lower, strict=True), zip(ends, upper, strict=True))
    axes.curve(root, [(end, each.score) for end, each in zip(ends, scores, strict=True)], "curve")
    circle(root, axes.at(ends[-1], scores[-1].score), 4, "dot")
    return root


def _pairs(pairs: Pairs) -> Element:
    """Return a plot of how many pairs of games gave 0, 1/2, 1, 3/2 and 2 points."""
    counts = ", ".join(f"{count} of {2 * score:g} points" for count, score in zip(pairs.counts, SCORES, strict=True))
    root, step = _figure(190, f"Pairs of games: {counts}"), (WIDTH - LEFT - RIGHT) / len(SCORES)
    for index, (count, score) in enumerate(zip(pairs.counts, SCORES, strict=True)):
        x, height = LEFT + step * (index + 0.5), 120 * count / max(1, *pairs.counts)
        rectangle(root, Box(x - step / 3, 145 - height, step / 1.5, height), "dot", 0)
        _text(root, (x, 138 - height), str(count))
        _text(root, (x, 168), f"{2 * score:g} {'point' if score == 0.5 else 'points'}", css_class="muted")
    return root


def _ratings(players: Sequence[Figures]) -> Element:
    """Return a plot of each player's rating, best first, as a dot with its interval."""
    shown = ", ".join(f"{row['player']} {row['elo']:+.0f}" for row in players)
    height, room = 34 * len(players) + 40, 200
    root = _figure(height, f"Ratings: {escaped(shown)}")
    low: float = min(row["elo"] - row["error"] for row in players)
    high = max(row["elo"] + row["error"] for row in players)
    axes = Axes(width=WIDTH, height=height, left=room, right=70, last=(high - low) or 1.0, low=0, high=1)

    def across(elo: float) -> float:
        return axes.at(elo - low, 0)[0]

    for elo in (low, 0, high):
        if low <= elo <= high:
            line(root, (across(elo), 8), (across(elo), height - 30), "even" if elo == 0 else "grid")
            _text(root, (across(elo), height - 10), f"{elo:+.0f}" if elo else "0", css_class="muted")
    for index, row in enumerate(players):
        y, name = 34 * index + 24, escaped(row["player"])
        left, right = across(row["elo"] - row["error"]), across(row["elo"] + row["error"])
        _text(root, (room - 12, y + 4), name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…", "end")
        line(root, (left, y), (right, y), "error")
        circle(root, (across(row["elo"]), y), 5, "dot")
        _text(root, (right + 8, y + 4), f"{row['elo']:+.0f}", "start")
    return root


LONGEST = 26
"""Maximum number of characters of a player's name in a plot."""
