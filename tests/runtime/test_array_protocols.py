"""numptx.Array: the buffer protocol, pickles, copies, sizes, and DLPack's exchange in C. On the CPU, and with --device cuda on the GPU too."""

import copy
import ctypes
import gc
import importlib.util
import io
import pathlib
import pickle
import struct
import sys
import sysconfig
import types
import weakref

import numpy as np
import pytest

import numptx
from dlpack_exchange import CPU, CUDA, SET_ERROR, TO_TENSOR, DType, Library, Managed, Shifted, Tensor, managed, object_at, table_of
from fixture_module import build_library
from subprocesses import run_python

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("dtype", DTYPES)
def test_host_memory_is_a_buffer(dtype):
    x = (np.arange(12).reshape(3, 4) % 2).astype(dtype)
    view = memoryview(numptx.asarray(x))
    assert (view.shape, view.strides, view.itemsize, view.nbytes, view.readonly) == ((3, 4), x.strides, x.itemsize, x.nbytes, False)
    assert bytes(view) == x.tobytes() and np.asarray(view).dtype == x.dtype
    if dtype.startswith("complex"):
        return
    assert struct.calcsize(view.format) == x.itemsize
    # Python 3.11 has no numbers of the format that it reads in files.
    assert dtype == "float16" or view.tolist() == x.tolist()


def test_a_buffer_of_a_view_has_its_strides():
    x = np.arange(24.0).reshape(4, 6)
    a = numptx.asarray(x)
    for index in [slice(None, None, -1), (slice(None), slice(1, None, 2)), (1, 2), (slice(0, 0),)]:
        view = memoryview(a[index])
        assert view.shape == x[index].shape and view.tolist() == x[index].tolist()
    assert memoryview(a.T).f_contiguous
    with pytest.raises(BufferError, match="order"):
        io.BytesIO(a[:, ::2])
    assert io.BytesIO(a[1:]).read() == x[1:].tobytes()


def test_a_buffer_shares_memory_and_keeps_it():
    x = np.arange(4.0)
    before = sys.getrefcount(x)
    view = memoryview(numptx.asarray(x))
    view[1] = 7.0
    assert x[1] == 7.0 and sys.getrefcount(x) > before
    del view
    gc.collect()
    assert sys.getrefcount(x) == before
    x.flags.writeable = False
    view = memoryview(numptx.asarray(x))
    assert view.readonly
    with pytest.raises(TypeError):
        view[0] = 1.0
    with pytest.raises((BufferError, TypeError)):
        io.BytesIO(b"12345678" * 4).readinto(numptx.asarray(x))


def places():
    return ["cpu", *(name for name in numptx.devices() if name != "cpu")]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_go_through_the_host(protocol):
    x = np.arange(12.0).reshape(3, 4)
    for place in places():
        a = numptx.asarray(x, device=place)
        for array, expected in [(a, x), (a[1:, ::2], x[1:, ::2]), (a[0, 0], x[0, 0]), (a[:0], x[:0])]:
            back = pickle.loads(pickle.dumps(array, protocol))
            assert type(back) is numptx.Array and back.device == place and back.dtype == x.dtype
            np.testing.assert_array_equal(back.to_host(), expected)
            assert not np.shares_memory(back.to_host(), x)


def test_a_pickle_of_a_read_only_array_is_read_only():
    x = np.arange(3.0)
    x.flags.writeable = False
    back = pickle.loads(pickle.dumps(numptx.asarray(x)))
    assert memoryview(back).readonly


def test_a_pickle_from_a_gpu_that_is_not_there_is_on_the_host():
    from numptx._arrays import restored

    assert restored(np.ones(3), "cuda:31", False).device == "cpu"


def test_copies_are_fresh():
    x = np.arange(12.0).reshape(3, 4)
    for place in places():
        for make in (copy.copy, copy.deepcopy):
            a = numptx.asarray(x.copy(), device=place)
            made = make(a.T)
            assert made.device == place and made.base is None and made.strides == x.T.strides
            a.copy_from(x + 1)
            np.testing.assert_array_equal(made.to_host(), x.T)


