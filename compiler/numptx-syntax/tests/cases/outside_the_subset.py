#numptx export f(float64)
def f(x):
    return x


def g(*args, k, **kw):
    lambda x: 2
    [i for i in x]
    {i for i in x}
    {i: i for i in x}
    sum(i for i in x)
    f"{x}"
    with x:
        pass
    try:
        pass
    except ValueError:
        pass

    def inner():
        pass

    class Inner:
        pass

    (y := 2)
    {1: 2}
    {1}
    b"x"
    f(*x)
    f(**x)
    import os
    x is y
    yield 3
    del x[0]
    global N
    nonlocal M
    raise
    raise ValueError(x)
    raise ValueError("x") from y
    raise np.error("x")
    assert x, x
    x.y += 1
    x[*y]
    a, *b = x
    match x:
        case 1:
            pass
    return 340282366920938463463374607431768211456


@jit(3)
def decorated(a):
    return a


async def later(a):
    await a


def positional(a, /, b):
    return a


def generic[T](a: T):
    return a
