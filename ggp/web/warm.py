"""What workers share: imported once, by the process that they are forked from.

So a worker begins within milliseconds, and has in memory of its own only what it makes itself. No thread may run in the
process that is forked.
"""

import contextlib
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else importing NumPy starts threads, which a fork would lose

from ggp.plugins import load_registry
from ggp.web.desk import templates

if os.environ.get("GGP_SPEED") != "interpreted":
    with contextlib.suppress(ImportError):
        import numba
        import numba.extending

        # The first function that is compiled takes 0.4 s and 50 MB more than others (measured): once for all workers.
        numba.njit((numba.int64,))(lambda number: number + 1)

load_registry().searchers  # noqa: B018 - imports every plugin
templates()
