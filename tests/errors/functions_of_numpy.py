import numpy as np


#numptx export left_to_python(float64[:], int64[:])
def left_to_python(x, days):
    np.savetxt("x.txt", x)  #! NPX0501 files in Python
    text = np.array2string(x)  #! NPX0501 text in Python
    free = np.is_busday(days)  #! NPX0501 astype("int64")
    return np.asmatrix(x), free  #! NPX0501 `@` for products


#numptx export attributes(float64[:,:])
def attributes(y):
    return y.ctypes, y.tobytes()  #! NPX0205 numptx decides


#numptx export removed(float64[:])
def removed(x):
    return np.product(x), np.NaN  #! NPX0501 np.


#numptx export masked(float64[:], bool[:])
def masked(x, m):
    return np.ma.masked_array(x, m).mean()  #! NPX0501 x[~mask].mean()


#numptx export dtypes(float64[:], int)
def dtypes(x, n):
    a = np.zeros(n, dtype=[("x", float), ("n", int)])  #! NPX0505 np.dtype([("x", np.float64)])
    b = np.zeros(n, dtype=3)  #! NPX0505 np.float32
    c = np.isdtype(x.dtype, "float")  #! NPX0505 real floating
    return np.can_cast(3, np.int8), a, b, c  #! NPX0505 x.dtype


#numptx export of_these(float64[:])
def of_these(x):
    return np.kron(x, None)  #! NPX0505 of a vector `x` and a matrix `y` this works: `np.kron(


#numptx export turned(float64[:])
def turned(x):
    return x.mT  #! NPX0505 x[:, None]
