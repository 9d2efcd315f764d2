"""Nothing is kept: each test compiles what it is about."""

import collections

import pytest

from ggp.compiler import job


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch):
    monkeypatch.setenv("GGP_CACHE_DIR", "")
    monkeypatch.setattr(job, "_refused", collections.OrderedDict())
