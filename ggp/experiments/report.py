"""The report of an experiment: as data, and as paragraphs and tables."""

import importlib.metadata
import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from ggp import capabilities
from ggp.experiments.pairs import CONFIDENCE, SHARES, Pairs, elo, elo_text, normal_quantile
from ggp.experiments.results import Cost, Meetings, Results, together
from ggp.experiments.sprt import SPRT
from ggp.game import AnyGame
from ggp.markdown import markdown_table
from ggp.number_text import many

Figures: TypeAlias = Mapping[str, Any]
"""A part of a report as data for JSON."""


def data(results: Results, game: AnyGame, sprt: SPRT | None = None) -> Figures:
    """Return all results as plain data: scores from 0 to 1, Elo differences in points, infinite values as None."""
    experiment = results.experiment
    players = experiment.players
    figures: dict[str, object] = {
        "ggp": importlib.metadata.version("ggp"),
        "game": experiment.game,
        "parameters": capabilities.parameters(game),
        "players": list(players),
        "seed": experiment.seed,
        "starts": len(results.starts),
        "games": results.games,
        "different_games": results.different,
        "unfinished": results.unfinished,
        **({} if experiment.clock is None else {"clock": attrs.asdict(experiment.clock)}),
        "forfeits": [
            {"player": players[each], "games": len(reasons), "first": reasons[0]}
            for each, reasons in results.forfeits.items()
        ],
        "moves_a_game": statistics.mean(results.lengths) if results.lengths else 0.0,
        "matches": [
            {"first": players[one], "second": players[other], **_meetings(each)}
            | ({"sprt": _sequential(sprt, each.pairs)} if sprt and len(players) > 2 else {})
            for (one, other), each in zip(experiment.couples, results.meetings, strict=True)
        ],
        "first_player": {"name": capabilities.player_names(game)[0], **_meetings(results.sides)},
        "costs": [{"player": name, **_cost(cost)} for name, cost in zip(players, results.costs, strict=True)],
    }
    if sprt and len(players) == 2:
        figures["sprt"] = _sequential(sprt, results.meetings[0].pairs)
    if len(players) > 2:
        figures["ratings"] = _ratings(results)
    return {"verdict": verdict(figures)} | figures


def _meetings(meetings: Meetings) -> Figures:
    pairs = meetings.pairs
    difference, low, high = map(_finite, pairs.elo())
    score_low, score_high = pairs.interval()
    return {
        "games": meetings.games,
        "wins": meetings.wins,
        "draws": meetings.draws,
        "losses": meetings.losses,
        "pairs": list(pairs.counts),
        "score": pairs.share,
        "score_low": score_low,
        "score_high": score_high,
        "elo": difference,
        "elo_low": low,
        "elo_high": high,
        "superiority": pairs.superiority,
        **_margin(meetings.margins),
    }


def _margin(margins: list[float | None]) -> Figures:
    """Return the mean utility and half the width of its interval; a pair of games is one observation.

    Only pairs count whose games have both ended by the rules: a game that is lost on time, for example, has no utility.
    `utility_games` is the number of their games; None if all pairs count.
    """
    both = list(zip(margins[::2], margins[1::2], strict=False))
    pairs = [(one + other) / 2 for one, other in both if one is not None and other is not None]
    counted = {"utility_games": 2 * len(pairs) if len(pairs) < len(both) else None}
    if len(pairs) < 2:
        return {"utility": pairs[0] if pairs else None, "utility_error": None, **counted}
    error = normal_quantile((1 + CONFIDENCE) / 2) * statistics.stdev(pairs) / math.sqrt(len(pairs))
    return {"utility": statistics.mean(pairs), "utility_error": error, **counted}


def _cost(cost: Cost) -> Figures:
    moves = len(cost.seconds)
    return {
        "moves": moves,
        "median_seconds": statistics.median(cost.seconds) if moves else None,
        "mean_seconds": statistics.mean(cost.seconds) if moves else None,
        "nodes_a_move": cost.nodes / moves if moves else None,
        "depth_a_move": cost.depths / moves if moves else None,
    }


