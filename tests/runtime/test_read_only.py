"""What a library does not let be written is not written: arguments, `numptx.asarray`, views of either, and what is exported of them."""

import copy
import gc

import numpy as np
import pytest

import numptx
from read_only_producers import READ_ONLY, WRITABLE, elements, is_flagged, stand_ins

PROGRAM = """
#numptx export scale(float64[:], float64)
#numptx export scale(float32[:], float64)
#numptx export scale(complex128[:], float64)
def scale(x, by):
    x *= by

#numptx export total(float64[:])
#numptx export total(float32[:])
def total(x):
    return x.sum()

#numptx export tail(float64[:])
#numptx export tail(float32[:])
def tail(x):
    return x[1:]

#numptx export whole_and_tail(float64[:])
def whole_and_tail(x):
    return x, x[1:], x + 1.0

#numptx export into(float64[:], (float64[:], float64[:]))
def into(x, targets):
    targets[1][:] = x
"""
HOST = np.arange(4.0)


def pytest_generate_tests(metafunc):
    places = ["cpu", "cuda"] if metafunc.config.getoption("--device") == "cuda" else ["cpu"]
    for argument, producers in (("read_only", READ_ONLY), ("writable", WRITABLE)):
        if argument in metafunc.fixturenames:
            cases = [(name, place) for name, (_, where, *_) in producers.items() for place in where if place in places]
            metafunc.parametrize(argument, cases, ids=lambda case: f"{case[0]} on {case[1]}")


@pytest.fixture(autouse=True)
def where_arrays_are(monkeypatch):
    stand_ins(monkeypatch)
    with numptx.device("auto"):
        yield


def made(producers, case):
    name, place = case
    return producers[name][0](HOST, place)


def refuses(write, *words):
    with pytest.raises(ValueError, match="assignment destination is read-only") as refused:
        write()
    for word in words:
        assert word in str(refused.value)


def test_a_function_that_writes_it_refuses_it_by_name(compiled, read_only):
    array = made(READ_ONLY, read_only)
    refuses(lambda: compiled.scale(array, 100.0), "scale() writes to argument 1 `x`", READ_ONLY[read_only[0]][2], "; pass a copy, such as ")
    refuses(lambda: compiled.scale(by=100.0, x=array), "scale() writes to argument 1 `x`")
    np.testing.assert_array_equal(elements(array), HOST)


def test_the_copy_that_the_error_names_may_be_written(compiled, read_only):
    array = made(READ_ONLY, read_only)
    with pytest.raises(ValueError) as refused:
        compiled.scale(array, 100.0)
    expression = str(refused.value).split("such as ")[1]
    copied = eval(expression, {"copy": copy, "numptx": numptx, "x": array})
    compiled.scale(copied, 2.0)
    np.testing.assert_array_equal(elements(copied), 2 * HOST)
    np.testing.assert_array_equal(elements(array), HOST)


def test_a_function_that_reads_it_takes_it(compiled, read_only):
    total = compiled.total(made(READ_ONLY, read_only))
    assert float(total if np.isscalar(total) else elements(total)) == HOST.sum()


def test_asarray_and_views_of_it_stay_read_only(compiled, read_only):
    array = made(READ_ONLY, read_only)
    ours = numptx.asarray(array)
    for view in (ours, ours[1:], ours[1:][::2], ours.T, numptx.asarray(ours)):
        refuses(lambda: view.copy_from(np.zeros(view.shape)), "copy_from()")
        refuses(lambda: compiled.scale(view, 100.0), "argument 1 `x`")
        assert is_flagged(view)
        with pytest.raises(BufferError, match="max_version"):
            view.__dlpack__()
    np.testing.assert_array_equal(elements(array), HOST)


