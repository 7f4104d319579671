"""Sets as sorted vectors: which elements are in another array, and what two arrays have together, apart, or in one of them only."""
import numpy as np


def together(a, b):
    """All elements of two arrays in one vector."""
    return np.concatenate((np.ravel(a), np.ravel(b)))


def found_in(element, sorted_elements):
    """Whether each element stands in a sorted vector."""
    n = sorted_elements.shape[0]
    places_of = searched(sorted_elements, element, False)
    if n == 0:
        return np.zeros(element.shape, np.bool_)
    return np.take(sorted_elements, np.minimum(places_of, n - 1), mode="clip") == element


def numpy_isin(element, test_elements, assume_unique=False, invert=False, kind=None):
    if kind is not None and kind == "table":
        if element.dtype.kind not in "biu" or test_elements.dtype.kind not in "biu":
            raise ValueError("The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for kind.")
    within = found_in(np.asarray(element), np.sort(np.ravel(test_elements)))
    if element.ndim == 0:
        return np.array(not within if invert else bool(within))
    return ~within if invert else within


def numpy_union1d(ar1, ar2):
    return numpy_unique(together(ar1, ar2))


def numpy_setdiff1d(ar1, ar2, assume_unique=False):
    own = np.ravel(ar1).copy() if assume_unique else numpy_unique(ar1)
    return own[~found_in(own, np.sort(np.ravel(ar2)))]


def numpy_setxor1d(ar1, ar2, assume_unique=False):
    first = np.ravel(ar1) if assume_unique else numpy_unique(ar1)
    second = np.ravel(ar2) if assume_unique else numpy_unique(ar2)
    both = np.sort(together(first, second))
    n = both.shape[0]
    differs = both[1:] != both[:-1]
    begins, ends_here = np.ones(n, np.bool_), np.ones(n, np.bool_)
    begins[1:] = differs
    ends_here[:-1] = differs
    return both[begins & ends_here]


def numpy_intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    if not return_indices:
        first = np.ravel(ar1) if assume_unique else numpy_unique(ar1)
        second = np.ravel(ar2) if assume_unique else numpy_unique(ar2)
        both = np.sort(together(first, second))
        return both[:-1][both[1:] == both[:-1]]
    if assume_unique:
        first, second = np.ravel(ar1), np.ravel(ar2)
    else:
        first, first_places = numpy_unique(ar1, True)
        second, second_places = numpy_unique(ar2, True)
    unsorted = together(first, second)
    order = np.argsort(unsorted, kind="stable")
    both = np.take(unsorted, order, mode="clip")
    pairs = np.flatnonzero(both[1:] == both[:-1])
    in_first = np.take(order, pairs, mode="clip")
    in_second = np.take(order, pairs + 1, mode="clip") - first.shape[0]
    common = np.take(both, pairs, mode="clip")
    if assume_unique:
        return common, in_first, in_second
    return common, np.take(first_places, in_first, mode="clip"), np.take(second_places, in_second, mode="clip")


def numpy_unique_values(x):
    return numpy_unique(x, equal_nan=False)


def numpy_unique_counts(x):
    values, counts = numpy_unique(x, return_counts=True, equal_nan=False)
    return named("values counts", values, counts)


def numpy_unique_inverse(x):
    values, inverse = numpy_unique(x, return_inverse=True, equal_nan=False)
    return named("values inverse_indices", values, inverse)


def numpy_unique_all(x):
    values, first, inverse, counts = numpy_unique(x, True, True, True, equal_nan=False)
    return named("values indices inverse_indices counts", values, first, inverse, counts)
