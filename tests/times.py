"""What tests cost: seconds of CPU time by file, compiling apart from running.

With `NUMPTX_TEST_TIMES=FOLDER` in the environment each pytest process leaves a file of JSON there; `tests/suite.py` reads them. A file's seconds
are those of the process and of the children that it waited for; fixtures count for the file that first asks for them.
"""

import collections
import json
import os
import pathlib

import pytest

import compilation

FOLDER = os.environ.get("NUMPTX_TEST_TIMES")


def cpu_seconds():
    """Of this process and of the children that it waited for."""
    return sum(os.times()[:4])


class Times:
    """A pytest plugin: adds up what each file's tests cost."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.files = collections.defaultdict(lambda: {"tests": 0, "cpu": 0.0, "compiling": 0.0})

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        file = self.files[item.nodeid.split("::")[0]]
        before, compiling = cpu_seconds(), compilation.spent.seconds
        try:
            return (yield)
        finally:
            file["tests"] += 1
            file["cpu"] += cpu_seconds() - before
            file["compiling"] += compilation.spent.seconds - compiling

    def pytest_sessionfinish(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{os.getpid()}.json").write_text(json.dumps(self.files))
