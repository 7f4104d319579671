import numpy as np

np.random.seed(0)


#numptx export drawn(int)
def drawn(n):
    return np.random.rand(n)  #! NPX0402 np.random.seed(0)


#numptx export seeded(int)
def seeded(n):
    np.random.seed(n)
    return np.random.rand(n)
