import numpy as np


#numptx export inverse(float64[:])
def inverse(x):
    return np.linalg.inv(x)  #! NPX0505


#numptx export product(float64[:, :], float64[:,:,:])
def product(x, y):
    return np.linalg.multi_dot([x, y, x])  #! NPX0505 @


#numptx export transform(float64[:], complex64[:])
def transform(x, out):
    return np.fft.irfft(x, out=out), np.fft.fftn(x, axes=())  #! NPX0505
