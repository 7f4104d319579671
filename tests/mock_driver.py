"""What a whole test run asks of the mock driver; nothing where it is not the driver.

It looks at each call that may wait: the thread that makes it holds no lock of the runtime, and is not attached to the interpreter.
"""

import ctypes
import os
import pathlib

PATH = os.environ.get("NUMPTX_LIBCUDA", "")
IS_MOCK = "mock" in PATH


def address(function):
    return ctypes.cast(function, ctypes.c_void_p)


def watch_waits():
    """From now on the mock driver counts a violation where a thread that others may wait for makes a call that may wait."""
    if IS_MOCK:
        import numptx

        runtime = ctypes.CDLL(str(pathlib.Path(numptx.__file__).with_name("libnumptx_runtime.so")))
        held, attached = address(runtime.numptx_runtime_locks_held), address(ctypes.pythonapi.PyGILState_Check)
        ctypes.CDLL(PATH).numptx_mock_watch_waits(held, attached)


def violations():
    """How many violations were counted so far."""
    if not IS_MOCK:
        return 0
    count = ctypes.CDLL(PATH).numptx_mock_count
    count.restype = ctypes.c_int64
    return count(b"violations")
