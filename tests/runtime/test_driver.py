"""Drivers of other versions, drivers that lack something, drivers that fail: the mock driver plays them. Images are loaded once."""

import os
import threading

import numpy as np
import pytest

import numptx
from compilation import load_compiled
from subprocesses import run_python

PROGRAM = """
#numptx export twice(float64[:])
def twice(x):
    return 2 * x
"""


@pytest.fixture(autouse=True)
def on_device():
    with numptx.device("auto"):
        yield


def fresh(workshop, what):
    """A module that is not loaded yet."""
    return workshop.pair(f"{PROGRAM}\n# {what}\n")[0]


def on_gpu(n):
    return numptx.asarray(np.arange(float(n)), device="cuda")


def test_threads_that_race_load_once(workshop, driver):
    module, x = fresh(workshop, "race"), on_gpu(3)
    before, start, results = driver.count("load_attempts"), threading.Barrier(8), []

    def work():
        start.wait()
        results.append(module.twice(x).to_host().tolist())

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert results == [[0, 2, 4]] * 8
    assert driver.count("load_attempts") == before + 1


def test_the_interpreter_runs_while_an_image_is_loaded(workshop, driver):
    """A call on a device lets the interpreter lock go before anything is loaded."""
    module, x = fresh(workshop, "lock"), on_gpu(3)
    with driver.log() as calls:
        module.twice(x)
    assert calls.index("cuModuleLoadDataEx") < calls.index("cuLaunchKernel")
    assert "cuModuleLoadDataEx" in calls


@pytest.mark.parametrize("code", [209, 218, 222])
def test_a_failure_that_lasts_is_kept(workshop, driver, code):
    module, x = fresh(workshop, f"lasts {code}"), on_gpu(3)
    driver.fail_call("cuModuleLoadDataEx", 0, code)
    before = driver.count("load_attempts")
    texts = set()
    for _ in range(3):
        with pytest.raises(numptx.CudaError, match="loading module `kernels`") as caught:
            module.twice(x)
        texts.add(str(caught.value))
    # Injected before the attempt was counted, and never tried again.
    assert driver.count("load_attempts") == before and len(texts) == 1
    assert "sm_90, driver for CUDA 12.0" in texts.pop()


def test_the_compiler_s_log_and_both_versions_are_in_the_error(workshop, tmp_path):
    """An image in a PTX that nobody knows yet: the same bytes but for the version."""
    library = workshop.library(workshop.written(PROGRAM))
    code = library.read_bytes()
    newer = tmp_path / library.name
    newer.write_bytes(code.replace(b".version 6.3", b".version 9.9"))
    assert newer.read_bytes() != code
    text = """
    for _ in range(2):
        try:
            call()
        except numptx.CudaError as error:
            print(error)
    """
    said = run_python(CALL + text, str(newer), environment={"NUMPTX_DEVICE": "auto"})
    first, log = said.splitlines()[:2]
    for part in ("module `kernels` (PTX 9.9 for sm_75)", "CUDA device 0 (sm_90, driver for CUDA 12.0)", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "needs a driver for CUDA 13.9 or later"):
        assert part in first
    assert log == "ptxas fatal   : Unsupported .version 9.9; current version is '9'"
    assert said.splitlines()[2:] == [first, log]


@pytest.mark.parametrize("code", [2, 304, 999])
def test_a_failure_that_may_pass_is_not(workshop, driver, code):
    module, x = fresh(workshop, f"passes {code}"), on_gpu(3)
    driver.fail_call("cuModuleLoadDataEx", 0, code)
    with pytest.raises(MemoryError if code == 2 else numptx.CudaError):
        module.twice(x)
    np.testing.assert_array_equal(module.twice(x).to_host(), [0, 2, 4])


def test_kernels_tell_what_a_gpu_loaded(workshop):
    module = fresh(workshop, "facts")
    assert all(kernel.source != "driver" for kernel in module.kernels.values())
    module.twice(on_gpu(3))
    for kernel in module.kernels.values():
        assert (kernel.source, kernel.architecture, kernel.registers, kernel.shared_bytes) == ("driver", 90, 24, 0)