def _sequential(sprt: SPRT, pairs: Pairs) -> Figures:
    low, high = sprt.bounds
    ratio = sprt.ratio(pairs)
    return {**attrs.asdict(sprt), "low": low, "high": high, "ratio": ratio, "accepted": sprt.accepted(pairs)}


def overall(parts: Sequence[Results]) -> Figures:
    """Return the ratings of the same players in several games, as plain data."""
    return {"games_played": [part.experiment.game for part in parts], "ratings": _ratings(together(parts))}


def _ratings(results: Results) -> Figures:
    rated = results.ratings()
    rows = []
    for index, (name, rating) in enumerate(zip(results.experiment.players, rated.players, strict=True)):
        wins, draws, losses = results.tally(index)
        games = wins + draws + losses
        rows.append(
            {
                "player": name,
                "elo": rating.elo,
                "error": rating.error,
                "games": games,
                "wins": wins,
                "draws": draws,
                "losses": losses,
                "score": (wins + draws / 2) / games if games else None,
            }
        )
    return {"prior": rated.prior, "players": sorted(rows, key=lambda row: -float(row["elo"]))}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


Block = str | list[list[str]]
"""A part of a report: a paragraph, or a table whose first row holds the headings."""


def blocks(figures: Figures) -> list[Block]:
    """Return the report without its title: the verdict, then the details. `figures` is the result of `data`."""
    if not figures["games"]:
        return ["No game was finished, so nothing can be said yet."]
    parts: list[Block] = [figures["verdict"]]
    parts += [_standings(figures["ratings"]), _cross_table(figures)] if "ratings" in figures else [_match(figures)]
    parts += _notes(figures)
    if "sprt" in figures:
        parts.append(_test(figures["sprt"]))
    parts += _tests(figures["matches"])
    costs = _costs(figures["costs"])
    parts += [_first_player(figures["first_player"]), *([COSTS, costs] if costs else []), _head(figures)]
    return [part for part in parts if part]


def overall_blocks(figures: Figures) -> list[Block]:
    """Return the report of several games; `figures` is the result of `overall`."""
    names = figures["games_played"]
    return [f"All games ({', '.join(names)}):", _standings(figures["ratings"])]


def markdown(figures: Mapping[str, object]) -> str:
    """Return the report as a page of Markdown; `figures` is the result of `data`."""
    parts = (part if isinstance(part, str) else markdown_table(part) for part in blocks(figures))
    return "\n\n".join([f"# {title(figures)}", *parts]) + "\n"


def title(figures: Figures) -> str:
    """Return the report's title: the games and players."""
    players = figures["players"]
    return f"{figures['game']}: {' against '.join(players) if len(players) == 2 else f'{len(players)} players'}"


COSTS = "Cost of a move (short searches run interpreted, longer ones compiled; compare the states too):"
SURE = 0.95
"""If a player is stronger with at least this probability, the report calls this player stronger."""


def verdict(figures: Figures) -> str:
    """Return the outcome of the games, in a sentence."""
    if "ratings" not in figures:
        return _verdict(figures["matches"][0])
    first, second = (row["player"] for row in figures["ratings"]["players"][:2])
    for match in figures["matches"]:
        if {match["first"], match["second"]} == {first, second}:
            said = _verdict(match)
            said = said[0].lower() + said[1:] if said.startswith("No") else said
            return f"{first} is first, {second} second. Of these two, {said}"
    return f"{first} is first, {second} second; the two did not meet."


