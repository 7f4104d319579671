#numptx export f(float64)
def f(x):
    y = "é😀"; return z$
