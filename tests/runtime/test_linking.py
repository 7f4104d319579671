"""Device code is linked, saved and looked at without loading it and without a GPU: `numptx.link`, `numptx link`, `numptx compile --cubin`."""

import ctypes
import functools
import itertools
import os
import pathlib
import re
import shutil
import struct
import subprocess
import threading

import pytest

import numptx
from compilation import compiler, load_compiled
from numptx import _linking
from subprocesses import run_python

FIRST = """
#numptx export axpy(float64, float64[:], float64[:])
#numptx export total(float32[:])
import numpy as np
def axpy(a, x, y):
    return a * x + y
def total(x):
    return np.sum(x)
"""
SECOND = """
#numptx export scaled(float64, float64[:])
def scaled(a, x):
    return a * x
"""
EM_CUDA, LINKED = 190, 2


def needed(found, what):
    """What is found; without it the test fails in continuous integration, where everything is installed, and is left out elsewhere."""
    if not found:
        pytest.fail(f"no {what}") if os.environ.get("CI") else pytest.skip(f"no {what} here")
    return found


@functools.cache
def has_nvjitlink():
    try:
        return bool(numptx.link(empty_ptx("probe")))
    except RuntimeError:
        return False


@pytest.fixture
def nvjitlink():
    needed(has_nvjitlink(), "nvJitLink (`pip install nvidia-nvjitlink-cu12`)")


@pytest.fixture(scope="module")
def ptxas():
    return needed(_linking.find_ptxas(), "ptxas (`pip install nvidia-cuda-nvcc-cu12`)")


def empty_ptx(name, sm=75, body="ret;", before=""):
    return f".version 6.3\n.target sm_{sm}\n.address_size 64\n{before}.visible .entry {name}()\n{{ {body} }}\n"


@pytest.fixture(scope="module")
def pair(workshop):
    """Two modules of one name each."""
    return workshop.pair(FIRST)[0], workshop.pair(SECOND)[0]


