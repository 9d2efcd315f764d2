"""EinStein würfelt nicht, a plugin of ggp."""

from ggp_einstein.game import Einstein

__all__ = ["Einstein"]
