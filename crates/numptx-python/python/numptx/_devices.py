"""`device`: where calls compute, for a thread or for a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from . import _native

if TYPE_CHECKING:
    from .typing import Device


class device:
    """Chooses where the calls of this thread compute: "auto", "cpu", "cuda", "cuda:1", or a GPU's number.

    As a statement, `numptx.device("cuda")`, it holds from now on; as a context manager, until the block ends.
    "auto" computes where the arrays live, and takes host arrays to a GPU only where that is expected to be faster.
    Where there is no GPU the CPU computes; `numptx.last_device()` tells.
    """

    def __init__(self, name: Device) -> None:
        self._before = [_native.set_device(name)]
        self._chosen: str | None = _native.get_device()
        self._depth = 0
        self.name = name

    def __enter__(self) -> device:
        # The block begins where the object was made, if nothing was chosen since: then its end brings back what was there before that.
        if self._chosen is None or self._chosen != _native.get_device():
            self._before.append(_native.set_device(self.name))
        self._chosen = None
        self._depth += 1
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        if not self._depth:
            raise RuntimeError("the block of numptx.device was not entered")
        self._depth -= 1
        _native.set_device(self._before.pop())
        return False

    def __repr__(self) -> str:
        return f"numptx.device({self.name!r})"
