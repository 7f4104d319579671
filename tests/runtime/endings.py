"""What is alive, or goes on, when an interpreter goes: a table of programs, each of which ends with its own status and says nothing."""

import dataclasses
import textwrap

MODULE = """
#numptx export twice(float64[:])
#numptx export half(float)
#numptx export after(int)
#numptx export slow(float64[:], int)
#numptx export grind(float64[:], int)
def twice(x):
    return 2 * x
def half(v):
    return v / 2
def after(n):
    return n + 1
def slow(x, n):
    for i in range(n):
        x = 2 * x - x
    return x
def grind(x, n):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(n):
            s += (x[i] + j) * 0.5
        x[i] = s
"""

IMPORTS = """
import atexit, gc, os, signal, sys, threading, time
"""

START = """
import numpy as np, numptx
from compilation import load_compiled
module = load_compiled(sys.argv[1])
"""

ON_GPU = """
def on_gpu(n=5):
    return numptx.asarray(np.arange(float(n)), device="cuda")
x = on_gpu()
y = module.twice(x)
"""

# Python code that numptx calls on a daemon thread, and that wants the lock again and again while the interpreter goes.
STAYS = """
inside = threading.Event()
def stay(*arguments):
    inside.set()
    while True:
        time.sleep(0.001)
class Stays:
    __float__ = __index__ = __dlpack__ = __cuda_stream__ = __del__ = stay
    def __dlpack_device__(self):
        return 1, 0
class Interface:
    __array_interface__ = __cuda_array_interface__ = property(stay)
def begin(call, *arguments):
    threading.Thread(target=call, args=arguments, daemon=True).start()
    assert inside.wait(30)
"""

# A worker that has begun to compute, and does for a while.
WORKER = """
started = threading.Event()
def work():
    started.set()
    for _ in range(20):
        assert compute()
        time.sleep(0.01)
worker = threading.Thread(target=work, daemon=True)
"""


@dataclasses.dataclass(frozen=True)
class Ending:
    """A program: what it does before it imports the package, and after; whether it takes a GPU; the status that it ends with."""

    body: str
    before: str = ""
    gpu: bool = True
    status: int = 0
    # Whether `make test` runs it, too.
    sample: bool = False
    environment: tuple = ()

    def text(self):
        parts = [IMPORTS, self.before, START, ON_GPU if self.gpu else "", STAYS if "begin(" in self.body else "", self.body]
        return "".join(textwrap.dedent(part) for part in parts)


def host(body, **rest):
    """An ending without a GPU."""
    return Ending(body, gpu=False, **rest)


def handlers(name, compute, gpu, body=""):
    """An exit handler of before the import, which so runs after the package's own, and one of after it."""
    functions = {"computes": f"assert ({compute})", "joins": "worker.join(); assert compute()"}
    for what, handler in functions.items():
        begins = "worker.start(); started.wait(30)" if what == "joins" else ""
        compute_it = f"compute = lambda: {compute}\n"
        early = f"def at_end():\n    {handler}\natexit.register(at_end)\n" + (WORKER if what == "joins" else "")
        yield f"a handler of before that {what} {name}", Ending(f"{compute_it}{body}{begins}", before=early, gpu=gpu, sample=True)
        late = (WORKER if what == "joins" else "") + f"{compute_it}{body}def at_end():\n    {handler}\natexit.register(at_end)\n{begins}"
        yield f"a handler of after that {what} {name}", Ending(late, gpu=gpu)


