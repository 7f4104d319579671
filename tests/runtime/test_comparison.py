"""What the corpus is compared with: `comparison.py` and `corpus_run.py` find every difference that is planted here."""

import types

import numpy as np
import pytest

import comparison
import corpus_format
import corpus_run

SAME = [
    ({"a": 1, "b": [2.0, (3, "x")]}, {"a": 1, "b": [2.0, (3, "x")]}),
    ({3, 1, 2}, {2, 1, 3}),
    ({"ß", ""}, {"", "ß"}),
    ([{(1, 2): {1}}, {}], [{(1, 2): {1}}, {}]),
    ([float("nan")], [float("nan")]),
    ({1: np.arange(2.0)}, {1: np.arange(2.0)}),
    (([], {}, set(), "", None), ([], {}, set(), "", None)),
    ({"a": 0.1 + 0.2}, {"a": 0.3}),
]
DIFFERENT = [
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({"a": 1}, {"a": 1.0}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({1: 0}, {1.0: 0}),
    ({1: 0}, {True: 0}),
    ({"a": [1]}, {"a": (1,)}),
    ({"a": [1, 2]}, {"a": [2, 1]}),
    ({"a": 0.1}, {"a": 0.2}),
    ({1}, {1.0}),
    ({1}, {True}),
    ({1}, {1, 2}),
    ({1}, [1]),
    (set(), {}),
    ({(1, 2)}, {(1, 2.0)}),
    ({(1, "a")}, {(1, "b")}),
    ("a", "ä"),
    ("1", 1),
    ([[1], []], [[1], [0]]),
    ([1], [np.int64(1)]),
    ([1.0], [np.float64(1.0)]),
    ({1: np.arange(2.0)}, {1: np.arange(2)}),
    ([None], [0]),
]


@pytest.mark.parametrize(("result", "expected"), SAME)
def test_equal_values_are_the_same(result, expected):
    comparison.assert_same(result, expected)


@pytest.mark.parametrize(("result", "expected"), DIFFERENT)
def test_other_values_and_types_differ(result, expected):
    for first, second in [(result, expected), (expected, result), ([result], [expected]), ({"k": result}, {"k": expected})]:
        with pytest.raises(AssertionError):
            comparison.assert_same(first, second)


def test_leaves_are_found_in_all_containers():
    x, y = np.arange(2.0), np.ones(1)
    assert list(comparison.leaves(([1, {"k": (2, "t")}], {3}))) == [1, "k", 2, "t", 3]
    found = list(comparison.leaves({"a": [x], "b": {0: y}}))
    assert any(leaf is x for leaf in found) and any(leaf is y for leaf in found)


def test_lists_that_are_one_object_are_told_from_equal_ones():
    xs = [1]
    assert comparison.identities((xs, [xs], {"k": xs}, {2})) == [0, 1, 0, 2, 0, 3]
    assert comparison.identities(([1], [[1]], {"k": [1]}, {2})) == [0, 1, 2, 3, 4, 5]


def appending(xs, last=4):
    print("appending", last)
    if not xs:
        raise ValueError("nothing to append to")
    xs.append(last)
    return xs


def on_a_copy(xs):
    return appending(xs.copy())


def in_silence(xs):
    xs.append(4)
    return xs


def otherwise_refused(xs):
    print("appending", 4)
    if not xs:
        raise ValueError("there is nothing to append to")
    return [*xs, 4]


def compare(compiled, call):
    """Compares a function that stands for the compiled one with `appending`, on the call of a run line."""
    run = corpus_format.Run(call, 1)
    modules = [types.SimpleNamespace(appending=function) for function in (compiled, appending)]
    corpus_run.compare(*modules, None, run, "host")


def test_a_compiled_function_changes_what_it_is_given():
    compare(appending, "appending([1])")
    with pytest.raises(AssertionError, match="one object"):
        compare(on_a_copy, "appending([1])")


def test_what_is_printed_is_compared():
    with pytest.raises(AssertionError, match="prints"):
        compare(in_silence, "appending([1])")


def test_messages_of_exceptions_are_compared():
    compare(appending, "appending([])")
    with pytest.raises(AssertionError, match="there is nothing"):
        compare(otherwise_refused, "appending([])")


def test_buffers_that_are_left_are_found(device):
    import numptx

    kept = []

    def keeping(xs):
        kept.append(numptx.asarray(np.ones(3), device=device).copy())
        return appending(xs)

    with pytest.raises(AssertionError, match="buffers and their bytes"):
        compare(keeping, "appending([1])")
