"""Writes order.txt and reshape.txt: what NumPy does with the memory order of fresh results, and when it reshapes without a copy.

    python layouts.py        in this folder; NumPy 2.4
"""

import random

import numpy as np


def layout(shape, rng):
    """An array of a shape whose axes lie in memory in a random order, some of them reversed, broadcast or with gaps."""
    order = list(range(len(shape)))
    rng.shuffle(order)
    padded = [shape[axis] * rng.choice([1, 1, 1, 2]) for axis in order]
    array = np.zeros(padded).transpose(np.argsort(order))
    array = array[tuple(slice(None, n) if rng.random() < 0.5 else slice(None, None, array.shape[a] // n) if n else slice(0, 0) for a, n in enumerate(shape))]
    array = array[tuple(slice(None, n) for n in shape)]
    if rng.random() < 0.3:
        array = array[tuple(slice(None, None, rng.choice([1, -1])) for _ in shape)]
    if rng.random() < 0.3:
        narrow = tuple(slice(0, 1) if rng.random() < 0.4 else slice(None) for _ in shape)
        array = array[narrow]
    return array


def numbers(values):
    return ",".join(map(str, values))


def write_order(path, rng):
    lines = set()
    while len(lines) < 400:
        rank = rng.choice([1, 2, 3, 3, 4])
        shape = tuple(rng.choice([1, 2, 3, 4]) for _ in range(rank))
        inputs = [layout(shape, rng) for _ in range(rng.choice([1, 2, 2, 3]))]
        shape = np.broadcast_shapes(*(a.shape for a in inputs))
        inputs = [np.broadcast_to(a, shape) for a in inputs]
        if len(inputs) == 1:
            result = np.negative(inputs[0])
        elif len(inputs) == 2:
            result = np.add(*inputs)
        else:
            result = np.clip(*inputs)
        strides = "/".join(numbers(a.strides) for a in inputs)
        lines.add(f"{numbers(shape)} {strides} {numbers(result.strides)}")
    path.write_text("# extents, strides of the inputs, strides of NumPy's result (float64)\n" + "\n".join(sorted(lines)) + "\n")


def factorings(n, rank):
    if rank == 1:
        return [(n,)]
    return [(d, *rest) for d in range(1, n + 1) if n % d == 0 for rest in factorings(n // d, rank - 1)]


def write_reshape(path, rng):
    lines = set()
    while len(lines) < 400:
        rank = rng.choice([0, 1, 2, 3, 3, 4])
        shape = tuple(rng.choice([1, 2, 3, 4]) for _ in range(rank))
        array = layout(shape, rng) if rank else np.zeros(())
        new_shape = rng.choice(factorings(array.size, rng.choice([1, 2, 3, 4])))
        result = array.reshape(new_shape)
        outcome = numbers(result.strides) if np.shares_memory(result, array) else "copy"
        lines.add(f"{numbers(array.shape) or '-'} {numbers(array.strides) or '-'} {numbers(new_shape)} {outcome}")
    path.write_text("# shape, strides, new shape, NumPy's strides of a view or `copy` (float64)\n" + "\n".join(sorted(lines)) + "\n")


if __name__ == "__main__":
    import pathlib

    here = pathlib.Path(__file__).parent
    write_order(here / "order.txt", random.Random(1))
    write_reshape(here / "reshape.txt", random.Random(2))