ENDINGS = {
    "nothing special": Ending("del x, y"),
    "no GPU": host("module.twice(np.ones(5))"),
    "globals": Ending("", sample=True),
    "a cycle": Ending("cycle = [y]\ncycle.append(cycle)\ndel cycle, x, y"),
    "an attribute of sys": Ending("sys.numptx_keeps = [x, y, numptx.Stream(), numptx.Event()]"),
    "a module": Ending("import types\nsys.modules['keeper'] = types.ModuleType('keeper')\nsys.modules['keeper'].kept = x, y, module"),
    "an object with a destructor": Ending(
        """
        class Keeper:
            def __init__(self):
                self.array = module.twice(x)
            def __del__(self):
                self.array.to_host if self.array is not None else None
                del self.array
        keeper = Keeper()
        cycle = Keeper()
        cycle.own = cycle
        del cycle
        """
    ),
    "a destructor that computes": Ending(
        """
        class Keeper:
            def __del__(self, call=module.twice, array=x):
                try:
                    call(array)
                except RuntimeError:
                    pass
        sys.keeper = Keeper()
        """
    ),
    "a thread that is waited for": Ending("def finish():\n    time.sleep(0.2)\n    assert module.twice(x).to_host()[4] == 8\nthreading.Thread(target=finish).start()"),
    "a thread with the last reference": Ending(
        """
        event = threading.Event()
        def drop(kept):
            event.wait()
            kept.clear()
        thread = threading.Thread(target=drop, args=([x, y],))
        thread.start()
        del x, y
        event.set()
        """
    ),
    "a pool of threads with calls to come": Ending(
        """
        import concurrent.futures
        pool = concurrent.futures.ThreadPoolExecutor(2)
        calls = [pool.submit(module.twice, x) for _ in range(200)]
        """
    ),
    # Daemon threads that compute.
    "a daemon thread with arrays": Ending("threading.Thread(target=lambda kept: time.sleep(1000), args=([x, y],), daemon=True).start()"),
    "a daemon thread that computes": Ending(
        """
        def compute():
            while True:
                module.twice(on_gpu(1000)).to_host()
        threading.Thread(target=compute, daemon=True).start()
        time.sleep(0.1)
        """,
        sample=True,
    ),
    "daemon threads that compute on the CPU": host(
        """
        def compute():
            x = np.ones(20_000)
            while True:
                module.twice(x), module.half(1), module.after(1)
        for _ in range(8):
            threading.Thread(target=compute, daemon=True).start()
        time.sleep(0.1)
        """,
        sample=True,
    ),
    "a daemon thread in a long call": Ending("threading.Thread(target=module.slow, args=(on_gpu(5000), 100_000), daemon=True).start()\ntime.sleep(0.1)"),
    "a daemon thread in a kernel on the CPU": host("threading.Thread(target=module.grind, args=(np.ones(1 << 16), 1 << 20), daemon=True).start()\ntime.sleep(0.1)", sample=True),
    "a daemon thread in a loop of kernels on the CPU": host("threading.Thread(target=module.slow, args=(np.ones(100), 1 << 40), daemon=True).start()\ntime.sleep(0.1)"),
    "a daemon thread that replays a graph": Ending(
        """
        with numptx.Graph() as graph:
            z = module.twice(x)
        def replay():
            while True:
                graph.replay(), numptx.synchronize()
        threading.Thread(target=replay, daemon=True).start()
        time.sleep(0.1)
        """
    ),
    "a daemon thread that makes and drops": Ending(
        """
        def make():
            while True:
                stream, event = numptx.Stream(), numptx.Event()
                with stream:
                    event.record(stream), module.twice(x)
        threading.Thread(target=make, daemon=True).start()
        time.sleep(0.1)
        """
    ),
    "a daemon thread that loads an image": Ending(
        "numptx.devices()\nthreading.Thread(target=lambda: module.twice(numptx.asarray(np.ones(3), device='cuda')), daemon=True).start()\ntime.sleep(0.05)",
        gpu=False,
        environment=(("NUMPTX_MOCK_DELAY", "cuModuleLoadDataEx=300000"),),
    ),
    # Daemon threads in Python code that numptx called.
    "a daemon thread in __float__": host("begin(module.half, Stays())", sample=True),
    "a daemon thread in __index__": host("begin(module.after, Stays())"),
    "a daemon thread in a busy __float__": host(
        """
        class Busy:
            def __float__(self):
                inside.set()
                while True:
                    pass
        begin(module.half, Busy())
        """,
        sample=True,
    ),
    "a daemon thread in __float__ in __float__": host(
        """
        class Outer:
            def __float__(self):
                return module.half(Stays())
        begin(module.half, Outer())
        """
    ),
    "eight daemon threads in __float__": host("for _ in range(8):\n    begin(module.half, Stays())"),
    "a daemon thread in __dlpack__ of an argument": host("begin(module.twice, Stays())", sample=True),
    "a daemon thread in __dlpack__ of asarray": host("begin(numptx.asarray, Stays())"),
    "a daemon thread in __array_interface__": host("begin(numptx.asarray, Interface())"),
    "a daemon thread in __cuda_array_interface__": host("begin(module.twice, Interface())"),
    "a daemon thread in __cuda_stream__": Ending("begin(numptx.Stream, Stays())"),
    "a daemon thread in __index__ of a subscript": Ending("begin(lambda: x[Stays()])"),
    "a daemon thread in __float__ inside a stream's block": Ending("def call():\n    with numptx.Stream():\n        module.half(Stays())\nbegin(call)"),
    "a daemon thread in __float__ inside a capture": Ending("def call():\n    with numptx.Graph():\n        module.half(Stays())\nbegin(call)"),
    "a daemon thread in the destructor of an owner": Ending(
        """
        class Memory(np.ndarray):
            __del__ = stay
        def call():
            kept = [numptx.asarray(np.ones(3).view(Memory))]
            kept.clear()
            Memory((3,))
        begin(call)
        """
    ),
    "a daemon thread in a collection for memory": Ending(
        """
        gc.callbacks.append(stay)
        gc.disable()
        numptx.set_memory_limit(10_000)
        begin(on_gpu, 100_000)
        """
    ),
    # Exit handlers.
    **dict(handlers("on the CPU", "(module.twice(np.ones(50_000)) == 2).all()", False)),
    **dict(handlers("on a GPU", "module.twice(x).to_host()[4] == 8", True)),
    **dict(handlers("after an allocation", "on_gpu(1000).to_host()[999] == 999", True)),
    "an exit handler of before that drops": Ending("kept.extend([x, y])", before="kept = []\natexit.register(kept.clear)\n"),
    "an exit handler of after that drops": Ending("atexit.register(lambda kept: kept.clear(), [x, y])"),
    "an exit handler of before that replays": Ending(
        "with numptx.Graph() as graph:\n    z = module.twice(x)", before="atexit.register(lambda: (graph.replay(), numptx.synchronize()))\n"
    ),
    "an exit handler that imports": Ending("", before="def at_end():\n    import numptx\n    assert numptx.asarray([1.0]).to_host()[0] == 1\natexit.register(at_end)\n", gpu=False),
    "a daemon thread that begins to compute in an exit handler of before": Ending(
        """
        def compute():
            begin_now.wait()
            while True:
                module.twice(on_gpu(1000)).to_host()
        threading.Thread(target=compute, daemon=True).start()
        """,
        before="begin_now = threading.Event()\natexit.register(lambda: (begin_now.set(), time.sleep(0.3)))\n",
        sample=True,
    ),
    # Statuses.
    "sys.exit": Ending("sys.exit(0)"),
    "sys.exit with a status beside a thread in __float__": host("begin(module.half, Stays())\nsys.exit(5)", status=5, sample=True),
    "sys.exit in a thread": Ending("thread = threading.Thread(target=lambda: (module.twice(x), sys.exit(3)))\nthread.start()\nthread.join()"),
    "sys.exit in an exit handler's thread": host("def at_end():\n    go.set(), thread.join()\ngo = threading.Event()\nthread = threading.Thread(target=lambda: (go.wait(), module.after(1), sys.exit(3)), daemon=True)\nthread.start()\natexit.register(at_end)"),
    "os._exit": Ending("os._exit(4)", status=4),
    "os._exit in a thread beside a kernel": host("threading.Timer(0.2, os._exit, [4]).start()\nmodule.grind(np.ones(1 << 16), 1 << 20)", status=4),
    "another program in the place of this one": host(
        "begin(module.half, Stays())\nthreading.Thread(target=module.slow, args=(np.ones(100), 1 << 40), daemon=True).start()\nos.execv(sys.executable, [sys.executable, '-c', 'raise SystemExit(6)'])", status=6
    ),
    # Signals.
    "a signal that ends the process in a long call": host("signal.setitimer(signal.ITIMER_REAL, 0.2)\nmodule.slow(np.ones(100), 1 << 40)", status=-14),
    "a signal whose handler exits in a long call": host(
        "signal.signal(signal.SIGALRM, lambda *_: sys.exit(3))\nsignal.setitimer(signal.ITIMER_REAL, 0.2)\nmodule.slow(np.ones(100), 1 << 40)", status=3, sample=True
    ),
    "a signal whose handler exits beside a thread in __float__": host(
        "begin(module.half, Stays())\nsignal.signal(signal.SIGALRM, lambda *_: sys.exit(3))\nsignal.setitimer(signal.ITIMER_REAL, 0.1)\ntime.sleep(60)", status=3
    ),
    "signals in exit handlers": Ending(
        """
        signal.signal(signal.SIGALRM, lambda *_: module.twice(x))
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        atexit.register(time.sleep, 0.1)
        """,
        before="atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)\n",
    ),
    # Work and its order.
    "work that nobody waited for": Ending("for _ in range(100):\n    y = module.twice(y)", sample=True),
    "a stream in use": Ending("stream = numptx.Stream()\nstream.__enter__()\nz = module.twice(x)"),
    "a graph": Ending("with numptx.Graph() as graph:\n    z = module.twice(x)\ngraph.replay()"),
    "a capture that did not end": Ending("graph = numptx.Graph()\ngraph.__enter__()\nz = module.twice(x)"),
    "NumPy arrays over a copy": Ending("host = y.to_host()[1:]"),
    "tensors of DLPack": Ending("capsules = [x.__dlpack__(stream=1), y.__dlpack__(stream=-1)]; host = np.from_dlpack(x, device='cpu')"),
}

# Those that run once more in an interpreter that another thread than the process's first begins, runs and ends.
ON_ANOTHER_THREAD = [
    "globals",
    "a daemon thread that computes",
    "daemon threads that compute on the CPU",
    "a daemon thread in __float__",
    "a handler of before that joins on the CPU",
    "a handler of before that joins on a GPU",
    "a signal whose handler exits in a long call",
    "sys.exit with a status beside a thread in __float__",
]
