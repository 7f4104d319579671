"""One run of a corpus program, compiled and plain, with arguments of its own each: what has to agree.

These are results, exceptions and their messages, what is printed, and the arguments afterwards: their arrays, and the lists, dictionaries and sets that
a function may change. Results that are one object are one object, and so are those that are arguments.
"""

import contextlib
import gc
import io
import re
import sys
import threading

import numpy as np

import comparison

# What newer Pythons say, where an older one has other words.
NEWER_WORDS = {f"{name}() arg is an empty sequence": f"{name}() iterable argument is empty" for name in ("min", "max")}
# Where NumPy and the interpreter say something of shapes, flags and limits, we have words of our own; only the type is the same.
WORDS_OF_THEIRS = re.compile(
    "broadcast|mismatch in its core dimension|not aligned|read-only|wrong dimensions|wrong size for|too large|autodetected range|"
    "select an axis to squeeze|recursion depth|negative dimensions|dimensions for the concatenation|dimensions except for|for collapsing index|"
    "SVD did not converge|must satisfy the requirement"
)


def compare(compiled, plain, program, run_line, way, counts=True):
    """Raises AssertionError where they differ. `way`: "host" for NumPy arrays, "device" for arrays on the GPU.

    counts: whether buffers that are left are looked for; they are the process's, which may have other threads.
    """
    before = live() if counts else None
    compare_outcomes(compiled, plain, run_line, way)
    if counts and is_more(live(), before):
        gc.collect()
        assert not is_more(live(), before), f"buffers and their bytes by place are {live()} afterwards, and were {before}"


def compare_outcomes(compiled, plain, run_line, way):
    name, plain_arguments, keywords = run_line.arguments()
    plain_leaves = list(comparison.leaves(plain_arguments))
    with np.errstate(all="ignore"), printed() as wanted_text:
        expected = outcome(getattr(plain, name), plain_arguments, keywords)
    name, arguments, keywords = run_line.arguments()
    given = Placed().to_device(arguments) if way == "device" and not any(map(has_fields, plain_leaves)) else arguments
    given_leaves = list(comparison.leaves(given))
    with printed() as text:
        result = outcome(getattr(compiled, name), given, keywords)
    same = dict(tolerance=run_line.tolerance, layout=run_line.layout)
    if isinstance(result, RuntimeError) and "need cuFFT" in str(result):
        import pytest

        pytest.skip("there is no cuFFT")
    if isinstance(result, Exception) and not isinstance(expected, Exception):
        raise result
    if isinstance(expected, Exception):
        assert_same_exceptions(result, expected, run_line.message)
    else:
        found = to_host(result)
        if way == "device":
            found, expected = without_rank_0(found), without_rank_0(expected)
        comparison.assert_same(found, expected, **same)
        if way == "host":
            comparison.assert_same_relations((result, given_leaves), (expected, plain_leaves))
            found, wanted = comparison.identities((result, given)), comparison.identities((expected, plain_arguments))
            assert found == wanted, f"lists are one object as in {found}, Python's as in {wanted}"
    assert text.getvalue() == wanted_text.getvalue(), f"it prints {text.getvalue()!r}, Python {wanted_text.getvalue()!r}"
    comparison.assert_same(to_host(given_leaves), plain_leaves, **same)
    comparison.assert_same(to_host(given), plain_arguments, **same)


def has_fields(value):
    """Whether an array is of records: there are none on a GPU, so that the host's are computed with there."""
    return isinstance(value, np.ndarray) and value.dtype.names is not None


def assert_same_exceptions(result, expected, message):
    """Types agree, and messages where they are compared."""
    assert type(result) is type(expected), f"{result!r} where NumPy raises {expected!r}"
    if message and not WORDS_OF_THEIRS.search(str(expected)):
        wanted = NEWER_WORDS.get(str(expected), str(expected))
        assert NEWER_WORDS.get(str(result), str(result)) == wanted, f"{result!r} where NumPy raises {expected!r}"


def live():
    """How many buffers and bytes of them there are, by place."""
    import numptx

    stats = {place: numptx.memory_stats(place) for place in numptx.devices()}
    return {place: (found["live_buffers"], found["live_bytes"]) for place, found in stats.items()}


def is_more(found, before):
    """Whether any place has more than it had. What a failed test held may be gone."""
    return any(now > was for place in before for now, was in zip(found[place], before[place]))