@pytest.mark.parametrize(
    "arch, device, failing, cubins",
    [
        ("sm_90", 90, None, 1),
        ("sm_80,sm_90", 90, None, 1),
        # Machine code of the same major version runs, but PTX comes first: it becomes code for this device.
        ("sm_80", 86, None, 0),
        ("sm_80", 86, 222, 0),
        ("sm_90", 80, None, 0),
        ("sm_80", 90, None, 0),
        # What fails for good is followed by the next image, what may pass is not.
        ("sm_90", 90, 209, 0),
        ("sm_90", 90, 2, None),
    ],
)
def test_machine_code_is_taken_for_its_own_architecture(workshop, arch, device, failing, cubins):
    library = workshop.library(workshop.written(PROGRAM), ["--arch", arch])
    if not load_compiled(library).cubins:
        pytest.skip("neither ptxas nor nvJitLink here")
    run_python(CALL + f"""
    import ctypes, os
    driver = ctypes.CDLL(os.environ["NUMPTX_LIBCUDA"])
    driver.numptx_mock_count.restype = ctypes.c_int64
    failing, cubins = {failing}, {cubins}
    if failing:
        driver.numptx_mock_fail_call(b"cuModuleLoadDataEx", ctypes.c_int64(0), failing)
    try:
        assert call() == [0, 2, 4] and cubins is not None
    except MemoryError:
        assert cubins is None
        assert call() == [0, 2, 4]
        cubins = 1
    assert (driver.numptx_mock_count(b"loads"), driver.numptx_mock_count(b"cubin_loads")) == (1, cubins)
    """, str(library), environment={"NUMPTX_DEVICE": "auto", "NUMPTX_MOCK_ARCH": str(device)})


CALL = """
    import sys, numpy as np, numptx
    from compilation import load_compiled
    module = load_compiled(sys.argv[1])
    def call():
        return module.twice(numptx.asarray(np.arange(3.0), device="cuda")).to_host().tolist()
"""


def apart(workshop, text, **environment):
    library = workshop.library(workshop.written(PROGRAM))
    return run_python(CALL + text, str(library), environment={"NUMPTX_DEVICE": "auto", **environment})


@pytest.mark.parametrize("version", [12000, 12010, 12020, 12030, 12040, 12060, 12080, 12090, 13000, 13050])
def test_drivers_from_12_0_on_work(workshop, version):
    words = f"driver for CUDA {version // 1000}.{version % 1000 // 10}"
    apart(workshop, f"""
    assert call() == [0, 2, 4]
    assert {words!r} in numptx._native.device_text("cuda")
    with numptx.Graph() as graph:
        y = module.twice(numptx.asarray(np.arange(3.0), device="cuda"))
    graph.replay()
    assert y.to_host().tolist() == [0, 2, 4]
    """, NUMPTX_MOCK_VERSION=str(version))


@pytest.mark.parametrize("version, words", [(11080, "CUDA 11.8"), (10000, "CUDA 10.0")])
def test_older_drivers_are_refused_by_their_version(workshop, version, words):
    said = apart(workshop, """
    assert numptx.devices() == ["cpu"]
    assert module.twice(np.arange(3.0)).tolist() == [0, 2, 4]
    for use in (call, numptx.Stream, lambda: numptx.preload(module, "cuda")):
        try:
            use()
        except numptx.CudaError as error:
            print(error)
    """, NUMPTX_MOCK_VERSION=str(version)).splitlines()
    assert len(said) == 3
    for line in said:
        assert f"is for {words}, and numptx needs one for CUDA 12.0 or later" in line, line


@pytest.mark.parametrize("name", ["cuInit", "cuLaunchKernel", "cuMemAllocFromPoolAsync", "cuModuleLoadDataEx", "cuGetErrorName", "cuMemFreeAsync"])
def test_a_missing_function_is_an_error_that_names_it(workshop, name):
    """The symbol is there, and the driver's own look-up says that it is not: so it is not."""
    apart(workshop, f"""
    try:
        found = call()
    except numptx.CudaError as error:
        assert "{name}" in str(error) and "CUDA 12.0 or later" in str(error), error
    else:
        assert {name in ("cuGetErrorName", "cuMemFreeAsync")} and found == [0, 2, 4]
    with numptx.device("cpu"):
        assert module.twice(np.arange(3.0)).tolist() == [0, 2, 4]
    """, NUMPTX_MOCK_MISSING=name)


def test_a_driver_without_graphs_computes_without(workshop):
    missing = "cuStreamIsCapturing,cuStreamGetCaptureInfo,cuThreadExchangeStreamCaptureMode,cuUserObjectCreate,cuStreamBeginCapture"
    apart(workshop, """
    assert call() == [0, 2, 4]
    with numptx.Stream():
        assert call() == [0, 2, 4]
    try:
        with numptx.Graph():
            pass
    except numptx.CudaError as error:
        assert "cuStreamBeginCapture" in str(error)
    else:
        raise AssertionError("nothing can be captured")
    """, NUMPTX_MOCK_MISSING=missing)


