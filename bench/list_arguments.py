"""What a list of a million floats costs as an argument and as a result, beside NumPy's `np.array` and `tolist` of it.

    python bench/list_arguments.py        milliseconds, the least of 9 rounds, each way in turn
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

SOURCE = '''
#numptx export length(float list)
def length(xs):
    return len(xs)


#numptx export total(float list)
def total(xs):
    s = 0.0
    for x in xs:
        s += x
    return s


#numptx export counted(int)
def counted(n):
    out = []
    i = 0
    while i < n:
        if i % 3 != 1:
            out.append(i * 0.5)
        i += 1
    return out
'''


def least(call, rounds=9):
    """Milliseconds of the quickest round."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return 1e3 * min(found)


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "lists.py"
        source.write_text(SOURCE)
        subprocess.run(["numptx", "compile", source], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sys.path.insert(0, folder)
        source.unlink()
        import lists

        plain = {}
        exec(SOURCE, plain)
        xs = [0.5 * i for i in range(1_000_000)]
        assert lists.length(xs) == len(xs) and lists.total(xs) == sum(xs) and lists.counted(1000) == plain["counted"](1000)
        rows = [
            ("argument, 1e6 floats", least(lambda: lists.length(xs)), "np.array", least(lambda: np.array(xs))),
            ("argument and sum", least(lambda: lists.total(xs)), "Python's loop", least(lambda: plain["total"](xs))),
            ("append in a while, 1e6", least(lambda: lists.counted(1_000_000)), "Python", least(lambda: plain["counted"](1_000_000))),
        ]
        for name, ours, other, theirs in rows:
            print(f"{name:24s} {ours:8.2f} ms   {other:14s} {theirs:8.2f} ms   {ours / theirs:5.2f}")


if __name__ == "__main__":
    main()
