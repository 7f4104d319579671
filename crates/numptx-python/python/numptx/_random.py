"""NumPy's generators between Python and compiled code: the state as words of 64 bits, as the crate `numptx-random` has it.

The binding calls `words` where a generator is an argument, and `restore` after the call, also where that raises. In between it holds the lock of the
bit generator, so that no other thread draws of it; before NumPy 2.4 that lock cannot be taken twice, and is not held.
"""

import threading
from typing import Any

import numpy as np

KINDS = (np.random.PCG64, np.random.PCG64DXSM, np.random.Philox, np.random.MT19937, np.random.SFC64)
HAS_HALF, HAS_GAUSS = 1 << 9, 1 << 10
LOW = 2**64 - 1


def words(generator: Any, is_legacy: bool) -> tuple[list[int], Any, bool] | None:
    """The words of a generator's state, its bit generator, and whether the lock of that is held from then on; `None` of other objects."""
    wanted: Any = np.random.RandomState if is_legacy else np.random.Generator
    if type(generator) is not wanted:
        return None
    bits = generator._bit_generator
    if type(bits) not in KINDS:
        names = ", ".join(kind.__name__ for kind in KINDS)
        raise TypeError(f"a generator of {type(bits).__name__}: compiled functions take those of {names}")
    is_held = isinstance(bits.lock, type(threading.RLock()))
    if is_held and not bits.lock.acquire(timeout=60):
        raise RuntimeError("another thread has held the lock of a generator for a minute")
    try:
        state: dict[str, Any] = generator.get_state(legacy=False) if is_legacy else bits.state
        return _words_of(KINDS.index(type(bits)), state), bits, is_held
    except BaseException:
        if is_held:
            bits.lock.release()
        raise


def state() -> np.random.RandomState:
    """The `RandomState` that the functions of `numpy.random` draw of."""
    function: Any = np.random.normal
    own: np.random.RandomState = function.__self__
    return own


def _words_of(kind: int, state: dict[str, Any]) -> list[int]:
    flags = kind | (HAS_HALF if state.get("has_uint32") else 0) | (HAS_GAUSS if state.get("has_gauss") else 0)
    gauss = np.float64(state.get("gauss", 0.0)).view(np.uint64)
    head = [flags, int(state.get("uinteger", 0)), int(gauss), 0]
    own = state["state"]
    match kind:
        case 0 | 1:
            return head + [own["state"] >> 64, own["state"] & LOW, own["inc"] >> 64, own["inc"] & LOW]
        case 2:
            return head + [*map(int, own["counter"]), *map(int, own["key"]), *map(int, state["buffer"]), int(state["buffer_pos"])]
        case 3:
            return head + [*np.ascontiguousarray(own["key"], np.uint32).view(np.uint64).tolist(), int(own["pos"])]
        case _:
            return head + [int(word) for word in own["state"]]


def restore(generator: Any, words: list[int]) -> None:
    """Gives a generator the state that these words are."""
    kind, own = words[0] & 0xFF, words[4:]
    state: dict[str, Any] = {"bit_generator": KINDS[kind].__name__, "has_uint32": int(bool(words[0] & HAS_HALF)), "uinteger": words[1]}
    match kind:
        case 0 | 1:
            state["state"] = {"state": own[0] << 64 | own[1], "inc": own[2] << 64 | own[3]}
        case 2:
            array = np.array(own, np.uint64)
            state |= {"state": {"counter": array[:4], "key": array[4:6]}, "buffer": array[6:10], "buffer_pos": own[10]}
        case 3:
            key = np.array(own[:312], np.uint64).view(np.uint32)
            state = {"bit_generator": "MT19937", "state": {"key": key, "pos": own[312]}}
        case _:
            state["state"] = {"state": np.array(own, np.uint64)}
    if type(generator) is np.random.RandomState:
        gauss = float(np.uint64(words[2]).view(np.float64))
        generator.set_state(state | {"has_gauss": int(bool(words[0] & HAS_GAUSS)), "gauss": gauss})
    else:
        generator.bit_generator.state = state
