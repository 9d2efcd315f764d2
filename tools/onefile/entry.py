"""The entry point of the single file."""

import multiprocessing
import sys

import ggp.cli

if __name__ == "__main__":
    multiprocessing.freeze_support()  # the processes of `ggp match --processes 4` begin here, too
    sys.exit(ggp.cli.main())
