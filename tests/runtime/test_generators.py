"""Random numbers on a device: which arrays a kernel draws, what is copied, and the generator after each call, failed ones included. What is drawn is also the
corpus' concern (`tests/corpus/random/many.py`)."""

import json

import numpy as np
import pytest

import numptx
from cuda_driver import IS_MOCK, Driver

SOURCE = '''"""Draws."""
import numpy as np

#numptx export doubles(Generator, int)
def doubles(rng, n):
    return rng.random(n)

#numptx export singles(Generator, int)
def singles(rng, n):
    return rng.random(n, dtype=np.float32)

#numptx export uniforms(Generator, int)
def uniforms(rng, n):
    return rng.uniform(-2.5, 7.0, n)

#numptx export raws(Generator, int)
def raws(rng, n):
    return rng.bit_generator.random_raw(n)

#numptx export normals(Generator, int)
def normals(rng, n):
    return rng.standard_normal(n)

#numptx export ints(Generator, int)
def ints(rng, n):
    return rng.integers(0, 100, n)

#numptx export like(Generator, float64[:])
def like(rng, x):
    return rng.random(x.shape)

#numptx export one(Generator)
def one(rng):
    return rng.uniform(1.0, 2.0)

#numptx export between(Generator, float64[:])
def between(rng, high):
    return rng.uniform(0.0, high)
'''
JUMPING = {"PCG64": np.random.PCG64, "Philox": np.random.Philox}
OTHERS = {"MT19937": np.random.MT19937, "SFC64": np.random.SFC64, "PCG64DXSM": np.random.PCG64DXSM}
DRAWN_THERE = ["doubles", "singles", "uniforms", "raws"]
FEWEST = 4096


@pytest.fixture(scope="module")
def programs(workshop):
    return workshop.pair(SOURCE, "draws")


@pytest.fixture
def on_device(pytestconfig):
    device = pytestconfig.getoption("--device")
    if device == "cpu":
        pytest.skip("of devices")
    with numptx.device(device):
        yield


def hosted(array):
    return array.to_host() if isinstance(array, numptx.Array) else array


def state(rng):
    """A generator's state, all of it, as text."""
    return json.dumps(rng.bit_generator.state, default=lambda array: array.tolist())


def counted(function, *arguments):
    """What a call gives, and its launches and copied bytes, once the kernel is loaded."""
    before = numptx.memory_stats()
    result = function(*arguments)
    after = numptx.memory_stats()
    return hosted(result), after["launches"] - before["launches"], after["transferred_bytes"] - before["transferred_bytes"]


@pytest.mark.parametrize("n", [FEWEST, FEWEST + 1, 100_000, 100_003])
@pytest.mark.parametrize("name", DRAWN_THERE)
@pytest.mark.parametrize("kind", JUMPING)
def test_a_kernel_draws_many(programs, on_device, kind, name, n):
    compiled, plain = programs
    ours, theirs = (np.random.Generator(JUMPING[kind](5)) for _ in range(2))
    for _ in range(2):
        found, launches, copied = counted(getattr(compiled, name), ours, n)
        wanted = getattr(plain, name)(theirs, n)
        assert found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes()
        assert state(ours) == state(theirs)
        # What the generator keeps of its last words is copied there, and the result back here.
        assert launches == 1 and copied <= wanted.nbytes + 64, (launches, copied)


@pytest.mark.parametrize("before", range(5))
@pytest.mark.parametrize("name", DRAWN_THERE)
@pytest.mark.parametrize("kind", JUMPING)
def test_a_kernel_goes_on_from_any_place(programs, on_device, kind, name, before):
    """Of a buffer of four words, and with a half of 64 bits that is left."""
    compiled, plain = programs
    for halves in range(2):
        ours, theirs = (np.random.Generator(JUMPING[kind](6)) for _ in range(2))
        for rng in (ours, theirs):
            rng.random(before)
            rng.integers(0, 2**31, halves, dtype=np.int32)
        found, launches, _ = counted(getattr(compiled, name), ours, FEWEST + 10 + before)
        assert found.tobytes() == getattr(plain, name)(theirs, FEWEST + 10 + before).tobytes()
        assert state(ours) == state(theirs) and launches == 1
        assert ours.integers(0, 2**31, 3, dtype=np.int32).tolist() == theirs.integers(0, 2**31, 3, dtype=np.int32).tolist()


