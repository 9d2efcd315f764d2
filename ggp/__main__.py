"""Run `ggp` as `python -m ggp`."""

import sys

from ggp.cli import main

sys.exit(main())
