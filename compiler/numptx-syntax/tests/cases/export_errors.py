import numpy as np

N = 3

#numptx export f(double[:], flaot32)
#numptx exprt f(int)
#numptx export
#numptx export f(int
#numptx export nope(int)
#numptx export ff(int), M
#numptx export N, N
#numptx export f
#numptx export f(int, int, int)
#numptx export f(int[:][3], int)
#numptx export f(int[:,:][:], int)
#numptx export f([int] list, int)
#numptx export f(int, bool)
#numptx export f(int[:, ::1], int)
#numptx export f(int[0], int)
#numptx export f(int[99999999999999999999], int)
#numptx export f(int*), f(int set)
#numptx export f(str[:], int)
#numptx export f(float96, float128)
#numptx export f(complex256)
#numptx export f(int, void)  # a remark, then (
#numptx export f(long, int)
#numptx export f(int order(C), int)
#numptx export f(int[:,:] order(K), int)
#numptx export f(str: int dict, int)
#numptx export f(float64(float64), int)
#numptx export f(numpy pkg, int)
#numptx export f(wibble, int)
#numptx export f(int?, int)
#numptx export f(int, int?)
#numptx export f(int, float[:])
#numptx export f(int, float64[:])
#numptx export f(int or int, bool)
#numptx export f(int, int) and g(int)
#pythran export capsule f(int, int)
#pythran export ufunc f(float)
# pythran is a compiler
# numptx makes this fast
#numptx parallel
def f(a, b):
    return a


#numptx export g(int8 or int16 or int32 or int64, int8 or int16 or int32 or int64, int8 or int16 or int32 or int64, int8 or int16 or int32 or int64)
#numptx export g((int or float, int or float, int or float, int or float, int or float, int or float, int or float, int or float), int, int, int)
def g(a, b, c, d):
    return a


#numptx export h(int, int)
def h(a, *rest):
    return a


def i(a: "float64[:", b: "doubel"):
    return a
