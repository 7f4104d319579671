"""Compares a result with NumPy's: type, dtype, shape, memory order, values, and which memory it shares."""

import collections
import copy
import dataclasses

import numpy as np

GENERATORS = (np.random.Generator, np.random.RandomState)


def state(generator):
    """The state of a generator, as text."""
    found = generator.get_state(legacy=False) if isinstance(generator, np.random.RandomState) else generator.bit_generator.state

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(member) for key, member in value.items()}
        return value.tolist() if isinstance(value, np.ndarray) else value

    return str(plain(found))


def members(value):
    """The members of a tuple, a list or a deque, or the fields of a dataclass; `None` of anything else."""
    if isinstance(value, (tuple, list, collections.deque)):
        return list(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    return None


def with_members(value, found):
    """The same with other members."""
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return type(value)(**dict(zip(names, found)))
    if isinstance(value, collections.deque):
        return collections.deque(found, value.maxlen)
    return value._make(found) if hasattr(value, "_make") else type(value)(found)


def with_values(value, found):
    """The same dictionary, of its own class, with other values."""
    made = copy.copy(value)
    for key, member in zip(value, found):
        made[key] = member
    return made


def leaves(value):
    """The arrays, scalars and strings of a value, tuples, lists, sets, dictionaries and records taken apart; of a dictionary first the keys."""
    if members(value) is not None:
        for member in members(value):
            yield from leaves(member)
    elif isinstance(value, dict):
        yield from leaves(list(value))
        yield from leaves(list(value.values()))
    elif isinstance(value, (set, frozenset)):
        yield from leaves(in_order(value))
    else:
        yield value


def in_order(members):
    """The members of a set in an order that their values make: that of the set itself is not the same for equal ones."""
    return sorted(members, key=repr)


def assert_same(result, expected, tolerance=None, layout=True):
    """Raises AssertionError unless `result` is what NumPy gave. The keys of dictionaries have an order, members of sets have none.

    tolerance: None for the default bound, 0 for equal bits, else a relative error (of each element or, scaled by
    the largest element, of the whole).
    layout: whether the strides have to agree too, where an axis has more than one element.
    """
    if members(expected) is not None:
        own, wanted = members(result), members(expected)
        assert getattr(result, "maxlen", None) == getattr(expected, "maxlen", None), f"{result!r} is not {expected!r}"
        assert is_same_type(type(result), type(expected)) and len(own) == len(wanted), f"{result!r} is not {expected!r}"
        for member, other in zip(own, wanted):
            assert_same(member, other, tolerance, layout)
        return
    assert type(result) is type(expected), f"{type(result).__name__} where NumPy gives {type(expected).__name__}"
    if isinstance(expected, dict):
        assert getattr(result, "default_factory", None) is getattr(expected, "default_factory", None), repr(result)
        assert_same(list(result), list(expected), tolerance, layout)
        assert_same(list(result.values()), list(expected.values()), tolerance, layout)
        return
    if isinstance(expected, (set, frozenset)):
        assert_same(in_order(result), in_order(expected), tolerance, layout)
        return
    if isinstance(expected, GENERATORS):
        assert state(result) == state(expected), "the generator has another state"
        return
    if not isinstance(expected, (np.ndarray, np.generic, bool, int, float, complex)):
        assert result == expected, f"{result!r} where Python gives {expected!r}"
        return
    if isinstance(expected, np.ndarray):
        assert result.dtype == expected.dtype, f"dtype {result.dtype}, NumPy's is {expected.dtype}"
        assert result.shape == expected.shape, f"shape {result.shape}, NumPy's is {expected.shape}"
        if layout:
            assert significant_strides(result) == significant_strides(expected), (
                f"strides {result.strides}, NumPy's are {expected.strides}"
            )
    assert_close(np.asarray(result), np.asarray(expected), tolerance)


def is_same_type(own, expected):
    """Whether two types are one, or one class of records in two modules."""
    if own is expected:
        return True
    fields = [getattr(ty, "_fields", None) or tuple(getattr(ty, "__dataclass_fields__", ())) for ty in (own, expected)]
    return own.__name__ == expected.__name__ and fields[0] == fields[1] != ()


def identities(value):
    """Which of the lists, dictionaries and sets of a value, in order, are one object: a number for each."""
    numbers = {}

    def number(value):
        if isinstance(value, (list, dict, set)):
            yield numbers.setdefault(id(value), len(numbers))
        for member in value.values() if isinstance(value, dict) else members(value) or ():
            yield from number(member)

    return list(number(value))


def significant_strides(array):
    """Strides of the axes that are stepped along; none of an empty array."""
    if array.size == 0:
        return ()
    return tuple(stride for stride, extent in zip(array.strides, array.shape) if extent > 1)


def assert_close(result, expected, tolerance=None):
    """Values only. NaN and infinities are at the same places; integers and booleans are equal."""
    if expected.dtype.kind not in "fc" or tolerance == 0:
        np.testing.assert_array_equal(result, expected)
        return
    if expected.dtype.kind == "c":
        assert_close(result.real, expected.real, tolerance)
        assert_close(result.imag, expected.imag, tolerance)
        return
    eps = np.finfo(expected.dtype).eps
    relative, absolute = (64 * eps, 16 * eps) if tolerance is None else (tolerance, tolerance)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(result[~finite], expected[~finite], err_msg="where NumPy's result is not finite")
    wanted, found = expected[finite].astype(np.longdouble), result[finite].astype(np.longdouble)
    if wanted.size == 0:
        return
    scale = np.max(np.abs(wanted))
    bound = relative * np.abs(wanted) + absolute * scale + np.finfo(expected.dtype).tiny
    error = np.abs(found - wanted)
    if not np.all(error <= bound):
        worst = int(np.argmax(np.where(np.isnan(error), np.inf, error / bound)))
        raise AssertionError(
            f"{int(np.sum(~(error <= bound)))} of {wanted.size} elements differ; the worst is {found[worst]!r} "
            f"where NumPy has {wanted[worst]!r} ({float(error[worst] / bound[worst]):.3g} times the bound)"
        )


def ulp_error(result, expected):
    """The largest distance in units in the last place of `expected`, where both are finite; inf where only one is."""
    result, expected = np.asarray(result), np.asarray(expected)
    if expected.dtype.kind == "c":
        return max(ulp_error(result.real, expected.real), ulp_error(result.imag, expected.imag))
    both = np.isfinite(expected) & np.isfinite(result)
    same = (result == expected) | (np.isnan(result) & np.isnan(expected))
    if not np.all(both | same):
        return np.inf
    if not np.any(both & ~same):
        return 0.0
    wanted, found = expected[both & ~same], result[both & ~same]
    return float(np.max(np.abs(found.astype(np.longdouble) - wanted) / np.spacing(np.abs(wanted))))


def owner(array):
    """The object at the end of an array's chain of bases: what holds its memory."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def relations(results, arguments):
    """Who is whom, who shares memory, whose memory it is, and what may be written: between the arrays of the results and of the
    arguments, and among the results."""
    outs = [leaf for leaf in leaves(results)]
    ins = [leaf for argument in arguments for leaf in leaves(argument)]
    found = {}
    for i, out in enumerate(outs):
        if not isinstance(out, np.ndarray):
            continue
        found[f"result {i} is writeable"] = out.flags.writeable
        for j, given in enumerate(ins):
            if isinstance(given, np.ndarray):
                found[f"result {i} is argument {j}"] = out is given
                found[f"result {i} shares memory with argument {j}"] = bool(np.shares_memory(out, given))
                if np.shares_memory(out, given):
                    found[f"result {i} begins in argument {j} at"] = (
                        out.__array_interface__["data"][0] - given.__array_interface__["data"][0]
                    )
                    found[f"result {i} lives in the owner of argument {j}"] = owner(out) is owner(given)
        for j, other in enumerate(outs[:i]):
            if isinstance(other, np.ndarray):
                found[f"results {j} and {i} share memory"] = bool(np.shares_memory(out, other))
                found[f"results {j} and {i} are one object"] = out is other
    return found


def assert_same_relations(found, wanted):
    """Raises AssertionError unless results and arguments, given as a pair each, are related as NumPy's are."""
    found, wanted = relations(*found), relations(*wanted)
    differences = [f"{key}: {found.get(key)}, NumPy: {value}" for key, value in wanted.items() if found.get(key) != value]
    assert not differences and len(found) == len(wanted), "; ".join(differences)
