import numpy as np


#numptx export f(int64[:])
def f(x):
    np.copyto(x, 1.5)  #! NPX0505
    np.copyto(x, x * 0.5)  #! NPX0505
    np.copyto([1, 2], 3)  #! NPX0505
    np.copyto(x, 3, where=x)  #! NPX0505
    np.copyto(x, 3, casting="bad")  #! NPX0505
    np.putmask(x, x > 1, x * 0.5)  #! NPX0505
    np.place(x, x > 1, x * 0.5)  #! NPX0505
