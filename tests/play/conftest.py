"""What all tests of play share."""

import pytest
from random_games import REGISTRY


@pytest.fixture(autouse=True)
def interpreted(monkeypatch, tmp_path):
    """These tests are about play, not about machine speed; and no store of the user's is touched."""
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    monkeypatch.setenv("GGP_STORE", str(tmp_path / "own" / "games.db"))


@pytest.fixture(scope="session")
def registry():
    return REGISTRY
