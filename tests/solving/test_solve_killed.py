"""A solve that is killed goes on from its checkpoint."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest

KILLS = 20
SOLVE = [sys.executable, "-m", "ggp", "solve", "kalah", "--option", "seeds=3", "--option", "capture=empty", "--quiet"]


def finished(*options):
    done = subprocess.run([*SOLVE, "--json", *options], stdout=subprocess.PIPE, check=True)  # noqa: S603
    return json.loads(done.stdout)


def written(file):
    return file.stat().st_mtime_ns if file.exists() else None


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX")
def test_a_solve_killed_at_random_moments_and_resumed_ends_with_the_same_value(tmp_path):
    options = ["--memory", "128", "--layer", "2"]
    file = tmp_path / "kept"
    kept = ["--checkpoint", str(file), "--every", "0.2"]
    moments = random.Random(4)
    for _ in range(KILLS):
        before = written(file)
        with subprocess.Popen([*SOLVE, *options, *kept], stdout=subprocess.DEVNULL) as running:  # noqa: S603
            while running.poll() is None and written(file) == before:  # until there is more to go on from
                time.sleep(0.01)
            time.sleep(moments.uniform(0, 0.4))
            running.send_signal(signal.SIGKILL)
    whole, rest = finished(*options), finished(*options, *kept)
    assert rest["value"] == whole["value"] == 2
    assert rest["statistics"]["nodes"] < whole["statistics"]["nodes"]
