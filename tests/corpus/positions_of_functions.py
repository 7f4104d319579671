"""Positions of extremes of functions, which vectors and single elements may round in another way."""

import numpy as np


#numptx export of_exponentials(float64[:])
# run: of_exponentials(array([1.0, 0.0, 0.0, 0.0]))
# run: of_exponentials(array([0.5, 0.25, 3.0, 1.0, 2.0, 0.0, -1.0, 2.5, 0.125]))
# run: of_exponentials(concatenate((arange(700.0), zeros(333))) / 350.0)
# run: of_exponentials(array([2.0]))
def of_exponentials(x):
    return np.argmax(np.exp(x)), np.argmin(np.exp(x))


#numptx export of_sines(float32[:])
# run: of_sines(array([0.3, 1.5, 0.7, -1.2, 0.9, 0.1, -0.4, 0.2, 0.6]).astype(float32))
# run: of_sines(linspace(-1.0, 1.0, 101).astype(float32))
def of_sines(x):
    return np.argmax(np.sin(x)), np.argmin(np.sin(x))


#numptx export of_sizes(complex128[:])
# run: of_sizes(array([0.3, 1.5j, 0.7 + 2j, -1.2, 0.9 - 1j, 0.1, -0.4, 5.2j, 0.6]))
# run: of_sizes((arange(100.0) + 1.0) * (0.6 + 0.8j))
def of_sizes(x):
    return np.argmax(np.abs(x)), np.argmin(np.abs(x))


#numptx export along_rows(float64[:,:])
# run: along_rows((arange(60.0) * 7.0 % 60.0).reshape(5, 12) / 60.0)
# run: along_rows((arange(60.0) * 7.0 % 60.0).reshape(12, 5).T / 60.0)
def along_rows(x):
    return np.argmax(np.cbrt(x) + x ** 3, axis=1)
