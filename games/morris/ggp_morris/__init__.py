"""Morris, a plugin of ggp: three, six and nine men's morris."""

from ggp_morris.game import Morris

__all__ = ["Morris"]
