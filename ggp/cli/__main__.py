"""Run `ggp` as `python -m ggp.cli`."""

import sys

from ggp.cli.app import main

sys.exit(main())
