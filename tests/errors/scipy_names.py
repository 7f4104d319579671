import scipy
import scipy.linalg
from scipy import fft, special
from scipy.linalg import solve


#numptx export f(float64[:,:], float64[:])
def f(a, x):
    y = solve(a, x)  #! NPX0501 np.linalg
    z = scipy.linalg.expm(a)  #! NPX0501
    w = fft.dct(x)  #! NPX0501
    return y, z, w, special.lambertw(x)  #! NPX0501


#numptx export g(float64[:,:], float64[:])
def g(a, x):
    y = scipy.linalg.lu(a)  #! NPX0501 lu_factor
    return y, scipy.linalg.cho_solve(a, x)  #! NPX0505 cho_factor
