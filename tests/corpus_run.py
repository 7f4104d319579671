"""One run of a corpus program, compiled and plain, with arguments of its own each: what has to agree."""

import numpy as np

import comparison


def compare(compiled, plain, program, run_line, way):
    """Raises AssertionError where they differ. `way`: "host" for NumPy arrays, "device" for arrays on the GPU."""
    name, plain_arguments, keywords = run_line.arguments()
    with np.errstate(all="ignore"):
        expected = outcome(getattr(plain, name), plain_arguments, keywords)
    name, arguments, keywords = run_line.arguments()
    given = Placed().to_device(arguments) if way == "device" else arguments
    result = outcome(getattr(compiled, name), given, keywords)
    same = dict(tolerance=run_line.tolerance, layout=run_line.layout)
    if isinstance(result, RuntimeError) and "need cuFFT" in str(result):
        import pytest

        pytest.skip("there is no cuFFT")
    if isinstance(expected, Exception):
        assert type(result) is type(expected), f"{result!r} where NumPy raises {expected!r}"
        comparison.assert_same(to_host(given), plain_arguments, **same)
        return
    if isinstance(result, Exception):
        raise result
    found = to_host(result)
    if way == "device":
        found, expected = without_rank_0(found), without_rank_0(expected)
    comparison.assert_same(found, expected, **same)
    comparison.assert_same(to_host(given), plain_arguments, **same)
    if way == "host":
        comparison.assert_same_relations((result, arguments), (expected, plain_arguments))


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
    """Moves arrays to the GPU with everything that makes them what they are: strides, and memory that they share."""

    def __init__(self):
        self.roots = {}

    def to_device(self, value):
        """The value with its arrays on the GPU; everything else as it is."""
        if isinstance(value, (tuple, list)):
            return type(value)(self.to_device(member) for member in value)
        return self.view(value) if isinstance(value, np.ndarray) else value

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

    if isinstance(value, (tuple, list)):
        return type(value)(to_host(member) for member in value)
    if not isinstance(value, numptx.Array):
        return value
    return strided_copy(value.to_host(), value.strides)


def without_rank_0(value):
    """Arrays of rank 0 as scalars: of a result on the device it cannot be told which of the two NumPy gives."""
    if isinstance(value, (tuple, list)):
        return type(value)(without_rank_0(member) for member in value)
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
