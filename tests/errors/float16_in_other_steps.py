import numpy as np


#numptx export f(float16[:], float16[:,:], int8[:])
def f(x, y, small):
    np.linalg.norm(x)  #! NPX0506
    np.cov(y)  #! NPX0506
    np.einsum("ij,jk->ik", y, y)  #! NPX0506
    np.percentile(x, 30)  #! NPX0506
    np.fft.fft(x)  #! NPX0506
    np.add.at(x, [0, 1], x)  #! NPX0506
    np.add.reduceat(x, [0, 1])  #! NPX0506
    np.subtract.reduce(x)  #! NPX0506
    np.interp(x, x, x)  #! NPX0506
    np.sinc(x)  #! NPX0506
    np.arange(x[0], x[1])  #! NPX0506
    np.arctan2.reduce(small)  #! NPX0212
    members = [x[0]]  #! NPX0402
    members.append(x[1])  #! NPX0402


#numptx export g(float16)
def g(a):
    print(a)  #! NPX0402
    return f"{a}", str(a)  #! NPX0402


#numptx export drawn(int)
def drawn(n):
    rng = np.random.default_rng(n)
    rng.random(3, dtype=np.float16)  #! NPX0505 dtype=np.float32
    return rng.integers(9, size=3, dtype=np.float16)  #! NPX0505 np.int32
