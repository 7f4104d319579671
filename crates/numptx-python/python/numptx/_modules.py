"""What compiled modules do beside calls: the check of their source, reloading, and the names of their file that the library does not hold."""

from __future__ import annotations

import importlib.machinery
import itertools
import opcode
import os
import sys
import threading
import warnings
from collections.abc import Sequence
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from . import _images, _native


class StaleWarning(UserWarning):
    """A library was imported that was compiled from another source than the file beside it: calls run the old code."""


def loaded(module: ModuleType) -> None:
    """What is done when a module is imported or reloaded."""
    if ReloadFinder not in sys.meta_path:
        sys.meta_path.insert(0, ReloadFinder)
    if getattr(module, "__file__", None):
        refresh(module)
        check(module)


# The source beside a library.

CHOICES = ("warn", "error", "ignore")
# What stands before the paths of a library's inputs, as `hashed` of the compiler's driver makes it.
INPUTS = "# inputs: "


class Source(NamedTuple):
    """The file that a library was compiled from. `names`: what it binds; of a function that is not exported its parameters, else `None`.
    `inputs`: the other files that the library has something of, by their paths from that one."""

    hash: int
    inputs: list[str]
    constants: str
    names: dict[str, list[str] | None]


def source_of(module: ModuleType) -> Source | None:
    """`None` where the library was made of no Python file."""
    facts = _native.source_facts(module)
    if facts is None:
        return None
    file_hash, constants, functions = facts
    names: dict[str, list[str] | None] = {}
    first, _, rest = constants.partition("\n")
    inputs = first.removeprefix(INPUTS).split() if first.startswith(INPUTS) else []
    if inputs:
        constants = rest
    for line in filter(None, constants.split("\n")):
        names[line.rpartition(" as ")[2] if line.startswith(("import ", "from ")) else line.partition(" = ")[0]] = None
    for line in functions.splitlines():
        name, *parameters = line.split()
        names[name] = parameters
    return Source(file_hash, inputs, constants, names)


def file_beside(module: ModuleType) -> tuple[str, bytes | None]:
    """The path of the `.py` file beside a module's library, and its bytes, or `None`."""
    path = module.__name__.rpartition(".")[2] + ".py"
    library = getattr(module, "__file__", None)
    if not library:
        return path, None
    path = os.path.join(os.path.dirname(library), path)
    try:
        with open(path, "rb") as file:
            return path, file.read()
    except OSError:
        return path, None


def changed(source: Source, path: str, text: bytes) -> str | None:
    """The name of a file that is not what was compiled: the one at `path`, whose bytes are `text`, or one of the inputs beside it."""
    parts = [text]
    for name in source.inputs:
        try:
            with open(os.path.join(os.path.dirname(path), name), "rb") as file:
                parts += [name.encode(), file.read()]
        except OSError:
            return name
    if _native.source_hash(b"\0".join(parts)) == source.hash:
        return None
    return " or ".join([os.path.basename(path), *source.inputs])


