#numptx export f(float64[:], int, float)
def f(a, n, x=1.0):
    b = c = a * 2
    (p, q), [r, s] = (n, n), (n, n)
    a[0], b[1] = b[1], a[0]
    a.shape = (2, 3)
    y: float = 0.0
    z: int
    y += x; y **= 2; a[1:] @= a
    for i in range(3):
        if i == 1:
            continue
        elif i > 2 and not n or x < y <= 3.0:
            break
        else:
            pass
    else:
        y = -1
    while True:
        break
    else:
        n = ~n
    assert x is not None, "x is " "given"
    assert x
    if n:
        raise ValueError("a \"quoted\"\tmessage")
    if n:
        raise IndexError
    a.sum()
    return (b, c if n else a), 1j, None


def g():
    return
