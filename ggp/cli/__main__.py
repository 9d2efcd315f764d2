"""Run `ggp` as `python -m ggp.cli`."""

import sys

from ggp_start import main

sys.exit(main())
