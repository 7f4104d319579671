"""Threads, streams, graphs and frees at once, with exact results, until a time is over.

    python tests/stress.py --seconds 60 [--seed N] [--threads 4]

It ends with the first thing that is wrong.

On the mock driver (`NUMPTX_LIBCUDA`) calls take longer at random, streams put their work off and go on in any order; what the mock calls a violation fails the
run. On a GPU the same operations run as they are, under compute-sanitizer too. The seed and the step are printed where something is wrong.
"""

import argparse
import gc
import os
import pathlib
import queue
import random
import sys
import tempfile
import threading
import time
import traceback

import numpy as np

import numptx
from compilation import compile_file, load_compiled

sys.path.insert(0, str(pathlib.Path(__file__).parent / "runtime"))
from cuda_driver import IS_MOCK, Driver  # noqa: E402

PROGRAM = """
import numpy as np

def add(x: "float64[:]", c: float) -> "float64[:]":
    return x + c

def increase(x: "float64[:]", c: float):
    x += c

def total(x: "float64[:]") -> float:
    return x.sum()

def both(x: "float64[:]", out: "float64[:]"):
    out[:] = out + x
"""


def compiled(folder):
    path = pathlib.Path(folder) / "stressed.py"
    path.write_text(PROGRAM)
    return load_compiled(compile_file(path, folder))


class Counter:
    """An array that all threads write to and read at once, by calls and by replays, and that goes while they do."""

    def __init__(self, module, value):
        self.module, self.value = module, value
        self.array = numptx.asarray(np.full(1000, value), device="cuda")
        with numptx.Graph() as self.graph:
            module.increase(self.array, 1.0)
        # Additions whose calls have begun, and those whose calls have returned.
        self.lock, self.begun, self.done = threading.Lock(), 0, 0

    def add(self, stream, by_replay):
        with self.lock:
            self.begun += 1
        if by_replay:
            self.graph.replay(stream)
        else:
            with stream:
                self.module.increase(self.array, 1.0)
        with self.lock:
            self.done += 1

    def check(self, stream):
        least = self.done
        with stream:
            found = self.module.add(self.array, -self.value).to_host()
        first, last, most = found.min(), found.max(), self.begun
        # Calls on several threads at once are in no order. The mock driver runs whole kernels one by one; on a GPU their additions may be lost.
        fits = least <= first == last <= most if IS_MOCK else 0 <= first <= last <= most
        assert fits, f"{first} to {last} additions are seen of {least} that were made, and {most} that were begun"


