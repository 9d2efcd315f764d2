"""Small games whose values are known, a plugin of ggp; each file is an example of the protocol.

`fig52` is the smallest game. `nim` and `pig` have their rules in `nim_rules` and `pig_rules`. `tree` is any tree from a
file (`tree_file`), and `nested_tree` a tree as teachers write it.
"""

from ggp_toys.fig52 import Figure52
from ggp_toys.nim import Nim
from ggp_toys.pig import Pig
from ggp_toys.tree import Tree

__all__ = ["Figure52", "Nim", "Pig", "Tree"]
