"""Watch for rules that do not end. If a call of a game's method takes too long, an error message ends the command."""

import _thread
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING

from ggp.errors import FaultError

if TYPE_CHECKING:
    from ggp.plugin_entries import Offered
    from ggp.plugin_faults import RunningCall

CALL = 10.0
"""Seconds of processor time that one call of a game's method may take."""
ASLEEP = 60.0
"""Seconds of clock time that a call may take while it uses no processor time."""
LOOK = 0.5
"""Seconds between two looks at what the threads do."""
TRIES = 5
"""Number of times that the command is asked to end. Then the process is ended, since rules may catch the exception."""
SIGNAL = signal.SIGUSR1 if hasattr(signal, "SIGUSR1") else signal.SIGTERM
"""The signal that interrupts the main thread."""


_asked: tuple[str, float] | None = None
"""The question that the main thread asked a plugin, in words, and the processor time at that moment."""


@contextlib.contextmanager
def asking(question: str) -> Iterator[None]:
    """Raise FaultError if a call of a plugin in the `with` block does not return.

    Arguments:
        question: the call, in words: "its ggp_games".
    """
    global _asked
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, _asked = _asked, (question, time.process_time())
    try:
        yield
    finally:
        _asked = before


class Watchdog(threading.Thread):
    """A thread that looks at the calls of games' methods in all threads.

    Arguments:
        registry: returns the plugins; None as long as they have not been loaded.
        give_up: called with the sentence if the main thread cannot be interrupted; it ends the process.
    """

    def __init__(self, registry: "Callable[[], Offered | None]", give_up: Callable[[str], object]) -> None:
        super().__init__(name="ggp-watchdog", daemon=True)
        self.fault: str | None = None
        """The sentence about the call that does not end."""
        self.lost_interrupt = False
        """Whether Ctrl-C was pressed and its exception was lost; see `_replacing_lost_exceptions`."""
        self._registry, self._give_up = registry, give_up
        self._over = threading.Event()
        self._calls: dict[int, tuple[RunningCall, float, float]] = {}
        """For each thread, the call that it runs, and the processor time and the clock time at which the call was first
        seen.
        """

    def run(self) -> None:
        """Look at the threads until the command is over."""
        tries = 0
        while not self._over.wait(LOOK):
            if self.lost_interrupt:
                self.lost_interrupt = False
                _thread.interrupt_main(signal.SIGINT)
            self.fault = self.fault or self._look()
            tries = tries + 1 if self.fault else 0
            if self.fault:
                if tries > TRIES:
                    self._give_up(self.fault)
                _thread.interrupt_main(SIGNAL)

    def end(self) -> None:
        """Stop looking at the threads."""
        self._over.set()

    def take_fault(self) -> str | None:
        """Return the sentence about the call that does not end; None if there is none. If a plugin did not answer a
        question, forget the sentence, since the command continues without that plugin.
        """
        fault = self.fault
        if _asked is not None:
            self.fault = None
        return fault

    def _look(self) -> str | None:
        registry = self._registry()
        fault = self._look_at_calls(registry) if registry is not None else None
        asked = _asked
        if fault is None and asked is not None and time.process_time() - asked[1] > CALL:
            fault = f"{asked[0]} has not returned for {CALL:.0f} seconds"
        return fault

    def _look_at_calls(self, registry: "Offered") -> str | None:
        from ggp.plugin_faults import running_call  # most commands are over before the first look

        used, now, seen = time.process_time(), time.monotonic(), {}
        for thread, frame in sys._current_frames().items():
            running = running_call(frame, registry) if thread != self.ident else None
            if running is None:
                continue
            before = self._calls.get(thread)
            same = before is not None and before[0].frame is running.frame and before[0].progress == running.progress
            seen[thread] = before if before is not None and same else (running, used, now)
            call, first_used, first = seen[thread]
            if used - first_used > CALL or now - first > ASLEEP:
                return f"{call.sentence} has not returned for {now - first:.0f} seconds"
        self._calls = seen  # the frames are held, so that no other one can be taken for them
        return None


@contextlib.contextmanager
def watching(registry: "Callable[[], Offered | None]", report: Callable[[str], object]) -> Iterator[None]:
    """Raise FaultError in the main thread, while the `with` block runs, if a call of a game's method does not return.

    Arguments:
        registry: see `Watchdog`.
        report: prints the sentence, if the process has to be ended.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        fault = watchdog.take_fault()
        if fault is not None:
            raise FaultError(fault)
        if callable(before):
            before(number, frame)  # the fault was found by a watchdog around this one

    def give_up(sentence: str) -> None:
        report(sentence)
        os._exit(1)

    watchdog = Watchdog(registry, give_up)
    before = signal.signal(SIGNAL, interrupted)
    watchdog.start()
    try:
        with _replacing_lost_exceptions(watchdog):
            yield
    finally:
        watchdog.end()
        watchdog.join()
        signal.signal(SIGNAL, before)


@contextlib.contextmanager
def _replacing_lost_exceptions(watchdog: Watchdog) -> Iterator[None]:
    """Have the watchdog raise again the exceptions of signals that Python has dropped.

    In some places Python cannot raise an exception: in `__del__`, and in callbacks of the garbage collector and of weak
    references. In these places, Python prints the exception and continues with the program. The watchdog raises a fault
    again and again, until the command has ended.
    """
    before = sys.unraisablehook

    def dropped(found: "sys.UnraisableHookArgs") -> None:
        if isinstance(found.exc_value, KeyboardInterrupt):
            watchdog.lost_interrupt = True
        elif not isinstance(found.exc_value, FaultError):
            before(found)

    sys.unraisablehook = dropped
    try:
        yield
    finally:
        sys.unraisablehook = before
