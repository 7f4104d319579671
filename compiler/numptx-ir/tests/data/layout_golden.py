"""Writes layout_golden.txt: NumPy's memory order of fresh arrays, which reshapes are views, and Python's slices.

    order SHAPE STRIDES… -> STRIDES     strides of a ufunc's result for inputs of these strides, in bytes
    copy SHAPE STRIDES -> STRIDES       strides of a copy of an array of these strides
    join SHAPE (SHAPE STRIDES)… -> STRIDES  strides of what concatenate makes of arrays of these
    reshape SHAPE STRIDES NEW -> STRIDES or copy
    slice LOWER UPPER STEP EXTENT -> START LENGTH

Run with NumPy 2.4:  python layout_golden.py > layout_golden.txt
"""

import random

import numpy as np
from numpy.lib.stride_tricks import as_strided

random.seed(3)
base = np.zeros(20000)
UFUNCS = {1: np.negative, 2: np.add, 3: lambda a, b, c: np.where(a != 0, b, c)}


def text(numbers):
    return ",".join(map(str, numbers)) or "-"


def strides_for(shape):
    axes = list(range(len(shape)))
    random.shuffle(axes)
    strides, step = [0] * len(shape), 8
    for axis in axes:
        strides[axis] = step
        step *= shape[axis] + random.choice([0, 0, 1])
    for axis in range(len(shape)):
        if random.random() < 0.2:
            strides[axis] = 0
        elif random.random() < 0.2:
            strides[axis] = -strides[axis]
    return strides


def view(shape, strides):
    return as_strided(base[10000:], shape, strides)


def orders():
    for _ in range(600):
        shape = [random.choice([1, 2, 3, 4]) for _ in range(random.randint(2, 5))]
        inputs = [strides_for(shape) for _ in range(random.choice([1, 2]))]
        result = UFUNCS[len(inputs)](*[view(shape, strides) for strides in inputs])
        print("order", text(shape), *map(text, inputs), "->", text(result.strides))


def copies():
    for _ in range(600):
        shape = [random.choice([1, 2, 3, 4]) for _ in range(random.randint(2, 5))]
        strides = [random.choice([0, 8, -8, 16, 24, -32, 48, 96]) for _ in shape]
        print("copy", text(shape), text(strides), "->", text(np.copy(view(shape, strides)).strides))


def joins():
    for _ in range(600):
        shape = [random.choice([1, 2, 3, 4]) for _ in range(random.randint(2, 4))]
        axis = random.randrange(len(shape))
        parts = []
        for _ in range(random.choice([1, 2, 3])):
            extents = shape[:axis] + [random.choice([1, 1, 2, 3])] + shape[axis + 1 :]
            parts.append(view(extents, [random.choice([0, 8, -8, 16, 24, -32, 48, 96]) for _ in shape]))
        result = np.concatenate(parts, axis=axis)
        given = (text(numbers) for part in parts for numbers in (part.shape, part.strides))
        print("join", text(result.shape), *given, "->", text(result.strides))


def reshapes():
    for _ in range(400):
        shape = [random.choice([1, 2, 3, 4, 6]) for _ in range(random.randint(0, 4))]
        strides = strides_for(shape)
        new, rest = [], int(np.prod(shape))
        while rest > 1:
            factor = random.choice([n for n in range(2, rest + 1) if rest % n == 0])
            new.append(factor)
            rest //= factor
            if random.random() < 0.3:
                new.append(1)
        array = view(shape, strides)
        result = array.reshape(new)
        shares = array.size > 0 and result.__array_interface__["data"] == array.__array_interface__["data"]
        print("reshape", text(shape), text(strides), text(new), "->", text(result.strides) if shares else "copy")


def slices():
    bounds = [None, 0, 1, -1, 3, -3, 10, -10, 2**63 - 1, -(2**63)]
    for _ in range(600):
        lower, upper = random.choice(bounds), random.choice(bounds)
        step = random.choice([1, 1, 2, 3, -1, -2, 7, -7, 2**63 - 1, -(2**63)])
        extent = random.choice([0, 1, 2, 5, 9])
        start, stop, step_ = slice(lower, upper, step).indices(extent)
        print("slice", lower, upper, step, extent, "->", start, len(range(start, stop, step_)))


orders()
reshapes()
slices()
copies()
joins()
