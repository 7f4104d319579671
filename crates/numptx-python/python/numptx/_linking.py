"""Device code made of device code, without a GPU: `numptx.link`, and machine code of PTX to look at."""

from __future__ import annotations

import os
import pathlib
import sys
import types
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    from ._images import Cubin
    from .typing import DeviceImage


def link(*images: DeviceImage, arch: str | None = None) -> Cubin:
    """Link PTX, relocatable cubins and LTO-IR to one cubin. Nothing is loaded, and no GPU is needed.

    An image is a compiled module (its PTX), a path, PTX as text, or bytes of any of the three. `arch` is as "sm_90"; without it, the newest
    architecture that the images are made for. The result is a `Cubin`: bytes with `architecture` and `kernels`.

        pathlib.Path("both.cubin").write_bytes(numptx.link(first, second, arch="sm_90"))

    NVIDIA's nvJitLink does it: of a CUDA toolkit, of the package `nvidia-nvjitlink-cu12`, or the one that `NUMPTX_NVJITLINK` names.
    `ValueError` for images that cannot be linked, with its log: two that define one symbol, one for another architecture, none.
    """
    from ._images import Cubin

    if not isinstance(arch, (str, types.NoneType)):
        raise TypeError(f'arch is a GPU architecture such as "sm_90"; found {arch!r}')
    named = [read(image, position) for position, image in enumerate(images, 1)]
    code, _ = _native.link(named, arch, package_folders())
    return Cubin(code)


def read(image: DeviceImage, position: int) -> tuple[str, bytes]:
    """The name and the bytes of an image, however it is given."""
    if isinstance(image, types.ModuleType):
        from ._images import newest_ptx

        ptx = newest_ptx(image)
        if ptx is None:
            raise ValueError(f"module {image.__name__!r} has no device code (--host-only)")
        return f"module {image.__name__}", ptx.encode()
    if isinstance(image, (bytes, bytearray, memoryview)):
        return f"image {position}", bytes(image)
    # Every PTX has more than one line, and hardly a file's name does.
    if isinstance(image, str) and "\n" in image:
        return f"image {position}", image.encode()
    if isinstance(image, (str, os.PathLike)):
        return os.fspath(image), pathlib.Path(image).read_bytes()
    raise TypeError(f"an image is a compiled module, a path, PTX as text, or bytes; found {type(image).__name__}")


def package_folders() -> list[str]:
    """Where NVIDIA's packages may lie."""
    return [os.path.abspath(folder) for folder in sys.path if folder and os.path.isdir(os.path.join(folder, "nvidia"))]


def assemble(ptx: str) -> tuple[str, bytes] | None:
    """`(tool, cubin)` of PTX for its own architecture, by nvJitLink or `ptxas`; `None` where neither is found or takes it."""
    try:
        return "nvJitLink", link(ptx)
    except (RuntimeError, ValueError):
        pass
    ptxas = find_ptxas()
    if ptxas is None:
        return None
    # Here, so that importing the package does not import them.
    import subprocess
    import tempfile

    from ._images import target_of

    with tempfile.TemporaryDirectory(prefix="numptx-") as folder:
        source, made = pathlib.Path(folder, "module.ptx"), pathlib.Path(folder, "module.cubin")
        source.write_text(ptx)
        command = [ptxas, f"-arch={target_of(ptx)}", str(source), "-o", str(made)]
        try:
            done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return ("ptxas", made.read_bytes()) if done.returncode == 0 else None


def find_ptxas() -> str | None:
    """`NUMPTX_PTXAS`, else on the path, in a CUDA toolkit, or in NVIDIA's packages."""
    import shutil

    if named := os.environ.get("NUMPTX_PTXAS"):
        return named
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    places = [pathlib.Path(home, "bin") for home in homes if home]
    places += [pathlib.Path(folder, "nvidia", inner, "bin") for folder in package_folders() for inner in ("cuda_nvcc", "cu13")]
    return shutil.which("ptxas") or shutil.which("ptxas", path=os.pathsep.join(map(str, places)))
