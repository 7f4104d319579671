"""Runs the compiler and loads what it made. Nothing here decides what is right."""

import collections
import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Where cargo builds.
TARGET = ROOT / (os.environ.get("CARGO_TARGET_DIR") or "target")


class Spent:
    """CPU seconds of this process's children, by the source that they were for."""

    def __init__(self):
        self.compiling, self.running = collections.Counter(), collections.Counter()


spent = Spent()


class Refused(Exception):
    """The compiler refused the program; the text is its diagnostics."""


def compiler():
    """The command: $NUMPTX_COMPILER, the one beside this Python, or the one on the path."""
    beside = pathlib.Path(sys.executable).parent / "numptx"
    named = os.environ.get("NUMPTX_COMPILER") or (str(beside) if beside.exists() else shutil.which("numptx"))
    if not named:
        raise FileNotFoundError("no numptx command: run `make build`, or name one in NUMPTX_COMPILER")
    return named


def compile_file(path, folder, flags=(), timeout=300):
    """Compiles a file into a folder, within `timeout` seconds; returns the path of the shared library."""
    command = [compiler(), "compile", str(path), "-o", str(folder), *flags]
    before = sum(os.times()[2:4])
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    spent.compiling[pathlib.Path(path)] += sum(os.times()[2:4]) - before
    if done.returncode == 1:
        raise Refused(done.stderr + done.stdout)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}{done.stdout}")
    return pathlib.Path(folder) / f"{pathlib.Path(path).stem}.so"


def load_compiled(path):
    """Imports a compiled library under the name that it was compiled as; a loaded one is not loaded again."""
    name = pathlib.Path(path).stem
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def load_plain(path):
    """Imports the same file as plain Python."""
    name = f"plain_{pathlib.Path(path).stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    # Dataclasses look their module up.
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def compiler_hash():
    """What stands for the compiler: its own bytes, and the tools that it says it takes. Devices, which it lists last, are no part of it."""
    said = subprocess.run([compiler(), "info"], capture_output=True, text=True, check=True).stdout
    tools, devices, _ = said.partition("\nCUDA devices")
    assert devices, f"`numptx info` lists no devices:\n{said}"
    return hashlib.sha256(pathlib.Path(compiler()).read_bytes() + tools.encode()).hexdigest()[:16]


class Shelf:
    """Folders of compiled libraries, named by everything that they are made from: the compiler, the source and the flags.

    Whoever wants one that is there takes it: the tests on the CPU, on the mock driver and in the debug mode of memory are of one library.
    """

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / compiler_hash()

    def library(self, path, flags=()):
        """The shared library of a file. `{folder}` in a flag is the folder that it lies in."""
        path = pathlib.Path(path)
        key = hashlib.sha256(repr((path.name, path.read_bytes(), tuple(flags))).encode()).hexdigest()[:16]
        folder = self.folder / f"{path.stem}-{key}"
        if not folder.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            made = tempfile.mkdtemp(dir=self.folder)
            try:
                compile_file(path, made, [flag.replace("{folder}", made) for flag in flags])
                os.rename(made, folder)
            except OSError:
                # Another process may have been faster; its library is the same.
                if not folder.exists():
                    raise
            finally:
                shutil.rmtree(made, ignore_errors=True)
        return folder / f"{path.stem}.so"


class Workshop:
    """Compiles files and sources, each only once, whichever thread asks; takes libraries compiled before where there are some.

    `cpu`: gives a file's `--cpu` where its flags name none, or `None` for the compiler's default.
    """

    def __init__(self, folder, compiled=None, cpu=lambda path: None):
        self.folder = pathlib.Path(folder)
        self.cpu = cpu
        self.compiled = pathlib.Path(compiled) if compiled else None
        self.shelf = Shelf(os.environ.get("NUMPTX_SHELF") or self.folder)
        self._loaded = {}
        self._lock = threading.RLock()

    def library(self, path, flags=()):
        """The shared library of a file."""
        path = pathlib.Path(path).resolve()
        ready = self.compiled / f"{path.stem}.so" if self.compiled else None
        if ready is not None and ready.exists() and not flags:
            return ready
        cpu = None if {"--cpu", "--device-only"}.intersection(flags) else self.cpu(path)
        return self.shelf.library(path, flags if cpu is None else ["--cpu", cpu, *flags])

    def module(self, path, flags=()):
        """The compiled module of a file."""
        with self._lock:
            library = self.library(path, flags)
            if library not in self._loaded:
                self._loaded[library] = load_compiled(library)
            return self._loaded[library]

    def written(self, source, name="kernels"):
        """The file that a source text is written to; the same for the same text."""
        key = hashlib.sha256(source.encode()).hexdigest()[:12]
        folder = self.folder / f"source-{key}"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.py"
        with self._lock:
            if not path.exists():
                path.write_text(source)
        return path

    def pair(self, source, name="kernels", flags=()):
        """`(compiled module, plain module)` of a source text."""
        path = self.written(source, name)
        return self.module(path, flags), load_plain(path)
