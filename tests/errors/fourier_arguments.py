import numpy as np


#numptx export number(float64)
def number(x):
    return np.fft.fft(x)  #! NPX0505


#numptx export of_complex(complex128[:])
def of_complex(z):
    return np.fft.rfft(z)  #! NPX0505 z.real


#numptx export norm(float64[:])
def norm(x):
    return np.fft.fft(x, norm="unitary")  #! NPX0505


#numptx export axis(float64[:,:])
def axis(x):
    return np.fft.fft(x, axis=2)  #! NPX0304


#numptx export axes(float64[:])
def axes(x):
    return np.fft.fft2(x)  #! NPX0505 np.fft.fft


#numptx export length(float64[:], float64)
def length(x, n):
    return np.fft.fft(x, n)  #! NPX0505 int(x)


#numptx export lengths(float64[:,:], int)
def lengths(x, n):
    return np.fft.fft2(x, n)  #! NPX0505 tuple


#numptx export output(float64[:], float64[:])
def output(x, out):
    return np.fft.fft(x, out=out)  #! NPX0505


#numptx export device(int)
def device(n):
    return np.fft.fftfreq(n, device="gpu")  #! NPX0504


#numptx export unknown(float64[:])
def unknown(x):
    return np.fft.dct(x)  #! NPX0501
