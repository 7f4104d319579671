"""Ctrl-C in tests of calls that would not end."""

import contextlib
import faulthandler
import os
import signal
import threading


@contextlib.contextmanager
def control_c(after=0.2):
    """Sends SIGINT to this process while the block runs.

    A shell lets its background processes ignore SIGINT, so Python's handler is set here. Where a call does not heed it,
    the process ends with a traceback after two minutes: a test that hangs tells nothing.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    faulthandler.dump_traceback_later(120, exit=True)
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGINT, before)
