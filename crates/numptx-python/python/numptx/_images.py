"""The device code of a compiled module, looked at without loading it and without a GPU: `module.ptx`, `module.cubins`, `module.kernels`."""

from __future__ import annotations

import functools
import math
import re
import struct
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

from . import _linking, _native


class Kernel(NamedTuple):
    """A kernel as one of the module's images has it.

    arguments: the PTX types of its parameters; of machine code their sizes, as `b64`. block: the most threads of a block.
    shared_bytes: static shared memory of a block. registers: of a thread, for `architecture`.
    source: what told registers and shared memory: `"cubin"`, machine code that is there; `"driver"`, the image as a GPU loaded it;
    `"nvJitLink"` or `"ptxas"`, machine code made of the PTX to look at; `"ptx"`, the text alone, which leaves registers `None`.
    """

    name: str
    architecture: int
    arguments: tuple[str, ...]
    block: int | None
    shared_bytes: int
    registers: int | None
    source: str = "ptx"


class Cubin(bytes):
    """Machine code for one GPU architecture, an ELF file; write it to a file to save it."""

    @property
    def architecture(self) -> str:
        """As `"sm_90"`."""
        return f"sm_{architecture_of(self)}"

    @property
    def kernels(self) -> dict[str, Kernel]:
        """`{name: Kernel}`."""
        return {kernel.name: kernel for kernel in of_cubin(self)}

    def __repr__(self) -> str:
        return f"<numptx.Cubin for {self.architecture}, {len(self)} bytes>"


def attribute(module: ModuleType, name: str) -> Any:
    """What `__getattr__` of compiled modules gives of their device code."""
    if name == "ptx":
        return newest_ptx(module)
    if name == "cubins":
        return {f"sm_{architecture}": Cubin(code) for kind, architecture, code in _native.images(module) if kind == "cubin"}
    if name == "kernels":
        return kernels(module)
    raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")


def newest_ptx(module: ModuleType) -> str | None:
    """The PTX for the newest architecture that the module has it for; `None` with --host-only."""
    texts = [(architecture, code) for kind, architecture, code in _native.images(module) if kind == "ptx"]
    return max(texts)[1].decode() if texts else None


def kernels(module: ModuleType) -> dict[str, Kernel]:
    """`{name: Kernel}`: of the newest image, with the facts of machine code that the module holds, of what a GPU has loaded, or of what is made of the PTX."""
    images = _native.images(module)
    found: dict[str, Kernel] = {}
    for kind, architecture, code in sorted(images, key=lambda image: image[1]):
        if kind == "ptx":
            found.update((kernel.name, kernel) for kernel in of_ptx(code.decode(), architecture))
    cubins = sorted((architecture, code) for kind, architecture, code in images if kind == "cubin")
    for architecture, code in cubins:
        for kernel in of_cubin(code):
            if kernel.name in found:
                found[kernel.name] = with_facts(found[kernel.name], kernel)
    if not cubins and found:
        found = loaded(module, found) or assembled(newest_ptx(module) or "", found)
    return found


def with_facts(kernel: Kernel, other: Kernel, source: str | None = None) -> Kernel:
    """A kernel as PTX has it, with what machine code tells."""
    return kernel._replace(
        architecture=other.architecture, registers=other.registers, shared_bytes=other.shared_bytes, source=source or other.source
    )


def loaded(module: ModuleType, found: dict[str, Kernel]) -> dict[str, Kernel] | None:
    """The kernels as the first GPU that has loaded the module knows them; `None` if none has."""
    told = {}
    for name, kernel in found.items():
        facts = _native.kernel_facts(module, name)
        if facts is None:
            return None
        architecture, registers, shared_bytes = facts
        told[name] = kernel._replace(architecture=architecture, registers=registers, shared_bytes=shared_bytes, source="driver")
    return told


@functools.lru_cache(maxsize=32)
def machine_code(ptx: str) -> tuple[str, bytes] | None:
    """`(tool, cubin)` of a PTX text for its own architecture, or `None` where no tool is found that makes any."""
    return _linking.assemble(ptx)