def test_sizes_count_elements_once():
    x = np.zeros(1000)
    shared = numptx.asarray(x)
    owner = copy.copy(shared)
    object_only = sys.getsizeof(shared)
    assert sys.getsizeof(owner) == object_only + 8000
    assert sys.getsizeof(owner[1:]) == object_only


# Compiled functions.

SOURCE = '''import numpy as np

#numptx export scaled(float64[:], float64)
#numptx export scaled(float32[:], float64)
def scaled(x, by):
    """Multiplies.

    Each element by one number."""
    return x * by

#numptx export none()
def none():
    return 1

LIMIT = 7

#numptx export many_defaults(int?, float?, None?, (int, float)?, bool?, complex?, int?)
def many_defaults(n=3, f=-0.5, m=None, t=(1, 2.5), b=True, c=1j, k=LIMIT):
    return n

#numptx export shifted(float64[:], float64?)
def shifted(x, by=2.0):
    return x + by

#numptx export corner(float64[:,:])
def corner(x):
    return x[1:, ::2].T

#numptx export reduced(float64[:], str)
def reduced(x, how):
    if how == "sum":
        return np.sum(x)
    return np.max(x)
'''


@pytest.fixture(scope="module")
def functions(workshop):
    return workshop.pair(SOURCE, "protocols")[0]


def test_compiled_functions_describe_themselves(functions):
    import inspect

    f = functions.scaled
    assert (f.__name__, f.__qualname__, f.__module__) == ("scaled", "scaled", functions.__name__)
    assert inspect.getdoc(f).startswith("Multiplies.\n\nEach element by one number.")
    assert "scaled(float32[:], float64)" in f.__doc__
    assert list(inspect.signature(f).parameters) == ["x", "by"]
    assert not inspect.signature(functions.none).parameters
    assert str(inspect.signature(functions.shifted)) == "(x, by=2.0)"
    text = "(n=3, f=-0.5, m=None, t=(1, 2.5), b=True, c=Ellipsis, k=7)"
    assert str(inspect.signature(functions.many_defaults)) == text


def test_compiled_functions_pickle_by_reference(workshop):
    library = workshop.library(workshop.written(SOURCE, "protocols"))
    run_python(
        """
        import copy, pathlib, pickle, sys
        sys.path.insert(0, str(pathlib.Path(sys.argv[1]).parent))
        import protocols
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            text = pickle.dumps(protocols.scaled, protocol)
            assert pickle.loads(text) is protocols.scaled and len(text) < 100
        assert copy.deepcopy(protocols.scaled) is protocols.scaled
        """,
        str(library),
    )


def test_stubs_lie_beside_the_library(workshop):
    library = workshop.library(workshop.written(SOURCE, "protocols"))
    stub = library.with_suffix(".pyi")
    if not stub.exists():
        stub = library.with_name(library.name.split(".")[0] + ".pyi")
    text = stub.read_text()
    for taken, given in [("NDArray[np.float64]", "NDArray[np.float64]"), ("NDArray[np.float32]", "NDArray[np.float64]"), ("numptx.Array", "numptx.Array"), ("NDArray[np.float32] | ArrayProducer", "Any")]:
        assert text.count(f"@overload\ndef scaled(x: {taken}, by: float | np.float64) -> {given}: ...") == 1, text
    assert "\ndef none() -> int: ..." in text
    assert 'how: Literal["sum"]) -> ' in text and "how: str) -> " in text
    compile(text, str(stub), "exec")


def test_arguments_by_keyword(functions):
    x = np.arange(3.0)
    for answer in (functions.scaled(x, by=2.0), functions.scaled(by=2.0, x=x)):
        np.testing.assert_array_equal(answer, 2 * x)


