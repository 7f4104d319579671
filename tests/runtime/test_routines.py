"""Decompositions and Fourier transforms: threads, streams, captures, forked children, and devices without NVIDIA's libraries. What they compute is the
corpus' concern."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK

PROGRAM = """
import numpy as np
#numptx export solved(float64[:,:,:], float64[:,:,:])
#numptx export solved(float64[:,:], float64[:,:])
def solved(a, b):
    return np.linalg.solve(a, b)
#numptx export inverse(float64[:,:])
#numptx export inverse(float64[:,:,:])
def inverse(a):
    return np.linalg.inv(a)
#numptx export factors(float64[:,:])
def factors(a):
    q, r = np.linalg.qr(a)
    return q, r, np.linalg.cholesky(a @ a.T + a.shape[0] * np.eye(a.shape[0]))
#numptx export spectrum(float64[:,:])
def spectrum(a):
    return np.linalg.eigvalsh(a + a.T), np.linalg.svdvals(a)
#numptx export transformed(float64[:,:])
def transformed(x):
    return np.fft.fft(x), np.fft.irfft2(np.fft.rfft2(x), x.shape)
#numptx export part(float64[:,:])
def part(a):
    return np.linalg.qr(a)[0].T[1:, ::2]
"""


@pytest.fixture(autouse=True)
def on_device(pytestconfig):
    with numptx.device(pytestconfig.getoption("--device")):
        yield


def values(shape, seed=0):
    x = np.random.default_rng(seed).standard_normal(shape)
    return x + 2 * shape[-1] * np.eye(shape[-1]) if len(shape) > 1 and shape[-1] == shape[-2] else x


def placed(pytestconfig, array):
    device = pytestconfig.getoption("--device")
    return array if device == "cpu" else numptx.asarray(array, device=device)


def hosted(result):
    """A result's arrays on the host."""
    members = result if isinstance(result, tuple) else (result,)
    return [x.to_host() if isinstance(x, numptx.Array) else np.asarray(x) for x in members]


def bits(result):
    return b"".join(x.tobytes() for x in hosted(result))


def only_on_devices(pytestconfig):
    if pytestconfig.getoption("--device") == "cpu":
        pytest.skip("of devices")


def works(pytestconfig, compiled):
    """Calls of all kinds, small: name, function, arguments."""
    stack, matrix = placed(pytestconfig, values((40, 6, 6))), placed(pytestconfig, values((50, 50)))
    right, rows = placed(pytestconfig, values((40, 6, 2), 1)), placed(pytestconfig, values((12, 30), 2))
    return {
        "a stack's equations": (compiled.solved, (stack, right)),
        "a stack's inverses": (compiled.inverse, (stack,)),
        "equations": (compiled.solved, (matrix, matrix)),
        "factors": (compiled.factors, (matrix,)),
        "a spectrum": (compiled.spectrum, (matrix,)),
        "transforms": (compiled.transformed, (rows,)),
    }


