"""What other libraries say of their arrays is checked before it is believed. Collected with --device cuda."""

import ctypes

import numpy as np
import pytest

import numptx
from dlpack_exchange import Device, DType, Tensor

BASE = np.arange(6.0)


def interface(**changes):
    """An array that has only `__cuda_array_interface__`, with some members changed."""
    memory = numptx.asarray(BASE, device="cuda")
    members = {**memory.__cuda_array_interface__, **changes}
    return type("Foreign", (), {"__cuda_array_interface__": members, "memory": memory})()


@pytest.mark.parametrize(
    "changes, error",
    [
        ({"typestr": ">f8"}, TypeError),
        ({"mask": "some"}, TypeError),
        ({"shape": (2, 3), "strides": (8,)}, ValueError),
        ({"strides": "abc"}, (TypeError, ValueError)),
        ({"shape": (-3,)}, ValueError),
        ({"strides": (8,) * 40}, ValueError),
        ({"shape": (1,) * 40, "strides": None}, ValueError),
        ({"shape": (2**40, 2**40), "strides": None}, ValueError),
        ({"shape": (2**32, 2**32, 5), "strides": None}, ValueError),
        ({"shape": (2, 2), "strides": (2**62, 2**62)}, ValueError),
        ({"stream": -5}, (TypeError, ValueError, OverflowError)),
        ({"stream": "x"}, TypeError),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(changes, error):
    with pytest.raises(error):
        numptx.asarray(interface(**changes))


@pytest.mark.parametrize("changes", [{}, {"strides": None}, {"mask": None, "stream": None}, {"shape": (0, 5), "strides": None}], ids=str)
def test_what_can_be_is_taken(changes):
    array = numptx.asarray(interface(**changes))
    assert array.shape == changes.get("shape", (6,))


def test_an_error_of_the_getter_is_the_caller_s():
    class Broken:
        @property
        def __cuda_array_interface__(self):
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        numptx.asarray(Broken())


def tensor(shape=(6,), strides=None, ndim=None, device=(2, 0), last=False, address=None):
    """An object whose DLPack tensor says this; its first element is the last one of `BASE` where that is wanted, or at an address."""
    numbers = lambda values: (ctypes.c_int64 * len(values))(*values)
    memory = numptx.asarray(BASE, device="cuda")
    held = [numbers(shape), numbers(strides) if strides else None, memory]
    made = Tensor()
    made.data = memory.__cuda_array_interface__["data"][0] + (BASE.nbytes - BASE.itemsize if last else 0)
    made.data = made.data if address is None else address
    made.device, made.dtype = Device(*device), DType(2, 64, 1)
    made.ndim = len(shape) if ndim is None else ndim
    made.shape = ctypes.cast(held[0], type(made.shape))
    if strides:
        made.strides = ctypes.cast(held[1], type(made.strides))
    room = ctypes.create_string_buffer(ctypes.sizeof(Tensor) + 16)
    ctypes.memmove(room, ctypes.byref(made), ctypes.sizeof(Tensor))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    name = b"dltensor"
    capsule = new(ctypes.addressof(room), name, None)
    methods = {"__dlpack__": lambda self, **options: capsule, "__dlpack_device__": lambda self: device, "held": (held, room, name)}
    return type("Foreign", (), methods)()


@pytest.mark.parametrize(
    "facts, error",
    [
        ({"shape": (-3,)}, ValueError),
        ({"ndim": -1}, BufferError),
        ({"device": (2, -1)}, BufferError),
        ({"device": (2, 99)}, numptx.CudaError),
        ({"device": (2, 99), "shape": (0,)}, numptx.CudaError),
        ({"device": (13, 99)}, numptx.CudaError),
        ({"shape": (2**40, 2**40)}, ValueError),
        ({"shape": (2, 2), "strides": (2**62, 1)}, ValueError),
        ({"shape": (2, 2), "strides": (-(2**62), 1)}, ValueError),
        ({"address": 0}, ValueError),
        ({"address": 0, "device": (1, 0)}, ValueError),
    ],
    ids=str,
)
def test_tensors_that_cannot_be_are_refused(facts, error):
    with pytest.raises(error):
        numptx.asarray(tensor(**facts))


@pytest.mark.parametrize("place", [(1, 0), (2, 0)], ids=str)
def test_a_tensor_without_elements_lies_anywhere(place):
    assert numptx.asarray(tensor(shape=(0, 3), device=place, address=0)).shape == (0, 3)


@pytest.mark.parametrize("stride", [2**62, -(2**62), -(2**60), 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("place", [(1, 0), (2, 0)], ids=str)
def test_a_stride_along_which_nobody_moves_may_be_any(place, stride):
    address = BASE.ctypes.data if place[0] == 1 else None
    found = numptx.asarray(tensor(shape=(1, 3), strides=(stride, 2), device=place, address=address))
    for array in (found, found.copy(), found.copy(order="K"), found.reshape(3), found[:, ::-1][:, ::-1]):
        np.testing.assert_array_equal(array.to_host().ravel(), BASE[::2])
    empty = numptx.asarray(tensor(shape=(2, 0), strides=(stride, 1), device=place, address=address))
    assert empty.shape == empty.to_host().shape == (2, 0)


def test_negative_strides_that_were_divided_as_unsigned_numbers():
    """So CuPy exports them: `-8 // 8` as unsigned numbers of 64 bits."""
    backwards = (2**64 - 8) // 8
    exported = tensor(shape=(2, 3), strides=(backwards - 2, backwards), last=True)
    found = numptx.asarray(exported)
    assert found.strides == (-24, -8)
    np.testing.assert_array_equal(found.to_host(), BASE.ravel()[-6:][::-1].reshape(2, 3))


def test_steps_beyond_an_array():
    array = numptx.asarray(BASE, device="cuda")
    for step in (2**62, -(2**62), 2**70):
        np.testing.assert_array_equal(array[::step].to_host(), BASE[::step])
    for index in (2**70, -(2**70), 6):
        with pytest.raises(IndexError, match="out of bounds"):
            array[index]


def test_a_pickle_of_a_read_only_array_is_read_only_there():
    import pickle

    memory = numptx.asarray(BASE, device="cuda")
    members = {**memory.__cuda_array_interface__, "data": (memory.__cuda_array_interface__["data"][0], True)}
    array = numptx.asarray(type("Foreign", (), {"__cuda_array_interface__": members})())
    back = pickle.loads(pickle.dumps(array))
    assert back.device == array.device and back.base is None
    with pytest.raises(ValueError, match="read-only"):
        back.copy_from(array)


def test_strides_that_nobody_uses(workshop):
    twice = workshop.pair("#numptx export twice(float64[:])\ndef twice(x):\n    return 2 * x\n")[0].twice
    one = np.zeros(1, dtype=[("x", "f8"), ("y", "i4")])["x"]
    none = np.frombuffer(b"x" * 33, np.uint8)[1:].view(np.float64)[:0]
    with numptx.device("cuda"):
        assert twice(one).tolist() == [0.0] and twice(none).shape == (0,)
