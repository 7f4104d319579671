import numpy as np


#numptx export inverse(float64[:])
def inverse(x):
    return np.linalg.inv(x)  #! NPX0505


#numptx export solution(float64[:, :, :], float64[:])
def solution(a, b):
    return np.linalg.solve(a, b)  #! NPX0505


#numptx export product(float64[:], float64[:])
def product(x, y):
    return np.kron(x.reshape(1, -1), y)  #! NPX0505
