"""Who is whom: returned parameters are the caller's objects, returned views keep their parents, and each library gets its own arrays back."""

import gc
import pathlib
import sys
import weakref

import numpy as np
import pytest

import numptx
from comparison import leaves
from compilation import load_plain
from other_libraries import Exporter, Family, InterfaceOnly, families

HERE = pathlib.Path(__file__).parent

# Functions, and what they take besides matrices.
CALLS = [
    ("same", "x"),
    ("tail", "x 1"),
    ("tail", "x 9"),
    ("either", "x y True"),
    ("either", "x y False"),
    ("either", "x x False"),
    ("tail_of_either", "x y True"),
    ("tail_of_either", "x y False"),
    ("whole_or_all", "x True"),
    ("whole_or_all", "x False"),
    ("through", "x"),
    ("tail_through", "x 2"),
    ("family", "x"),
    ("member", "(1,x)"),
    ("second", "x y"),
    ("second", "x x"),
    ("sum_and_view", "x y"),
    ("spread", "x"),
    ("fresh_tail", "x"),
    ("fresh_views", "x"),
    ("after_a_loop", "x 0"),
    ("after_a_loop", "x 2"),
    ("view_twice", "x"),
    ("fresh_twice", "x"),
    ("through_branches", "x True"),
    ("through_branches", "x False"),
    ("through_a_loop", "x 0"),
    ("through_a_loop", "x 3"),
    ("equal_views", "x"),
    ("on_some_paths", "x y True 0"),
    ("on_some_paths", "x y True 1"),
    ("on_some_paths", "x y True 2"),
    ("on_some_paths", "x y False 0"),
    ("on_some_paths", "x y False 1"),
    ("on_some_paths", "x y False 2"),
    ("twice_among_others", "x y"),
    ("of_helpers", "x"),
]


@pytest.fixture(scope="module")
def kernels(workshop):
    return workshop.module(HERE / "identity_kernels.py")


@pytest.fixture(scope="module")
def plain():
    return load_plain(HERE / "identity_kernels.py")


def pytest_generate_tests(metafunc):
    """CuPy and PyTorch themselves where they are, stand-ins elsewhere: no test is skipped."""
    if "library" in metafunc.fixturenames:
        metafunc.parametrize("library", families(metafunc.config.getoption("--device")), ids=repr)


@pytest.fixture
def family(library):
    with library, numptx.device("auto"):
        yield library


def arguments_of(text, **named):
    return eval(f"({text.replace(' ', ', ')},)", dict(named))


def matrices(kind):
    """Two arrays of a kind, made anew."""
    x, y = np.arange(12.0).reshape(4, 3), -np.arange(12.0).reshape(4, 3)
    if kind == "views":
        x, y = np.arange(48.0).reshape(8, 6)[1::2, ::2], np.arange(12.0).reshape(3, 4).T
    if kind == "of one array":
        whole = np.arange(48.0).reshape(8, 6)
        x, y = whole[::2, :3], whole[1::2, 3:]
    if kind == "read only":
        x.flags.writeable = False
    return x, y


@pytest.mark.parametrize("kind", ["owners", "views", "of one array", "read only"])
@pytest.mark.parametrize("name, text", CALLS)
@pytest.mark.parametrize("computes", ["cpu", "chosen"])
def test_numpy_arrays_come_back_as_numpy_gives_them(name, text, kind, computes, kernels, plain, device):
    ours, theirs = matrices(kind), matrices(kind)
    with numptx.device("cpu" if computes == "cpu" else device):
        result = getattr(kernels, name)(*arguments_of(text, x=ours[0], y=ours[1]))
    expected = getattr(plain, name)(*arguments_of(text, x=theirs[0], y=theirs[1]))
    assert facts(result, ours) == facts(expected, theirs)