def _verdict(match: Figures) -> str:
    pairs, sure = sum(match["pairs"]), match["superiority"]
    if not pairs:
        return "No pair of games was finished, so nothing can be said yet."
    names = [match["first"], match["second"]] if sure >= 0.5 else [match["second"], match["first"]]
    won, sure = (match["score"], sure) if sure >= 0.5 else (1 - match["score"], 1 - sure)
    share = f"more than {100 * ALMOST:g} %" if sure > ALMOST else f"{math.floor(100 * sure)} %"
    if sure >= SURE:
        return f"{names[0]} is stronger: {share} sure; expect it to score {100 * won:.0f} of 100 games."
    if won == 0.5:
        return f"{names[0]} and {names[1]} are even so far: each has scored 50 %."
    return (
        f"Nothing is sure yet: {names[0]} has scored {100 * won:.0f} %, and is the stronger one with"
        f" probability {share}. More games would tell."
    )


ALMOST = 0.999


def _head(figures: Figures) -> str:
    parameters = " ".join(f"{name}={_typed(value)}" for name, value in figures["parameters"].items())
    length = many(round(figures["moves_a_game"]), "move")
    return (
        f"{many(figures['games'], 'game')} of {length} on average{_clock(figures)}, two from each start, sides swapped"
        f" ({many(figures['starts'], 'different start')}, {many(figures['different_games'], 'different game')}), seed"
        f" {figures['seed']}; ggp {figures['ggp']}" + (f"; {parameters}." if parameters else ".")
    )


def _typed(value: object) -> str:
    """Return the value of a parameter as it is typed on the command line."""
    if isinstance(value, list | tuple):
        return ",".join(map(_typed, value))
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _match(figures: Figures) -> Block:
    (match,) = figures["matches"]
    row = [match["first"], *_record(match), _percent(match["score"]), *_difference(match), _utility(match)]
    return [["player", "wins", "draws", "losses", "score", "Elo", "95 % interval", "utility"], row]


def _notes(figures: Figures) -> list[Block]:
    """Return notes on how to read the tables."""
    notes: list[Block] = []
    if "ratings" in figures:
        prior = figures["ratings"]["prior"]
        added = f" For each player, {prior:g} drawn game was added." if prior else ""
        notes.append(f"The mean of the ratings is 0; the errors give 95 % intervals.{added}")
    else:
        match = figures["matches"][0]
        pairs = [(2 * share, number) for share, number in zip(SHARES, match["pairs"], strict=True) if number]
        if pairs:
            points = ", ".join(f"{each:g} in {many(number, 'pair')}" for each, number in pairs)
            notes.append(f"Points of {match['first']} in the two games from one start: {points}.")
    if figures["unfinished"]:
        verb = "was too long and counts as a draw" if figures["unfinished"] == 1 else "were too long and count as draws"
        notes.append(f"{many(figures['unfinished'], 'game')} {verb}.")
    for each in figures["forfeits"]:
        notes.append(f"{each['player']} failed in {many(each['games'], 'game')}, and lost: {each['first']}.")
    return notes


def _clock(figures: Figures) -> str:
    """Return the clock in words; "" for a game without a clock."""
    given = {name: seconds for name, seconds in figures.get("clock", {}).items() if seconds}
    return ", clock " + " ".join(f"{name}={seconds:g}" for name, seconds in given.items()) if given else ""


def _standings(ratings: Figures) -> Block:
    heads = ["player", "Elo", "±", "games", "wins", "draws", "losses", "score"]
    return [heads] + [
        [
            f"{index}. {row['player']}",
            elo_text(row["elo"]),
            f"{row['error']:.0f}",
            str(row["games"]),
            *_record(row),
            _percent(row["score"]),
        ]
        for index, row in enumerate(ratings["players"], start=1)
    ]


def _cross_table(figures: Figures) -> Block:
    """Return the cross table: each player's score against each opponent, best player first."""
    names = [row["player"] for row in figures["ratings"]["players"]]
    shown = points(figures)
    rows = [
        [f"{index}. {name}", *(f"{shown[name, other]:g}" if (name, other) in shown else "" for other in names)]
        for index, name in enumerate(names, start=1)
    ]
    counts = {match["games"] for match in figures["matches"]}
    games = f"{'up to ' if len(counts) > 1 else ''}{max(counts)}"
    return [[f"points of {games} games", *map(str, range(1, len(names) + 1))], *rows]


