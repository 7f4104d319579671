"""A compiled module's device code: what it is, told without loading it and without a GPU; and when it is loaded."""

import numpy as np
import pytest

from compilation import compile_file, load_compiled
from subprocesses import run_python

PROGRAM = """
#numptx export axpy(float64, float64[:], float64[:])
#numptx export total(float32[:])
import numpy as np
def axpy(a, x, y):
    return a * x + y
def total(x):
    return np.sum(x)
"""


def test_the_ptx_and_its_kernels(workshop):
    module = workshop.pair(PROGRAM)[0]
    assert module.ptx.lstrip().startswith(("//", ".version")) and ".entry" in module.ptx
    assert module.cubins == {}
    kernels = module.kernels
    assert kernels and all(name in module.ptx for name in kernels)
    maps = [kernel for name, kernel in kernels.items() if name.endswith("flat32") and len(kernel.arguments) == 5]
    assert maps and maps[0].arguments[:3] == ("u64", "u64", "u64") and maps[0].arguments[4] == "u32"
    folds = [kernel for name, kernel in kernels.items() if name.endswith("fold32")]
    assert folds and folds[0].shared_bytes > 0
    for name, kernel in kernels.items():
        assert kernel.name == name and kernel.architecture in (75, 90)
        assert kernel.block is None or 32 <= kernel.block <= 1024
        assert (kernel.registers is None) == (kernel.source == "ptx")


def test_registers_of_ptx_are_those_of_machine_code_made_to_look_at(workshop, monkeypatch):
    """By nvJitLink or ptxas, of the same version; without them the text is what there is."""
    from numptx import _images, _linking

    kernels = workshop.pair(PROGRAM.replace("a * x + y", "a * x - y"))[0].kernels
    tools = {kernel.source for kernel in kernels.values()}
    if tools == {"ptx"}:
        pytest.skip("neither nvJitLink nor ptxas here")
    assert tools in ({"nvJitLink"}, {"ptxas"}) and all(8 <= kernel.registers <= 255 for kernel in kernels.values())
    monkeypatch.setenv("NUMPTX_NVJITLINK", "/nowhere")
    for named, source in (("", "ptxas"), ("/nowhere", "ptx")):
        _images.machine_code.cache_clear()
        monkeypatch.setenv("NUMPTX_PTXAS", named)
        if named == "" and _linking.find_ptxas() is None:
            continue
        others = workshop.pair(PROGRAM.replace("a * x + y", "a * x - y"))[0].kernels
        assert {kernel.source for kernel in others.values()} == {source}
        for name, kernel in others.items():
            assert kernel.shared_bytes == kernels[name].shared_bytes
    _images.machine_code.cache_clear()


def test_machine_code_tells_registers(workshop, tmp_path):
    path = workshop.written(PROGRAM, "assembled")
    module = load_compiled(compile_file(path, tmp_path, ["--arch", "sm_90"]))
    if not module.cubins:
        pytest.skip("no ptxas here")
    assert set(module.cubins) == {"sm_90"} and module.cubins["sm_90"][:4] == b"\x7fELF"
    for kernel in module.kernels.values():
        assert kernel.architecture == 90 and 8 <= kernel.registers <= 255 and kernel.source == "cubin"
    assert any(kernel.shared_bytes > 0 for kernel in module.kernels.values())


def test_without_device_code(workshop):
    module = workshop.pair(PROGRAM, flags=["--host-only"])[0]
    assert module.ptx is None and module.cubins == {} and module.kernels == {}


def test_other_attributes_are_as_of_any_module(workshop):
    module = workshop.pair(PROGRAM)[0]
    with pytest.raises(AttributeError, match="module 'kernels' has no attribute 'pty'"):
        module.pty
    assert not hasattr(module, "__path__")


def test_looking_loads_nothing(workshop):
    library = workshop.library(workshop.written(PROGRAM))
    run_python(
        """
        import os, sys
        os.environ["NUMPTX_LIBCUDA"] = "/nowhere/libcuda.so.1"
        from compilation import load_compiled
        module = load_compiled(sys.argv[1])
        assert module.ptx and module.kernels
        os.environ["NUMPTX_LIBCUDA"] = os.devnull
        import numptx
        assert numptx.devices() == ["cpu"]
        """,
        str(library),
    )
