"""Exceptions of an argument's own code: they stay what they are, or are the cause of what is raised in their place."""

import numpy as np
import pytest

import numptx
from other_libraries import Exporter

PROGRAM = """
#numptx export half(float64)
#numptx export whole(int64)
#numptx export plane(complex128)
#numptx export either(float64)
#numptx export either(float64[:])
#numptx export either(str)
#numptx export total(float64[:])
def half(x):
    return x / 2
def whole(n):
    return n + 1
def plane(z):
    return z + 1
def either(x):
    return 1
def total(x):
    return x[0]
"""
# What nobody answers for in the place of those whom it is for.
PASSING = [KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, RecursionError]
FOREIGN = [ZeroDivisionError, ValueError, LookupError, type("Own", (Exception,), {})]


@pytest.fixture(scope="module")
def compiled(workshop):
    return workshop.pair(PROGRAM)[0]


@pytest.fixture(autouse=True)
def on_cpu():
    with numptx.device("auto"):
        yield


class Number:
    """A number that raises where it is asked for its value."""

    def __init__(self, error):
        self.error = error

    def value(self):
        raise self.error

    __float__ = __index__ = value


@pytest.mark.parametrize("function", ["half", "whole", "plane", "either"])
@pytest.mark.parametrize("kind", PASSING + FOREIGN)
def test_what_a_number_raises_is_raised(compiled, function, kind):
    error = kind("mine")
    with pytest.raises(kind, match="mine") as found:
        getattr(compiled, function)(Number(error))
    assert found.value is error


@pytest.mark.parametrize("function", ["half", "whole", "plane"])
@pytest.mark.parametrize("kind", [TypeError, OverflowError])
def test_a_refusal_is_the_cause_of_ours(compiled, function, kind):
    error = kind("mine")
    with pytest.raises(TypeError, match=rf"{function}\(\) got \(Number\); it accepts") as found:
        getattr(compiled, function)(Number(error))
    assert found.value.__cause__ is error


def test_a_refusal_without_a_cause_has_none(compiled):
    with pytest.raises(TypeError) as found:
        compiled.half("text")
    assert found.value.__cause__ is None
    for wide in (10**400, -(10**400)):
        with pytest.raises(TypeError) as found:
            compiled.half(wide)
        assert found.value.__cause__ is None
    with pytest.raises(TypeError, match=r"half\(\) got \(float64\[:\]\)"):
        compiled.half(numptx.asarray(np.zeros(3)))


def test_an_overload_that_takes_the_argument_asks_nothing_of_the_exception(compiled):
    class Tensor(Exporter):
        """As PyTorch's: a number only where it has one element."""

        def __float__(self):
            raise RuntimeError("only one element tensors can be converted to scalars")

    tensor = Tensor(np.arange(3.0))
    assert compiled.either(tensor) == 1
    with pytest.raises(RuntimeError, match="only one element"):
        compiled.half(tensor)


class Device:
    """An array that raises at one attribute."""

    def __init__(self, name, error):
        self.name, self.error, self.array = name, error, np.arange(3.0)

    def __getattr__(self, name):
        if name == self.name:
            raise self.error
        if name in ("__dlpack__", "__dlpack_device__"):
            return getattr(self.array, name)
        raise AttributeError(name)


@pytest.mark.parametrize("use", ["a call", "asarray"])
@pytest.mark.parametrize("name", ["__dlpack__", "__dlpack_device__", "__cuda_array_interface__"])
@pytest.mark.parametrize("kind", PASSING + FOREIGN)
def test_what_an_array_s_attributes_raise_is_raised(compiled, use, name, kind):
    array = Device(name, kind("mine"))
    if name == "__cuda_array_interface__":
        array.array = None
    with pytest.raises(kind, match="mine") as found:
        compiled.total(array) if use == "a call" else numptx.asarray(array)
    assert found.value is array.error


@pytest.mark.parametrize("kind", PASSING + FOREIGN)
def test_what_an_index_raises_is_raised(kind):
    array, error = numptx.asarray(np.arange(3.0)), kind("mine")
    with pytest.raises(kind) as found:
        array[Number(error)]
    assert found.value is error
    with pytest.raises(kind) as found:
        array[0:Number(error)]
    assert found.value is error


def test_what_is_no_index_tells_why():
    array = numptx.asarray(np.arange(3.0))
    for error, expected in ((TypeError("mine"), TypeError), (OverflowError("mine"), IndexError)):
        with pytest.raises(expected) as found:
            array[Number(error)]
        assert found.value.__cause__ is error


@pytest.mark.parametrize("kind", PASSING + FOREIGN)
@pytest.mark.parametrize("use", ["device", "stream"])
def test_what_names_of_places_raise_is_raised(kind, use):
    error = kind("mine")

    class Stream:
        @property
        def __cuda_stream__(self):
            raise error

    with pytest.raises(kind) as found:
        numptx.device(Number(error)) if use == "device" else numptx.asarray(np.zeros(2)).__dlpack__(stream=Stream())
    assert found.value is error


@pytest.mark.parametrize("kind", PASSING)
def test_what_ends_programs_is_not_lost_where_a_message_is_written(compiled, kind):
    class Text(str):
        def __repr__(self):
            raise error

    error = kind("mine")
    with pytest.raises(kind) as found:
        compiled.half(Text("text"))
    assert found.value is error
