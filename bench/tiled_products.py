"""Times the runtime's own kernels of products of matrices beside cuBLAS, which CuPy calls, on a GPU. Each result is compared with CuPy's.

    cargo run -p numptx-runtime --example dump_tiled -- FOLDER
    python bench/tiled_products.py FOLDER [--only TEXT …] [--json FILE]

A time is the median of several groups of launches, without what a call costs on the host. A number is the peer's time over ours: 1 is as fast, 0.5 takes twice
as long. Of integers the peer is CuPy's own kernel, which is slow: there the rate counts.
"""

import argparse
import collections
import functools
import json
import pathlib
import time

import cupy
import numpy as np

# Name: how many matrices, rows, columns, summed elements; parts of the sum.
CASES = {
    "4096": (1, 4096, 4096, 4096, 1),
    "1024": (1, 1024, 1024, 1024, 1),
    "512": (1, 512, 512, 512, 1),
    "256": (1, 256, 256, 256, 1),
    "256/4": (1, 256, 256, 256, 4),
    "tall": (1, 64, 64, 1 << 20, 256),
    "20000x16": (20000, 16, 16, 16, 1),
    "4000x32": (4000, 32, 32, 32, 1),
    "2000x64": (2000, 64, 64, 64, 1),
}
DTYPES = {
    "Float32": "float32",
    "Float64": "float64",
    "Complex64": "complex64",
    "Complex128": "complex128",
    "Int32": "int32",
    "Int64": "int64",
}
# Bytes that a launch gets without asking.
STATIC_BYTES = 48 << 10


@functools.cache
def random(shape, dtype):
    if np.issubdtype(dtype, np.integer):
        bounds = np.iinfo(dtype)
        return cupy.asarray(np.random.default_rng(1).integers(bounds.min, bounds.max, shape, dtype=dtype))
    real = cupy.random.standard_normal(shape)
    return (real + 1j * cupy.random.standard_normal(shape)).astype(dtype) if np.issubdtype(dtype, np.complexfloating) else real.astype(dtype)


