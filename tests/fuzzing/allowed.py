"""What may differ between a program compiled and plain although neither is wrong: where NumPys do not agree with each other.

Goes in: what both gave. Comes out: whether that is one of these cases. See "Random programs" in docs/testing.md for the rules.
"""

import re
import sys
import traceback

import numpy as np

import comparison
import corpus_run

EMPTY_MASK = re.compile(r"boolean index did not match .* boolean axis is 0$")
CONTRACTION = re.compile(r"\b(dot|vdot|inner|matmul|tensordot|einsum)\b|@")


def is_newer_where(expected):
    """From 2.5 on `np.where` refuses a Python int that the result's dtype cannot hold; 2.4 wraps it, and so do we."""
    if not isinstance(expected, OverflowError) or "Python integer" not in str(expected):
        return False
    frames = traceback.extract_tb(expected.__traceback__)
    return np.lib.NumpyVersion(np.__version__) >= "2.5.0" and "where(" in (frames[-1].line or "")


def is_empty_mask(result, expected):
    """A mask with an axis of extent 0 chooses nothing of an axis of any extent in NumPy; we refuse it like every other wrong extent."""
    return EMPTY_MASK.search(message(result)) is not None and EMPTY_MASK.search(message(expected)) is None


def message(outcome):
    """What an IndexError says, nothing for any other outcome: a later statement may raise one of its own, too."""
    return str(outcome) if isinstance(outcome, IndexError) else ""


def is_wider_int(result, plain, positional, keywords):
    """Python's ints have no bounds, ours 64 bits: what becomes larger raises, see docs/language.md.

    plain: the function as Python, which is called once more, on arguments of its own, and watched for such an int.
    """
    if not isinstance(result, OverflowError) or "ints have 64 bits" not in str(result):
        return False
    found = []

    def watch(frame, event, argument):
        found.extend(v for v in (*frame.f_locals.values(), argument) if has_wider_int(v))
        return watch

    sys.settrace(watch)
    try:
        plain(*positional, **keywords)
    except Exception:  # noqa: BLE001 - whatever ends it
        pass
    finally:
        sys.settrace(None)
    return bool(found)


def has_wider_int(value):
    """Whether a value is, or a tuple or list holds, an int beyond 64 bits."""
    return any(type(leaf) is int and not -(2**63) <= leaf < 2**63 for leaf in comparison.leaves(value))


def is_product_order(source, found, expected, tolerance):
    """Whether all that differs is elements that are not finite, in a program that sums complex products, or products of `np.einsum`.

    An axis that one operand of `np.einsum` has alone may be summed before it multiplies or after: NumPy does the one with `optimize=`, the other without.
    Each BLAS kernel adds the four real products of two complex numbers in an order of its own and passes over factors that are 0: where one of
    them is not finite `x @ y` and `np.dot(x, y)` do not agree in NumPy either.
    """
    if not ("complex" in source and CONTRACTION.search(source)) and "np.einsum" not in source:
        return False
    pairs = list(zip(comparison.leaves(corpus_run.to_host(found)), comparison.leaves(expected)))
    try:
        for one, other in pairs:
            comparison.assert_same(*finite(one, other), tolerance)
    except AssertionError:
        return False
    return True


def finite(found, expected):
    """Both with 0 for each element that is not finite in one of them."""
    one, other = np.asarray(found), np.asarray(expected)
    if one.dtype != other.dtype or one.shape != other.shape or one.dtype.kind not in "fc":
        return found, expected
    is_finite = np.isfinite(one) & np.isfinite(other)
    return np.where(is_finite, one, 0), np.where(is_finite, other, 0)
