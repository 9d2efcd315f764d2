"""Every fault planted in a searcher is found, under the promise that it breaks; the searcher without it passes."""

import pytest
from planted_searchers import CONTRACT, EXACT, Textbook

import ggp
from ggp.testing import SEARCHER_PROMISES, check_exact_searcher, check_searcher


def test_the_searcher_in_which_they_are_planted_passes():
    check_searcher(Textbook())
    check_exact_searcher(Textbook())


@pytest.mark.parametrize("fault", EXACT)
def test_a_wrong_value_is_found(fault):
    promise, searcher = EXACT[fault]
    with pytest.raises(ggp.ConformanceError) as found:
        check_exact_searcher(searcher())
    assert f'breaks the promise "{promise}" ({SEARCHER_PROMISES[promise]})' in str(found.value)


LONG = {"limit of states ignored", "limit of time ignored", "deaf to Ctrl-C"}


@pytest.mark.parametrize("fault", [pytest.param(each, marks=[pytest.mark.slow] * (each in LONG)) for each in CONTRACT])
def test_a_breach_of_the_contract_is_found(fault):
    promise, searcher = CONTRACT[fault]
    with pytest.raises(ggp.ConformanceError) as found:
        check_searcher(searcher())
    assert f'breaks the promise "{promise}" ({SEARCHER_PROMISES[promise]})' in str(found.value)
