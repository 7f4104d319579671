"""Type hints as they are written for readers and checkers: those of a file without export lines export its functions."""

from __future__ import annotations

from typing import Annotated, Callable, Literal, Optional, Union

import numpy as np
import numpy.typing as npt

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]


# run: product(random((3, 4)), random(4))
def product(
    a: np.ndarray[tuple[int, int], np.dtype[np.float64]], x: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> npt.NDArray[np.float64]:
    y: npt.NDArray[np.float64] = np.zeros(a.shape[0])
    total: float = 0.0
    for i in range(a.shape[0]):
        y[i] = _dot(a[i], x)
        total += y[i]
    return y / total


# run: scaled(2.0)
# run: scaled(2.0, 3)
# run: scaled(2.0, None, 1.5)
def scaled(x: float, n: Optional[int] = None, factor: Union[float, None] = None) -> float:
    if n is not None:
        x *= n
    if factor is not None:
        x *= factor
    return x


# run: chosen("sum", random(5).astype(float32))
# run: chosen("mean", random(5).astype(float32), 2)
def chosen(mode: Literal["sum", "mean"], x: Annotated[np.ndarray, "float32[:]"], order: Literal[1, 2] = 1):
    if mode == "sum":
        return x.sum() * order
    return x.mean() * order


# run: of_pair((1.5, 2))
def of_pair(pair: tuple[float, int]) -> float:
    return pair[0] * pair[1]


def _dot(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> np.float64:
    return (a * b).sum()


def apply(function: Callable[[float], float], x: float) -> float:
    return function(x)
