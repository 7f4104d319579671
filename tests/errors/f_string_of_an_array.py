#numptx export f(float64[:], int)
def f(x, n):
    if n < 0:
        raise ValueError(f"{x} and {n:>5}")  #! NPX0402
    assert n, f"{1j}"
    assert n, n
    return x
