"""How deep calls may go: as deep as the thread's own stack allows, and then `RecursionError`, never a crash."""

import pytest

from endings import IMPORTS, START
from subprocesses import run_python

MODULE = """
import numpy as np

#numptx export half(float)
def half(v):
    return v / 2

#numptx export total(float64[:])
def total(x):
    return (2 * x + 1).sum()

#numptx export depth(int)
def depth(n):
    if n == 0:
        return 0
    return 1 + depth(n - 1) + 0 * depth(0)

#numptx export wide(float64[:], int)
def wide(x, n):
    if n == 0:
        return x.sum()
    a = x + n
    b = a * 2
    return wide(b, n - 1) + wide(a[:1], 0) + b.sum()
"""

# What one call after the other does on a thread with a stack of so many bytes (0: the default), or on the first thread.
ON_THREAD = """
def on_thread(call, size=0):
    found = []
    def run():
        try:
            found.append(call())
        except BaseException as error:
            found.append(error)
    threading.stack_size(size)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]
def deepest(call):
    low, high = 0, 10_000
    while high - low > 1:
        middle = (low + high) // 2
        try:
            call(middle)
            low = middle
        except RecursionError:
            high = middle
    return low
def deep(n):
    return module.depth(n)
def wide(n):
    return module.wide(np.ones(3), n)
"""


@pytest.fixture(scope="module")
def library(workshop):
    return str(workshop.library(workshop.written(MODULE), ["--host-only"]))


def run(library, body, **rest):
    return run_python(IMPORTS + START + ON_THREAD + body, library, timeout=60, quiet=True, **rest)


@pytest.mark.parametrize("size", [64 << 10, 96 << 10, 256 << 10, 1 << 20, 8 << 20])
@pytest.mark.parametrize("call", ["deep", "wide"])
def test_recursion_ends_in_an_error_whatever_the_stack(library, call, size):
    run(library, f"""
found = on_thread(lambda: deepest({call}), {size})
assert isinstance(found, int) and 0 < found <= 1000, found
assert {size} < 1 << 20 or {call} is wide or found == 999, found
""")


@pytest.mark.parametrize("size", [64 << 10, 1 << 20])
def test_calls_on_a_small_stack_compute(library, size):
    """Also where a launch is shared by threads, and where NumPy's arrays come as views."""
    run(library, f"""
x = np.arange(500_000.0)
assert on_thread(lambda: module.total(x), {size}) == (2 * x + 1).sum()
assert on_thread(lambda: module.total(x[::-2]), {size}) == (2 * x[::-2] + 1).sum()
""")


@pytest.mark.parametrize("where", ["call()", "on_thread(call)", "on_thread(call, 64 << 10)"])
@pytest.mark.parametrize("limit", ["unlimited", "1024", "262144"])
def test_recursion_ends_in_an_error_whatever_the_limit_of_the_process(library, limit, where):
    """Of the first thread's stack, and of what threads have by default. It counts from a process's beginning on."""
    text = IMPORTS + START + ON_THREAD + f"""
call = lambda: (deepest(deep), deepest(wide))
found = {where}
assert isinstance(found, tuple) and all(0 < n <= 1000 for n in found), found
"""
    limited = "import os, sys; os.execvp('sh', ['sh', '-c', sys.argv[1], 'sh', sys.executable, *sys.argv[2:]])"
    run_python(limited, f'ulimit -S -s {limit} && exec "$1" -c "$2" "$3"', text, library, timeout=60, quiet=True)


@pytest.mark.parametrize("where", ["call()", "on_thread(call, 64 << 10)", "on_thread(call, 512 << 10)"])
def test_calls_of_python_code_that_calls_again_end_in_an_error(library, where):
    """Also where Python's own limit is out of reach. Each level has room for calls that compute."""
    run(library, f"""
sys.setrecursionlimit(1_000_000)
class Again:
    def __float__(self):
        try:
            assert module.total(x) == 1_500_000
            return module.half(self)
        except RecursionError as error:
            errors.append(str(error))
            raise
errors = []
x = np.ones(500_000)
def call():
    try:
        module.half(Again())
    except (RecursionError, TypeError):
        return errors[0]
found = {where}
assert isinstance(found, str) and found.startswith("maximum recursion depth exceeded"), found
assert module.half(3.0) == 1.5
""")
