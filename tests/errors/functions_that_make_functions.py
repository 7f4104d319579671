import functools
import itertools
import operator


def scaled(x, factor):
    return x * factor


#numptx export f(float64[:], str, int list)
def f(x, name, xs):
    functools.partial(scaled, offset=1.0)  #! NPX0504
    functools.partial(scaled, x, 1.0, 2.0)  #! NPX0503
    functools.cached_property  #! NPX0501
    operator.attrgetter(name)  #! NPX0505
    operator.itemgetter()  #! NPX0505
    operator.length_hint  #! NPX0501
    itertools.cycle  #! NPX0501 len
    itertools.repeat(1)  #! NPX0505 len
    operator.concat(1, 2)  #! NPX0505
    return x
