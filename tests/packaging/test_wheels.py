"""The wheels of the package: what is in them, what they ask of a system, and that one of them is all that a compiled module needs.

The wheels are those of `build/wheels` (`make wheels`), else those of `dist` (`make build`).
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv
import zipfile

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]
WHEELS = sorted((ROOT / "build/wheels").glob("numptx_runtime-*.whl")) or sorted((ROOT / "dist").glob("numptx_runtime-*.whl"))
COMPILERS = sorted((ROOT / "build/wheels").glob("numptx-*.whl"))
# Bytes of a wheel at most, and of the library that every call goes through; it holds NumPy's random numbers.
WHEEL, RUNTIME = 20 << 20, 11 << 18

needs_wheels = pytest.mark.skipif(not WHEELS, reason="no wheels here: make wheels")
needs_auditwheel = pytest.mark.skipif(importlib.util.find_spec("auditwheel") is None, reason="no auditwheel here: pip install auditwheel")


def libraries(wheel):
    """The shared objects of a wheel, by name."""
    with zipfile.ZipFile(wheel) as members:
        return {name: members.read(name) for name in members.namelist() if name.endswith(".so")}


def glibc_versions(library):
    """The versions of glibc whose symbols a library names: the strings of its table of needed versions."""
    return {tuple(map(int, found.split(b"."))) for found in re.findall(rb"\0GLIBC_([0-9]+(?:\.[0-9]+)+)(?=\0)", library)}


@needs_wheels
@pytest.mark.parametrize("wheel", WHEELS, ids=lambda wheel: wheel.name)
def test_a_wheel_is_small_and_holds_no_compiler(wheel):
    assert wheel.stat().st_size < WHEEL
    found = libraries(wheel)
    assert sorted(name.split("/")[1].split(".")[0] for name in found) == ["_native", "libnumptx_math", "libnumptx_runtime"]
    for name, library in found.items():
        assert len(library) < (WHEEL if "math" in name else RUNTIME) and b"LLVM" not in library, name


@needs_wheels
@pytest.mark.parametrize("wheel", WHEELS, ids=lambda wheel: wheel.name)
def test_a_wheel_holds_what_c_programs_need(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as members:
        members.extractall(tmp_path)
    package = tmp_path / "numptx"
    assert (package / "include/numptx.h").read_text() == (ROOT / "compiler/numptx-driver/src/numptx.h").read_text()
    asked = ["pkg-config", "--cflags", "--libs", "numptx"]
    if shutil.which("pkg-config") is None:
        pytest.skip("no pkg-config here")
    flags = subprocess.run(asked, env={**os.environ, "PKG_CONFIG_PATH": str(package / "pkgconfig")}, capture_output=True, text=True, check=True).stdout.split()
    (tmp_path / "main.c").write_text("#include <numptx.h>\nint main(void) { return numptx_runtime_table()->abi_version != NUMPTX_ABI_VERSION; }\n")
    subprocess.run(["cc", tmp_path / "main.c", "-o", tmp_path / "main", *flags], check=True)
    assert subprocess.run([tmp_path / "main"]).returncode == 0


@pytest.mark.parametrize("wheel", WHEELS, ids=lambda wheel: wheel.name)
def test_the_tag_covers_every_symbol(wheel):
    newest = max(version for library in libraries(wheel).values() for version in glibc_versions(library))
    tagged = re.search(r"manylinux_(\d+)_(\d+)_x86_64", wheel.name)
    wanted = tuple(map(int, tagged.groups())) if tagged else (2, 39)
    assert newest <= wanted, f"{wheel.name} needs glibc {newest}"


def environment_with(wheel, folder):
    """The interpreter of a fresh virtual environment with one wheel, and NumPy from this one."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    where = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True, check=True)
    packages = pathlib.Path(where.stdout.strip())
    with zipfile.ZipFile(wheel) as members:
        members.extractall(packages)
    site = pathlib.Path(np.__file__).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (site / name).exists():
            (packages / name).symlink_to(site / name)
    return python


def oldest_glibc(wheel):
    """What `auditwheel` says of a wheel: the oldest glibc of a system that has all that it needs. `None`: it needs more than such systems have."""
    shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], capture_output=True, text=True)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    found = re.search(r"consistent\s+with\s+the\s+following\s+platform\s+tag:\s+\"manylinux_(\d+)_(\d+)_x86_64\"", shown.stdout)
    return found and tuple(map(int, found.groups()))


