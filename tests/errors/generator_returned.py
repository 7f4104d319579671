import numpy as np


#numptx export made(int)
def made(seed):  #! NPX0407
    return np.random.default_rng(seed)
