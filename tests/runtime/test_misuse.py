"""Methods of the package's types out of their order, twice, and with anything as arguments: an exception, never a crash. By introspection, in a process of its own."""

import pytest

from subprocesses import run_python

SURVEY = """
    import itertools, sys, warnings
    import numpy as np, numptx
    from numptx import _native

    warnings.simplefilter("ignore")
    has_gpu = len(numptx.devices()) > 1

    class Odd:
        '''Whatever is asked of it is odd.'''
        __cuda_stream__ = 3
        __cuda_array_interface__ = {}
        device = index = ptr = "odd"
        def __index__(self):
            return 2**70
        def __float__(self):
            raise OverflowError("odd")
        def __len__(self):
            return 2**62
        def __getitem__(self, at):
            return self

    class Named:
        '''An interface with more extents than there is memory for.'''
        __cuda_array_interface__ = {"shape": range(10**15), "data": (0, False), "typestr": "<f8", "version": 3}

    class Leading:
        __dlpack__ = __dlpack_device__ = lambda self, **options: 7

    VALUES = [None, -1, 2**64, 1.5, "", "cuda:99", b"x", (), (None,) * 70, [1], {}, object(), int, Odd(), Named(), Leading(), np.zeros(3), np.float32(1)]
    # What ends the process or waits for ever by its nature.
    LEFT_OUT = {"shutdown", "__init_subclass__", "__subclasshook__", "__class__", "__getattribute__", "__setattr__", "__delattr__"}

    def makers():
        yield lambda: numptx.asarray(np.arange(3.0))
        yield lambda: numptx.asarray(np.int64(3))
        yield lambda: numptx.device("cpu")
        if has_gpu:
            yield lambda: numptx.asarray(np.arange(3.0), device="cuda")
            yield numptx.Stream
            yield numptx.Event
            yield lambda: numptx.Event(timing=True)
            yield numptx.Graph
            yield recorded

    def recorded():
        with numptx.Graph() as graph:
            pass
        return graph

    def raises_or_returns(call, *arguments, **keywords):
        try:
            return call(*arguments, **keywords)
        except Exception as error:
            assert "this is a bug" not in str(error) and type(error).__name__ != "PanicException", error

    def members(thing):
        for name in sorted(set(dir(type(thing))) - LEFT_OUT):
            yield name

    def survey(make):
        values = VALUES + [make()]
        for name in members(make()):
            for repeat in range(2):
                thing = make()
                found = raises_or_returns(getattr, thing, name)
                if not callable(found):
                    continue
                for arguments in itertools.chain([()], [(value,) for value in values], [(value,) * 3 for value in values]):
                    raises_or_returns(found, *arguments)
                    if repeat:
                        raises_or_returns(found, *arguments)
                    raises_or_returns(found, *arguments, stream=VALUES[0])
            # After it was closed.
            thing = make()
            if hasattr(thing, "close"):
                thing.close()
                found = raises_or_returns(getattr, thing, name)
                for arguments in [(), *[(value,) for value in values]]:
                    if callable(found):
                        raises_or_returns(found, *arguments)
        raises_or_returns(setattr, make(), "shape", 3)

    def bare():
        '''Objects that nobody has initialised.'''
        for kind in (numptx.Array, numptx.Stream, numptx.Event, numptx.Graph, numptx.device, numptx.Cubin, numptx.Kernel):
            made = raises_or_returns(kind.__new__, kind)
            raises_or_returns(object.__new__, kind)
            for value in VALUES:
                raises_or_returns(kind, value)
                raises_or_returns(kind.__new__, kind, value)
            if made is not None:
                for name in members(made):
                    found = raises_or_returns(getattr, made, name)
                    if callable(found):
                        raises_or_returns(found)

    def functions():
        for name in sorted(set(dir(_native)) - LEFT_OUT):
            found = getattr(_native, name)
            if callable(found):
                for value in VALUES:
                    for arguments in [(), (value,), (value, value), (value, value, value)]:
                        raises_or_returns(found, *arguments)

    for make in makers():
        survey(make)
    bare()
    functions()
    numptx.set_allocator(None)
    numptx.device("cpu")
    x = numptx.asarray(np.arange(3.0), device="cuda" if has_gpu else "cpu")
    assert x.to_host().tolist() == [0, 1, 2]
    numptx.synchronize()
"""


def test_methods_out_of_their_order_raise():
    run_python(SURVEY)


ORDERS = {
    "a graph that was not entered": ("numptx.Graph().__exit__(None, None, None)", RuntimeError),
    "a graph's end after an exception": ("numptx.Graph().__exit__(ValueError, ValueError(), None)", RuntimeError),
    "a stream that was not entered": ("numptx.Stream().__exit__(None, None, None)", RuntimeError),
    "a device that was not entered": ("numptx.device('cpu').__exit__()", RuntimeError),
    "a replay of nothing": ("numptx.Graph().replay()", RuntimeError),
    "an array without memory": ("numptx.Array()", TypeError),
    "an array that was not made": ("numptx.Array.__new__(numptx.Array)", TypeError),
}


@pytest.mark.parametrize("what", ORDERS)
def test_what_is_out_of_order_is_said(what):
    import numptx

    text, error = ORDERS[what]
    if len(numptx.devices()) == 1 and ("Graph" in text or "Stream" in text):
        pytest.skip("no GPU")
    with pytest.raises(error):
        exec(text, {"numptx": numptx})


def test_a_graph_s_block_ends_once():
    import numptx

    if len(numptx.devices()) == 1:
        pytest.skip("no GPU")
    with numptx.device("auto"):
        graph = numptx.Graph()
        with graph:
            pass
        for exception in ((None,) * 3, (ValueError, ValueError(), None)):
            with pytest.raises(RuntimeError, match="in no block of the graph"):
                graph.__exit__(*exception)
        graph.replay()
        with pytest.raises(RuntimeError, match="captured once"):
            graph.__enter__()