def assembled(ptxas, ptx, folder, *flags, architecture="sm_90"):
    """What ptxas makes of PTX, and what it says."""
    source, made = folder / "in.ptx", folder / "out.cubin"
    source.write_text(ptx)
    command = [ptxas, f"-arch={architecture}", *flags, str(source), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return made.read_bytes(), done.stdout + done.stderr


def check_elf(code, architecture):
    """The header of a linked cubin."""
    assert code[:7] == b"\x7fELF\x02\x01\x01"
    kind, machine = struct.unpack_from("<HH", code, 0x10)
    assert (kind, machine) == (LINKED, EM_CUDA)
    assert code.architecture == architecture


def test_two_modules_become_one_image(pair, nvjitlink):
    linked = numptx.link(*pair, arch="sm_90")
    check_elf(linked, "sm_90")
    assert isinstance(linked, bytes)
    assert set(linked.kernels) == set(pair[0].kernels) | set(pair[1].kernels)
    for name, kernel in linked.kernels.items():
        own = (pair[0].kernels | pair[1].kernels)[name]
        assert kernel.architecture == 90 and kernel.source == "cubin" and 8 <= kernel.registers <= 255
        assert [size[1:] for size in kernel.arguments] == [kind[1:] for kind in own.arguments]
        assert (kernel.block, kernel.shared_bytes) == (own.block, own.shared_bytes)
    assert bytes(linked) == bytes(numptx.link(*pair, arch="sm_90"))


def test_images_are_given_in_any_form(pair, nvjitlink, tmp_path):
    """As a module, a path, text and bytes."""
    path = tmp_path / "first.ptx"
    path.write_text(pair[0].ptx)
    forms = [pair[0], path, str(path), pair[0].ptx, pair[0].ptx.encode(), memoryview(pair[0].ptx.encode())]
    found = {bytes(numptx.link(form, pair[1], arch="80")) for form in forms}
    assert len(found) == 1
    check_elf(numptx.Cubin(found.pop()), "sm_80")
    with pytest.raises(TypeError, match="found int"):
        numptx.link(7)
    with pytest.raises(FileNotFoundError):
        numptx.link(tmp_path / "nowhere.ptx")


def test_a_cubin_is_shown_in_a_line_and_an_architecture_is_text(pair, nvjitlink):
    made = numptx.link(*pair, arch="sm_90")
    assert repr(made) == f"<numptx.Cubin for sm_90, {len(made)} bytes>"
    with pytest.raises(TypeError, match='such as "sm_90"; found 90'):
        numptx.link(*pair, arch=90)


def test_the_newest_architecture_of_the_images_is_the_default(nvjitlink):
    check_elf(numptx.link(empty_ptx("a"), empty_ptx("b").replace("6.3", "7.8").replace("sm_75", "sm_86")), "sm_86")


def test_facts_of_kernels_are_what_the_assembler_says(pair, ptxas, tmp_path):
    for architecture in ("sm_80", "sm_90"):
        code, said = assembled(ptxas, pair[0].ptx, tmp_path, "-v", architecture=architecture)
        told = re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers([^\n]*)", said, re.DOTALL)
        shared = {name: re.search(r"(\d+) bytes smem", rest) for name, _, rest in told}
        expected = {name: (int(n), int(shared[name].group(1)) if shared[name] else 0) for name, n, _ in told}
        kernels = numptx.Cubin(code).kernels
        assert {name: (kernel.registers, kernel.shared_bytes) for name, kernel in kernels.items()} == expected
        assert set(expected) == set(pair[0].kernels)


def test_relocatable_machine_code_is_linked(pair, ptxas, nvjitlink, tmp_path):
    code, _ = assembled(ptxas, pair[0].ptx, tmp_path, "-c")
    linked = numptx.link(code, pair[1], arch="sm_90")
    assert set(linked.kernels) == set(pair[0].kernels) | set(pair[1].kernels)


def test_a_function_of_another_image_is_found(nvjitlink):
    caller = empty_ptx("k", before=".extern .func twice();\n", body="call twice, (); ret;")
    callee = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .func twice()\n{ ret; }\n"
    assert set(numptx.link(caller, callee).kernels) == {"k"}


NVVM_IR = """target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
define void @NAME(double addrspace(1)* %x) {
  %v = load double, double addrspace(1)* %x
  %w = fmul double %v, 2.0
  store double %w, double addrspace(1)* %x
  ret void
}
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (double addrspace(1)*)* @NAME to i8*)], section "llvm.metadata"
!nvvm.annotations = !{!0}
!0 = !{void (double addrspace(1)*)* @NAME, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
"""


def lto_ir(ptxas, name):
    """LTO-IR of a kernel, by the libNVVM beside ptxas."""
    library = pathlib.Path(ptxas).parent.parent / "nvvm" / "lib64" / "libnvvm.so"
    nvvm = ctypes.CDLL(str(needed(library.exists() and library, "libnvvm")))
    text = NVVM_IR.replace("NAME", name).encode()
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvvm.nvvmCreateProgram(ctypes.byref(program)) == 0
    assert nvvm.nvvmAddModuleToProgram(program, text, ctypes.c_size_t(len(text)), b"kernel") == 0
    options = (ctypes.c_char_p * 2)(b"-arch=compute_80", b"-gen-lto")
    assert nvvm.nvvmCompileProgram(program, 2, options) == 0
    nvvm.nvvmGetCompiledResultSize(program, ctypes.byref(size))
    out = ctypes.create_string_buffer(size.value)
    nvvm.nvvmGetCompiledResult(program, out)
    nvvm.nvvmDestroyProgram(ctypes.byref(program))
    return out.raw


def test_lto_ir_is_linked(pair, ptxas, nvjitlink):
    one, two = lto_ir(ptxas, "one"), lto_ir(ptxas, "two")
    linked = numptx.link(one, pair[1], two, arch="sm_90")
    check_elf(linked, "sm_90")
    assert set(linked.kernels) == {"one", "two", *pair[1].kernels}
    with pytest.raises(ValueError, match="name the architecture"):
        numptx.link(one, two)
    with pytest.raises(ValueError, match="symbol multiply defined"):
        numptx.link(one, one, arch="sm_90")
    with pytest.raises(ValueError, match="linking for sm_90 failed"):
        numptx.link(one[:200], arch="sm_90")


def test_two_images_with_one_symbol_are_refused(pair, ptxas, nvjitlink, tmp_path):
    """nvJitLink takes the first of them where the kernels are simple."""
    with pytest.raises(ValueError, match="image 1 and image 2 both define `k`"):
        numptx.link(empty_ptx("k"), empty_ptx("k"))
    with pytest.raises(ValueError, match=r"module kernels and module kernels both define `axpy_0_k0__\w+`"):
        numptx.link(pair[0], pair[0])
    code, _ = assembled(ptxas, pair[0].ptx, tmp_path, "-c")
    with pytest.raises(ValueError, match="both define"):
        numptx.link(pair[0], code, arch="sm_90")
    variable = ".visible .global .align 4 .b8 table[16];\n"
    with pytest.raises(ValueError, match="both define `table`"):
        numptx.link(empty_ptx("k", before=variable), empty_ptx("l", before=variable))


def test_what_cannot_be_linked_is_refused(pair, ptxas, nvjitlink, tmp_path):
    linked, _ = assembled(ptxas, pair[0].ptx, tmp_path)
    relocatable, _ = assembled(ptxas, pair[0].ptx, tmp_path, "-c", architecture="sm_80")
    for images, arch, words in [
        ((), None, "nothing to link"),
        ((linked,), None, "linked already"),
        ((relocatable, pair[1]), "sm_90", "machine code for sm_80 and cannot be linked for sm_90"),
        ((relocatable[:3000],), None, "damaged or cut off"),
        ((pair[0].ptx.replace("sm_75", "sm_90"),), "sm_80", "PTX for sm_90 and cannot be linked for sm_80"),
        ((b"",), None, "does not begin with `.version`"),
        ((b"hello",), None, "does not begin with `.version`"),
        ((b"\xff\xfe\0",), None, "neither PTX nor a cubin nor LTO-IR"),
        ((b"\x50\xed\x55\xba" + bytes(60),), None, "fat binary"),
        ((pathlib.Path(compiler()),), None, "no machine code for GPUs"),
        ((pair[0],), "compute_90", "`compute_90` is no GPU architecture"),
    ]:
        with pytest.raises(ValueError, match=re.escape(words)):
            numptx.link(*images, arch=arch)


def test_errors_carry_the_log(nvjitlink):
    with pytest.raises(ValueError, match="Not a name of any known instruction: 'frobnicate'"):
        numptx.link(empty_ptx("k", body="frobnicate; ret;"))
    with pytest.raises(ValueError, match="Undefined reference to 'far'"):
        numptx.link(empty_ptx("k", before=".extern .func far();\n", body="call far, (); ret;"))
    with pytest.raises(ValueError, match="sm_77"):
        numptx.link(empty_ptx("k"), arch="sm_77")
    # Longer than what an error of the runtime holds.
    many = "".join(f"frobnicate{i};\n" for i in range(40))
    with pytest.raises(ValueError, match="'frobnicate39'"):
        numptx.link(empty_ptx("k", body=many))


def test_damaged_machine_code_crashes_nobody(pair, ptxas, nvjitlink, tmp_path, capfd):
    """nvJitLink trusts what it reads: it runs apart, and what it prints is read."""
    code, _ = assembled(ptxas, pair[0].ptx, tmp_path, "-c")
    first, = struct.unpack_from("<Q", code, 0x28)
    crashes = 0
    # Types, offsets, sizes and links of the first sections.
    for field, section, value in itertools.product((0x04, 0x18, 0x20, 0x2C), (1, 4, 7, 10), (0, 0xFFF0)):
        damaged = bytearray(code)
        struct.pack_into("<I", damaged, first + 64 * section + field, value)
        try:
            numptx.link(bytes(damaged), arch="sm_90")
        except (ValueError, RuntimeError) as error:
            crashes += "crashed (signal" in str(error)
    assert crashes > 0
    assert capfd.readouterr() == ("", "")


def test_threads_link_at_once(pair, nvjitlink):
    found = []
    threads = [threading.Thread(target=lambda: found.append(bytes(numptx.link(*pair, arch="sm_90")))) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 4 and len(set(found)) == 1


def test_linking_opens_no_driver(pair, nvjitlink, tmp_path):
    path = tmp_path / "first.ptx"
    path.write_text(pair[0].ptx)
    run_python(
        """
        import os, sys
        os.environ["NUMPTX_LIBCUDA"] = "/nowhere/libcuda.so.1"
        import numptx
        assert numptx.link(sys.argv[1], arch="sm_90").kernels
        os.environ["NUMPTX_LIBCUDA"] = os.devnull
        assert numptx.devices() == ["cpu"]
        """,
        str(path),
    )


def test_a_library_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("NUMPTX_NVJITLINK", "/nowhere/libnvJitLink.so.12")
    with pytest.raises(RuntimeError, match="nvJitLink cannot be opened: /nowhere/libnvJitLink.so.12"):
        numptx.link(empty_ptx("k"))
    monkeypatch.setenv("NUMPTX_NVJITLINK", "libc.so.6")
    with pytest.raises(RuntimeError, match="libc.so.6 is no nvJitLink"):
        numptx.link(empty_ptx("k"))


# The command.


def command(*arguments, program=None, **environment):
    words = [str(program or compiler()), *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})


@pytest.fixture
def library(nvjitlink):
    """nvJitLink's file, for a command that lies elsewhere."""
    found = [path for folder in _linking.package_folders() for path in pathlib.Path(folder, "nvidia").rglob("libnvJitLink.so.1?")]
    return str(needed(found, "nvJitLink in a Python package")[0])


def test_the_command_links_files(pair, library, tmp_path):
    for name, module in zip(["first", "second"], pair):
        (tmp_path / f"{name}.ptx").write_text(module.ptx)
    files = [tmp_path / "first.ptx", tmp_path / "second.ptx"]
    out = tmp_path / "deep" / "out.cubin"
    done = command("link", *files, "-o", out, "--arch", "sm_90", NUMPTX_NVJITLINK=library)
    assert done.returncode == 0 and f"wrote {out} (sm_90, " in done.stderr, done.stderr
    assert out.read_bytes() == numptx.link(*pair, arch="sm_90")
    for files, status, words in [
        ([files[0], files[0]], 1, "both define `axpy_0_k0__flat32`"),
        ([tmp_path / "nowhere.ptx"], 2, "nowhere.ptx: cannot be read"),
        ([pathlib.Path(compiler())], 1, "no machine code for GPUs"),
    ]:
        done = command("link", *files, "-o", tmp_path / "not.cubin", NUMPTX_NVJITLINK=library)
        assert done.returncode == status and words in done.stderr, done.stderr
    done = command("link", files[0], "-o", tmp_path / "not.cubin", NUMPTX_NVJITLINK="/nowhere/lib")
    assert not (tmp_path / "not.cubin").exists()


@pytest.fixture
def alone(tmp_path):
    """The command where no package lies, and an environment that names nothing of CUDA."""
    if pathlib.Path("/usr/local/cuda").exists() or pathlib.Path("/usr/lib/cuda").exists():
        pytest.skip("a CUDA toolkit is installed")
    program = tmp_path / "prefix" / "bin" / "numptx"
    program.parent.mkdir(parents=True)
    shutil.copy(compiler(), program)
    nothing = {name: "" for name in ("VIRTUAL_ENV", "CUDA_HOME", "CUDA_PATH", "NUMPTX_PTXAS", "NUMPTX_NVJITLINK")}
    return functools.partial(command, program=program, **nothing | {"PATH": "/usr/bin:/bin"})


def test_without_nvjitlink_the_command_says_how_to_get_it(alone, tmp_path):
    path = tmp_path / "a.ptx"
    path.write_text(empty_ptx("k"))
    done = alone("link", path, "-o", tmp_path / "a.cubin")
    assert done.returncode == 2 and "pip install nvidia-nvjitlink-cu12" in done.stderr, done.stderr
    (tmp_path / "k.py").write_text(SECOND)
    done = alone("compile", tmp_path / "k.py", "--cubin", "--arch", "sm_90")
    assert done.returncode == 2 and "pip install nvidia-cuda-nvcc-cu12" in done.stderr, done.stderr
    assert "numptx link" in next(line for line in alone("info").stdout.splitlines() if line.startswith("nvJitLink"))


def test_cubins_are_saved(ptxas, tmp_path):
    (tmp_path / "k.py").write_text(SECOND)
    done = command("compile", tmp_path / "k.py", "--arch", "sm_80,sm_90", "--cubin", NUMPTX_PTXAS=ptxas)
    assert done.returncode == 0, done.stderr
    module = load_compiled(tmp_path / "k.so")
    for architecture in ("sm_80", "sm_90"):
        saved = numptx.Cubin((tmp_path / f"k.{architecture}.cubin").read_bytes())
        check_elf(saved, architecture)
        assert saved == module.cubins[architecture] and set(saved.kernels) == set(module.kernels)
    done = command("compile", tmp_path / "k.py", "--cubin")
    assert done.returncode == 2 and "--arch" in done.stderr


def test_nvjitlink_assembles_where_there_is_no_ptxas(alone, library, tmp_path):
    (tmp_path / "k.py").write_text(SECOND)
    done = alone("compile", tmp_path / "k.py", "--arch", "sm_90", "--cubin", NUMPTX_NVJITLINK=library)
    assert done.returncode == 0, done.stderr
    saved = numptx.Cubin((tmp_path / "k.sm_90.cubin").read_bytes())
    check_elf(saved, "sm_90")
    assert load_compiled(tmp_path / "k.so").cubins == {"sm_90": saved}
