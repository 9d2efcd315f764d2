"""Facts about the machine that the benchmarks run on, and the versions of all programs."""

import datetime
import importlib.metadata
import os
import pathlib
import platform
import subprocess

from benchmarks.native import FLAGS, compiler
from benchmarks.rounds import Unavailable

DISTRIBUTIONS = ("ggp", "llvmlite", "numpy", "open_spiel", "easyAI")


def facts() -> str:
    """Return processor, cores, versions and date as a list in Markdown. The list does not name the machine itself."""
    versions = ", ".join(f"{name} {_version(name)}" for name in DISTRIBUTIONS)
    lines = (
        f"processor: {processor()}, {os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        f"{platform.python_implementation()} {platform.python_version()}; {versions}",
        f"C: {_c_compiler()}",
        f"commit: {commit()}",
        f"date: {datetime.datetime.now(datetime.UTC).date()}; load when it began: {_load()}",
    )
    return "\n".join(f"- {line}" for line in lines)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def processor() -> str:
    """Return the name that the system gives to the processor."""
    file = pathlib.Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or "unknown")


def _c_compiler() -> str:
    try:
        told = subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    except (Unavailable, OSError, subprocess.CalledProcessError):
        return "none"
    return f"{(told.splitlines() or ['unknown'])[0]}, {' '.join(FLAGS[:3])}"


CHANGED = "-dirty"
"""The mark that `git describe` appends to the commit if files differ from the commit."""


def commit() -> str:
    """Return the commit that is measured, with the mark `CHANGED` if files differ from the commit."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"],  # noqa: S607
        cwd=pathlib.Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return told or "unknown"


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
