"""One call compiled and plain: results, exceptions' types, what arguments were changed to."""

import warnings

import numpy as np

import comparison


def outcome(function, arguments):
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments)
    except Exception as error:
        return error


def compare(compiled, plain, name, make, tolerance=None, layout=True, words=()):
    """`make()` gives the arguments anew. Texts of exceptions begin with NumPy's, but for those of NumPy that hold one of `words`; with `words=None` only types agree."""
    arguments, plain_arguments = make(), make()
    expected, result = outcome(getattr(plain, name), plain_arguments), outcome(getattr(compiled, name), arguments)
    if isinstance(expected, Exception):
        assert type(result) is type(expected), f"{result!r} where NumPy raises {expected!r}"
        if words is not None and not any(word in str(expected) for word in words):
            assert str(result).startswith(str(expected)), f"{result} where NumPy says {expected}"
        return
    if isinstance(result, Exception):
        raise result
    comparison.assert_same(result, expected, tolerance, layout)
    comparison.assert_same(arguments, plain_arguments)
    assert comparison.relations(result, arguments) == comparison.relations(expected, plain_arguments)