@needs_auditwheel
@pytest.mark.skipif(not COMPILERS, reason="the compiler's wheel is not here: make wheels")
@pytest.mark.parametrize("wheel", COMPILERS, ids=lambda wheel: wheel.name)
def test_the_compiler_s_wheel_is_for_glibc_2_34(wheel, tmp_path):
    assert "manylinux_2_34_x86_64" in wheel.name
    found = oldest_glibc(wheel)
    assert found and found <= (2, 34)
    with zipfile.ZipFile(wheel) as members:
        (command,) = [name for name in members.namelist() if name.endswith("/scripts/numptx")]
        command = pathlib.Path(members.extract(command, tmp_path))
    command.chmod(0o755)
    source = tmp_path / "double.py"
    source.write_text("#numptx export double(float64[:])\ndef double(x):\n    return 2 * x\n")
    subprocess.run([command, "compile", source, "--host-only", "-o", tmp_path], check=True)
    assert (tmp_path / "double.so").is_file()


@needs_auditwheel
def test_a_wheel_with_a_compiled_module_is_for_glibc_2_28_at_most(workshop, tmp_path):
    source = "import numpy as np\n#numptx export f(float64[:])\ndef f(x):\n    return np.exp(x) + np.tanh(x) * np.hypot(x, x)\n"
    wheel = tmp_path / "user-1.0-cp311-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as members:
        members.write(workshop.library(workshop.written(source), ["--cpu", "portable"]), "user/kernels.so")
        members.writestr("user-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: user\nVersion: 1.0\n")
        members.writestr("user-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-abi3-linux_x86_64\n")
        members.writestr("user-1.0.dist-info/RECORD", "".join(f"{name},,\n" for name in [*members.namelist(), "user-1.0.dist-info/RECORD"]))
    found = oldest_glibc(wheel)
    assert found and found <= (2, 28)


@needs_wheels
def test_compiled_modules_need_the_runtime_s_wheel_alone(workshop, tmp_path):
    wheel = wheel_for(sys.executable)
    if wheel is None:
        pytest.skip("no wheel for this interpreter")
    python = environment_with(wheel, tmp_path / "environment")
    assert_doubles(workshop, python, tmp_path)


@needs_wheels
@pytest.mark.parametrize("interpreter", os.environ.get("FREETHREADED", "").split())
def test_the_wheel_of_a_free_threaded_interpreter_keeps_the_lock_disabled(workshop, tmp_path, interpreter):
    python = tmp_path / "environment/bin/python"
    subprocess.run([shutil.which(interpreter), "-m", "venv", tmp_path / "environment"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--only-binary=:all:", wheel_for(interpreter)], check=True)
    assert_doubles(workshop, python, tmp_path)


def wheel_for(interpreter):
    """The wheel that an interpreter can install, if it was made: one for the stable ABI, which has no free-threaded form, or its own."""
    text = "import sys, sysconfig; print('cp%d%dt' % sys.version_info[:2] if sysconfig.get_config_var('Py_GIL_DISABLED') else 'abi3')"
    tag = subprocess.run([interpreter, "-c", text], capture_output=True, text=True, check=True).stdout.strip()
    return next((wheel for wheel in WHEELS if f"-{tag}-" in wheel.name), None)


def assert_doubles(workshop, python, folder):
    """A compiled module works in an environment, with the package of that environment, and leaves a disabled lock as it is."""
    module = workshop.pair("#numptx export double(float64[:])\ndef double(x):\n    return 2 * x\n")[0]
    text = """if True:
        import importlib.util, sys, sysconfig, numpy as np
        spec = importlib.util.spec_from_file_location(sys.argv[1], sys.argv[2])
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert module.double(np.arange(3.0)).tolist() == [0, 2, 4]
        assert sys.prefix in sys.modules["numptx"].__file__
        assert not sysconfig.get_config_var("Py_GIL_DISABLED") or not sys._is_gil_enabled()
    """
    names = ("PATH", "HOME")
    environment = {**{name: os.environ[name] for name in names if name in os.environ}, "NUMPTX_DEVICE": "cpu"}
    command = [python, "-W", "error", "-c", text, module.__name__, module.__file__]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
    assert done.returncode == 0, done.stderr