def test_no_driver_and_no_gpu_are_no_error_where_none_is_asked_for(workshop):
    text = """
    assert numptx.devices() == ["cpu"]
    assert module.twice(np.arange(3.0)).tolist() == [0, 2, 4]
    try:
        call()
    except numptx.CudaError as error:
        print(error)
    """
    assert "cannot be opened" in apart(workshop, text, NUMPTX_LIBCUDA="/nowhere/libcuda.so.1")
    assert "no GPU is visible" in apart(workshop, text, NUMPTX_MOCK_DEVICES="0")


def test_the_driver_is_opened_at_the_first_use_of_a_gpu(workshop):
    apart(workshop, """
    import os
    right = os.environ["NUMPTX_LIBCUDA"]
    os.environ["NUMPTX_LIBCUDA"] = "/nowhere/libcuda.so.1"
    assert module.twice(np.arange(3.0)).tolist() == [0, 2, 4]
    numptx.asarray([1.0]), numptx.memory_stats(), numptx.synchronize(), numptx.last_device(), module.kernels
    # Nobody has looked for a driver yet.
    os.environ["NUMPTX_LIBCUDA"] = right
    assert call() == [0, 2, 4]
    """)


def test_eager_loading_loads_at_import(workshop):
    apart(workshop, """
    import ctypes, os
    driver = ctypes.CDLL(os.environ["NUMPTX_LIBCUDA"])
    driver.numptx_mock_count.restype = ctypes.c_int64
    assert driver.numptx_mock_count(b"loads") == 1
    assert call() == [0, 2, 4]
    assert driver.numptx_mock_count(b"loads") == 1
    """, NUMPTX_MODULE_LOADING="eager", NUMPTX_MOCK_DEVICES="1")


def test_each_driver_call_of_a_program_fails_in_turn(workshop, driver):
    """Whatever call fails, with whatever code: an exception, nothing kept, and the next call is right."""
    module = fresh(workshop, "each call")
    x = on_gpu(3)
    module.twice(x)
    stats = numptx.memory_stats()
    live = driver.count("live_allocations")
    for code in [1, 2, 700, 9999]:
        for n in range(40):
            driver.fail_call("", n, code)
            try:
                assert module.twice(x).to_host().tolist() == [0, 2, 4]
            except (numptx.CudaError, MemoryError, RuntimeError):
                pass
            if driver.fail_call("", -1, 0) >= 0:
                break
        else:
            raise AssertionError("a call makes fewer driver calls than that")
        after = numptx.memory_stats()
        assert [after[key] for key in ("live_buffers", "live_bytes")] == [stats[key] for key in ("live_buffers", "live_bytes")]
        assert driver.count("violations") == 0
    # A free that failed leaks: no more than one for each that was made to fail.
    assert driver.count("live_allocations") - live <= 8


PLACED = """
#numptx export increase(float64[:,:])
#numptx export settle(int64[:])
#numptx export sines(float64[:])
import numpy as np
def increase(x):
    x += 1.0
def settle(x):
    for i in range(len(x)):
        v = x[i]
        while v > 1:
            v = v // 2 if v % 2 == 0 else 3 * v + 1
        x[i] = v
def sines(x):
    return np.sin(np.cos(np.sin(x)))
"""


@pytest.mark.parametrize(
    "flags, device, advice",
    [([], 61, "from sm_75 on: compute on the CPU"), (["--host-only"], 90, "compile it without --host-only"), (["--host-only"], 61, "from sm_75 on")],
)
def test_a_module_without_an_image_for_a_gpu_says_what_to_do(workshop, flags, device, advice):
    library = workshop.library(workshop.written(PROGRAM), flags)
    run_python(f"""
    import sys, numpy as np, numptx
    from compilation import load_compiled
    module = load_compiled(sys.argv[1])
    try:
        numptx.preload(module, "cuda")
    except numptx.CudaError as error:
        assert {advice!r} in str(error), error
    else:
        raise AssertionError("loaded")
    with numptx.device("cpu"):
        assert module.twice(np.arange(3.0)).tolist() == [0, 2, 4]
    """, str(library), environment={"NUMPTX_MOCK_ARCH": str(device)})


def test_calls_go_to_a_gpu_only_if_their_module_runs_there_and_they_are_worth_it(workshop):
    here = workshop.pair(PLACED, name="here", flags=("--host-only",))[0]
    there = workshop.pair(PLACED, name="there")[0]
    with numptx.device("auto"):
        numptx.asarray([1.0], device="cuda")
        for module, place in ((here, "cpu"), (there, "cuda:0")):
            x = np.arange(1, 200_000)
            module.settle(x)
            assert x.tolist() == [1] * len(x) and numptx.last_device() == place
        x = np.zeros((60, 60))
        there.increase(x)
        assert np.all(x == 1) and numptx.last_device() == "cpu"
