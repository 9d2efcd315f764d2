"""The stack that searches need, before hypothesis looks at it: else a search would change it in mid-example."""

from ggp_search.engine.driver import prepare

from ggp import Limits

prepare(Limits())
