"""`python -m ggp.cli` is `ggp`."""

import sys

from ggp.cli.app import main

sys.exit(main())
