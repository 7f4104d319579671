import numpy as np

T = np.dtype([("x", np.float64), ("n", np.int64)])


#numptx export f(T[:])
def f(a):  #! NPX0407 return its fields
    return a[1:]


#numptx export g(T[:])
def g(a):
    return a == a  #! NPX0206 compare their fields


#numptx export h(T[:])
def h(a):
    return np.sort(a)  #! NPX0505 call it on the fields


#numptx export k(T[:])
def k(a):
    for r in a:  #! NPX0408 for i in range
        r["x"] = 1.0
    return a["z"]  #! NPX0205 it has `x`


#numptx export m(T)
def m(r):
    r["x"] = 1.0  #! NPX0401 a[0]["x"]
