"""Nothing is kept: each test compiles what it is about."""

import pytest


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", "")