def assembled(ptx: str, found: dict[str, Kernel]) -> dict[str, Kernel]:
    """The kernels with the facts of machine code that is made of the PTX to look at, where a tool is found."""
    made = machine_code(ptx)
    if made is None:
        return found
    tool, code = made
    facts = {kernel.name: kernel for kernel in of_cubin(code)}
    return {name: with_facts(kernel, facts[name], tool) if name in facts else kernel for name, kernel in found.items()}


ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\(([^)]*)\)([^{]*)\{")
PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)")
SHARED = re.compile(r"\.shared\s+(?:\.align\s+\d+\s+)?\.[a-z](\d+)\s+([\w$]+)(?:\[(\d+)\])?")
BLOCK = re.compile(r"\.(?:max|req)ntid\s+([\d, ]+)")


def of_ptx(text: str, architecture: int) -> Iterator[Kernel]:
    """The kernels of a PTX text."""
    # What stands outside of functions belongs to the kernels that name it.
    first = ENTRY.search(text)
    outside = text[: first.start()] if first else text
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


def target_of(ptx: str) -> str:
    """What `.target` says, as `sm_90`."""
    target = re.search(r"^\s*\.target\s+(\w+)", ptx, re.MULTILINE)
    if target is None:
        raise ValueError("PTX without a .target")
    return target.group(1)


def end_of_block(text: str, start: int) -> int:
    """Where the brace that was opened before `start` is closed."""
    depth = 1
    for brace in re.finditer(r"[{}]", text[start:]):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return start + brace.start()
    return len(text)


# Of a cubin's sections `.nv.info`: the kind of value that has a size before it, and attributes: registers of a function, a parameter, the
# most threads of a block.
SIZED_VALUE, REGISTER_COUNT, PARAMETER_FACTS, MAX_THREADS = 4, 0x2F, 0x17, 0x05
# What the hardware takes of the shared memory of each block: linked code counts it from this architecture on.
RESERVED_BYTES, RESERVED_FROM = 1024, 90
LINKED = 2


def of_cubin(code: bytes) -> Iterator[Kernel]:
    """The kernels of a cubin, which is an ELF file."""
    sections = elf_sections(code)
    symbols = symbols_of(code, sections)
    architecture = architecture_of(code)
    named = {name: (offset, size) for name, kind, offset, size, _ in sections}
    reserved = RESERVED_BYTES if architecture >= RESERVED_FROM and code[0x10] == LINKED else 0
    registers = {}
    for attribute_, at, _ in attributes(code, *named.get(".nv.info", (0, 0))):
        if attribute_ == REGISTER_COUNT:
            symbol, n = struct.unpack_from("<II", code, at)
            name, is_kernel = symbols[symbol]
            if is_kernel:
                registers[name] = n
    for name, n in registers.items():
        if f".nv.info.{name}" not in named:
            continue
        parameters: dict[int, str] = {}
        block = None
        for attribute_, at, length in attributes(code, *named[f".nv.info.{name}"]):
            if attribute_ == PARAMETER_FACTS:
                ordinal, = struct.unpack_from("<H", code, at + 4)
                parameters[ordinal] = f"b{8 * (struct.unpack_from('<I', code, at + 8)[0] >> 18)}"
            if attribute_ == MAX_THREADS:
                block = math.prod(struct.unpack_from("<III", code, at))
        shared = named.get(f".nv.shared.{name}", (0, 0))[1]
        arguments = tuple(parameters[ordinal] for ordinal in sorted(parameters))
        yield Kernel(name, architecture, arguments, block, max(shared - reserved, 0), n, "cubin")


def attributes(code: bytes, offset: int, size: int) -> Iterator[tuple[int, int, int]]:
    """`(attribute, offset of its value, size)` of each sized value in a section of facts."""
    at = offset
    while at + 4 <= offset + size:
        form, attribute_, length = struct.unpack_from("<BBH", code, at)
        at += 4
        if form == SIZED_VALUE:
            yield attribute_, at, length
            at += length


def architecture_of(code: bytes) -> int:
    """The number after `sm_`; it moved with the second version of the format."""
    return code[0x31] if code[8] >= 8 else code[0x30]


def elf_sections(code: bytes) -> list[tuple[str, int, int, int, int]]:
    """`(name, type, offset, size, link)` of each section."""
    first, = struct.unpack_from("<Q", code, 0x28)
    size, n, strings = struct.unpack_from("<HHH", code, 0x3A)
    raw = [struct.unpack_from("<IIQQQQII", code, first + i * size) for i in range(n)]
    texts = raw[strings][4]
    return [(text_at(code, texts + row[0]), row[1], row[4], row[5], row[6]) for row in raw]


# `st_other` of a kernel's symbol.
KERNEL = 0x10


def symbols_of(code: bytes, sections: list[tuple[str, int, int, int, int]]) -> list[tuple[str, bool]]:
    """The symbol table's rows: name, and whether it is a kernel."""
    for _, kind, offset, size, link in sections:
        if kind == 2:
            texts = sections[link][2]
            rows = [struct.unpack_from("<IBB", code, at) for at in range(offset, offset + size, 24)]
            return [(text_at(code, texts + name), bool(other & KERNEL)) for name, _, other in rows]
    return []


def text_at(code: bytes, at: int) -> str:
    return code[at : code.index(b"\0", at)].decode()