def test_threads_and_streams_give_equal_bits(compiled, pytestconfig):
    only_on_devices(pytestconfig)
    todo = works(pytestconfig, compiled)
    wanted = {name: bits(function(*arguments)) for name, (function, arguments) in todo.items()}
    failures = []

    def run():
        with numptx.device("cuda"), numptx.Stream():
            for _ in range(20):
                failures.extend(name for name, (function, arguments) in todo.items() if bits(function(*arguments)) != wanted[name])

    threads = [threading.Thread(target=run) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failures


def test_what_cublas_and_cufft_compute_is_captured(compiled, pytestconfig):
    only_on_devices(pytestconfig)
    x, stack = values((12, 30)), values((40, 6, 6))
    x_there, stack_there = placed(pytestconfig, x), placed(pytestconfig, stack)
    compiled.transformed(x_there), compiled.inverse(stack_there)
    with numptx.Stream() as stream:
        graph = numptx.Graph(stream)
        with graph:
            spectrum, back = compiled.transformed(x_there)
            inverses = compiled.inverse(stack_there)
        for factor in (1, 2, 4):
            x_there[...], stack_there[...] = factor * x, factor * stack
            graph.replay()
            assert np.allclose(spectrum.to_host(), np.fft.fft(factor * x)) and np.allclose(back.to_host(), factor * x)
            assert np.allclose(inverses.to_host(), np.linalg.inv(factor * stack))


@pytest.mark.parametrize("name", ["equations", "factors", "a spectrum"])
def test_what_cusolver_computes_is_refused_in_a_capture_that_goes_on(compiled, pytestconfig, name):
    """Before the library is called, so that the capture stays valid."""
    only_on_devices(pytestconfig)
    x = values((12, 30))
    there = placed(pytestconfig, x)
    compiled.transformed(there)
    large = placed(pytestconfig, values((1100, 1100)))
    function, arguments = works(pytestconfig, compiled)[name]
    arguments = (large, large) if name == "equations" else arguments
    with numptx.Stream() as stream:
        graph = numptx.Graph(stream)
        with graph:
            with pytest.raises(RuntimeError, match="during the capture of a graph"):
                function(*arguments)
            spectrum, _ = compiled.transformed(there)
        graph.replay()
        assert np.allclose(spectrum.to_host(), np.fft.fft(x))


def test_nothing_is_kept_of_a_routine(compiled, pytestconfig):
    todo = works(pytestconfig, compiled)
    [function(*arguments) for function, arguments in todo.values()]
    before = numptx.memory_stats()
    for _ in range(5):
        [function(*arguments) for function, arguments in todo.values()]
    numptx.synchronize()
    after = numptx.memory_stats()
    assert (after["live_buffers"], after["live_bytes"]) == (before["live_buffers"], before["live_bytes"])


def test_a_view_of_a_factor_keeps_it_alive(compiled, pytestconfig):
    a = values((20, 20))
    found = compiled.part(placed(pytestconfig, a))
    wanted = hosted(found)[0].copy()
    [compiled.part(placed(pytestconfig, a + 1)) for _ in range(5)]
    assert np.array_equal(hosted(found)[0], wanted)
    q = np.linalg.qr(a)[0].T[1:, ::2]
    assert np.allclose(np.abs(wanted), np.abs(q))


APART = """if True:
    import sys
    sys.path[:0] = {path!r}
    import numpy as np, numptx
    from compilation import load_compiled
    module = load_compiled({library!r})
    rng = np.random.default_rng(0)
    a, x, stack = rng.standard_normal((90, 90)) + 180 * np.eye(90), rng.standard_normal((40, 60)), rng.standard_normal((50, 7, 7)) + 14 * np.eye(7)
    def everything():
        results = [module.solved(a, a[:, :5].copy()), module.inverse(a), *module.factors(a), *module.spectrum(a), module.inverse(stack), *module.transformed(x)]
        return b"".join(np.asarray(found).tobytes() for found in results)
    {more}
"""


def run_apart(workshop, more, **environment):
    """What a process of its own prints."""
    library = str(workshop.library(workshop.written(PROGRAM)))
    text = APART.format(path=[entry for entry in sys.path if entry], library=library, more=more)
    done = subprocess.run([sys.executable, "-c", text], env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_any_number_of_threads_gives_equal_bits(workshop, pytestconfig):
    if pytestconfig.getoption("--device") != "cpu":
        pytest.skip("of the host's threads")
    more = "import hashlib; print(hashlib.sha256(everything()).hexdigest())"
    found = {run_apart(workshop, more, NUMPTX_NUM_THREADS=threads) for threads in ("1", "2", "7")}
    assert len(found) == 1 and len(found.pop()) == 65


def test_a_forked_child_decomposes(workshop, pytestconfig):
    if pytestconfig.getoption("--device") != "cpu":
        pytest.skip("a child cannot use its parent's driver")
    more = """import os, signal
    wanted = everything()
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        os._exit(0 if everything() == wanted else 1)
    assert os.waitpid(pid, 0)[1] == 0"""
    run_apart(workshop, more, NUMPTX_NUM_THREADS="2")


def test_without_nvidia_s_libraries_the_host_decomposes_and_transforms_are_refused(workshop, pytestconfig):
    only_on_devices(pytestconfig)
    more = """maps = lambda: open('/proc/self/maps').read()
    with numptx.device("cuda"):
        assert np.allclose(module.solved(a, x.T[:1].repeat(90, 0)), np.linalg.solve(a, x.T[:1].repeat(90, 0)))
        assert np.allclose(module.inverse(stack), np.linalg.inv(stack))
        q, r, lower = module.factors(a)
        assert np.allclose(q @ r, a) and np.allclose(lower @ lower.T, a @ a.T + 90 * np.eye(90))
        found, sizes = module.spectrum(a)
        assert np.allclose(found, np.linalg.eigvalsh(a + a.T)) and np.allclose(sizes, np.linalg.svdvals(a))
        try:
            module.inverse(np.zeros((3, 3)))
            raise SystemExit("a singular matrix")
        except np.linalg.LinAlgError:
            pass
        try:
            module.transformed(x)
        except RuntimeError as error:
            assert "need cuFFT" in str(error) and "pip install 'numptx-runtime[" in str(error)
        else:
            raise SystemExit("a transform")
    assert not any(name in maps() for name in ("libcusolver", "libcublas", "libcufft"))"""
    run_apart(workshop, more, NUMPTX_CUDA_LIBRARIES="none")


def test_auto_takes_a_gpu_where_a_decomposition_is_worth_it(compiled, pytestconfig):
    only_on_devices(pytestconfig)
    compiled.inverse(placed(pytestconfig, values((10, 10))))
    with numptx.device("auto"):
        compiled.inverse(values((40, 40)))
        assert numptx.last_device() == "cpu"
        found = compiled.inverse(values((1000, 1000)))
        assert numptx.last_device() == "cuda:0"
    assert np.allclose(found @ values((1000, 1000)), np.eye(1000))
