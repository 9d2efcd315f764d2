"""`python -m ggp` is `ggp`."""

import sys

from ggp.cli import main

sys.exit(main())