@pytest.mark.parametrize(
    "arguments, keywords, found",
    [
        ((1.0,), {}, r"got \(float\)"),
        ((np.zeros(3), 1.0, 2.0), {}, r"got \(float64\[:\] \{shape \(3,\)\}, float, float\)"),
        ((np.zeros(3),), {"factor": 1.0}, r"factor=float"),
        ((np.zeros(3),), {"x": np.zeros(3)}, r"x=float64\[:\]"),
        ((np.zeros((3, 3)), 1.0), {}, r"float64\[:, :\]"),
        ((np.zeros(3, int), 1.0), {}, r"int64\[:\]"),
        (([1.0], 1.0), {}, r"list"),
    ],
)
def test_other_arguments_are_refused_with_what_is_accepted_and_what_was_got(functions, arguments, keywords, found):
    with pytest.raises(TypeError, match=found) as refused:
        functions.scaled(*arguments, **keywords)
    assert "scaled(float64[:], float64)\n" in str(refused.value) and "scaled(float32[:], float64)" in str(refused.value)


# DLPack's exchange in C.


def test_the_exchange_is_one_of_the_type():
    table = table_of(numptx.Array)
    assert (table.major, table.minor, table.previous) == (1, 3, None)
    assert numptx.Array.__dlpack_c_exchange_api__ is numptx.asarray([1.0]).__dlpack_c_exchange_api__


def test_the_exchange_gives_and_takes_tensors():
    gc.collect()
    table, before = table_of(numptx.Array), numptx.memory_stats("cpu")["foreign_buffers"]
    x = np.arange(12.0).reshape(3, 4)
    for place, kind in zip(places(), [CPU] + [CUDA] * 8):
        there = managed(numptx.asarray(x, device=place)[:, ::2])
        tensor = there.contents.tensor
        assert (tensor.device.kind, tensor.ndim, tensor.shape[:2], tensor.strides[:2]) == (kind, 2, [3, 2], [4, 2])
        assert (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes) == (2, 64, 1)
        out = ctypes.c_void_p()
        assert table.from_managed(there, ctypes.byref(out)) == 0
        back = object_at(out)
        assert type(back) is numptx.Array and back.device == place
        np.testing.assert_array_equal(back.to_host(), x[:, ::2])
        del back, tensor
    gc.collect()
    assert numptx.memory_stats("cpu")["foreign_buffers"] == before


def test_the_exchange_refuses_what_it_does_not_know():
    table, out = table_of(numptx.Array), ctypes.POINTER(Managed)()
    with pytest.raises(TypeError, match="numptx.Array"):
        table.to_managed([1.0], ctypes.byref(out))
    there = managed(numptx.asarray(np.ones(2)))
    there.contents.major = 2
    made = ctypes.c_void_p()
    with pytest.raises(BufferError, match="version 2"):
        table.from_managed(there, ctypes.byref(made))


def test_the_exchange_makes_tensors():
    table, words = table_of(numptx.Array), []
    note = SET_ERROR(lambda _, kind, text: words.append((kind.decode(), text.decode())))
    shape = (ctypes.c_int64 * 2)(3, 4)
    wanted = Tensor(dtype=DType(2, 32, 1), ndim=2, shape=shape)
    out = ctypes.POINTER(Managed)()
    wanted.device.kind = CPU
    assert table.allocate(wanted, ctypes.byref(out), None, note) == 0
    made = out.contents.tensor
    assert made.data and made.shape[:2] == [3, 4] and made.strides[:2] == [4, 1]
    out.contents.deleter(out)
    wanted.dtype.bits = 24
    assert table.allocate(wanted, ctypes.byref(out), None, note) == -1
    assert words[0][0] == "TypeError" and "24 bits" in words[0][1]


