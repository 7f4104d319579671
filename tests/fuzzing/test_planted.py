"""Random programs find bugs: three are planted into compiled programs, and each is found within a hundred.

Two are planted into the text of the array IR, one into the table of functions through which a compiled module calls the runtime.
"""

import ctypes
import itertools
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

import fuzz
from compilation import ROOT, compile_file, compiler
from fuzzing import allowed, batch

HOST = ("--host-only",)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """`(programs, folder)` of programs that the compiler takes and that agree with NumPy, their file in the folder."""
    folder = tmp_path_factory.mktemp("planted")
    bundled = [ROOT / "programs" / f"from_{first:04d}.py" for first in (0, 50)]
    if bundled[0].exists():
        programs = [program for path in bundled for program in batch.read(path.read_text())]
    else:
        generator = os.environ.get("NUMPTX_RANDOM_PROGRAMS", fuzz.GENERATOR)
        text = subprocess.run([str(generator), "0", "100"], check=True, capture_output=True, text=True).stdout
        programs = batch.read(text)
    library, programs, _, broken = batch.compiled(programs, folder, HOST)
    assert not broken and not findings(library, programs)
    return programs, folder


def findings(library, programs):
    """The kinds of what is found, the first few."""
    tried = batch.tried(library, programs, HOST, "cpu", ["host"])
    return list(itertools.islice((found.kind for word, found in tried if word == "found"), 20))


# Programs with a planted bug that are run.
BROKEN = 20


def with_planted(programs, folder, stage, plant):
    """`(library, programs)` of the first few programs whose array IR after a pass is changed by `plant`, which breaks one function."""
    there = folder / plant.__name__
    there.mkdir()
    whole = functions_of(dump_of(folder / "kernels.py", stage, there))
    broken = {re.match(r"func @(\w+)", text)[1] for text in whole if plant(text) != text}
    chosen = [program for program in programs if broken & set(re.findall(r"^def (\w+)", program.text, re.M))][:BROKEN]
    assert len(chosen) > 5, "there is little to break"
    dump = dump_of(batch.written(chosen, there)[0], stage, there)
    head, *functions = split_at_functions(dump.read_text())
    dump.write_text(head + "".join(map(plant, functions)))
    return compile_file(dump, there, HOST, timeout=batch.SECONDS_TO_COMPILE), chosen


def dump_of(path, stage, folder):
    """The file of a module's array IR after a pass."""
    subprocess.run([compiler(), "compile", str(path), f"--emit=array@{stage}", "-o", str(folder)], check=True, capture_output=True)
    return folder / f"{path.stem}.array"


def split_at_functions(text):
    """What stands before the first function, and each function with what follows it."""
    return re.split(r"^(?=func @)", text, flags=re.M)


def functions_of(dump):
    return split_at_functions(dump.read_text())[1:]


def without_snapshots(text):
    """Stores read what was copied for them where it was copied from."""
    lines, copies = [], {}
    for line in text.splitlines():
        copy = re.match(r" *(%\d+) = map<\d+, [^>]*>.* (%\d+) \{ \$0 = input 0 : \w+; yield \$0 \}", line)
        if copy:
            copies[copy[1]] = copy[2]
        elif re.match(r" *store<", line):
            line = re.sub(r"%\d+", lambda m: copies.get(m[0], m[0]), line)
        lines.append(line + "\n")
    return "".join(lines)


def with_small_steps(text):
    """Slices of every second or third element take neighbours."""
    lines, constants = [], {}
    for line in text.splitlines():
        constant = re.match(r"  (%\d+) = constant<(-?\d+)> : i64", line)
        if constant:
            constants[constant[1]] = int(constant[2])
        one = next((value for value, number in constants.items() if number == 1), None)
        taken = re.match(r"( *%\d+.* = slice<\d+> .*, )(%\d+)( : .*)", line)
        if one and taken and constants.get(taken[2], 0) > 1:
            line = taken[1] + one + taken[3]
        lines.append(line + "\n")
    return "".join(lines)


def test_a_missing_snapshot_is_found(made):
    programs, folder = made
    kinds = findings(*with_planted(programs, folder, "place-stores", without_snapshots))
    assert {"values", "arguments"} & set(kinds)


def test_a_wrong_stride_is_found(made):
    programs, folder = made
    kinds = findings(*with_planted(programs, folder, "place-stores", with_small_steps))
    assert {"values", "arguments", "strides"} & set(kinds)


def test_a_lost_release_is_found(made, monkeypatch):
    programs, folder = made
    load = batch.load_compiled
    monkeypatch.setattr(batch, "load_compiled", lambda library: losing_releases(load(library), library))
    # The runtime's own check of a call's references speaks first.
    kinds = findings(folder / "kernels.so", programs)
    assert any(kind == "leak" or kind.endswith("RuntimeError") for kind in kinds)


def losing_releases(module, library):
    """The module, with a table of its own whose `release` does nothing. Where entries lie in the table never changes."""
    import numptx

    runtime = ctypes.CDLL(str(pathlib.Path(numptx.__file__).parent / "libnumptx_runtime.so"))
    runtime.numptx_runtime_table.restype = ctypes.c_void_p
    table = runtime.numptx_runtime_table()
    size = ctypes.c_uint32.from_address(table + 4).value
    copy = ctypes.create_string_buffer(ctypes.string_at(table, size), size)
    nothing = ctypes.cast(ctypes.CDLL(None).abs, ctypes.c_void_p)
    ctypes.c_void_p.from_address(ctypes.addressof(copy) + 24).value = nothing.value
    header = pathlib.Path(library).with_suffix(".h").read_text()
    accessor = getattr(ctypes.CDLL(str(library)), re.search(r"const numptx_module \*(\w+)\(void\);", header)[1])
    accessor.restype = ctypes.c_void_p
    descriptor = accessor()
    words = (ctypes.c_void_p.from_address(descriptor + 8 * n) for n in range(32))
    slot = next(word for word in words if word.value == table)
    slot.value = ctypes.addressof(copy)
    module._table = copy
    return module


def test_only_ints_beyond_64_bits_excuse_an_overflow():
    ours = OverflowError("Python int is too large: ints have 64 bits")

    def count(n):
        total = n * 2**60
        return [][0] if n > 4 else total - n * 2**60

    assert allowed.is_wider_int(ours, count, [8], {})
    assert not allowed.is_wider_int(ours, count, [4], {})
    assert not allowed.is_wider_int(OverflowError("other"), count, [8], {})
    assert allowed.has_wider_int((1, (2.5, -(2**63) - 1))) and not allowed.has_wider_int((1, -(2**63), 2.0**70, True))


def test_only_masks_of_extent_0_may_be_refused_alone():
    message = "boolean index did not match indexed array along axis 0; size of axis is {} but size of corresponding boolean axis is {}"
    refused, wrong = IndexError(message.format(2, 0)), IndexError(message.format(2, 10))
    with pytest.raises(IndexError) as raised:
        np.ones(2)[np.zeros(10, dtype=bool)]
    assert str(raised.value) == str(wrong) and np.ones(2)[np.zeros(0, dtype=bool)].size == 0
    assert allowed.is_empty_mask(refused, None)
    assert not allowed.is_empty_mask(wrong, None)
    assert not allowed.is_empty_mask(refused, refused)
    assert allowed.is_empty_mask(refused, IndexError("index 0 is out of bounds for axis 0 with size 0"))