def check(module: ModuleType) -> None:
    """Warns, or raises, where the file beside the library is not what was compiled."""
    choice = os.environ.get("NUMPTX_STALE") or "warn"
    if choice not in CHOICES:
        raise ValueError(f"NUMPTX_STALE is {choice!r}; it may be {', '.join(CHOICES)}")
    if choice == "ignore" or _native.source_facts(module) is None:
        return
    source = source_of(module)
    path, text = file_beside(module)
    other = changed(source, path, text) if source and text is not None else None
    if other is None:
        return
    message = (
        f"{module.__file__} was compiled from another {other} than the one beside it, and calls run the old code. "
        f"Compile it again: numptx compile {path} (NUMPTX_STALE=ignore says nothing, NUMPTX_STALE=error refuses the import)"
    )
    if choice == "error":
        raise ImportError(message, name=module.__name__, path=module.__file__)
    frame = importing_frame()
    # Without a registry: each import says it, however often that line did before.
    warnings.warn_explicit(message, StaleWarning, frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__"))


def importing_frame() -> FrameType:
    """The frame of the statement that imports or reloads."""

    def is_of_imports(name: str) -> bool:
        return name in (__file__, importlib.__file__) or name.startswith("<frozen importlib")

    frame = sys._getframe()
    while frame.f_back and is_of_imports(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


# Reloading. The loader takes the library that is loaded already for one of the same path: a new file is opened by another spelling of it.

LOCK = threading.RLock()
# By the address of a library's descriptor: the file that it was loaded from.
LOADED: dict[int, File] = {}
# By path and file: the spelling of the path by which it was opened.
SPELLINGS: dict[tuple[str, File], str] = {}
NUMBERS = itertools.count()


class File(NamedTuple):
    """Which file lies at a path."""

    device: int
    inode: int
    size: int
    modified: int

    @classmethod
    def at(cls, path: str) -> File:
        found = os.stat(path)
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def refresh(module: ModuleType) -> None:
    """Gives a module the members of the library that lies at its path now, where that is another one than it has."""
    path = module.__file__
    if path is None:
        return
    with LOCK:
        try:
            found = File.at(path)
        except OSError:
            return
        known = LOADED.setdefault(_native.library_address(module), found)
        SPELLINGS.setdefault((path, known), path)
        if known == found:
            return
        if known[:2] == found[:2]:
            raise ImportError(
                f"{path} was written over while this process uses it, and cannot be loaded again: start Python anew. "
                "`numptx compile` replaces the file, and `mv` does; `cp` writes over it",
                name=module.__name__,
                path=path,
            )
        fresh = opened(module.__name__, path)
        before = [*_native.exported(module), *(name for source in [source_of(module)] if source for name in source.names)]
        _native.adopt(module, fresh)
        # Old code would run by the names that the new library does not have; values of the old file are asked for again.
        for name in set(before).difference(_native.exported(module)):
            module.__dict__.pop(name, None)


def opened(name: str, path: str) -> ModuleType:
    """A module object of the library that lies at a path now, which nothing has run in yet."""
    while True:
        found = File.at(path)
        spelling = SPELLINGS.setdefault((path, found), respelled(path, next(NUMBERS)))
        loader = importlib.machinery.ExtensionFileLoader(name, spelling)
        fresh = loader.create_module(importlib.machinery.ModuleSpec(name, loader, origin=spelling))
        if File.at(path) == found:
            LOADED.setdefault(_native.library_address(fresh), found)
            return fresh
        # It was replaced in between, and this may be the one or the other.
        del SPELLINGS[path, found]


def respelled(path: str, number: int) -> str:
    """The `number`-th spelling of a path: slashes and dots that say nothing, by the digits of the number."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + "".join("./" if digit == "1" else "/" for digit in f"{number:b}") + name


class ReloadFinder:
    """Finds what `importlib.reload` of a compiled module loads. Imports, and reloads of other modules, are none of its business."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if target is None or not _native.is_compiled(target):
            return None
        for finder in sys.meta_path:
            find = None if finder is cls else getattr(finder, "find_spec", None)
            spec: importlib.machinery.ModuleSpec | None = find(name, path, target) if find else None
            if spec:
                if isinstance(spec.loader, importlib.machinery.ExtensionFileLoader):
                    spec.loader = ReloadLoader(spec.loader.name, spec.loader.path)
                return spec
        return None


class ReloadLoader(importlib.machinery.ExtensionFileLoader):
    """Runs a compiled module again: CPython does nothing for one that was run."""

    def exec_module(self, module: ModuleType) -> None:
        loaded(module)


# Names of the file.


def attribute(module: ModuleType, name: str) -> Any:
    """`__getattr__` of compiled modules."""
    source = source_of(module)
    if source and name in source.names:
        why = fill(module, source)
        if name in module.__dict__:
            return module.__dict__[name]
        raise missing(module, name, source.names[name], why)
    if name == "__all__" and source:
        # `from kernels import *` looks for the names of the file, which are made now.
        fill(module, source)
        return [name for name in module.__dict__ if not name.startswith("_")]
    return _images.attribute(module, name)


def attributes(module: ModuleType) -> list[str]:
    """`__dir__` of compiled modules."""
    source = source_of(module)
    if source:
        fill(module, source)
    return list(module.__dict__)


def fill(module: ModuleType, source: Source) -> str | None:
    """Binds in the module what its file binds; returns what kept the file from being run, if anything did."""
    with LOCK:
        values, why = run_file(module, source)
        if why:
            values = run_constants(module, source)
        for name in source.names:
            if name in values:
                module.__dict__.setdefault(name, frozen(values[name]))
    return why


def run_file(module: ModuleType, source: Source) -> tuple[dict[str, Any], str | None]:
    """What Python makes of the file beside the library, where that is what was compiled, with the compiled functions in it; or why not."""
    path, text = file_beside(module)
    file = os.path.basename(path)
    if text is None:
        return {}, f"{file} is not beside the library"
    other = changed(source, path, text)
    if other:
        return {}, f"{other} beside the library is not what was compiled"
    values: dict[str, Any] = {"__name__": module.__name__, "__package__": module.__package__, "__file__": path}
    try:
        exec(compile(text, path, "exec", dont_inherit=True), values)
    except Exception as error:
        return {}, f"{file} raises {type(error).__name__}: {error}"
    values.update((name, module.__dict__[name]) for name in _native.exported(module) if name in module.__dict__)
    return values, None


def run_constants(module: ModuleType, source: Source) -> dict[str, Any]:
    """The constants that the library holds, as Python computes them; those that take a function of the file are left out."""
    values: dict[str, Any] = {"__name__": module.__name__, "__package__": module.__package__}
    for statement in source.constants.split("\n"):
        try:
            exec(statement, values)
        except Exception:
            continue
    return values


def frozen(value: Any) -> Any:
    """Arrays are read-only: compiled functions have their own, and would not see what is written."""
    import numpy as np

    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    if isinstance(value, (tuple, list)):
        for member in value:
            frozen(member)
    return value


def missing(module: ModuleType, name: str, parameters: list[str] | None, why: str | None) -> Exception:
    """The exception for a name that the file binds and Python cannot have."""
    if parameters is None:
        text = f"{name!r} of module {module.__name__!r} takes the whole file, and {why}"
    else:
        types_of = f" with the types of {', '.join(parameters)}, such as `float64[:]`" if parameters else ""
        text = (
            f"{name!r} is not exported by module {module.__name__!r}: write `#numptx export {name}({', '.join('...' for _ in parameters)})` "
            f"above it{types_of}. Python runs it as it stands where the source is there, but {why}"
        )
    # `from module import name` drops the words of an AttributeError.
    if is_from_import(sys._getframe(2)):
        return ImportError(text, name=module.__name__, path=getattr(module, "__file__", None))
    return AttributeError(text, name=name, obj=module)


def is_from_import(frame: FrameType) -> bool:
    """Whether a frame is at a `from … import …`."""
    return frame.f_code.co_code[frame.f_lasti] == opcode.opmap["IMPORT_FROM"]