@pytest.mark.parametrize("n_bytes", [1, 4, 8])
def test_elements_that_are_not_aligned_are_refused(fixture, n_bytes):
    """Compiled code takes an element to lie where its size says."""
    found = Shifted(numptx.asarray(np.arange(5.0)), n_bytes)
    aligned = numptx.asarray(np.arange(5.0))
    for use in (numptx.asarray, lambda array: fixture.axpy(1.0, array, aligned)):
        if n_bytes == 8:
            use(found)
            continue
        with pytest.raises(ValueError, match="not aligned: pass a copy"):
            use(found)


@pytest.fixture
def library(monkeypatch):
    made = Library("torch")
    monkeypatch.setitem(sys.modules, "torch", made.module)
    yield made
    made.release()


def test_calls_use_other_libraries_exchange(functions, library):
    x = np.arange(6.0)
    for place in places():
        library.asked.clear()
        array = library.ndarray(numptx.asarray(x, device=place))
        with numptx.device("auto"):
            answer = functions.scaled(array, 3.0)
        assert type(answer) is library.ndarray and answer.memory.device == place
        np.testing.assert_array_equal(answer.memory.to_host(), 3 * x)
        asked = {"to_tensor": 1, "from_managed": 1} | ({} if place == "cpu" else {"stream": 1})
        assert dict(library.asked) == asked
        library.release()


def test_arrays_with_gradients_go_the_way_that_refuses_them(functions, library):
    array = library.ndarray(numptx.asarray(np.arange(6.0)))
    array.requires_grad = True
    with pytest.raises(BufferError, match="gradients"):
        functions.scaled(array, 3.0)
    assert library.asked["to_tensor"] == 0


def test_elements_at_the_address_0_are_refused(functions, library):
    array = library.ndarray(numptx.asarray(np.arange(6.0)))

    def nowhere(array, out):
        there = managed(array.memory)
        library.lent.append(there)
        ctypes.pointer(out[0])[0] = there.contents.tensor
        out[0].data = None
        return 0

    library.table.to_tensor = library.nowhere = TO_TENSOR(nowhere)
    with pytest.raises(ValueError, match="at the address 0"):
        functions.scaled(array, 3.0)


def test_tensors_that_stand_for_negatives_are_refused(functions, library, monkeypatch):
    """As `z.conj().imag` of PyTorch's: DLPack has no word for it."""
    monkeypatch.setattr(library.ndarray, "is_neg", lambda self: self.negative, raising=False)
    array = library.ndarray(numptx.asarray(np.arange(6.0)))
    array.negative = True
    for use in (lambda: functions.scaled(array, 3.0), lambda: numptx.asarray(array)):
        with pytest.raises(ValueError, match="resolve_neg"):
            use()
    array.negative = False
    np.testing.assert_array_equal(functions.scaled(array, 3.0).memory.to_host(), 3 * np.arange(6.0))


