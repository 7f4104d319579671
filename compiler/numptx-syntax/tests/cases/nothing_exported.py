def f(a, n):
    return a * n
