"""The report of an experiment as a web page: one file that loads nothing else, with tables and plots."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from ggp import capabilities
from ggp.escapes import escaped
from ggp.experiments.experiment import Outcome
from ggp.experiments.pairs import Pairs
from ggp.experiments.plot import pairs_chart, ratings_chart, score_chart
from ggp.experiments.report import Figures, blocks, title
from ggp.experiments.results import Results
from ggp.game import AnyGame
from ggp.play import Match, controller
from ggp.play.replay import Absent
from ggp.show import board_style, replay_page
from ggp.show.document import document
from ggp.show.replay_page import PlayedGame, games_data

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
svg text{fill:var(--ink);font-size:13px}.scale{fill:var(--muted)}
.level{stroke:var(--line);stroke-width:1}.zero{stroke:var(--muted);stroke-width:1;stroke-dasharray:4 4}
.line{fill:none;stroke:var(--one);stroke-width:2.5}.band{fill:var(--band)}.dot{fill:var(--one)}.error{stroke:var(--one);stroke-width:2}
@media print{:root{--ground:#fff}}
"""


def page(figures: Figures, results: Results, game: AnyGame) -> str:
    """Return the page of an experiment, on which the first games can be replayed; `figures` are those of
    `report.data`.
    """
    main = Element("main")
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
    return document(
        escaped(title(figures)),
        STYLE + replay_page.STYLE + board_style.STYLE,
        tostring(main, encoding="unicode", method="html"),
        script=replay_page.script(),
        data=games_data(game, [each for each, _ in played]),
    )


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
    for game, result in played:
        row = SubElement(body, "tr")
        cell = SubElement(row, "th", scope="row")
        SubElement(cell, "a", href=f"#game-{game.number}").text = f"Game {game.number}"
        SubElement(row, "td", {"class": "words"}).text = escaped(result)
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
        _scrolled(main, ratings_chart(figures["ratings"]["players"]))
        return
    (meeting,) = results.meetings
    if meeting.points:
        first = escaped(figures["players"][0])
        SubElement(main, "h2").text = f"The score of {first} in the course of the match, with its 95 % interval"
        _scrolled(main, score_chart(meeting.points, first))
        SubElement(main, "h2").text = f"The points of {first} in each pair of games"
        _scrolled(main, pairs_chart(Pairs.of(meeting.points)))
