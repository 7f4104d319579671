"""What a call costs: on the host and on a GPU, beside the raw launch, PyTorch, CuPy, JAX and Numba where they are installed.

    python bench/calls.py [--device cuda] [--no-peers] [--compiled DIR] [--out FILE]

Arrays have 16 elements, so that nothing but the call is timed. A number is the median of batches, in ns a call, with the loop around the calls
taken off; the least one stands beside it. Calls on the host are timed by their thread's own clock, which other processes do not move.
Calls on a GPU are timed by the wall clock and only given to it: a batch waits for the GPU outside of what is timed.

`C function` is the same overload called from C through the runtime's table, as the generated header does it; `raw launch` is `cuLaunchKernel` of an empty
kernel with four parameters in a loop in C, beside it allocating and freeing 128 bytes, launching a graph of that kernel, and what each call asks the driver
besides the launch. All take a C compiler (`cc`) and are left out without one. Timings never decide a test.
"""

import argparse
import ctypes
import datetime
import importlib.util
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import timeit

import numpy as np

PROGRAM = """
import numpy as np

#numptx export write(float64[:], float64[:])
def write(a, out):
    out[:] = 2.0 * a + 1.0

#numptx export view(float64[:])
def view(a):
    return a[1:]

#numptx export add(float64[:], float64[:])
def add(a, b):
    return a + b

#numptx export number(int)
def number(n):
    return n + 1
"""

# The same overload from C: the addresses of the runtime's `invoke` and of the module's descriptor come from Python.
C_CALL = """
#include <time.h>
#include "calls.h"
static double now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
double measure(long n) {
    static double a[16], out[16];
    numptx_error error;
    numptx_argument x = numptx_float64_vector(a, 16), y = numptx_float64_vector(out, 16);
    const numptx_options options = {.device = NUMPTX_CPU};
    double start = now();
    for (long i = 0; i < n; i++) if (calls_write(x, y, &options, &error)) return -1;
    return (now() - start) / n;
}
"""

C_LAUNCH = """
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
static const char *PTX = ".version 7.0\\n.target sm_75\\n.address_size 64\\n"
    ".visible .entry nothing(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }\\n";
static int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static int (*wait)(void *), (*allocate)(uint64_t *, size_t, void *), (*release)(uint64_t, void *), (*replay)(void *, void *);
static int (*current)(void **), (*exchange)(int *), (*is_capturing)(void *, int *);
static void *function, *graph;
int prepare(const char *library) {
    void *l = dlopen(library, RTLD_NOW), *context, *module; int device;
    if (!l) return -1;
#define CALL(name, ...) do { int (*f)() = (int (*)())dlsym(l, name); if (!f || f(__VA_ARGS__)) return -1; } while (0)
    CALL("cuInit", 0); CALL("cuDeviceGet", &device, 0); CALL("cuDevicePrimaryCtxRetain", &context, device);
    CALL("cuCtxSetCurrent", context); CALL("cuModuleLoadData", &module, PTX); CALL("cuModuleGetFunction", &function, module, "nothing");
    launch = (int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))dlsym(l, "cuLaunchKernel");
    wait = (int (*)(void *))dlsym(l, "cuStreamSynchronize");
    allocate = (int (*)(uint64_t *, size_t, void *))dlsym(l, "cuMemAllocAsync");
    release = (int (*)(uint64_t, void *))dlsym(l, "cuMemFreeAsync");
    replay = (int (*)(void *, void *))dlsym(l, "cuGraphLaunch");
    current = (int (*)(void **))dlsym(l, "cuCtxGetCurrent");
    exchange = (int (*)(int *))dlsym(l, "cuThreadExchangeStreamCaptureMode");
    is_capturing = (int (*)(void *, int *))dlsym(l, "cuStreamIsCapturing");
    /* One kernel, captured. */
    uint64_t words[4] = {0}; void *parameters[4] = {words, words + 1, words + 2, words + 3}, *stream, *captured;
    CALL("cuStreamCreate", &stream, 1); CALL("cuStreamBeginCapture_v2", stream, 2);
    if (launch(function, 1, 1, 1, 256, 1, 1, 0, stream, parameters, 0)) return -1;
    CALL("cuStreamEndCapture", stream, &captured); CALL("cuGraphInstantiateWithFlags", &graph, captured, (uint64_t)0);
    return 0;
}
double measure_allocation(long n) {
    uint64_t address;
    double start = now();
    for (long i = 0; i < n; i++) if (allocate(&address, 128, (void *)1) || release(address, (void *)1)) return -1;
    double taken = (now() - start) / n;
    wait((void *)1);
    return taken;
}
double measure_replay(long n) {
    double start = now();
    for (long i = 0; i < n; i++) if (replay(graph, (void *)1)) return -1;
    double taken = (now() - start) / n;
    wait((void *)1);
    return taken;
}
/* What a call asks besides: whose context is current, and captures. */
double measure_questions(long n) {
    void *context; int mode = 2, capturing;
    double start = now();
    for (long i = 0; i < n; i++) if (current(&context) || exchange(&mode) || is_capturing((void *)1, &capturing) || exchange(&mode)) return -1;
    return (now() - start) / n;
}
double measure(long n) {
    uint64_t words[4] = {0}; void *parameters[4] = {words, words + 1, words + 2, words + 3};
    double start = now();
    for (long i = 0; i < n; i++) if (launch(function, 1, 1, 1, 256, 1, 1, 0, (void *)1, parameters, 0)) return -1;
    double taken = (now() - start) / n;
    wait((void *)1);
    return taken;
}
"""


