#pythran export f(float64[:,:] order(C), int or float,
#                 float32[::,::], (int, float64[:,3]), int list?)
# pythran export g(int), g(float), h(),
#    g(complex)
#numptx export f(bool[][], np.uint8, byte[:] or intp[:] order(F), (int or float, str), None or float32[:])
# This comment says: #numptx export nothing(int)
TEXT = """
#numptx export nothing(int)
"""
x = 1  #numptx export nothing(int)


def f(a, b, c, d, e=None):
    return a


def g(n):
    return n


def h():
    return 1
