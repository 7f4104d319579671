"""Runs one implementation of a benchmark in a process of its own: makes its arguments, or calls and times it on them.

    python bench/run_implementation.py REQUEST.json

The request names what to do (`step`), where the files are and where the answer goes; `npbench.py` writes it and reads
`answer.json` in the folder `out`. A step that fails leaves no answer, and its traceback on stderr. Steps:

- `arguments`: calls the benchmark's initialisation; leaves the arguments in `arguments.pickle` and their types in the answer.
- `numpy`, `numptx`, `cupy`, `jax`, `numba`, `pythran`: puts the arguments where they belong, calls, times; leaves `STEP.pickle`: the results,
  then the arguments that the benchmark counts as results, all of them on the host.
"""

import contextlib
import importlib.machinery
import importlib.util
import json
import pathlib
import pickle
import statistics
import sys
import time

import numpy as np

# Every call has fresh copies of the arrays, as kernels write to theirs; making them is not timed.
SHORTEST_S, LONGEST_S = 0.5, 10.0
FEWEST, MOST = 5, 200


def load(path):
    """Imports a file, Python or compiled, under its own name."""
    loaders = {".so": importlib.machinery.ExtensionFileLoader}
    loader = loaders.get(path.suffix, importlib.machinery.SourceFileLoader)(path.stem, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.stem, loader))
    loader.exec_module(module)
    return module


def make_arguments(request):
    """`{name: value}` of the kernel's parameters: the preset's numbers, and what the initialisation returns for them."""
    values = dict(request["parameters"])
    init = request["init"]
    if init:
        results = getattr(load(pathlib.Path(request["init_file"])), init["func_name"])(*(values[name] for name in init["input_args"]))
        names = init["output_args"]
        values.update(zip(names, results if len(names) > 1 else [results], strict=True))
    return {name: values[name] for name in request["input_args"]}


def type_of(value):
    """A value's type as it stands in an export line."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"{value.dtype.name}[{', '.join(':' * value.ndim)}]"
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.name
    return type(value).__name__


class NumPy:
    """Host arrays."""

    def __init__(self, device):
        pass

    def scope(self):
        return contextlib.nullcontext()

    def put(self, array):
        return array.copy()

    def get(self, value):
        return value

    def wait(self, result):
        pass


class Numptx(NumPy):
    """Arrays where the device is."""

    def __init__(self, device):
        import numptx

        self.numptx, self.device = numptx, device

    def scope(self):
        return self.numptx.device(self.device)

    def put(self, array):
        return self.numptx.asarray(array, device="cuda") if self.device == "cuda" else array.copy()

    def get(self, value):
        return value.to_host() if isinstance(value, self.numptx.Array) else value

    def wait(self, result):
        self.numptx.synchronize()


class CuPy(NumPy):
    """Arrays on the GPU."""

    def __init__(self, device):
        import cupy

        self.cupy = cupy

    def put(self, array):
        return self.cupy.array(array)

    def get(self, value):
        return self.cupy.asnumpy(value) if isinstance(value, self.cupy.ndarray) else value

    def wait(self, result):
        self.cupy.cuda.Device().synchronize()


class Jax(NumPy):
    """Arrays on JAX's default device, in double precision where NumPy has it."""

    def __init__(self, device):
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", {"cuda": "cuda", "cpu": "cpu"}[device])
        self.jax = jax

    def put(self, array):
        return self.jax.block_until_ready(self.jax.numpy.array(array))

    def get(self, value):
        return np.asarray(value) if isinstance(value, self.jax.Array) else value

    def wait(self, result):
        self.jax.block_until_ready(result)


KINDS = {"numpy": NumPy, "numba": NumPy, "pythran": NumPy, "numptx": Numptx, "cupy": CuPy, "jax": Jax}


def as_list(result):
    if result is None:
        return []
    return list(result) if isinstance(result, (tuple, list)) else [result]


def run(request, arguments):
    """`(times in seconds, results on the host)` of an implementation."""
    kind = KINDS[request["step"]](request["device"])
    function = getattr(load(pathlib.Path(request["file"])), request["func_name"])
    names = list(arguments)

    def once():
        placed = [kind.put(arguments[name]) if name in request["array_args"] else arguments[name] for name in names]
        kind.wait(placed)
        before = time.perf_counter()
        result = function(*placed)
        kind.wait(result)
        return time.perf_counter() - before, result, placed

    with kind.scope(), np.errstate(all="ignore"):
        first, result, placed = once()
        outputs = as_list(result) + [placed[names.index(name)] for name in request["output_args"]]
        outputs = [kind.get(value) for value in outputs]
        del result, placed
        return timed(once, first), outputs


def timed(once, first):
    """Times of calls after the first, which may have compiled or loaded something; of the first alone where one takes long."""
    if first > LONGEST_S:
        return [first]
    times, start = [], time.perf_counter()
    while len(times) < MOST:
        elapsed = time.perf_counter() - start
        if times and (elapsed > LONGEST_S or (elapsed > SHORTEST_S and len(times) >= FEWEST)):
            break
        times.append(once()[0])
    return times


def main():
    request = json.loads(pathlib.Path(sys.argv[1]).read_text())
    out = pathlib.Path(request["out"])
    if request["step"] == "arguments":
        arguments = make_arguments(request)
        (out / "arguments.pickle").write_bytes(pickle.dumps(arguments))
        answer = {"types": [type_of(value) for value in arguments.values()]}
    else:
        times, outputs = run(request, pickle.loads((out / "arguments.pickle").read_bytes()))
        (out / f"{request['step']}.pickle").write_bytes(pickle.dumps(outputs))
        answer = {"seconds": statistics.median(times), "smallest": min(times), "calls": len(times)}
        if request["step"] == "numptx":
            import numptx

            answer["ran_on"] = numptx.last_device()
    (out / "answer.json").write_text(json.dumps(answer, default=str))


if __name__ == "__main__":
    main()
