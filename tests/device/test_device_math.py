"""The device math that the compiler's wheel brings: it is found where nothing else is, and has every function that may be called."""

import os
import pathlib
import shutil
import subprocess

import pytest

import table
from compilation import compiler

LIBRARY = pathlib.Path(compiler()).resolve().parent.parent / "share" / "numptx" / "libclc-nvptx64.bc"
# Where the compiler looks before it takes what it brought.
TOOLKITS = [pathlib.Path("/usr/local/cuda/nvvm"), pathlib.Path("/usr/lib/cuda/nvvm")]
NAMES = ["NUMPTX_LIBDEVICE", "VIRTUAL_ENV", "CUDA_HOME", "CUDA_PATH"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A command installed by itself, and an environment that names nothing of CUDA."""
    if not LIBRARY.exists():
        reason = f"{compiler()} was not installed from a wheel: {LIBRARY} is not there"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    if any(toolkit.exists() for toolkit in TOOLKITS):
        pytest.skip("a CUDA toolkit is installed: its libdevice comes first")
    prefix = tmp_path_factory.mktemp("prefix")
    command, library = prefix / "bin" / "numptx", prefix / "share" / "numptx" / LIBRARY.name
    for path, original in ((command, compiler()), (library, LIBRARY)):
        path.parent.mkdir(parents=True)
        shutil.copy(original, path)
    environment = {name: value for name, value in os.environ.items() if name not in NAMES}
    return command, environment


def run(alone, *arguments):
    command, environment = alone
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_the_wheels_library_is_found(alone):
    found = next(line for line in run(alone, "info").splitlines() if line.startswith("device math"))
    assert pathlib.Path(found.split()[2]).resolve() == alone[0].parent.parent / "share" / "numptx" / LIBRARY.name
    assert "(libclc" in found


def test_a_named_libdevice_comes_first(alone):
    command, environment = alone
    found = run((command, {**environment, "NUMPTX_LIBDEVICE": "/some/libdevice.bc"}), "info")
    assert "/some/libdevice.bc (libdevice)" in found


def test_every_function_is_there(alone, tmp_path):
    """float32 and float64 of every elementwise row, as the table's own tests have it."""
    rows = [dict(row, dtypes="".join(set("fdFD") & set(row["dtypes"]))) for row in table.of_class("map")]
    path = tmp_path / "rows.py"
    path.write_text(table.map_source(sorted((row for row in rows if row["dtypes"]), key=table.short)))
    run(alone, "compile", path, "-o", tmp_path, "--device-only")
    ptx = (tmp_path / "rows.ptx").read_text()
    assert ".extern" not in ptx and ".visible .entry" in ptx
