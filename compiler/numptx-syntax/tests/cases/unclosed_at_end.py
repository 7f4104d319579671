#numptx export f(float64)
def f(x):
    return x

y = (1,
z = 2
