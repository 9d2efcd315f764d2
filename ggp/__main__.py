"""Run `ggp` as `python -m ggp`."""

import sys

from ggp_start import main

sys.exit(main())
