"""Methods of `np.random` that order and choose: shuffles, permutations, choices with and without weights. Names begin as those of `methods.py`."""
import numpy as np


def generator_shuffle(self, x, axis=0):
    shuffled(self, x, axis)


def legacy_shuffle(self, x):
    shuffled(self, x, 0)


def shuffled(self, x, axis):
    if isinstance(x, list):
        order = random_order(self, len(x), 1)
        before = x.copy()
        for k in range(len(x)):
            x[k] = before[order[k]]
    else:
        order = random_order(self, x.shape[axis] if x.size > 0 else 0, 1)
        if x.size > 0:
            x[...] = np.take(x, order, axis=axis)


def generator_permutation(self, x, axis=0):
    return permuted_along(self, x, axis)


def legacy_permutation(self, x):
    return permuted_along(self, x, 0)


def permuted_along(self, x, axis):
    if isinstance(x, (int, np.integer)):
        return random_order(self, max(x, 0), 1)
    a = np.asarray(x)
    if a.ndim == 1 or axis == 0:
        return np.take(a, random_order(self, a.shape[0], 1), axis=0)
    # NumPy's has the axis first in memory.
    moved = np.ascontiguousarray(np.moveaxis(a, axis, 0))
    return np.moveaxis(np.take(moved, random_order(self, a.shape[axis], 1), axis=0), 0, axis)


def generator_permuted(self, x, *, axis=None, out=None):
    a = np.asarray(x)
    if axis is None and a.ndim > 1 and (a.ndim > 2 or out is not None):
        refuse("several axes at once: the order is that of memory", "permute the vector: `rng.permuted(x.ravel()).reshape(x.shape)`")
    if out is None:
        return permuted_into(self, a, axis, np.empty_like(a))
    if not isinstance(out, np.ndarray):
        refuse("`out` that is no array", "pass an array of the shape of `x`: `rng.permuted(x, axis=1, out=y)`")
    if out.shape != a.shape:
        raise ValueError("out must have the same shape as x")
    np.copyto(out, a, casting="safe")
    return permuted_into(self, out, axis, out)


