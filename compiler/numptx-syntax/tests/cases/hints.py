from typing import Annotated, Any, Callable, Literal, Optional, Union

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Float32, Int


def ranks(a: np.ndarray[tuple[int, int], np.dtype[np.float32]], b: "np.ndarray[tuple[int], np.dtype[np.bool_]]"):
    return a


def options(x: Optional[float], n: Union[int, None] = None, m: int | None = None, k: Optional["float64[:]"] = None):
    return x


def choices(mode: Literal["a", "b"], order: Literal[1, 2], both: Literal["a", 1, None]):
    return order


def dimensions(x: Float[np.ndarray, "n m"], y: "Float32[Array, '3 n']", z: Int[Array, "n=4"]):
    return x


def annotated(x: Annotated[float, "metres"], y: Annotated[np.ndarray, "float64[:, :]"], z: Annotated[npt.NDArray, "x"] = 1):
    return x


def tuples(pair: tuple[float, int], nested: "tuple[Optional[int], tuple[complex, np.uint8]]") -> npt.NDArray[np.float64]:
    return pair[0]


def incomplete(x: npt.NDArray[np.float64], y: np.ndarray, z: np.ndarray[tuple[int, ...], np.dtype[np.int8]], w: Float[Array, "*b n"]):
    return x


def foreign(callback: Callable[[float], float], x: float, *, axes: "plt.Axes", any: Any, items: list[float]):
    return x


def wrong(x: np.float96, y: flaot):
    return x


def local(x: float):
    y: np.ndarray = np.zeros(3)
    z: "anything at all" = 1.0
    return x + y + z
