"""pytest: options, fixtures, and the corpus as tests.

    pytest tests                       on the CPU
    pytest tests --device cuda         the same on the GPU, with NumPy arrays and with arrays that live there
    pytest tests --compiled DIR        takes libraries compiled before from DIR where it has them
"""

import pathlib
import warnings

import numpy as np
import pytest

import comparison
import corpus_format
from compilation import Refused, Workshop, load_plain

HERE = pathlib.Path(__file__).parent


def pytest_addoption(parser):
    parser.addoption("--device", choices=["cpu", "cuda"], default="cpu", help="where compiled functions run")
    parser.addoption("--compiled", default=None, help="folder of libraries that were compiled before")


def pytest_configure(config):
    import numptx

    if config.getoption("--device") == "cuda" and len(numptx.devices()) == 1:
        raise pytest.UsageError(f"--device cuda: {numptx._native.device_text('cuda')}")


@pytest.fixture(scope="session")
def workshop(tmp_path_factory, pytestconfig):
    """Compiles files (`module(path)`) and sources (`pair(text)` gives the compiled and the plain module)."""
    return Workshop(tmp_path_factory.mktemp("compiled"), pytestconfig.getoption("--compiled"))


@pytest.fixture(scope="session")
def device(pytestconfig):
    """"cpu" or "cuda"."""
    return pytestconfig.getoption("--device")


@pytest.fixture(autouse=True)
def chosen_device(device):
    """Every test runs with the device chosen."""
    import numptx

    with numptx.device(device):
        yield


def pytest_collect_file(parent, file_path):
    if file_path.parent == HERE / "corpus" and file_path.suffix == ".py":
        return CorpusFile.from_parent(parent, path=file_path)


class CorpusFile(pytest.File):
    """One program: a test a `# run:` line and way of passing arrays."""

    def collect(self):
        program = corpus_format.read(self.path)
        ways = ["host"] if self.config.getoption("--device") == "cpu" else ["host", "device"]
        for run in program.runs:
            for way in ways:
                yield CorpusRun.from_parent(self, name=f"{run.line}-{way}", program=program, run_line=run, way=way)


class Placed:
    """Moves arrays to the GPU with everything that makes them what they are: strides, and memory that they share."""

    def __init__(self):
        self.roots = {}

    def to_device(self, value):
        """The value with its arrays on the GPU; everything else as it is."""
        if isinstance(value, tuple):
            return tuple(self.to_device(member) for member in value)
        return self.view(value) if isinstance(value, np.ndarray) else value

    def view(self, array):
        import numptx

        root = array
        while isinstance(root.base, np.ndarray):
            root = root.base
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


def address(array):
    return array.__array_interface__["data"][0]


def to_host(value):
    """Arrays of a value on the host, strides kept."""
    import numptx

    if isinstance(value, tuple):
        return tuple(to_host(member) for member in value)
    if not isinstance(value, numptx.Array):
        return value
    return strided_copy(value.to_host(), value.strides)


def without_rank_0(value):
    """Arrays of rank 0 as scalars: of a result on the device it cannot be told which of the two NumPy gives."""
    if isinstance(value, tuple):
        return tuple(without_rank_0(member) for member in value)
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
        with warnings.catch_warnings():
            # Newer NumPys discourage some functions.
            warnings.simplefilter("ignore", DeprecationWarning)
            return function(*positional, **keywords)
    except Exception as error:
        return error


class CorpusRun(pytest.Item):
    """One call, compiled and plain, with arguments of its own each."""

    def __init__(self, *, program, run_line, way, **rest):
        super().__init__(**rest)
        self.program, self.run_line, self.way = program, run_line, way
        self.fixturenames = ["workshop"]

    def setup(self):
        self._workshop = workshop_of(self.session)

    def runtest(self):
        import numptx

        compiled = self._workshop.module(self.path, self.program.flags)
        plain = load_plain(self.path)
        with numptx.device(self.config.getoption("--device")):
            self.compare(compiled, plain)
            if self.run_line.structure and self.way == self.natural_way():
                self.count(compiled)

    def natural_way(self):
        """Where arrays are not moved by the call: on the CPU host arrays, on the GPU arrays that live there."""
        return "host" if self.config.getoption("--device") == "cpu" else "device"

    def compare(self, compiled, plain):
        name, plain_arguments, keywords = self.run_line.arguments()
        with np.errstate(all="ignore"):
            expected = outcome(getattr(plain, name), plain_arguments, keywords)
        name, arguments, keywords = self.run_line.arguments()
        given = Placed().to_device(arguments) if self.way == "device" else arguments
        result = outcome(getattr(compiled, name), given, keywords)
        same = dict(tolerance=self.program.tolerance, layout=self.program.layout)
        if isinstance(expected, Exception):
            assert type(result) is type(expected), f"{result!r} where NumPy raises {expected!r}"
            comparison.assert_same(to_host(given), plain_arguments, **same)
            return
        if isinstance(result, Exception):
            raise result
        found = to_host(result)
        if self.way == "device":
            found, expected = without_rank_0(found), without_rank_0(expected)
        comparison.assert_same(found, expected, **same)
        comparison.assert_same(to_host(given), plain_arguments, **same)
        if self.way == "host":
            assert comparison.relations(result, arguments) == comparison.relations(expected, plain_arguments)

    def count(self, compiled):
        import numptx

        name, arguments, keywords = self.run_line.arguments()
        if self.way == "device":
            arguments = Placed().to_device(arguments)
        before = numptx.memory_stats()
        getattr(compiled, name)(*arguments, **keywords)
        after = numptx.memory_stats()
        names = {"launches": "launches", "allocs": "allocations", "copies": "copies"}
        for key, wanted in self.run_line.structure.items():
            found = after[names[key]] - before[names[key]]
            limit = int(wanted.lstrip("="))
            fits = found == limit if wanted.startswith("=") else found <= limit
            assert fits, f"{found} {key}, the structure line says {limit}"

    def repr_failure(self, excinfo, style=None):
        where = f"{self.path.name}:{self.run_line.line}: {self.run_line.text}"
        if isinstance(excinfo.value, (AssertionError, Refused)):
            return f"{where}\n{excinfo.value}"
        return f"{where}\n{super().repr_failure(excinfo, style)}"

    def reportinfo(self):
        return self.path, self.run_line.line - 1, f"{self.path.stem}: {self.run_line.text} ({self.way})"


def workshop_of(session):
    """The session's workshop, for items that are no functions and so have no fixtures."""
    if not hasattr(session, "numptx_workshop"):
        folder = session.config._tmp_path_factory.mktemp("corpus")
        session.numptx_workshop = Workshop(folder, session.config.getoption("--compiled"))
    return session.numptx_workshop
