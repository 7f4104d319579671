"""The CUDA driver as another library uses it: streams, captures and graphs of its own. And what only the mock driver has: counts, failures, delay."""

import contextlib
import ctypes
import os

PATH = os.environ.get("NUMPTX_LIBCUDA", "libcuda.so.1")
IS_MOCK = "mock" in PATH
MODES = {"global": 0, "thread_local": 1, "relaxed": 2}


class DriverError(RuntimeError):
    """A driver call that failed; `code` is the driver's."""

    def __init__(self, call, code):
        super().__init__(f"{call}: {code}")
        self.code = code


class Driver:
    """Calls raise `DriverError`."""

    def __init__(self):
        self.library = ctypes.CDLL(PATH)

    def __getattr__(self, name):
        function = getattr(self.library, name)

        def call(*arguments):
            code = function(*arguments)
            if code != 0:
                raise DriverError(name, code)

        return call

    def made(self, name, *arguments, kind=ctypes.c_void_p):
        """What a call writes to its first argument."""
        out = kind()
        getattr(self, name)(ctypes.byref(out), *arguments)
        return out.value

    @contextlib.contextmanager
    def context(self, device=0):
        """The device's primary context is current."""
        before = self.made("cuCtxGetCurrent")
        self.cuCtxSetCurrent(ctypes.c_void_p(self.made("cuDevicePrimaryCtxRetain", device)))
        yield
        self.cuCtxSetCurrent(ctypes.c_void_p(before))

    def count(self, name):
        """A count of the mock driver."""
        self.library.numptx_mock_count.restype = ctypes.c_int64
        return self.library.numptx_mock_count(name.encode())

    def defer(self, on):
        """Whether the mock driver's streams put their work off until somebody waits."""
        self.library.numptx_mock_defer(int(on))

    def delay(self, name, seconds):
        """The mock driver's calls of a function take longer, until that is 0."""
        self.library.numptx_mock_delay(name.encode(), ctypes.c_uint64(int(seconds * 1e6)))

    def fail_call(self, name, n, code):
        """The mock driver's call number `n` from now of a function fails; an empty name: of any."""
        self.library.numptx_mock_fail_call.restype = ctypes.c_int64
        return self.library.numptx_mock_fail_call(name.encode(), ctypes.c_int64(n), code)

    @contextlib.contextmanager
    def log(self):
        """A list that holds the names of the mock driver's calls when the block is left."""
        calls = []
        self.library.numptx_mock_log(1)
        yield calls
        self.library.numptx_mock_read_log.restype = ctypes.c_size_t
        needed = self.library.numptx_mock_read_log(None, 0)
        text = ctypes.create_string_buffer(needed)
        self.library.numptx_mock_read_log(text, needed)
        self.library.numptx_mock_log(0)
        calls.extend(filter(None, text.value.decode().split("\n")))


class OtherStream:
    """A stream of another library, with the ways in which libraries show theirs."""

    NON_BLOCKING = 1

    def __init__(self, driver, blocking=False):
        self.driver, self.device_id = driver, 0
        with driver.context():
            self.ptr = driver.made("cuStreamCreate", 0 if blocking else self.NON_BLOCKING)

    def __cuda_stream__(self):
        return 0, self.ptr

    @property
    def cuda_stream(self):
        return self.ptr

    @property
    def pointer(self):
        return ctypes.c_void_p(self.ptr)

    def destroy(self):
        with self.driver.context():
            self.driver.cuStreamDestroy_v2(self.pointer)

    @contextlib.contextmanager
    def capture(self, mode="global"):
        """Captures the block into a graph: what is yielded has it afterwards."""
        graph = OtherGraph(self.driver)
        with self.driver.context():
            self.driver.cuStreamBeginCapture_v2(self.pointer, MODES[mode])
            try:
                yield graph
            finally:
                out = ctypes.c_void_p()
                code = self.driver.library.cuStreamEndCapture(self.pointer, ctypes.byref(out))
            if code:
                raise DriverError("cuStreamEndCapture", code)
            graph.instantiate(out)


class OtherGraph:
    """An executable graph of another library."""

    def __init__(self, driver):
        self.driver, self.executable = driver, None

    def instantiate(self, graph):
        self.executable = self.driver.made("cuGraphInstantiateWithFlags", graph, ctypes.c_uint64(0))
        # As PyTorch does: the executable graph is enough.
        self.driver.cuGraphDestroy(graph)

    def launch(self, stream):
        with self.driver.context():
            self.driver.cuGraphLaunch(ctypes.c_void_p(self.executable), stream.pointer)
            self.driver.cuStreamSynchronize(stream.pointer)

    def destroy(self):
        with self.driver.context():
            self.driver.cuGraphExecDestroy(ctypes.c_void_p(self.executable))