class Worker:
    """One thread: arrays that go from stream to stream, graphs that share an input with those of others, what others hand over, and what all write to."""

    def __init__(self, number, seed, module, shared, mail, counters):
        self.random = random.Random(seed * 1000 + number)
        self.number, self.module, self.mail, self.counters = number, module, mail, counters
        # The same elements are read by everybody, on all streams.
        self.shared, self.shared_value = shared
        self.streams = [numptx.Stream() for _ in range(3)]
        # `[array, value of its elements]`.
        self.own = []
        self.graph = None
        self.steps = 0

    def stream(self):
        return self.random.choice(self.streams)

    def check(self, array, value):
        found = array.to_host()
        assert (found == value).all(), f"{found.min()} to {found.max()} instead of {value}"

    def new(self):
        value = float(self.random.randrange(1000))
        with self.stream():
            array = self.module.add(self.shared, value)
        self.own.append([array, self.shared_value + value])
        if len(self.own) > 8:
            self.own.pop(self.random.randrange(len(self.own)))

    def change(self):
        """An array is written on another stream than before."""
        if self.own:
            entry = self.random.choice(self.own)
            with self.stream():
                self.module.increase(entry[0], 1.0)
            entry[1] += 1.0

    def read(self):
        if self.own:
            self.check(*self.random.choice(self.own))

    def reduce(self):
        with self.stream():
            assert self.module.total(self.shared).item() == self.shared_value * self.shared.size

    def record(self):
        """A graph that reads what all graphs read, and adds it to an array of its own. An old one may still run."""
        with self.stream():
            out = self.module.add(self.shared, 0.0)
        with numptx.Graph(self.stream()) as graph:
            self.module.both(self.module.add(self.shared, 1.0), out)
        self.graph = [graph, out, self.shared_value]

    def replay(self):
        if self.graph:
            self.graph[0].replay(self.stream())
            self.graph[2] += self.shared_value + 1.0

    def read_graph(self):
        if self.graph:
            self.check(*self.graph[1:])

    def give(self):
        """An array goes to another thread, which uses it on its own streams."""
        if self.own:
            self.mail.put(self.own.pop())

    def take(self):
        try:
            self.own.append(self.mail.get_nowait())
        except queue.Empty:
            pass

    def change_streams(self):
        self.streams[self.random.randrange(3)] = numptx.Stream()

    def view(self):
        """A view outlives the array that it is of."""
        if self.own:
            entry = self.own.pop()
            entry[0] = entry[0][1:] if entry[0].size > 4 else entry[0]
            self.own.append(entry)

    def event(self):
        event = numptx.Event()
        first, second = self.stream(), self.stream()
        event.record(first)
        event.wait(second)

    def count(self):
        """Others do so at the same time; a read on another stream sees at least what this thread has added."""
        counter = self.random.choice(self.counters)
        counter.add(self.stream(), self.random.random() < 0.5)
        if self.random.random() < 0.5:
            counter.check(self.stream())

    def change_counters(self):
        """The old one goes with the last thread that is at it."""
        self.counters[self.random.randrange(len(self.counters))] = Counter(self.module, float(self.random.randrange(1000)))

    def rare(self):
        self.random.choice([numptx.trim, numptx.synchronize, gc.collect, numptx.memory_stats])()

    STEPS = [new, change, change, read, reduce, record, replay, replay, replay, read_graph, give, take, change_streams, view, event, rare]
    STEPS += [count, count, count, count, count, count, count, count, change_counters]

    def run(self, is_over):
        while not is_over.is_set():
            self.random.choice(self.STEPS)(self)
            self.steps += 1
        for entry in self.own:
            self.check(*entry)
        self.read_graph()


def put_in_faults(driver, seed):
    """The mock driver as it is on a bad day."""
    driver.defer(True)
    driver.library.numptx_mock_jitter(300)
    driver.library.numptx_mock_shuffle(seed | 1)
    driver.delay("cuEventRecord", 0.001)


def run(seconds, seed, threads):
    driver = Driver() if IS_MOCK else None
    with tempfile.TemporaryDirectory() as folder:
        module = compiled(folder)
    numptx.device("cuda")
    host = np.full(1000, 3.0)
    shared = numptx.asarray(host, device="cuda"), 3.0
    module.total(shared[0])
    if driver:
        put_in_faults(driver, seed)
    before = numptx.memory_stats("cuda")["live_buffers"]
    mail, wrong = queue.Queue(), []
    counters = [Counter(module, 0.0) for _ in range(2)]
    workers = [Worker(number, seed, module, shared, mail, counters) for number in range(threads)]
    begun, is_over = time.monotonic(), threading.Event()

    def work(worker):
        try:
            worker.run(is_over)
        except BaseException:
            wrong.append(f"thread {worker.number}, seed {seed}, step {worker.steps}:\n{traceback.format_exc()}")
            is_over.set()

    running = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    [thread.start() for thread in running]
    while time.monotonic() < begun + seconds and not (driver and driver.count("violations")):
        if is_over.wait(0.1):
            break
    is_over.set()
    took = time.monotonic() - begun
    [thread.join() for thread in running]
    steps = sum(worker.steps for worker in workers)
    while not mail.empty():
        mail.get()
    workers.clear()
    counters.clear()
    numptx.synchronize()
    gc.collect()
    after = numptx.memory_stats("cuda")["live_buffers"]
    if after != before:
        wrong.append(f"{after - before} buffers are left, seed {seed}")
    if driver and driver.count("violations"):
        wrong.append(f"the driver counted {driver.count('violations')} violations, seed {seed}")
    return steps, took, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=4)
    given = parser.parse_args()
    steps, seconds, wrong = run(given.seconds, given.seed, given.threads)
    print(f"{steps} steps by {given.threads} threads in {seconds:.1f} s: {len(wrong)} wrong", *wrong, sep="\n")
    sys.stdout.flush()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    os.environ.setdefault("NUMPTX_NUM_THREADS", "2")
    main()
