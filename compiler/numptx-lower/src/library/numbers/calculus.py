"""Differences, derivatives and integrals of samples. Source of the formulas of derivatives between unequal distances: Fornberg, «Generation of finite
difference formulas on arbitrarily spaced grids» (1988)."""
import numpy as np


def numpy_ediff1d(ary, to_end=None, to_begin=None):
    x = np.ravel(ary)
    if x.dtype.kind == "b":
        refuse("differences of bools do not exist", "use `np.diff(x.ravel())`")
    if to_end is None and to_begin is None:
        return x[1:] - x[:-1]
    before = joined_to(x, to_begin)
    after = joined_to(x, to_end)
    n = max(x.shape[0] - 1, 0)
    result = np.empty(before.shape[0] + n + after.shape[0], x.dtype)
    result[:before.shape[0]] = before
    result[before.shape[0]:before.shape[0] + n] = x[1:] - x[:-1]
    result[before.shape[0] + n:] = after
    return result


def joined_to(x, values):
    if values is None:
        return x[:0]
    if not may_be_cast(values, x.dtype, "same_kind"):
        refuse("`to_begin` and `to_end` must be of the kind of `ary`", "cast the array before: `np.ediff1d(x.astype(np.float64), to_end=0.5)`")
    return np.ravel(values)


def distances_of(given, n):
    """Distances of neighbours along an axis: one number, or a vector of them."""
    coordinates = np.array(given) if isinstance(given, (list, tuple)) else given
    if not isinstance(coordinates, np.ndarray):
        return coordinates
    if coordinates.ndim == 0:
        return coordinates[()]
    if coordinates.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if coordinates.shape[0] != n:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if n < 2:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    return np.diff(coordinates if coordinates.dtype.kind in "fc" else coordinates.astype(np.float64))


def axes_of(f, axis):
    if axis is None:
        return tuple(range(f.ndim))
    return tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def numpy_gradient(f, *varargs, axis=None, edge_order=1):
    if f.dtype.kind == "b":
        refuse("bools have no differences", "convert them: `x.astype(np.float64)`")
    axes = axes_of(f, axis)
    if len(varargs) != 0 and len(varargs) != 1 and len(varargs) != len(axes):
        refuse("there must be one distance, or one for each axis", "write `np.gradient(x, dx)`, or `np.gradient(x, dy, dx)`")
    if edge_order != 1 and edge_order != 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if len(varargs) == 1 and len(axes) > 1 and isinstance(varargs[0], (list, tuple, np.ndarray)):
        refuse("coordinates must be given for each axis", "write `np.gradient(z, y, x)`")
    steps = ()
    for k, place in enumerate(axes):
        steps = steps + (1.0 if len(varargs) == 0 else distances_of(varargs[k if len(varargs) > 1 else 0], f.shape[place]),)
    values = f if f.dtype.kind in "fc" else f.astype(np.float64)
    results = ()
    for place, step in zip(axes, steps):
        results = results + (derivative(values, f, place, step, edge_order),)
    return results[0] if len(axes) == 1 else results


def derivative(values, f, axis, step, edge_order):
    x = np.moveaxis(values, axis, -1)
    if x.shape[-1] < edge_order + 1:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    result = np.empty_like(f, dtype=values.dtype)
    y = np.moveaxis(result, axis, -1)
    if not isinstance(step, np.ndarray):
        write_of_equal(y, x, step, edge_order)
    elif np.all(step == step[0]):
        write_of_equal(y, x, step[0], edge_order)
    else:
        write_of_unequal(y, x, step, edge_order)
    return result


def write_of_equal(y, x, step, edge_order):
    y[..., 1:-1] = (x[..., 2:] - x[..., :-2]) / (2.0 * step)
    if edge_order == 1:
        y[..., 0] = (x[..., 1] - x[..., 0]) / step
        y[..., -1] = (x[..., -1] - x[..., -2]) / step
    else:
        y[..., 0] = -1.5 / step * x[..., 0] + 2.0 / step * x[..., 1] + -0.5 / step * x[..., 2]
        y[..., -1] = 0.5 / step * x[..., -3] + -2.0 / step * x[..., -2] + 1.5 / step * x[..., -1]


def write_of_unequal(y, x, step, edge_order):
    d, e = step[:-1], step[1:]
    y[..., 1:-1] = -e / (d * (d + e)) * x[..., :-2] + (e - d) / (d * e) * x[..., 1:-1] + d / (e * (d + e)) * x[..., 2:]
    if edge_order == 1:
        y[..., 0] = (x[..., 1] - x[..., 0]) / step[0]
        y[..., -1] = (x[..., -1] - x[..., -2]) / step[-1]
    else:
        d, e = step[0], step[1]
        y[..., 0] = -(2.0 * d + e) / (d * (d + e)) * x[..., 0] + (d + e) / (d * e) * x[..., 1] + -d / (e * (d + e)) * x[..., 2]
        d, e = step[-2], step[-1]
        y[..., -1] = e / (d * (d + e)) * x[..., -3] + -(e + d) / (d * e) * x[..., -2] + (2.0 * e + d) / (e * (d + e)) * x[..., -1]


def numpy_trapezoid(y, x=None, dx=1.0, axis=-1):
    values = np.moveaxis(y, axis, -1)
    if x is None:
        return np.sum(dx * (values[..., 1:] + values[..., :-1]) / 2.0, axis=-1)
    if x.ndim == 1:
        steps = np.diff(x)
    elif x.ndim == y.ndim:
        steps = np.diff(np.moveaxis(x, axis, -1))
    else:
        refuse("`x` must have one axis, or those of `y`", "give it axes: `np.broadcast_to(x, y.shape)`")
    return np.sum(steps * (values[..., 1:] + values[..., :-1]) / 2.0, axis=-1)


def numpy_unwrap(p, discont=None, axis=-1, period=6.283185307179586):
    x = np.moveaxis(p, axis, -1)
    steps = x[..., 1:] - x[..., :-1]
    dtype = (np.zeros(1, p.dtype) * period).dtype
    if dtype.kind in "iu":
        half = period // 2
        is_even = period % 2 == 0
        limit = period / 2 if discont is None else discont
    else:
        half = period / 2
        is_even = True
        limit = half if discont is None else discont
    least = -half
    turned = np.mod(steps - least, period) + least
    turned = np.where((turned == least) & (steps > 0) & is_even, half, turned)
    change = np.where(np.abs(steps) < limit, 0, turned - steps)
    result = np.empty_like(p, dtype=dtype)
    y = np.moveaxis(result, axis, -1)
    y[..., :1] = x[..., :1]
    y[..., 1:] = x[..., 1:] + np.cumsum(change, axis=-1)
    return result
