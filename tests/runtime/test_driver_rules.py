"""What the driver answers where a runtime must not go wrong: the codes that were measured on a GPU. The same on the mock driver, so that tests with it mean something."""

import pytest

from subprocesses import run_python

START = """
    import ctypes, os, threading
    from cuda_driver import IS_MOCK, MODES, Driver, OtherStream
    driver = Driver()
    cu = driver.library
    assert cu.cuInit(0) == 0
    context = ctypes.c_void_p(driver.made("cuDevicePrimaryCtxRetain", 0))
    assert cu.cuCtxSetCurrent(context) == 0
    size = ctypes.c_size_t(1 << 20)
    def allocate():
        return ctypes.c_uint64(driver.made("cuMemAlloc_v2", size, kind=ctypes.c_uint64))
    def pool_memory(stream):
        pool = ctypes.c_void_p(driver.made("cuDeviceGetMemPool", 0))
        return ctypes.c_uint64(driver.made("cuMemAllocFromPoolAsync", size, pool, stream.pointer, kind=ctypes.c_uint64))
    def on_thread(work):
        found = []
        thread = threading.Thread(target=lambda: found.append(work()))
        thread.start()
        thread.join()
        return found[0]
    def event():
        return ctypes.c_void_p(driver.made("cuEventCreate", 0))
"""


def apart(text):
    run_python(START + text, timeout=60)


def test_a_thread_without_a_context():
    apart("""
    stream = OtherStream(driver)
    one, other, third = pool_memory(stream), pool_memory(stream), allocate()
    assert on_thread(lambda: cu.cuMemFreeAsync(one, None)) == 201
    assert on_thread(lambda: cu.cuMemFreeAsync(other, stream.pointer)) == 0
    assert on_thread(lambda: cu.cuMemFree_v2(third)) == 0
    """)


UNSAFE = {
    "an allocation": "cu.cuMemAlloc_v2(ctypes.byref(ctypes.c_uint64()), size)",
    "a free": "cu.cuMemFree_v2(memory)",
    "a wait for an event": "cu.cuEventSynchronize(mark)",
}


@pytest.mark.parametrize("what", UNSAFE)
@pytest.mark.parametrize("mode", ["global", "thread_local"])
def test_unsafe_calls_end_a_capture_unless_the_thread_is_relaxed(mode, what):
    apart(f"""
    stream, memory, mark = OtherStream(driver), allocate(), event()
    graph = ctypes.c_void_p()
    assert cu.cuStreamBeginCapture_v2(stream.pointer, MODES["{mode}"]) == 0
    relaxed = ctypes.c_int(2)
    assert cu.cuThreadExchangeStreamCaptureMode(ctypes.byref(relaxed)) == 0 and relaxed.value == 0
    assert {UNSAFE[what]} == 0
    assert cu.cuThreadExchangeStreamCaptureMode(ctypes.byref(relaxed)) == 0 and relaxed.value == 2
    assert cu.cuStreamEndCapture(stream.pointer, ctypes.byref(graph)) == 0

    memory = allocate()
    assert cu.cuStreamBeginCapture_v2(stream.pointer, MODES["{mode}"]) == 0
    assert {UNSAFE[what]} == 900
    assert cu.cuStreamEndCapture(stream.pointer, ctypes.byref(graph)) == 901
    """)


def test_a_free_on_a_captured_stream_is_refused_and_the_capture_goes_on():
    apart("""
    stream = OtherStream(driver)
    memory, graph = pool_memory(stream), ctypes.c_void_p()
    assert cu.cuStreamSynchronize(stream.pointer) == 0
    assert cu.cuStreamBeginCapture_v2(stream.pointer, 0) == 0
    assert cu.cuMemFreeAsync(memory, stream.pointer) == 1
    assert cu.cuStreamEndCapture(stream.pointer, ctypes.byref(graph)) == 0
    assert cu.cuMemFreeAsync(memory, stream.pointer) == 0
    """)


def test_work_of_before_a_capture_cannot_be_waited_for_in_it():
    apart("""
    stream, other, mark, graph = OtherStream(driver), OtherStream(driver), event(), ctypes.c_void_p()
    assert cu.cuEventRecord(mark, other.pointer) == 0
    assert cu.cuStreamBeginCapture_v2(stream.pointer, 2) == 0
    assert cu.cuStreamWaitEvent(stream.pointer, mark, 0) == 905
    assert cu.cuStreamEndCapture(stream.pointer, ctypes.byref(graph)) == 901
    """)


def test_a_user_object_goes_with_the_last_executable_graph():
    apart("""
    import time
    stream, gone = OtherStream(driver), []
    destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: gone.append(threading.get_ident()))
    graph, exec_, status, number = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int(), ctypes.c_uint64()
    assert cu.cuStreamBeginCapture_v2(stream.pointer, 2) == 0
    assert cu.cuStreamGetCaptureInfo_v2(stream.pointer, ctypes.byref(status), ctypes.byref(number), ctypes.byref(graph), None, None) == 0
    assert status.value == 1
    kept = ctypes.c_void_p()
    assert cu.cuUserObjectCreate(ctypes.byref(kept), None, destructor, 1, 1) == 0
    assert cu.cuGraphRetainUserObject(graph, kept, 1, 1) == 0
    assert cu.cuStreamEndCapture(stream.pointer, ctypes.byref(graph)) == 0
    assert cu.cuGraphInstantiateWithFlags(ctypes.byref(exec_), graph, ctypes.c_uint64(0)) == 0
    assert cu.cuGraphDestroy(graph) == 0
    assert cu.cuGraphLaunch(exec_, stream.pointer) == 0
    assert cu.cuStreamSynchronize(stream.pointer) == 0 and not gone
    assert cu.cuGraphExecDestroy(exec_) == 0
    limit = time.monotonic() + 10
    while not gone and time.monotonic() < limit:
        time.sleep(0.01)
    assert gone and gone != [threading.get_ident()]
    """)


def test_a_forked_child_is_told_wrong_things():
    apart("""
    stream = OtherStream(driver)
    memory = pool_memory(stream)
    child = os.fork()
    if child == 0:
        codes = [cu.cuInit(0), cu.cuMemFree_v2(memory)]
        # A real driver (580.159) ends the child here.
        if IS_MOCK:
            codes += [cu.cuMemFreeAsync(memory, stream.pointer), cu.cuStreamSynchronize(stream.pointer)]
        os._exit(0 if codes == [3, 3, 2, 0][: len(codes)] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    """)


def test_a_released_context_takes_everything_with_it():
    apart("""
    stream, memory, current = OtherStream(driver), allocate(), ctypes.c_void_p()
    # Every look at the context has retained it.
    for _ in range(100):
        if cu.cuDevicePrimaryCtxRelease_v2(0) != 0:
            break
    assert cu.cuCtxGetCurrent(ctypes.byref(current)) == 0
    assert cu.cuMemFree_v2(memory) == 709
    # A real driver (580.159) answers 201 or ends the process.
    if IS_MOCK:
        assert cu.cuStreamDestroy_v2(stream.pointer) == 709
    """)


def test_a_wait_by_a_thread_that_has_the_interpreter_s_lock_is_counted():
    """By the mock driver, which looks at each wait in all tests: here at one that a test makes."""
    apart("""
    if not IS_MOCK:
        raise SystemExit
    import mock_driver
    mock_driver.watch_waits()
    assert cu.cuCtxSynchronize() == 0 and mock_driver.violations() == 0
    assert ctypes.PyDLL(os.environ["NUMPTX_LIBCUDA"]).cuCtxSynchronize() == 0 and mock_driver.violations() == 1
    """)