def facts(result, parents):
    """What can be told of every array of a result, as to who it is."""
    arrays = list(leaves(result))
    owners = [parent if parent.base is None else parent.base for parent in parents]
    found = []
    for array in arrays:
        found.append(
            {
                "is": [array is parent for parent in parents],
                "has the owner as base": [array.base is owner for owner in owners],
                "has a base": array.base is not None,
                "shares": [bool(np.shares_memory(array, other)) for other in (*parents, *arrays)],
                "same objects": [array is other for other in arrays],
                "writeable": array.flags.writeable,
                "owns a buffer": not any(array.base is owner for owner in owners) and array.base is not None,
                "values": array.tolist(),
                "strides": array.strides,
            }
        )
    # Whether NumPy's fresh arrays own their memory or stand on a base is its own affair.
    for fact in found:
        if not any(fact["is"]) and not any(fact["has the owner as base"]):
            del fact["has a base"], fact["owns a buffer"]
    return found


def test_a_view_of_an_argument_keeps_it_alive_and_lets_it_go(kernels):
    x = np.arange(12.0).reshape(4, 3).copy()
    alive, before = weakref.ref(x), sys.getrefcount(x)
    view = kernels.tail_through(x, 2)
    assert sys.getrefcount(x) == before + 1
    del x
    gc.collect()
    assert alive() is not None and view.base is alive()
    np.testing.assert_array_equal(view, np.arange(6.0, 12.0).reshape(2, 3))
    del view
    gc.collect()
    assert alive() is None


def test_a_view_of_a_view_keeps_the_owner_alone(kernels):
    owner = np.arange(48.0).reshape(8, 6).copy()
    middle = owner[1::2, ::2]
    alive = weakref.ref(middle)
    view = kernels.tail(middle, 1)
    assert view.base is owner
    del middle
    gc.collect()
    assert alive() is None
    np.testing.assert_array_equal(view, owner[3::2, ::2])


def test_results_that_share_a_buffer_let_it_go_with_the_last(kernels):
    gc.collect()
    before = numptx.memory_stats()
    rows, turned, (whole, column) = kernels.fresh_views(np.ones((4, 3)))
    assert numptx.memory_stats()["live_buffers"] == before["live_buffers"] + 1
    rows[0, 0] = 7
    assert turned[0, 1] == whole[1, 0] == 7 and np.shares_memory(column, turned)
    del rows, turned, whole
    assert numptx.memory_stats()["live_buffers"] == before["live_buffers"] + 1
    np.testing.assert_array_equal(column, [2, 2, 2, 2])
    del column
    assert numptx.memory_stats()["live_bytes"] == before["live_bytes"]


def test_a_fresh_array_holds_its_memory_through_a_capsule(kernels):
    _, _, (whole, _) = kernels.fresh_views(np.ones((4, 3)))
    assert "numptx.buffer" in repr(whole.base) and not whole.flags.owndata and whole[1:].base is whole


def test_a_small_view_of_a_temporary_keeps_all_of_it(kernels):
    gc.collect()
    before = numptx.memory_stats()["live_bytes"]
    view = kernels.fresh_tail(np.ones((1000, 3)))
    assert numptx.memory_stats()["live_bytes"] == before + 24000
    copy = view[:1].copy()
    del view
    assert numptx.memory_stats()["live_bytes"] == before and copy.sum() == 6


@pytest.mark.parametrize("name, text", CALLS)
def test_arrays_of_every_family_come_back_as_its_own(name, text, family, kernels, plain):
    host = matrices("owners")
    given = [family.make(array) for array in host]
    result = list(leaves(getattr(kernels, name)(*arguments_of(text, x=given[0], y=given[1]))))
    expected = list(leaves(getattr(plain, name)(*arguments_of(text, x=host[0], y=host[1]))))
    assert len(result) == len(expected)
    for found, wanted in zip(result, expected):
        assert [found is one for one in given] == [wanted is one for one in host]
        backwards = any(stride < 0 for stride in wanted.strides)
        # Not every library has such arrays.
        if not wanted.flags.writeable:
            assert type(found) is numptx.Array
        elif backwards and (family.name == "torch" or family.is_real):
            assert type(found) in (family.kind, numptx.Array)
        elif not any(found is one for one in given):
            assert type(found) is family.kind
        np.testing.assert_array_equal(family.elements(found), wanted)
        if type(found) is not family.kind:
            continue
        address, shape, strides = family.view(found)
        assert shape == wanted.shape and (wanted.size < 2 or strides == wanted.strides)
        for one, theirs in zip(given, host):
            if wanted.size and np.shares_memory(wanted, theirs):
                offset = wanted.__array_interface__["data"][0] - theirs.__array_interface__["data"][0]
                assert address - family.view(one)[0] == offset