def stack(count, rows, columns, dtype, turned, line):
    """Matrices by rows, or by columns; lines begin at multiples of so many elements, or, of 1, at odd places."""
    height, width = (columns, rows) if turned else (rows, columns)
    room = width + 1 if line == 1 else -(-width // line) * line
    whole = random((count, height, room), dtype)[:, :, :width]
    return whole.transpose(0, 2, 1) if turned else whole


class Tiled:
    def __init__(self, folder, facts):
        self.facts = facts
        self.dtype = np.dtype(DTYPES[facts["element"]])
        before = time.perf_counter()
        module = cupy.RawModule(path=str(folder / f"{facts['name']}.ptx"))
        self.kernel = module.get_function("product")
        self.load_s = time.perf_counter() - before
        self.asked = facts["shared"] if facts["shared"] > STATIC_BYTES else 0
        if self.asked:
            self.kernel.max_dynamic_shared_size_bytes = self.asked

    def arrays(self, count, rows, columns, summed):
        (along_a, line_a), (along_b, line_b) = self.facts["factors"]
        a = stack(count, rows, summed, self.dtype, along_a == "Kept", line_a)
        b = stack(count, summed, columns, self.dtype, along_b == "Summed", line_b)
        return a, b

    def part(self, summed, parts):
        """Summed elements of a part: a multiple of what is copied at once, so that every part begins where a vector does."""
        vector = max(copied for _, copied in self.facts["factors"])
        return -(-summed // parts // vector) * vector

    def launch(self, a, b, c):
        """`c`: parts, matrices, rows, columns."""
        (parts, count, rows, columns), summed = c.shape, a.shape[2]
        part = self.part(summed, parts)
        down, across = -(-rows // self.facts["tile"][0]), -(-columns // self.facts["tile"][1])
        numbers = [a.data.ptr, b.data.ptr, c.data.ptr, rows, columns, summed, part]
        numbers += [a.strides[1], a.strides[2], a.strides[0], b.strides[2], b.strides[1], b.strides[0]]
        numbers += [c.strides[2], c.strides[3], c.strides[1], c.strides[0], down, across]
        arguments = tuple(np.int64(number) for number in numbers)
        grid, threads = (count * down * across, parts), (self.facts["threads"],)
        return lambda: self.kernel(grid, threads, arguments, shared_mem=self.asked)

    def product(self, a, b, parts=1):
        parts = -(-a.shape[2] // self.part(a.shape[2], parts))
        c = cupy.empty((parts, a.shape[0], a.shape[1], b.shape[2]), self.dtype)
        c.view(np.uint8).fill(0x5A)
        self.launch(a, b, c)()
        return c.sum(axis=0, dtype=c.dtype)

    def error(self):
        """Of products of many shapes, with edges, parts and steps backwards: the largest difference beside what one rounding a product leaves."""
        worst = 0.0
        vector = self.facts["written"]
        for count, rows, columns, summed, parts in [(1, 256, 256, 64, 1), (3, 131, 200, 157, 1), (2, 5, 16, 33, 3), (1, 1, 8, 1, 1), (1, 700, 330, 90, 2)]:
            columns = -(-columns // vector) * vector
            a, b = self.arrays(count, rows, columns, summed)
            pairs = [(a, b)]
            if self.facts["factors"][0][1] == self.facts["factors"][1][1] == 1:
                pairs.append((a[:, ::-1, ::-1], b[:, ::-1, ::-1]))
                pairs.append((a[:, :, ::2], b[:, ::2]))
            for a, b in pairs:
                got, wanted = self.product(a, b, parts), product_of(a, b)
                worst = max(worst, difference(got, wanted, a, b))
        return worst


def product_of(a, b):
    if np.issubdtype(a.dtype, np.integer):
        return cupy.asarray(np.matmul(cupy.asnumpy(a), cupy.asnumpy(b)))
    return cupy.matmul(a, b)


def difference(got, wanted, a, b):
    """Beside what rounding may leave: below 1."""
    if np.issubdtype(a.dtype, np.integer):
        return float((got != wanted).any()) * 1e9
    scale = cupy.matmul(abs(a), abs(b)) * np.finfo(a.dtype).eps * (a.shape[2] ** 0.5 + 8)
    worst = float((abs(got - wanted) / scale).max())
    return worst if worst == worst else 1e9


def seconds(run, at_least=0.03):
    run()
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()

    def group(n):
        begin.record()
        for _ in range(n):
            run()
        end.record()
        end.synchronize()
        return cupy.cuda.get_elapsed_time(begin, end) / n / 1e3

    once = group(1)
    n = max(1, min(200, int(at_least / 5 / max(once, 1e-7))))
    return float(np.median([group(n) for _ in range(5)]))


def suits(facts, case):
    """Whether a tile is worth a try."""
    smallest = min(facts["tile"])
    vector = 16 // np.dtype(DTYPES[facts["element"]]).itemsize
    along = [along for along, _ in facts["factors"]]
    if along == ["Kept", "Kept"]:
        return case == "tall" and smallest == 64 or case == "4096" and smallest >= 64
    if facts["factors"] != [["Summed", vector], ["Kept", vector]]:
        return case == "4096"
    sizes = {"4096": (64, 256), "1024": (64, 256), "tall": (0, 0), "20000x16": (16, 32), "4000x32": (16, 64)}
    least, most = sizes.get(case, (32, 128))
    return least <= smallest <= most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", help="kernels in whose name one of these stands")
    parser.add_argument("--json")
    given = parser.parse_args()
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    listed = json.loads((given.folder / "list.json").read_text())
    listed = [facts for facts in listed if not given.only or any(text in facts["name"] for text in given.only)]
    peers, rows, failed = {}, [], []
    for facts in listed:
        try:
            tiled = Tiled(given.folder, facts)
            error = tiled.error()
        except Exception as exception:  # A kernel that cannot be loaded or stops is told, and the others go on.
            failed.append((facts["name"], repr(exception)[:300]))
            print(f"{facts['name']}: {failed[-1][1]}", flush=True)
            continue
        row = {"name": facts["name"], "element": facts["element"], "error": error, "load_s": tiled.load_s, "registers": tiled.kernel.num_regs, "local_bytes": tiled.kernel.local_size_bytes, "cases": {}}
        if error >= 10:
            failed.append((facts["name"], f"error {error:.3g}"))
        for case, (count, height, width, summed, parts) in CASES.items():
            if not suits(facts, case):
                continue
            a, b = tiled.arrays(count, height, width, summed)
            c = cupy.empty((parts, count, height, width), tiled.dtype)
            ours = seconds(tiled.launch(a, b, c))
            key = (facts["element"], case, str(facts["factors"]))
            if key not in peers:
                is_slow = np.issubdtype(tiled.dtype, np.integer) and case in ("4096", "tall")
                out = cupy.empty((count, height, width), tiled.dtype)
                x, y = (a[0], b[0]) if count == 1 else (a, b)
                peers[key] = None if is_slow else seconds(lambda: cupy.matmul(x, y, out=out[0] if count == 1 else out))
            rate = 2 * count * height * width * summed / ours / 1e12
            row["cases"][case] = {"ours": ours, "peer": peers[key], "tera": rate * (4 if "complex" in tiled.dtype.name else 1)}
        rows.append(row)
        show(row)
    print(f"\n{device}, CuPy {cupy.__version__}, driver {cupy.cuda.runtime.driverGetVersion()}; the best of each case:")
    best(rows)
    for name, text in failed:
        print(f"WRONG {name}: {text}")
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps({"device": device, "rows": rows, "failed": failed}, indent=1) + "\n")
    return 1 if failed else 0


def fraction(found):
    return found["peer"] / found["ours"] if found["peer"] else float("nan")


def show(row):
    cases = "  ".join(f"{case} {fraction(found):.2f} ({found['tera']:.1f}T)" for case, found in row["cases"].items())
    print(f"{row['name']}: {row['registers']} regs, local {row['local_bytes']}, load {row['load_s']:.2f} s, error {row['error']:.2g}: {cases}", flush=True)


def best(rows):
    found = collections.defaultdict(list)
    for row in rows:
        for case, times in row["cases"].items():
            found[row["element"], case].append((times["ours"], row["name"], times))
    for (element, case), ours in found.items():
        for _, name, times in sorted(ours, key=lambda entry: entry[0])[:2]:
            print(f"{element:10} {case:9} {times['ours'] * 1e6:10.1f} us {times['tera']:6.1f}T {fraction(times):5.2f} {name}")


if __name__ == "__main__":
    raise SystemExit(main())