@pytest.mark.parametrize(
    "name, kind, n",
    [("doubles", kind, FEWEST) for kind in OTHERS]
    + [(name, kind, n) for name in DRAWN_THERE for kind in JUMPING for n in (0, 1, 2, 3, 5, 1000, FEWEST - 1)]
    + [(name, kind, FEWEST) for name in ("normals", "ints") for kind in JUMPING],
)
def test_the_host_draws_the_others(programs, on_device, name, kind, n):
    compiled, plain = programs
    ours, theirs = (np.random.Generator({**JUMPING, **OTHERS}[kind](7)) for _ in range(2))
    found, launches, _ = counted(getattr(compiled, name), ours, n)
    assert found.tobytes() == getattr(plain, name)(theirs, n).tobytes()
    assert state(ours) == state(theirs) and launches == 0


@pytest.mark.parametrize("kind", JUMPING)
def test_what_a_kernel_draws_stays_on_the_device(programs, on_device, kind):
    compiled, plain = programs
    ours, theirs = (np.random.Generator(JUMPING[kind](8)) for _ in range(2))
    x = np.zeros(100_000)
    there = numptx.asarray(x, device="cuda")
    compiled.like(ours, there), plain.like(theirs, x)
    before = numptx.memory_stats()["transferred_bytes"]
    found = compiled.like(ours, there)
    assert numptx.memory_stats()["transferred_bytes"] - before <= 64
    assert found.to_host().tobytes() == plain.like(theirs, x).tobytes() and state(ours) == state(theirs)


def test_numbers_between_arrays_are_the_host_s(programs, on_device):
    compiled, plain = programs
    ours, theirs = np.random.default_rng(8), np.random.default_rng(8)
    high = np.linspace(0.0, 1.0, FEWEST)
    found = hosted(compiled.between(ours, numptx.asarray(high)))
    assert found.tobytes() == plain.between(theirs, high).tobytes() and state(ours) == state(theirs)


@pytest.mark.parametrize("kind", JUMPING)
def test_a_failed_launch_draws_nothing(programs, on_device, kind):
    if not IS_MOCK:
        pytest.skip("of the mock driver")
    compiled, plain = programs
    rng, theirs = (np.random.Generator(JUMPING[kind](9)) for _ in range(2))
    compiled.doubles(rng, FEWEST), plain.doubles(theirs, FEWEST)
    before = state(rng)
    assert before == state(theirs)
    driver = Driver()
    driver.fail_call("cuLaunchKernel", 0, 1)
    with pytest.raises(RuntimeError):
        compiled.doubles(rng, FEWEST)
    driver.fail_call("", -1, 0)
    assert state(rng) == before
    assert hosted(compiled.doubles(rng, FEWEST)).tobytes() == plain.doubles(theirs, FEWEST).tobytes()


def test_a_capture_refuses_draws(programs, on_device):
    compiled, _ = programs
    rng = np.random.default_rng(10)
    before = state(rng)
    with numptx.Stream() as stream, numptx.Graph(stream):
        with pytest.raises(RuntimeError, match="draws random numbers"):
            compiled.doubles(rng, FEWEST)
    assert state(rng) == before


def test_the_report_says_who_draws(workshop):
    library = workshop.library(workshop.written(SOURCE, "draws"), ["--report", "{folder}/report.json"])
    report = json.loads((library.parent / "report.json").read_text())
    by = {version["export"]: [(s["method"], s["by"]) for s in version["steps"] if s["action"] == "draw"] for version in report["versions"]}
    assert by == {
        "doubles": [("random", "device")],
        "singles": [("random_f32", "device")],
        "uniforms": [("uniform", "device")],
        "raws": [("raw", "device")],
        "normals": [("standard_normal", "host")],
        "ints": [("integers", "host")],
        "like": [("random", "device")],
        "one": [("uniform", "host")],
        "between": [("uniform", "host")],
    }
