"""The API reference has every public name."""

import importlib
import re

import pytest

from tools.site.__main__ import API

PACKAGES = ("ggp", "ggp.experiments", "ggp.show", "ggp.play", "ggp.testing", "ggp.notebook", "ggp_search")
"""The packages whose `__all__` is what users import."""
ELSEWHERE = {"ggp.hookimpl", "ggp.Player", "ggp.play.Keeper"}
"""Names of other people's modules, and aliases of types."""


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_in_the_reference(package):
    module = importlib.import_module(package)
    missing = []
    for name in module.__all__:
        home = getattr(getattr(module, name), "__module__", None)
        constant = re.fullmatch(r"[A-Z_]+", name)
        if home not in API and not constant and f"{package}.{name}" not in ELSEWHERE:
            missing.append(f"{package}.{name} of {home}")
    assert missing == []


@pytest.mark.parametrize(
    "name",
    [
        "ggp.point_board.Points",
        "ggp.experiments.plan_file.read_plan",
        "ggp_solve.solver.Solver",
        "ggp_solve.certificates.certificate",
        "ggp_solve.tablebases.builder",
        "ggp_search.tablebases.tablebase.Tablebase",
    ],
)
def test_what_researchers_need_is_in_the_reference(name):
    module, _, rest = name.rpartition(".")
    assert name in API or (module in API and hasattr(importlib.import_module(module), rest))


@pytest.mark.parametrize("module", API)
def test_every_module_of_the_reference_says_what_it_is_for(module):
    assert importlib.import_module(module).__doc__
