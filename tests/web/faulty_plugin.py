"""A game whose rules do what rules should not."""

import mmap
import os
import signal
import time
from typing import ClassVar

import attrs

import ggp


@attrs.frozen
class Faulty:
    """Faulty: the first move is as it should be, and the second one is not."""

    name: ClassVar[str] = "faulty"
    fault: str = ggp.option(
        "none",
        "what goes wrong",
        choices=("none", "endless", "memory", "hoard", "crash", "exit", "slow"),
    )

    def initial_state(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return (1, 2)

    def result(self, state, action):
        if state:
            FAULTS[self.fault]()
        return state + action

    def terminal_test(self, state):
        return state >= 4

    def utility(self, state, player):
        return 0


def endless():
    while True:
        try:
            time.sleep(0.001)
        except BaseException:  # rules may catch what they like  # noqa: S112
            continue


def slow():
    """Goes on until its priority is lowered."""
    usual, end = os.getpriority(os.PRIO_PROCESS, 0), time.process_time() + 2
    while os.getpriority(os.PRIO_PROCESS, 0) == usual and time.process_time() < end:
        pass


held = []


def hoard():
    """Reserve memory, and keep it, until there is no more."""
    held.append(mmap.mmap(-1, 600 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


FAULTS = {
    "none": lambda: None,
    "endless": endless,
    "memory": lambda: bytearray(1 << 40),
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "exit": lambda: os._exit(3),
    "hoard": hoard,
    "slow": slow,
}


@ggp.hookimpl
def ggp_games():
    return [Faulty]
