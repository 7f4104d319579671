"""What type checkers find: the lines that end with `# error`, and no others. It is checked and never run."""

from collections.abc import Hashable

import numpy as np

import numptx


def comparisons(a: numptx.Array) -> None:
    # Beside an object whose own `==` takes everything, as a number's does, no checker looks at this one.
    print(a == a)  # error


def comparisons_of_two(a: numptx.Array) -> None:
    print(a != a)  # error


def order(a: numptx.Array) -> None:
    print(a < 1)  # error


def membership(a: numptx.Array) -> None:
    print(1 in a)  # error


def arithmetic(a: numptx.Array) -> None:
    print(a + 1)  # error


def arithmetic_from_the_right(a: numptx.Array) -> None:
    print(2 * a)  # error


def arithmetic_in_place(a: numptx.Array) -> None:
    a += 1  # error


def product(a: numptx.Array) -> None:
    print(a @ a)  # error


def negation(a: numptx.Array) -> None:
    print(-a)  # error


def deletion(a: numptx.Array) -> None:
    del a[0]  # error


def key(a: numptx.Array) -> None:
    name: Hashable = a  # error
    print(name)


def orders(a: numptx.Array) -> None:
    a.reshape(3, order="K")  # error


def order_by_position(a: numptx.Array) -> None:
    a.astype(np.int8, "C")  # error


def place_by_position() -> None:
    numptx.zeros(3, float, "cuda")  # error


def values(a: numptx.Array) -> None:
    a[0] = None  # error


def device() -> None:
    numptx.empty(3, device=1.5)  # error


def attribute(a: numptx.Array) -> None:
    a.sum()  # error
