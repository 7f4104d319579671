"""A user's folder with one source in it, which is compiled and imported there, in this process."""

import importlib
import itertools
import pathlib
import sys

from compilation import Refused, compile_file

NUMBERS = itertools.count()


class Project:
    """As a context manager, because what is imported here is forgotten in the end. Each has a module of a name of its own."""

    importing_file = __file__

    def __init__(self, folder, package=None, root=None):
        stem = f"kernels_{next(NUMBERS)}"
        self.folder, self.root = pathlib.Path(folder), pathlib.Path(root or folder)
        self.name = f"{package}.{stem}" if package else stem
        self.source, self.library = self.folder / f"{stem}.py", self.folder / f"{stem}.so"

    def __enter__(self):
        sys.path.insert(0, str(self.root))
        return self

    def __exit__(self, *_):
        sys.path.remove(str(self.root))
        self.forget()
        sys.modules.pop(self.name.partition(".")[0], None)

    def write(self, text):
        self.source.write_text(text)

    def compile(self, text=None, *flags):
        """Compiles the source, or this one, in its place. The host's half takes a third of the time."""
        if text is not None:
            self.write(text)
        compile_file(self.source, self.folder, flags or ["--host-only"])

    def refused(self):
        """What the compiler says of a source that it refuses."""
        try:
            self.compile()
        except Refused as refused:
            return str(refused)
        raise AssertionError("the source was compiled")

    def imported(self):
        importlib.invalidate_caches()
        return importlib.import_module(self.name)

    def forget(self):
        """As `del sys.modules["kernels"]`."""
        sys.modules.pop(self.name, None)
