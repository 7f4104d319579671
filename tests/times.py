"""What tests cost: seconds of CPU time by file, compiling apart from running.

With `NUMPTX_TEST_TIMES=FOLDER` in the environment each pytest process leaves a file of JSON there; `tests/suite.py` reads them. A file's seconds
are those of the process and of the children that it waited for; fixtures count for the file that first asks for them. What is spent on one program
of the corpus counts for that program, whichever test waits for it: files of such tests grow with the corpus.
"""

import collections
import json
import os
import pathlib

import pytest

import compilation

CORPUS = compilation.ROOT / "tests/corpus"
FOLDER = os.environ.get("NUMPTX_TEST_TIMES")


def cpu_seconds():
    """Of this process and of the children that it waited for."""
    return sum(os.times()[:4])


def file_of(item):
    """The file that a test counts for, from `tests` on."""
    path = item.callspec.params.get("path") if hasattr(item, "callspec") else None
    return program_of(path) or item.nodeid.split("::")[0]


def program_of(path):
    """The corpus program that a path is, from `tests` on; `None` for another one."""
    return str(path.relative_to(CORPUS.parent)) if isinstance(path, pathlib.Path) and CORPUS in path.parents else None


class Times:
    """A pytest plugin: adds up what each file's tests cost."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.files = collections.defaultdict(lambda: {"tests": 0, "cpu": 0.0, "compiling": 0.0})

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        own, spent = file_of(item), compilation.spent
        before, compiling, running = cpu_seconds(), spent.compiling.copy(), spent.running.copy()
        try:
            return (yield)
        finally:
            self.files[own]["tests"] += 1
            self.files[own]["cpu"] += cpu_seconds() - before
            for path, seconds in (spent.compiling - compiling).items():
                self.files[program_of(path) or own]["compiling"] += seconds
            for path, seconds in (spent.compiling - compiling + (spent.running - running)).items():
                self.files[own]["cpu"] -= seconds
                self.files[program_of(path) or own]["cpu"] += seconds

    def pytest_sessionfinish(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{os.getpid()}.json").write_text(json.dumps(self.files))