def test_a_view_keeps_foreign_memory_alive_and_frees_it_once(family, kernels):
    gc.collect()
    before, used = numptx.memory_stats(), family.used()
    x = family.make(np.arange(3000.0).reshape(1000, 3))
    held = family.used()
    assert held > used
    view = kernels.tail(x, 998)
    results = kernels.family(x)
    del x
    gc.collect()
    assert family.used() == held
    np.testing.assert_array_equal(family.elements(view), np.arange(2994.0, 3000.0).reshape(2, 3))
    np.testing.assert_array_equal(family.elements(results[3][0]), np.arange(0.0, 3000.0, 3))
    del results
    gc.collect()
    assert family.used() == held
    del view
    gc.collect()
    after = numptx.memory_stats()
    assert family.used() == used
    for name in ("live_buffers", "live_bytes", "foreign_buffers", "violations"):
        assert after[name] == before[name], name


def test_writes_go_to_the_memory_of_the_parent(family, kernels):
    x = family.make(np.ones((4, 3)))
    view = kernels.tail(x, 2)
    kernels.double_in_place(view)
    np.testing.assert_array_equal(family.elements(x), [[1] * 3, [1] * 3, [2] * 3, [2] * 3])


def test_a_result_of_two_families_is_of_the_first_and_a_view_of_its_parent(family, kernels):
    mine = family.make(np.ones((4, 3)))
    host = np.full((4, 3), 2.0)
    if family.place == "cpu":
        fresh, view = kernels.sum_and_view(mine, host)
        assert type(fresh) is family.kind and type(view) is np.ndarray and view.base is host
    other = Family("cupy" if family.name == "torch" else "torch", family.place)
    with other:
        theirs = other.make(np.full((4, 3), 2.0))
        assert type(kernels.second(mine, theirs)) is other.kind
        assert type(kernels.second(theirs, mine)) is family.kind


def test_a_view_that_may_not_be_written_stays_so(family, kernels):
    x = family.make(np.ones((4, 3)))
    spread = kernels.spread(x)
    # CuPy and PyTorch have no such arrays.
    assert type(spread) is numptx.Array
    # The second shares its buffer with an argument that may be written.
    for array in (spread, kernels.second(x, spread), kernels.second(spread, spread)):
        with pytest.raises(ValueError, match="read-only"):
            kernels.double_in_place(array)
    np.testing.assert_array_equal(family.elements(x), np.ones((4, 3)))


def test_a_base_is_the_owner(device, kernels):
    with numptx.device("auto"):
        a_base_is_the_owner(kernels.fresh_tail(numptx.asarray(np.ones((4, 3)), device=device)), kernels)


def a_base_is_the_owner(owner, kernels):
    assert owner.base is None
    view = kernels.tail(owner, 1)
    assert view.base is owner and kernels.tail(view, 1).base is owner and view[1:].base is owner
    held = numptx.asarray(np.ones((4, 3)))
    assert kernels.tail(held, 1).base is held.base
    exporter = Exporter(owner)
    found = kernels.tail(exporter, 1)
    assert type(found) is numptx.Array and found.base is exporter and kernels.same(exporter) is exporter


def test_read_only_foreign_memory_is_not_written(device, kernels):
    host = np.ones((4, 3))
    host.flags.writeable = False
    parents = [numptx.asarray(host), Exporter(numptx.asarray(host))]
    if device == "cuda":
        parents.append(InterfaceOnly(numptx.asarray(np.ones((4, 3)), device="cuda"), read_only=True))
    for parent in parents:
        with numptx.device("auto"):
            view = kernels.tail(parent, 1)
            for array in (parent, view, kernels.tail(view, 1)):
                with pytest.raises(ValueError, match="read-only"):
                    kernels.double_in_place(array)
    assert host.sum() == 12