def test_views_that_calls_return_stay_read_only(compiled, read_only):
    array = made(READ_ONLY, read_only)
    whole, tail, fresh = compiled.whole_and_tail(array)
    assert whole is array
    for view in (tail, compiled.tail(array), compiled.tail(tail)):
        refuses(lambda: compiled.scale(view, 100.0))
        assert is_flagged(numptx.asarray(view))
    if type(fresh) in (np.ndarray, numptx.Array):
        compiled.scale(fresh, 2.0)
    np.testing.assert_array_equal(elements(tail), HOST[1:])
    np.testing.assert_array_equal(elements(array), HOST)


def test_what_may_be_written_is(compiled, writable):
    array = made(WRITABLE, writable)
    compiled.scale(array, 10.0)
    np.testing.assert_array_equal(elements(array), 10 * HOST)
    ours = numptx.asarray(array)
    assert not is_flagged(ours)
    ours[1:].copy_from(np.zeros(3))
    np.testing.assert_array_equal(elements(array), np.zeros(4))
    compiled.scale(compiled.tail(array), 2.0)


def test_a_member_of_a_tuple_is_named(compiled):
    x, locked = np.zeros(3), np.zeros(3)
    locked.flags.writeable = False
    compiled.into(locked, (locked, x))
    refuses(lambda: compiled.into(x, (x, locked)), "into() writes to argument 2 `targets[1]`, a NumPy array with writeable=False; pass a copy, such as targets[1].copy()")


def test_a_view_of_jax_s_array_is_jax_s(compiled):
    """JAX asks for capsules that cannot say that they may not be written; its own arrays never are."""
    array = READ_ONLY["JAX, unversioned"][0](HOST, "cpu")
    view = compiled.tail(array)
    assert type(view) is type(array)
    np.testing.assert_array_equal(elements(view), HOST[1:])


def test_a_view_keeps_what_it_views_and_lets_it_go(compiled):
    gc.collect()
    before = numptx.memory_stats()["live_buffers"]
    for name in ("JAX, unversioned", "the exchange in C, with the flag", "a versioned capsule with the flag"):
        view = compiled.tail(READ_ONLY[name][0](HOST, "cpu"))
        gc.collect()
        np.testing.assert_array_equal(elements(view), HOST[1:])
        del view
    gc.collect()
    assert numptx.memory_stats()["live_buffers"] == before


def test_the_array_interface_of_numpy_says_it():
    host = HOST.copy()

    class Interface:
        __array_interface__ = {**host.__array_interface__, "data": (host.ctypes.data, True)}

    array = numptx.asarray(Interface())
    refuses(lambda: array.copy_from(np.zeros(4)))
    assert is_flagged(array)


def test_arrays_of_jax_itself_are_not_written(compiled, monkeypatch):
    monkeypatch.undo()
    jnp = pytest.importorskip("jax.numpy")
    x = jnp.arange(4.0, dtype="float32")
    same = x[:]
    ours = numptx.asarray(x)
    refuses(lambda: compiled.scale(x, 100.0), "argument 1 `x`, an array of JAX, whose arrays are immutable")
    refuses(lambda: ours.copy_from(np.zeros(4, np.float32)))
    refuses(lambda: compiled.scale(ours[1:], 100.0))
    assert is_flagged(ours) and float(compiled.total(x)) == 6
    view = compiled.tail(x)
    refuses(lambda: compiled.scale(view, 100.0))
    np.testing.assert_array_equal(np.asarray(view), HOST[1:])
    for array in (x, same):
        np.testing.assert_array_equal(np.asarray(array), HOST)
    writable = copy.copy(ours)
    compiled.scale(writable, 2.0)
    np.testing.assert_array_equal(writable.to_host(), 2 * HOST)


def test_tensors_of_pytorch_itself_are_written(compiled, monkeypatch):
    monkeypatch.undo()
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float64, torch.complex128):
        x = torch.arange(4).to(dtype)
        compiled.scale(x, 2.0)
        numptx.asarray(x)[1:2].copy_from(np.asarray([9.0], dtype=str(dtype).split(".")[1]))
        assert x.real.tolist() == [0, 9, 4, 6]