@pytest.fixture(scope="module")
def tensor_base(tmp_path_factory):
    """`Base` of tensor_base.c."""
    here = pathlib.Path(__file__).with_name("tensor_base.c")
    path = build_library(here, tmp_path_factory.mktemp("tensor_base") / "tensor_base.so", f"-I{sysconfig.get_path('include')}", "-Wno-missing-field-initializers")
    spec = importlib.util.spec_from_file_location("tensor_base", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Base


def in_its_own_way(base):
    """Types that answer by C functions, by Python, and by looking attributes up themselves: what they say is heeded all the same."""

    class Inherited(base):
        gradients = negative = False

    class InPython(base):
        gradients = negative = False
        requires_grad = property(lambda self: self.gradients)

        def is_neg(self):
            return self.negative

    class ByName(base):
        gradients = negative = False

        def __getattribute__(self, name):
            return object.__getattribute__(self, "gradients" if name == "requires_grad" else name)

    return {"inherited": Inherited, "in Python": InPython, "by name": ByName}


@pytest.mark.parametrize("kind", ["inherited", "in Python", "by name"])
def test_tensors_are_asked_by_the_functions_of_their_types(functions, tensor_base, monkeypatch, kind):
    other = Library("torch", base=in_its_own_way(tensor_base)[kind])
    monkeypatch.setitem(sys.modules, "torch", other.module)
    x = np.arange(6.0)
    array = other.ndarray(numptx.asarray(x))

    def answer():
        return functions.scaled(array, 3.0)

    np.testing.assert_array_equal(answer().memory.to_host(), 3 * x)
    assert set(other.asked) == {"to_tensor", "from_managed"}
    for question, error, words in (("gradients", BufferError, "gradients"), ("negative", ValueError, "resolve_neg")):
        other.asked.clear()
        setattr(array, question, True)
        with pytest.raises(error, match=words):
            answer()
        setattr(array, question, False)
        assert other.asked["to_tensor"] == 0
        np.testing.assert_array_equal(answer().memory.to_host(), 3 * x)
    # Who raises is asked again by the protocol of Python, and heard there.
    array.negative = "nobody knows"
    with pytest.raises(RuntimeError, match="no answer") if kind != "in Python" else pytest.raises(ValueError, match="resolve_neg"):
        answer()
    other.release()


def test_a_method_of_an_object_is_not_the_type_s(functions, tensor_base, monkeypatch):
    """What an object has under the name of a method is not asked, as for an operator."""
    other = Library("torch", base=in_its_own_way(tensor_base)["inherited"])
    monkeypatch.setitem(sys.modules, "torch", other.module)
    array = other.ndarray(numptx.asarray(np.arange(3.0)))
    array.is_neg = "no function".isascii
    np.testing.assert_array_equal(functions.scaled(array, 3.0).memory.to_host(), [0, 3, 6])
    assert other.asked["__dlpack__"] == 0
    other.release()


def test_views_of_tensors_are_tensors_at_once(functions, library):
    """No array of ours lies between a tensor and a view of it that a call returns, and the view keeps the tensor."""
    x = np.arange(12.0).reshape(3, 4)
    for place in places():
        library.asked.clear()
        memory = numptx.asarray(x.copy(), device=place)
        array = library.ndarray(memory)
        kept = weakref.ref(array)
        with numptx.device("auto"):
            view = functions.corner(array)
        assert type(view) is library.ndarray and library.asked["to_tensor"] == 1 and library.asked["__dlpack__"] == 0
        memory.copy_from(x + 1)
        numptx.synchronize() if place != "cpu" else None
        np.testing.assert_array_equal(view.memory.to_host(), (x + 1)[1:, ::2].T)
        del array
        assert kept() is not None
        del view
        gc.collect()
        assert kept() is None
        library.release()


def test_an_exchange_of_another_version_is_left_alone(functions, monkeypatch):
    other = Library("torch", version=(2, 0))
    monkeypatch.setitem(sys.modules, "torch", other.module)
    answer = functions.scaled(other.ndarray(numptx.asarray(np.arange(3.0))), 2.0)
    assert type(answer) is other.ndarray and set(other.asked) == {"__dlpack__"}


@pytest.mark.parametrize("name, asks_python", [("torch", False), ("somebody", True)])
def test_a_stream_without_an_owner_is_used_only_where_streams_live_for_ever(functions, monkeypatch, name, asks_python):
    if places() == ["cpu"]:
        pytest.skip("streams belong to a GPU")
    other, stream = Library(name), numptx.Stream()
    monkeypatch.setitem(sys.modules, name, other.module)
    other.current = stream.handle
    # What the stand-in knows of streams in Python is this.
    other.module.cuda = types.SimpleNamespace(current_stream=lambda device: types.SimpleNamespace(cuda_stream=stream.handle))
    with numptx.device("auto"):
        answer = functions.scaled(other.ndarray(numptx.asarray(np.arange(3.0), device="cuda")), 2.0)
    numptx.synchronize()
    found = answer.memory if type(answer) is other.ndarray else answer
    np.testing.assert_array_equal(found.to_host(), [0, 2, 4])
    assert (other.asked["__dlpack__"] > 0) == asks_python
    other.release()
