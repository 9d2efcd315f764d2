"""Learning as a page of `ggp serve`: it learns for a few seconds at each request, and shows the curve."""

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import urlencode

from ggp_search.learned.weights_path import SUFFIX, default_path

from ggp import capabilities
from ggp.cli.progress_line import duration
from ggp.errors import UsageError
from ggp.files import locked
from ggp.game import AnyGame
from ggp.number_text import many
from ggp.plugins import Registry
from ggp.show.document import document
from ggp.show.markup import markup
from ggp.show.value_text import rounded
from ggp.web.visitor_players import make_game
from ggp_learn.learning_curve import curve
from ggp_learn.training import Training

SLICE = 4.0
"""Seconds of learning before the page shows how far it has come."""
MINUTES = (1, 3, 10)
"""The choices for the time of learning, in minutes."""
MOST = 100
"""Maximum number of games whose learned weights a server keeps."""
OWN = ("game", "minutes", "until")
"""The fields of the form; all other fields are parameters of the game."""
STYLE = """
:root{color-scheme:light dark;--ink:#1f2328;--ground:#fdfcfa;--line:#57606a;--link:#0a4f8a;--second:#b3490f}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--ground:#16191d;--line:#a7b0ba;--link:#8cc4ff;--second:#ffa79c}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink)}
body{font:16px/1.5 system-ui,"Segoe UI","DejaVu Sans",sans-serif}
main{max-width:44rem;margin:0 auto;padding:1rem}a{color:var(--link)}
nav a,.actions a{display:inline-block;padding:.6rem .8rem .6rem 0;min-height:44px}
form{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}label{display:flex;flex-direction:column}
select,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:4px}
select,button{padding:.4rem .6rem;min-height:44px;max-width:100%}
svg{width:100%;height:auto;max-width:36rem}svg text{font-size:14px;fill:var(--line)}
svg .first{fill:var(--link)}svg .second{fill:var(--second)}.zero{stroke:var(--line)}
.level{stroke:var(--line);opacity:.35}svg .line{fill:none;stroke:var(--link);stroke-width:2}
svg .line.second{stroke:var(--second)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}
"""


class ServedLearning:
    """A form for a game and a time; while the game is learned, the page reloads itself again and again."""

    name = "game"
    title = "Learn a game"
    summary = "ggp plays a game against itself, from nothing but the rules, and its hints and reviews become better."
    scripts: tuple[str, ...] = ()
    game_link = "Learn this game"

    def html(self, registry: Registry, query: Mapping[str, Sequence[str]]) -> str:
        """Return the page.

        Raises:
            GGPError: there is no such game, the game cannot be learned, or a field is wrong.
        """
        given = {name: values[0] for name, values in query.items() if values and values[0].strip()}
        if "game" not in given:
            return _page("Learn a game", _form(registry, "", {}))
        name, parameters = given["game"], {key: text for key, text in given.items() if key not in OWN}
        game = make_game(registry, registry.game_entry(name), parameters)
        path = default_path(game)
        is_learned = path.is_file()
        until = _seconds(given)
        if until is not None and not is_learned and len(list(path.parent.glob(f"*{SUFFIX}"))) >= MOST:
            raise UsageError(f"this server has learned {MOST} games, which is the most that it keeps")
        parts = [f"<h1>Learn {escape(capabilities.title(game))}</h1>", _form(registry, name, parameters)]
        head = ""
        if is_learned or until is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            with locked(path.with_name(f"{path.name}.lock"), f"waiting for another process that writes {path}"):
                training = Training.resume(game, path)
                if training is None:  # looking at random games takes a while: that is enough for one request
                    training = Training.begin(game)
                    training.save(path)
                elif until is not None and training.seconds < until:
                    training.run(min(SLICE, max(0.1, until - training.seconds)), path=path)
            goes_on = until is not None and training.seconds < until
            parts.append(_found(game, training, until if goes_on else None))
            if goes_on:
                again = urlencode({"game": name, "until": f"{until:g}", **parameters})
                head = f'<meta http-equiv="refresh" content="1;url=/learn/{self.name}?{escape(again)}">'
        if head:
            stop = urlencode({"game": name, **parameters})
            parts.append(f'<p class="actions"><a href="/learn/{self.name}?{escape(stop)}">Stop</a></p>')
        elif is_learned:
            play = urlencode(parameters)
            parts.append(f'<p class="actions"><a href="/new/{escape(name)}?{escape(play)}">Play a game</a></p>')
        return _page(f"Learn {capabilities.title(game)}", "".join(parts), head)


def _seconds(given: Mapping[str, str]) -> float | None:
    """Return the total time of learning after which the page stops, in seconds; None if it need not learn now."""
    text = given.get("until")
    try:
        if text is not None:
            return min(float(text), 60.0 * max(MINUTES))
        return None if "minutes" not in given else 60.0 * MINUTES[MINUTES.index(int(given["minutes"]))]
    except ValueError:
        raise UsageError(f"minutes must be one of {', '.join(map(str, MINUTES))}") from None


def _form(registry: Registry, chosen: str, parameters: Mapping[str, str]) -> str:
    games = "".join(
        f'<option value="{escape(name)}"{" selected" if name == chosen else ""}>'
        f"{escape(capabilities.title(entry.factory))}</option>"
        for name, entry in registry.games.items()
    )
    times = "".join(f'<option value="{each}">{many(each, "minute")}</option>' for each in MINUTES)
    kept = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(text)}">' for name, text in parameters.items()
    )
    return (
        f'<form action="/learn/game"><label>Game <select name="game">{games}</select></label>'
        f'<label>Until it has learned for <select name="minutes">{times}</select></label>{kept}'
        "<button>Learn</button></form>"
    )


def _found(game: AnyGame, training: Training, until: float | None) -> str:
    """Return what was learned: numbers, and the curve as soon as there is one."""
    first = capabilities.player_names(game)[0]
    value = training.network.in_python().value(game.initial_state())
    state = f"learning until {duration(until)}" if until is not None else "not learning now"
    rows = {
        "Games": f"{training.games:,}",
        "Time": f"{duration(training.seconds)}, {state}",
        "Value of the start": f"{rounded(value)} to {first}",
    }
    listed = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in rows.items())
    drawn = "<p>Looking at random games first …</p>"
    if training.milestones:
        drawn = markup(curve(training.milestones, width=420, height=260))
    return f'<div role="status"><dl>{listed}</dl>{drawn}</div>'


def _page(title: str, body: str, head: str = "") -> str:
    return document(title, STYLE, f'<main><nav><a href="/">All games</a></nav>{body}</main>', head=head)