def permuted_into(self, a, axis, result):
    if axis is None and a.ndim == 1:
        result[...] = np.take(a, random_order(self, a.shape[0], 1))
    elif axis is None:
        order = random_order(self, a.size, 1)
        if result.flags.c_contiguous:
            result[...] = np.reshape(np.take(a, order), a.shape)
        else:
            result.T[...] = np.reshape(np.take(a.T, order), a.T.shape)
    else:
        moved = np.moveaxis(a, axis, -1)
        n = moved.shape[-1]
        order = random_order(self, n, a.size // n if n > 0 else 0)
        result[...] = np.moveaxis(np.take_along_axis(moved, np.reshape(order, moved.shape), axis=-1), -1, axis)
    return result


def generator_choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    if isinstance(a, (int, np.integer)):
        if a <= 0 and number_of(size) != 0:
            raise ValueError("a must be a positive integer unless no samples are taken")
        index = generator_chosen(self, a, size, replace, p, shuffle)
        if size is None:
            return int(index)
        return index
    members = np.asarray(a)
    if members.shape[axis] == 0 and number_of(size) != 0:
        raise ValueError("a cannot be empty unless no samples are taken")
    index = generator_chosen(self, members.shape[axis], size, replace, p, shuffle)
    if size is None and members.ndim == 1:
        return members[index]
    return taken(members, index, axis)


def taken(members, index, axis):
    """Members at places; NumPy gives an array of one without axes, too."""
    if members.ndim == 1 and np.ndim(index) == 0:
        return np.array(members[index])
    return np.take(members, index, axis=axis)


def generator_chosen(self, population, size, replace, p, shuffle):
    """The places that `choice` takes."""
    known_replacement(replace)
    if p is None:
        if replace:
            return random_range(self, 0, population, size, np.int64, False)
        checked_sample(population, number_of(size), "Cannot take a larger sample than population when replace is False", "negative dimensions are not allowed")
        return of_size(random_sample(self, population, number_of(size), shuffle), size)
    wide = checked_probabilities(
        p,
        population,
        "p must be 1-dimensional",
        "a and p must have same size",
        "Probabilities contain NaN",
        "Probabilities are not non-negative",
        "Probabilities do not sum to 1. See Notes section of docstring for more information.",
    )
    if replace:
        return weighted(self, wide, size)
    checked_sample(population, number_of(size), "Cannot take a larger sample than population when replace is False", "negative dimensions are not allowed")
    return of_size(weighted_once(self, wide, number_of(size)), size)


def checked_probabilities(p, population, axes, sizes, with_nan, negative, sum_of_all):
    """Weights as float64; what is wrong with them in NumPy's words, which generators and `np.random` say otherwise."""
    weights = np.asarray(p)
    if weights.ndim != 1:
        raise ValueError(f"{axes}")
    if weights.shape[0] != population:
        raise ValueError(f"{sizes}")
    wide = weights.astype(np.float64)
    total = np.sum(wide)
    if np.isnan(total):
        raise ValueError(f"{with_nan}")
    if np.any(wide < 0):
        raise ValueError(f"{negative}")
    if abs(total - 1.0) > tolerance(weights):
        raise ValueError(f"{sum_of_all}")
    return wide


def known_replacement(replace):
    if not is_known(replace):
        refuse("`replace` that is not known when compiling", "write both: `rng.choice(x, n) if r else rng.choice(x, n, replace=False)`")


def checked_sample(population, n, too_many, negative):
    if n > population:
        raise ValueError(f"{too_many}")
    if n < 0:
        raise ValueError(f"{negative}")


def tolerance(weights):
    if weights.dtype == np.float16:
        return 0.03125
    if weights.dtype == np.float32:
        return 0.0003452669770922512
    return 1.4901161193847656e-08


def weighted(self, weights, size):
    """Places by their weights, with replacement."""
    sums = np.cumsum(weights)
    sums = sums / sums[-1]
    if size is None:
        return np.searchsorted(sums, random_draw("random", self, 1), side="right")[0]
    drawn = random_draw("random", self, size)
    return np.reshape(np.searchsorted(sums, np.ravel(drawn), side="right"), drawn.shape)


def weighted_once(self, weights, n):
    """Different places by their weights: what was taken weighs nothing when the rest is drawn."""
    if np.count_nonzero(weights > 0) < n:
        raise ValueError("Fewer non-zero entries in p than size")
    found = np.zeros(n, np.int64)
    left = weights.copy()
    count = 0
    while count < n:
        drawn = random_draw("random", self, n - count)
        for k in range(count):
            left[found[k]] = 0.0
        sums = np.cumsum(left)
        sums = sums / sums[-1]
        places = np.searchsorted(sums, drawn, side="right")
        before = count
        for place in places:
            is_new = True
            for k in range(before, count):
                if found[k] == place:
                    is_new = False
            if is_new:
                found[count] = place
                count += 1
    return found


def legacy_choice(self, a, size=None, replace=True, p=None):
    if isinstance(a, (int, np.integer)):
        if a <= 0 and number_of(size) != 0:
            raise ValueError("a must be greater than 0 unless no samples are taken")
        index = legacy_chosen(self, a, size, replace, p)
        if size is None:
            return int(index)
        return index
    members = np.asarray(a)
    if members.ndim != 1:
        raise ValueError("a must be 1-dimensional")
    if members.shape[0] == 0 and number_of(size) != 0:
        raise ValueError("'a' cannot be empty unless no samples are taken")
    index = legacy_chosen(self, members.shape[0], size, replace, p)
    if size is None:
        return members[index]
    return taken(members, index, 0)


def legacy_chosen(self, population, size, replace, p):
    """The places that `choice` takes."""
    known_replacement(replace)
    if p is None:
        if replace:
            return random_range(self, 0, population, size, np.int64, False)
        checked_sample(population, number_of(size), "Cannot take a larger sample than population when 'replace=False'", "Negative dimensions are not allowed")
        return of_size(random_order(self, population, 1)[: number_of(size)], size)
    wide = checked_probabilities(
        p,
        population,
        "'p' must be 1-dimensional",
        "'a' and 'p' must have same size",
        "probabilities contain NaN",
        "probabilities are not non-negative",
        "probabilities do not sum to 1",
    )
    if replace:
        return weighted(self, wide, size)
    checked_sample(population, number_of(size), "Cannot take a larger sample than population when 'replace=False'", "Negative dimensions are not allowed")
    return of_size(weighted_once(self, wide, number_of(size)), size)
