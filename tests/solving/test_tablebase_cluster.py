"""Sections of a tablebase filled on a cluster of dask."""

import pytest
from ggp_solve.tablebases import build_files

import ggp
from ggp.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # its own warnings are its own affair


def test_a_cluster_makes_the_same_files_as_threads(tmp_path, monkeypatch, capsys):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("GGP_SPEED", "interpreted")
    build_files(ggp.load_registry().game("kalah", houses=3), tmp_path / "here", 7, threads=2)
    build = (
        "tablebase",
        "build",
        "kalah",
        "--option",
        "houses=3",
        "--layer",
        "7",
        "--directory",
        str(tmp_path / "there"),
    )
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        assert main([*build, "--executor", f"dask:{cluster.scheduler_address}"]) == 0
    here, there = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("here", "there"))
    assert here == there
    assert "layers 0 to 7" in capsys.readouterr().out
