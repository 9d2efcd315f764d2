"""`python -m benchmarks parts`: each part of a search alone, from journals that are resumed."""

import pytest
from click.testing import CliRunner

from benchmarks import parts
from benchmarks.ours import registry


@pytest.mark.parametrize(("searcher", "part"), parts.PARTS)
def test_every_part_is_an_option_that_is_off_in_the_plain_searcher(searcher, part):
    plain, _ = registry().parse_searcher(parts.PLAIN[searcher])
    changed, _ = registry().parse_searcher(
        f"{parts.PLAIN[searcher]}{',' if ':' in parts.PLAIN[searcher] else ':'}{part}"
    )
    assert plain != changed


def test_games_that_were_played_are_not_played_again(tmp_path, monkeypatch):
    match = parts.experiment("connectfour", "mcts", "rave=100", 4, 0.001, 0)
    match = parts.attrs.evolve(match, players=("random:seed=1", "random:seed=2"), longest=60)
    first = parts.measured(match, tmp_path / "games.jsonl")
    monkeypatch.setattr(
        parts, "outcomes", lambda match, journal: sorted(journal.games.values(), key=lambda one: one.number)
    )
    assert parts.measured(match, tmp_path / "games.jsonl") == first
    assert first.wins + first.draws + first.losses == 4


def test_an_unknown_part_is_refused():
    found = CliRunner().invoke(parts.command, ["--part", "luck=1"])
    assert found.exit_code == 2
    assert "the parts are decisive=winning" in found.output