def load(path):
    """Imports a compiled module."""
    spec = importlib.util.spec_from_file_location("calls", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled(folder, *flags):
    """Compiles the program, unless the folder has it; returns the library's path."""
    if (folder / "calls.so").exists():
        return folder / "calls.so"
    source = folder / "calls.py"
    source.write_text(PROGRAM)
    compiler = shutil.which("numptx") or str(pathlib.Path(sys.executable).with_name("numptx"))
    compiler = os.environ.get("NUMPTX_COMPILER", compiler)
    subprocess.run([compiler, "compile", str(source), "-o", str(folder), *flags], check=True, stdout=subprocess.DEVNULL)
    return folder / "calls.so"


def from_c(folder, name, text, *libraries):
    """A C text as a library; `None` without a compiler."""
    cc = shutil.which("cc") or shutil.which("gcc")
    if cc is None:
        return None
    source, library = folder / f"{name}.c", folder / f"{name}_c.so"
    source.write_text(text)
    flags = ["-shared", "-fPIC", "-O2", "-w", f"-I{folder}", *map(str, libraries), *(f"-Wl,-rpath,{pathlib.Path(l).parent}" for l in libraries)]
    done = subprocess.run([cc, str(source), *flags, "-ldl", "-o", str(library)], capture_output=True, text=True)
    if done.returncode:
        print(f"{name}: not built: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    made = ctypes.CDLL(str(library))
    for name in ("measure", "measure_allocation", "measure_replay", "measure_questions"):
        if hasattr(made, name):
            getattr(made, name).restype, getattr(made, name).argtypes = ctypes.c_double, [ctypes.c_long]
    return made


class Report:
    """Readings in the order in which they are made."""

    def __init__(self):
        self.readings = {}

    def note(self, name, values):
        values = [value for value in values if value >= 0]
        if not values:
            return
        self.readings[name] = {"median": statistics.median(values), "least": min(values)}
        print(f"{name:44} {statistics.median(values):9.0f} {min(values):9.0f}", flush=True)

    def text(self, name, statement, names, n, batches, clock, settle=lambda: None):
        """Times a statement, so that no function of Python's stands around it; the empty loop is taken off."""
        loop = min(timeit.repeat("pass", number=n, repeat=5, timer=clock)) / n
        timer = timeit.Timer(statement, globals=names, timer=clock)
        timer.timeit(n)
        settle()
        values = []
        for _ in range(batches):
            values.append((timer.timeit(n) / n - loop) * 1e9)
            settle()
        self.note(name, values)


HOST = {"n": 5000, "batches": 50, "clock": time.thread_time}
DEVICE = {"n": 200, "batches": 50, "clock": time.perf_counter}


def on_host(report, calls, folder):
    import numptx

    a, out, sink = np.arange(16.0), np.empty(16), [].append
    names = {"a": a, "out": out, "np": np, "sink": sink, "write": calls.write, "view": calls.view, "add": calls.add, "number": calls.number}
    runtime = pathlib.Path(numptx.__file__).with_name("libnumptx_runtime.so")
    in_c = from_c(folder, "call", C_CALL, folder / "calls.so", runtime)
    with numptx.device("cpu"):
        report.text("a builtin function, len(a)", "len(a)", names, **HOST)
        if in_c:
            report.note("host: C function write(a, out)", [in_c.measure(5000) for _ in range(50)])
        report.text("host: write(a, out)", "write(a, out)", names, **HOST)
        report.text("host: view(a)", "view(a)", names, **HOST)
        report.text("host: add(a, a)", "add(a, a)", names, **HOST)
        report.text("host: number(1)", "number(1)", names, **HOST)
    report.text("numpy: a[1:]", "a[1:]", names, **HOST)
    report.text("numpy: a + a", "a + a", names, **HOST)
    report.text("numpy: np.add(a, a, out)", "np.add(a, a, out)", names, **HOST)


def on_device(report, calls, folder, peers):
    import numptx

    raw = from_c(folder, "launch", C_LAUNCH)
    a = numptx.asarray(np.arange(16.0), device="cuda")
    out = numptx.asarray(np.zeros(16), device="cuda")
    wait = numptx.synchronize
    with numptx.device("auto"):
        names = {"a": a, "out": out, "write": calls.write, "view": calls.view, "add": calls.add}
        names["write"](a, out)
        if raw and raw.prepare(os.environ.get("NUMPTX_LIBCUDA", "libcuda.so.1").encode()) == 0:
            report.note("raw launch: cuLaunchKernel, 4 parameters", [raw.measure(200) for _ in range(50)])
            report.note("raw allocation and free, in stream order", [raw.measure_allocation(200) for _ in range(50)])
            report.note("raw replay: cuGraphLaunch of one kernel", [raw.measure_replay(200) for _ in range(50)])
            report.note("raw questions: context, captures", [raw.measure_questions(200) for _ in range(50)])
        report.text("device: write(a, out) on our arrays", "write(a, out)", names, **DEVICE, settle=wait)
        report.text("device: add(a, a) on our arrays", "add(a, a)", names, **DEVICE, settle=wait)
        report.text("device: view(a) of our array", "view(a)", names, **DEVICE, settle=wait)
        with numptx.Graph() as graph:
            calls.write(a, out)
        report.text("device: graph replay", "replay()", {"replay": graph.replay}, **DEVICE, settle=wait)
        for peer in peers:
            try:
                peer(report, calls)
                # What another library brings into the process, or leaves in the processor's caches, is not what its arrays cost.
                report.text(f"device: write(a, out) on our arrays, after {peer.__name__}", "write(a, out)", names, **DEVICE, settle=wait)
            except Exception as problem:  # noqa: BLE001 - an absent or broken peer is reported, not fatal
                print(f"{peer.__name__}: not run: {type(problem).__name__}: {problem}", file=sys.stderr)


def torch_arrays(report, calls):
    import torch

    a, out = torch.arange(16.0, dtype=torch.float64, device="cuda"), torch.zeros(16, dtype=torch.float64, device="cuda")
    names, wait = {"a": a, "out": out, "write": calls.write, "view": calls.view, "add": calls.add, "torch": torch}, torch.cuda.synchronize
    report.text("device: write(a, out) on PyTorch tensors", "write(a, out)", names, **DEVICE, settle=wait)
    report.text("device: add(a, a) on PyTorch tensors", "add(a, a)", names, **DEVICE, settle=wait)
    report.text("device: view(a) of a PyTorch tensor", "view(a)", names, **DEVICE, settle=wait)
    report.text("PyTorch: a[1:]", "a[1:]", names, **DEVICE, settle=wait)
    report.text("PyTorch: a.is_neg()", "a.is_neg()", names, **DEVICE, settle=wait)
    report.text("PyTorch: a.requires_grad", "a.requires_grad", names, **DEVICE, settle=wait)
    report.text("PyTorch: a + a", "a + a", names, **DEVICE, settle=wait)
    report.text("PyTorch: torch.add(a, a, out=out)", "torch.add(a, a, out=out)", names, **DEVICE, settle=wait)
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        torch.add(a, a, out=out)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        torch.add(a, a, out=out)
    report.text("PyTorch: graph replay", "replay()", {"replay": graph.replay}, **DEVICE, settle=wait)


def cupy_arrays(report, calls):
    import cupy

    a, out = cupy.arange(16.0), cupy.zeros(16)
    names = {"a": a, "out": out, "write": calls.write, "add": calls.add, "cupy": cupy}
    wait = cupy.cuda.Device().synchronize
    report.text("device: write(a, out) on CuPy arrays", "write(a, out)", names, **DEVICE, settle=wait)
    report.text("device: add(a, a) on CuPy arrays", "add(a, a)", names, **DEVICE, settle=wait)
    report.text("CuPy: a + a", "a + a", names, **DEVICE, settle=wait)
    report.text("CuPy: cupy.add(a, a, out)", "cupy.add(a, a, out)", names, **DEVICE, settle=wait)


def jax_arrays(report, _):
    import jax

    jax.config.update("jax_enable_x64", True)
    a = jax.device_put(np.arange(16.0), jax.devices("gpu")[0])
    add = jax.jit(lambda x, y: x + y)
    names = {"a": a, "add": add}
    report.text("JAX: jit of a + a", "add(a, a)", names, **DEVICE, settle=lambda: add(a, a).block_until_ready())


def numba_arrays(report, _):
    from numba import cuda

    @cuda.jit
    def add(x, y, z):
        i = cuda.grid(1)
        if i < z.size:
            z[i] = x[i] + y[i]

    a, out = cuda.to_device(np.arange(16.0)), cuda.device_array(16)
    report.text("Numba-CUDA: add[1, 32](a, a, out)", "add(a, a, out)", {"a": a, "out": out, "add": add[1, 32]}, **DEVICE, settle=cuda.synchronize)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="cuda: the host's calls, then a GPU's")
    parser.add_argument("--no-peers", action="store_true", help="calls of numptx, NumPy and the driver alone")
    parser.add_argument("--compiled", type=pathlib.Path, help="a folder with the program compiled before, or for it")
    parser.add_argument("--out", type=pathlib.Path, help="a JSON file for the readings")
    options = parser.parse_args()
    import numptx

    report = Report()
    print(f"{'ns a call':44} {'median':>9} {'least':>9}")
    with tempfile.TemporaryDirectory() as folder:
        folder = options.compiled or pathlib.Path(folder)
        calls = load(compiled(folder))
        on_host(report, calls, folder)
        if options.device == "cuda":
            on_device(report, calls, folder, () if options.no_peers else (torch_arrays, cupy_arrays, jax_arrays, numba_arrays))
    if options.out:
        facts = {"python": platform.python_version(), "numpy": np.__version__, "numptx": numptx.__version__}
        if options.device == "cuda":
            facts["device"] = numptx._native.device_text("cuda")
        facts["date"] = datetime.date.today().isoformat()
        options.out.write_text(json.dumps({**facts, "ns": report.readings}, indent=1) + "\n")


if __name__ == "__main__":
    main()
