"""The device code of a compiled module, looked at without loading it and without a GPU: `module.ptx`, `module.cubins`, `module.kernels`."""

import re
import struct
from typing import NamedTuple

from . import _native


class Kernel(NamedTuple):
    """A kernel as one of the module's images has it.

    arguments: the PTX types of its parameters. block: the most threads of a block. shared_bytes: static shared memory of a block.
    registers: of a thread; `None` where only PTX is there, whose registers the driver allots when it loads it.
    """

    name: str
    architecture: int
    arguments: tuple
    block: int | None
    shared_bytes: int
    registers: int | None


def attribute(module, name):
    """`__getattr__` of compiled modules."""
    if name == "ptx":
        return newest_ptx(module)
    if name == "cubins":
        return {f"sm_{architecture}": code for kind, architecture, code in _native.images(module) if kind == "cubin"}
    if name == "kernels":
        return kernels(module)
    raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")


def newest_ptx(module):
    """The PTX for the newest architecture that the module has it for; `None` with --host-only."""
    texts = [(architecture, code) for kind, architecture, code in _native.images(module) if kind == "ptx"]
    return max(texts)[1].decode() if texts else None


def kernels(module):
    """`{name: Kernel}`. Facts of machine code where the module holds any, the newest of it."""
    found = {}
    for kind, architecture, code in _native.images(module):
        if kind == "ptx":
            for kernel in of_ptx(code.decode(), architecture):
                if kernel.name not in found or found[kernel.name].architecture <= architecture:
                    found[kernel.name] = kernel
    cubins = [(architecture, code) for kind, architecture, code in _native.images(module) if kind == "cubin"]
    for architecture, code in sorted(cubins):
        registers, shared = of_cubin(code)
        for name, n in registers.items():
            if name in found:
                found[name] = found[name]._replace(architecture=architecture, registers=n, shared_bytes=shared.get(name, 0))
    return found


ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\(([^)]*)\)([^{]*)\{")
PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)")
SHARED = re.compile(r"\.shared\s+(?:\.align\s+\d+\s+)?\.[a-z](\d+)\s+([\w$]+)(?:\[(\d+)\])?")
BLOCK = re.compile(r"\.(?:max|req)ntid\s+([\d, ]+)")


def of_ptx(text, architecture):
    """The kernels of a PTX text."""
    # What stands outside of functions belongs to the kernels that name it.
    outside = text[: ENTRY.search(text).start()] if ENTRY.search(text) else text
    common = {name: int(bits) // 8 * int(n or 1) for bits, name, n in SHARED.findall(outside)}
    for entry in ENTRY.finditer(text):
        name, parameters, directives = entry.groups()
        body = text[entry.end() : end_of_block(text, entry.end())]
        own = sum(int(bits) // 8 * int(n or 1) for bits, _, n in SHARED.findall(body))
        used = sum(size for shared, size in common.items() if re.search(rf"(?<![\w$]){re.escape(shared)}(?![\w$])", body))
        threads = BLOCK.search(directives)
        block = None
        if threads:
            block = 1
            for extent in threads.group(1).split(","):
                block *= int(extent)
        yield Kernel(name, architecture, tuple(PARAMETER.findall(parameters)), block, own + used, None)


def end_of_block(text, start):
    """Where the brace that was opened before `start` is closed."""
    depth = 1
    for brace in re.finditer(r"[{}]", text[start:]):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return start + brace.start()
    return len(text)


# Of a cubin's section `.nv.info`: the kind of value that has a size before it, and the attribute "registers of a function".
SIZED_VALUE, REGISTER_COUNT = 4, 0x2F


def of_cubin(code):
    """`({kernel: registers}, {kernel: bytes of shared memory})` of a cubin, which is an ELF file."""
    sections = elf_sections(code)
    names = symbol_names(code, sections)
    registers, shared = {}, {}
    for name, kind, offset, size, _ in sections:
        if name.startswith(".nv.shared."):
            shared[name.removeprefix(".nv.shared.")] = size
        if name != ".nv.info":
            continue
        at = offset
        while at + 4 <= offset + size:
            form, attribute_, length = struct.unpack_from("<BBH", code, at)
            at += 4
            if form == SIZED_VALUE:
                if attribute_ == REGISTER_COUNT:
                    symbol, n = struct.unpack_from("<II", code, at)
                    registers[names[symbol]] = n
                at += length
    return registers, shared


def elf_sections(code):
    """`(name, type, offset, size, link)` of each section."""
    first, = struct.unpack_from("<Q", code, 0x28)
    size, n, strings = struct.unpack_from("<HHH", code, 0x3A)
    raw = [struct.unpack_from("<IIQQQQII", code, first + i * size) for i in range(n)]
    texts = raw[strings][4]
    return [(text_at(code, texts + row[0]), row[1], row[4], row[5], row[6]) for row in raw]


def symbol_names(code, sections):
    """The names of the symbol table's rows."""
    for _, kind, offset, size, link in sections:
        if kind == 2:
            texts = sections[link][2]
            return [text_at(code, texts + struct.unpack_from("<I", code, at)[0]) for at in range(offset, offset + size, 24)]
    return []


def text_at(code, at):
    return code[at : code.index(b"\0", at)].decode()
