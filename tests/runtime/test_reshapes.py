"""Reshapes that have to copy on a device: in the device's memory, or through the host where a device is too old for that."""

import numpy as np
import pytest

import numptx
from subprocesses import run_python

PROGRAM = """
import numpy as np

#numptx export flat(float64[:,:])
def flat(x):
    return np.reshape(x, -1)


#numptx export turned(complex64[:,:,:])
def turned(x):
    return (
        x.transpose(1, 0, 2).reshape(-1),
        x.transpose(2, 1, 0).reshape(-1),
        x.transpose(0, 2, 1).reshape(5, -1),
        x.transpose(1, 2, 0)[::2, ::-1].reshape(-1),
    )


#numptx export ordered(float64[:,:])
def ordered(x):
    return x.ravel("F"), np.ascontiguousarray(x)


#numptx export stages(float64[:], int)
def stages(y, k):
    n = y.shape[0]
    for i in range(k):
        v = np.transpose(np.reshape(y, (2**i, 2, 2 ** (k - i - 1))), axes=(1, 0, 2))
        y[:] = np.reshape(v, (n,)) * 2 + 1
"""


@pytest.fixture(autouse=True)
def on_device():
    with numptx.device("cuda"):
        yield


def on_host(call):
    """What a call gives, and whether bytes of device memory went through the host."""
    before = numptx.memory_stats()["transferred_bytes"]
    result = call()
    return result, numptx.memory_stats()["transferred_bytes"] != before


VIEWS = {
    "a transposed array": ((4, 500), lambda x: x.T),
    "every other column": ((300, 6), lambda x: x[:, ::2]),
    "a part": ((30, 50), lambda x: x[3:20, 7:41]),
    "long rows backwards": ((5, 9000), lambda x: x[::-1]),
    "nothing": ((0, 5), lambda x: x.T),
    "a transposed square": ((60, 60), lambda x: x.T),
    "a part of a transposed array, backwards": ((70, 90), lambda x: x.T[1::2, ::-1]),
}


@pytest.mark.parametrize("name", VIEWS)
def test_copies_stay_on_the_device(name, modules):
    compiled, plain = modules
    shape, view = VIEWS[name]
    x = np.random.default_rng(1).random(shape)
    argument = view(numptx.asarray(x, device="cuda"))
    result, through_host = on_host(lambda: compiled.flat(argument))
    assert not through_host
    np.testing.assert_array_equal(result.to_host(), plain.flat(view(x)))
    for result, expected in zip(compiled.ordered(argument), plain.ordered(view(x))):
        np.testing.assert_array_equal(result.to_host(), expected)


def test_three_axes_of_a_type_of_eight_bytes(modules):
    compiled, plain = modules
    x = (np.random.default_rng(2).random((3, 40, 5)) + 1j).astype(np.complex64)
    for result, expected in zip(compiled.turned(numptx.asarray(x, device="cuda")), plain.turned(x)):
        np.testing.assert_array_equal(result.to_host(), expected)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int16", "bool"])
def test_a_transposed_array_is_one_launch(dtype, workshop):
    compiled, plain = workshop.pair(f"""
import numpy as np

#numptx export last_first({dtype}[:,:,:])
def last_first(x):
    return np.ascontiguousarray(x.transpose(2, 0, 1))
""")
    x = (np.random.default_rng(3).random((20, 7, 40)) * 100).astype(dtype)
    argument = numptx.asarray(x, device="cuda")
    compiled.last_first(argument)
    before = numptx.memory_stats()
    result = compiled.last_first(argument)
    after = numptx.memory_stats()
    same = ("transferred_bytes", "synchronizations")
    assert after["launches"] - before["launches"] == 1 and all(after[name] == before[name] for name in same)
    np.testing.assert_array_equal(result.to_host(), plain.last_first(x))


def test_steps_of_a_transform_wait_for_nothing(modules):
    compiled, plain = modules
    k = 12
    x = np.random.default_rng(4).random(2**k)
    y = numptx.asarray(x.copy(), device="cuda")
    before = numptx.memory_stats()["synchronizations"]
    _, through_host = on_host(lambda: compiled.stages(y, k))
    assert not through_host and numptx.memory_stats()["synchronizations"] == before
    plain.stages(x, k)
    np.testing.assert_array_equal(y.to_host(), x)


@pytest.mark.parametrize("shape", [(4, 500), (60, 60)])
def test_copies_are_captured(shape, modules):
    compiled, plain = modules
    x = np.random.default_rng(5).random(shape)
    held = numptx.asarray(x, device="cuda")
    graph = numptx.Graph()
    with graph:
        result = compiled.flat(held.T)
    for seed in (6, 7):
        x = np.random.default_rng(seed).random(shape)
        held.copy_from(x)
        graph.replay()
        np.testing.assert_array_equal(result.to_host(), plain.flat(x.T))


def test_an_old_device_copies_rows_if_they_are_few_and_else_through_the_host(workshop, driver):
    library = workshop.library(workshop.written(PROGRAM))
    run_python("""
    import sys, numpy as np, numptx
    from compilation import load_compiled
    flat = load_compiled(sys.argv[1]).flat
    for shape, goes_through_host in (((4, 500), False), ((60, 60), True)):
        x = np.random.default_rng(3).random(shape)
        argument = numptx.asarray(x, device="cuda").T
        before = numptx.memory_stats()["transferred_bytes"]
        result = flat(argument)
        assert (numptx.memory_stats()["transferred_bytes"] != before) == goes_through_host
        assert np.array_equal(result.to_host(), x.T.reshape(-1))
    try:
        with numptx.Graph():
            flat(argument)
    except RuntimeError as error:
        assert "reshape has to copy through the host during the capture" in str(error)
    else:
        raise AssertionError("it was captured")
    """, str(library), environment={"NUMPTX_DEVICE": "cuda", "NUMPTX_MOCK_ARCH": "70"})
