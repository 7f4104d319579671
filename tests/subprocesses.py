"""Runs a piece of Python in a process of its own: for forks, signals and shutdown."""

import functools
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent


# Interpreters beside the one that runs the tests.
OTHERS = ["python3.11", "python3.12", "python3.13", "python3.13t"]


@functools.cache
def interpreters():
    """The interpreters that can import the package, one of each version: those that NUMPTX_PYTHONS names, else this one and those on the path."""
    named = os.environ.get("NUMPTX_PYTHONS", "").split()
    found = {}
    for python in named or [sys.executable, *filter(None, map(shutil.which, OTHERS))]:
        text = "import sys, sysconfig, numptx; print(*sys.version_info[:2], sysconfig.get_config_var('Py_GIL_DISABLED') or 0)"
        asked = subprocess.run([python, "-c", text], env=_environment(), capture_output=True, text=True)
        if asked.returncode == 0:
            major, minor, free = asked.stdout.split()
            found.setdefault(f"{major}.{minor}{'t' if free == '1' else ''}", python)
        elif named:
            raise RuntimeError(f"NUMPTX_PYTHONS: {python} cannot import the package\n{asked.stderr}")
    return found


def _environment(more=(), inherited=None):
    inherited = os.environ if inherited is None else inherited
    paths = [str(HERE), *filter(None, [inherited.get("PYTHONPATH")])]
    return {**inherited, "PYTHONPATH": os.pathsep.join([*paths, str(HERE / "runtime")]), **dict(more)}


def run_python(text, *arguments, environment=(), timeout=300, quiet=False, status=0, python=sys.executable, inherited=None):
    """Runs the text; fails the test with the process's words unless it ends with the status, and with nothing on its standard error if it is
    to be quiet. Returns what it printed. `inherited`: the environment, for threads beside which pytest changes that of this process."""
    with python_process(text, *arguments, environment=environment, python=python, inherited=inherited) as process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        finally:
            process.kill()
    assert process.returncode == status, f"exit status {process.returncode}\n{stdout}{stderr}"
    assert not quiet or not stderr, stderr
    return stdout


def python_process(text, *arguments, environment=(), python=sys.executable, inherited=None):
    """A process that runs the text."""
    # Python warns of forks while threads run; what then works is what is tested.
    command = [python, "-W", "ignore:This process:DeprecationWarning", "-c", textwrap.dedent(text), *arguments]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=_environment(environment, inherited), text=True, **pipes)
