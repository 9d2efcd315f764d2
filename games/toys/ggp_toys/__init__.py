"""Small games whose values are known, a plugin of ggp; each file is an example of the protocol."""

from ggp_toys.fig52 import Figure52
from ggp_toys.nim import Nim
from ggp_toys.pig import Pig
from ggp_toys.tree import Tree

__all__ = ["Figure52", "Nim", "Pig", "Tree"]
