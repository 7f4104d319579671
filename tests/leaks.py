"""Whether many calls leave the process as they found it: references, buffers, device memory, Python's blocks and resident memory.

    assert_flat(lambda: kernels.f(x), calls=1_000_000, watched=[x])

raises `Leak` with what grew. The tests of this module's users plant leaks, to show that they would be found.
"""

import gc
import os
import pathlib
import sys

import numptx

# Counters that no call may move for good.
COUNTERS = ["live_buffers", "live_bytes", "foreign_buffers", "violations"]
# What the allocators of C, Python and the driver may take for themselves meanwhile.
RESIDENT_BYTES = 2 << 20
PAGE = os.sysconf("SC_PAGE_SIZE")


class Leak(AssertionError):
    """What grew, and by how much a call."""


def resident_bytes():
    """Memory of this process that is in use."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * PAGE


def readings(watched=()):
    """References to the watched objects, and the runtime's counters by place."""
    gc.collect()
    found = {f"references to object {n}": sys.getrefcount(watched[n]) for n in range(len(watched))}
    for place in numptx.devices():
        stats = numptx.memory_stats(place)
        found.update({f"{name} on {place}": stats[name] for name in COUNTERS})
    return found


def blocks_of(call, calls):
    """By how many of Python's blocks so many calls grow the process."""
    blocks = sys.getallocatedblocks()
    for _ in range(calls):
        call()
    return sys.getallocatedblocks() - blocks


def assert_flat(call, calls, watched=(), resident=True):
    """Calls `call()` so often, drops what it returns, and raises `Leak` where anything is kept of it.

    watched: objects whose reference counts must be the same afterwards.
    resident: whether the process's memory is looked at too; a leak of 16 bytes shows in 200 000 calls.
    """
    for _ in range(max(calls // 20, 20)):
        call()
    before, memory = readings(watched), resident_bytes()
    # Before anything else is called: what is only put off until then is a leak to those who never call it.
    objects, grown = blocks_of(call, calls), resident_bytes() - memory
    if objects > 200 + calls // 10:
        # Interpreters put freed tuples and frames aside, up to a number; a leak grows as much again.
        objects = blocks_of(call, calls)
    after = readings(watched)
    found = [f"{name}: {before[name]} before, {after[name]} after" for name in before if before[name] != after[name]]
    if resident and grown > RESIDENT_BYTES:
        found.append(f"resident memory: {grown} bytes more")
    if objects > 200 + calls // 10:
        found.append(f"blocks of Python's allocator: {objects} more")
    if found:
        raise Leak(f"after {calls} calls: " + "; ".join(found))