def points(figures: Figures) -> dict[tuple[str, str], float]:
    """Return each player's points against each opponent, by (player, opponent)."""
    scored = {}
    for match in figures["matches"]:
        won = match["wins"] + match["draws"] / 2
        scored[match["first"], match["second"]] = won
        scored[match["second"], match["first"]] = match["games"] - won
    return scored


def _test(sprt: Mapping[str, object]) -> str:
    said = f"{sprt['accepted']} is accepted" if sprt["accepted"] else "nothing is decided"
    interval = f"{sprt['low']:.2f} to {sprt['high']:.2f}"
    return f"Sequential test of {_hypotheses(sprt)}: {said}; log-likelihood ratio {sprt['ratio']:.2f} of {interval}."


def _tests(matches: Sequence[Figures]) -> list[Block]:
    """Return the sequential tests of the pairs of a tournament."""
    tested = [match for match in matches if "sprt" in match]
    if not tested:
        return []
    rows = [
        [
            f"{match['first']} - {match['second']}",
            str(match["games"]),
            *_difference(match),
            f"{match['sprt']['ratio']:.2f}",
            match["sprt"]["accepted"] or "not decided",
        ]
        for match in tested
    ]
    sprt = tested[0]["sprt"]
    about = (
        f"Sequential tests of {_hypotheses(sprt)}, decided at a log-likelihood ratio of {sprt['low']:.2f} or"
        f" {sprt['high']:.2f}:"
    )
    return [about, [["pair", "games", "Elo", "95 % interval", "ratio", "accepted"], *rows]]


def _hypotheses(sprt: Mapping[str, object]) -> str:
    return f"{sprt['elo0']:g} (H0) against {sprt['elo1']:g} Elo (H1), alpha {sprt['alpha']:g}, beta {sprt['beta']:g}"


def _first_player(sides: Figures) -> str:
    if not sides["games"]:
        return ""
    low, high = _percent(sides["score_low"]), _percent(sides["score_high"])
    utility = f", utility {_utility(sides)}" if sides["utility"] is not None else ""
    tally = f"{many(sides['wins'], 'win')}, {many(sides['draws'], 'draw')}, {many(sides['losses'], 'loss', 'losses')}"
    return f"Whoever plays {sides['name']} scores {_percent(sides['score'])} ({low} to {high}): {tally}{utility}."


def _costs(costs: list[Figures]) -> Block:
    heads = ["player", "moves", "median ms", "mean ms", "states", "plies ahead"]
    rows = [
        [
            cost["player"],
            f"{cost['moves']:,}",
            f"{1000 * cost['median_seconds']:.1f}",
            f"{1000 * cost['mean_seconds']:.1f}",
            f"{cost['nodes_a_move']:,.0f}",
            f"{cost['depth_a_move']:.1f}",
        ]
        for cost in costs
        if cost["moves"]
    ]
    return [heads, *rows] if rows else []


def _record(row: Mapping[str, object]) -> list[str]:
    return [str(row[name]) for name in ("wins", "draws", "losses")]


def _difference(match: Figures) -> list[str]:
    best = elo(match["score"])
    low, high = elo(match["score_low"]), elo(match["score_high"])
    return [elo_text(best), f"{elo_text(low)} to {elo_text(high)}"]


def _utility(row: Mapping[str, object]) -> str:
    if row["utility"] is None:
        return ""
    counted = f" ({row['utility_games']} games)" if row["utility_games"] is not None else ""
    error = f" ± {row['utility_error']:.2f}" if row["utility_error"] is not None else ""
    return f"{row['utility']:+.2f}{error}{counted}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
