"""The cost of kills for a solve with checkpoints, compared with the same solve without kills."""

import json
import pathlib
import random
import signal
import subprocess
import sys
import time

KILLS = 20
EVERY = 5.0
"""Seconds between two checkpoints."""
LONGEST = 10.0
"""Maximum seconds before each kill."""
ALLOWED = 1.25
"""The allowed time: a multiple of the time without kills, and one checkpoint interval for each kill."""


def table(tablebase: str, threads: int) -> str:
    """Return the values of all openings of Kalah(6, 4), solved with and without kills, in Markdown."""
    command = [sys.executable, "-m", "ggp", "solve", "kalah", "--values", "--json", "--quiet"]
    command += ["--threads", str(threads), "--tablebase", tablebase]
    kept = ["--checkpoint", str(pathlib.Path(tablebase) / "kept"), "--every", f"{EVERY:g}"]
    alone, whole = _timed(command)
    spent, kills, moments = 0.0, 0, random.Random(20)
    while kills < KILLS:
        started = time.perf_counter()
        with subprocess.Popen(command + kept, stdout=subprocess.DEVNULL) as running:  # noqa: S603
            try:
                running.wait(moments.uniform(0, LONGEST))
            except subprocess.TimeoutExpired:
                running.send_signal(signal.SIGKILL)
                kills += 1
        spent += time.perf_counter() - started
        if running.returncode == 0:
            break
    last, rest = _timed(command + kept)
    allowed = ALLOWED * alone + kills * EVERY
    agree = "the same" if (whole["value"], whole["values"]) == (rest["value"], rest["values"]) else "OTHER"
    return "\n".join(
        (
            "| kills | values | left alone, s | killed and resumed, s | allowed, s |\n|---:|---|---:|---:|---:|",
            f"| {kills} | {agree} | {alone:.1f} | {spent + last:.1f} | {allowed:.1f} |",
        )
    )


def _timed(command: list[str]) -> tuple[float, dict[str, object]]:
    started = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)  # noqa: S603
    return time.perf_counter() - started, json.loads(done.stdout)