class Printed:
    """Stands for `sys.stdout` while threads look at what they print: each has a text of its own, other threads print as before."""

    def __init__(self):
        self.own, self.lock = threading.local(), threading.Lock()
        self.n_users, self.stdout = 0, None

    def __getattr__(self, name):
        return getattr(getattr(self.own, "text", None) or self.stdout, name)

    def enter(self):
        """Begins a text of this thread."""
        self.own.text = io.StringIO()
        with self.lock:
            if self.n_users == 0:
                self.stdout, sys.stdout = sys.stdout, self
            self.n_users += 1
        return self.own.text

    def leave(self):
        """Ends it."""
        self.own.text = None
        with self.lock:
            self.n_users -= 1
            if self.n_users == 0:
                sys.stdout = self.stdout


PRINTED = Printed()


@contextlib.contextmanager
def printed():
    """What this thread prints meanwhile, as text."""
    text = PRINTED.enter()
    try:
        yield text
    finally:
        PRINTED.leave()


class OnHost:
    """A compiled module whose functions the CPU runs."""

    def __init__(self, compiled):
        self.compiled = compiled

    def __getattr__(self, name):
        import numptx

        def call(*positional, **keywords):
            with numptx.device("cpu"):
                return getattr(self.compiled, name)(*positional, **keywords)

        return call


class Placed:
    """Moves arrays to the GPU with everything that makes them what they are: strides, and memory and lists that they share."""

    def __init__(self):
        self.roots, self.moved = {}, {}

    def to_device(self, value):
        """The value with its arrays on the GPU; everything else as it is."""
        if comparison.members(value) is not None or isinstance(value, dict):
            if id(value) not in self.moved:
                self.moved[id(value)] = value, self.members_to_device(value)
            return self.moved[id(value)][1]
        return self.view(value) if isinstance(value, np.ndarray) else value

    def members_to_device(self, value):
        if isinstance(value, dict):
            return comparison.with_values(value, [self.to_device(member) for member in value.values()])
        return comparison.with_members(value, [self.to_device(member) for member in comparison.members(value)])

    def view(self, array):
        import numptx

        root = root_of(array)
        if id(root) not in self.roots:
            memory = np.ascontiguousarray(root) if root.flags.c_contiguous else root.ravel(order="K")
            self.roots[id(root)] = (root, numptx.asarray(memory, device="cuda"))
        placed = self.roots[id(root)][1]
        offset = address(array) - np.lib.array_utils.byte_bounds(root)[0] if array.size else 0
        return numptx.asarray(Strided(placed, array, offset))


class Strided:
    """A view of device memory, described as `__cuda_array_interface__` does."""

    def __init__(self, owner, like, offset):
        self.owner = owner
        start = owner.__cuda_array_interface__["data"][0]
        self.__cuda_array_interface__ = {
            "shape": like.shape,
            "strides": like.strides,
            "typestr": like.dtype.str,
            "data": (start + offset if start else 0, not like.flags.writeable),
            "version": 3,
            "stream": None,
        }


def root_of(array):
    """The array at the end of the chain of bases. A base may be none itself and yet have one: that of `sliding_window_view` has."""
    root, base = array, array.base
    while base is not None:
        root = base if isinstance(base, np.ndarray) else root
        base = getattr(base, "base", None)
    return root


def address(array):
    return array.__array_interface__["data"][0]


def to_host(value):
    """Arrays of a value on the host, strides kept."""
    import numptx

    if comparison.members(value) is not None:
        return comparison.with_members(value, [to_host(member) for member in comparison.members(value)])
    if isinstance(value, dict):
        return comparison.with_values(value, [to_host(member) for member in value.values()])
    if not isinstance(value, numptx.Array):
        return value
    return strided_copy(value.to_host(), value.strides)


def without_rank_0(value):
    """Arrays of rank 0 as scalars: of a result on the device it cannot be told which of the two NumPy gives."""
    if comparison.members(value) is not None:
        return comparison.with_members(value, [without_rank_0(member) for member in comparison.members(value)])
    if isinstance(value, dict):
        return comparison.with_values(value, [without_rank_0(member) for member in value.values()])
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def strided_copy(array, strides):
    """A copy whose elements lie as far apart as `strides` says."""
    reach = [stride * (extent - 1) for stride, extent in zip(strides, array.shape)]
    if array.size == 0:
        return array
    first, last = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
    memory = np.zeros(last - first + array.itemsize, dtype=np.uint8)
    copy = np.ndarray(array.shape, array.dtype, memory, -first, strides)
    copy[...] = array
    return copy


def outcome(function, positional, keywords):
    """What a call returns, or the exception that it raises."""
    try:
        return function(*positional, **keywords)
    except Exception as error:
        return error
