"""Runs a piece of Python in a process of its own: for forks, signals and shutdown."""

import os
import pathlib
import subprocess
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent


def run_python(text, *arguments, environment=(), timeout=300, quiet=False):
    """Runs the text; fails the test with the process's words unless it ends with status 0, and with nothing on its standard error if it is
    to be quiet. Returns what it printed."""
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        # Python warns of forks while threads run; what then works is what is tested.
        [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", textwrap.dedent(text), *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*paths, str(HERE / "runtime")]), **dict(environment)},
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
    assert not quiet or not done.stderr, done.stderr
    return done.stdout
