"""Reshapes that have to copy on a device: in the device's memory where few copies of rows do it, and else through the host."""

import numpy as np
import pytest

import numptx

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
}


@pytest.mark.parametrize("name", VIEWS)
def test_few_copies_of_rows_do_it_on_the_device(name, modules):
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


def test_many_short_copies_go_through_the_host(modules):
    compiled, plain = modules
    x = np.random.default_rng(3).random((60, 60))
    argument = numptx.asarray(x, device="cuda").T
    result, through_host = on_host(lambda: compiled.flat(argument))
    assert through_host
    np.testing.assert_array_equal(result.to_host(), plain.flat(x.T))


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


def test_copies_of_rows_are_captured(modules):
    compiled, plain = modules
    x = np.random.default_rng(5).random((4, 500))
    held = numptx.asarray(x, device="cuda")
    graph = numptx.Graph()
    with graph:
        result = compiled.flat(held.T)
    for seed in (6, 7):
        x = np.random.default_rng(seed).random((4, 500))
        held.copy_from(x)
        graph.replay()
        np.testing.assert_array_equal(result.to_host(), plain.flat(x.T))


def test_a_copy_through_the_host_is_refused_in_a_capture(modules):
    compiled, plain = modules
    held = numptx.asarray(np.random.default_rng(8).random((60, 60)), device="cuda")
    graph = numptx.Graph()
    with pytest.raises(RuntimeError, match="reshape has to copy through the host during the capture"), graph:
        compiled.flat(held.T)
