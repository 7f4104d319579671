"""Writes under masks: where everything is computed under one mask, nothing is moved."""
import numpy as np

#numptx export mandelbrot_step(complex128[:,:], complex128[:,:], int64[:,:], int)
# run: mandelbrot_step(random((4, 5)) * 3 + 1j, random((4, 5)) + 0.5j, zeros((4, 5), dtype=int64), 3)
# structure: launches==2 allocs=1 copies=0
# run: mandelbrot_step((random((5, 4)) * 3 + 1j).T, random((4, 5)) + 0.5j, zeros((4, 5), dtype=int64), 3)
def mandelbrot_step(z, c, n, k):
    i = np.less(abs(z), 2.0)
    n[i] = k
    z[i] = z[i] ** 2 + c[i]


#numptx export reciprocals(float64[:])
# run: reciprocals(arange(10.0) - 4.0)
# structure: launches==1 allocs=0 copies=0
# run: reciprocals(array([0.0, -0.0, inf, nan, -inf, 1e-320]))
# run: reciprocals(arange(0.0))
# run: reciprocals(arange(20.0)[::-2])
def reciprocals(x):
    x[x > 0] = 1.0 / x[x > 0]


#numptx export powers(float64[:,:])
# run: powers(random((3, 4)) - 0.5)
# structure: launches==1 allocs=0 copies=0
def powers(x):
    x[x > 0] = x[x > 0] ** (-1.5)


#numptx export functions(float32[:], float32[:], bool[:], float32)
# run: functions(random(9, dtype=float32), random(9, dtype=float32), arange(9) % 2 == 0, float32(3))
# structure: launches==1 allocs=0 copies=0
# run: functions(random(9, dtype=float32), random(8, dtype=float32), arange(9) % 2 == 0, float32(3))
# run: functions(random(8, dtype=float32), random(9, dtype=float32), arange(9) % 2 == 0, float32(3))
def functions(x, y, m, s):
    x[m] = np.maximum(np.sqrt(y[m]) * s, -x[m]) + abs(y[m])


#numptx export in_place(float64[:], float64[:], bool[:])
# run: in_place(random(9), random(9), arange(9) % 2 == 0)
# structure: launches==1 allocs=0 copies=0
def in_place(x, y, m):
    x[m] += y[m]
    x[m] *= 2.0
    x[~m] -= y[~m] * x[~m]


#numptx export integers_to_powers(int64[:], int64[:], bool[:])
# run: integers_to_powers(arange(6), arange(6), ones(6, dtype=bool))
# run: integers_to_powers(arange(6), arange(6) - 3, arange(6) >= 3)
# run: integers_to_powers(arange(6), arange(6) - 3, arange(6) >= 2)
def integers_to_powers(x, y, m):
    x[m] = x[m] ** y[m]


#numptx export replaced(float64[:], bool[:], float64[:])
# run: replaced(arange(6.0), arange(6) % 2 == 0, array([10.0, 20.0, 30.0]))
# run: replaced(arange(6.0), arange(6) % 2 == 0, array([10.0]))
# run: replaced(arange(6.0), arange(6) % 2 == 0, array([10.0, 20.0]))
# run: replaced(arange(6.0), zeros(6, dtype=bool), arange(0.0))
# run: replaced(arange(6.0), zeros(6, dtype=bool), arange(1.0))
# run: replaced(arange(6.0), zeros(6, dtype=bool), arange(2.0))
# run: replaced(arange(6.0), zeros(5, dtype=bool), arange(2.0))
# run: replaced(arange(0.0), zeros(0, dtype=bool), arange(0.0))
# run: replaced(arange(12.0)[::-2], arange(12)[::2] % 4 == 0, array([10.0, 20.0, 30.0]))
# run: x = arange(6.0); replaced(x, arange(6) % 2 == 0, x[3:])
def replaced(x, m, y):
    x[m] = y


#numptx export replaced_in_matrix(int32[:,:], bool[:,:], float64[:])
# run: replaced_in_matrix(arange(12, dtype=int32).reshape(3, 4), arange(12).reshape(3, 4) % 5 == 1, array([-1.5, 2.5, 3.5]))
# run: replaced_in_matrix(arange(12, dtype=int32).reshape(4, 3).T, arange(12).reshape(3, 4) % 5 == 1, array([-1.5, 2.5, 3.5]))
def replaced_in_matrix(x, m, y):
    x[m] = y


#numptx export rows_replaced(float64[:,:], bool[:], float64[:], float64[:,:])
# run: rows_replaced(random((4, 3)), array([True, False, False, True]), arange(3.0), random((2, 3)))
# run: rows_replaced(random((4, 3)), array([True, False, False, True]), arange(1.0), random((1, 3)))
# run: rows_replaced(random((4, 3)), array([True, False, False, False]), arange(1.0), random((2, 3)))
# run: rows_replaced(random((4, 3)), array([True, False, False, True]), arange(2.0), random((2, 3)))
def rows_replaced(x, m, y, z):
    x[m] = 1.5
    x[m] *= y
    x[m] = y
    x[m] += z


#numptx export parts_replaced(float64[:,:], bool[:], int64[:])
# run: parts_replaced(random((4, 3)), array([True, False, False, True]), array([2, 0]))
# run: parts_replaced(random((4, 3)), array([True, False, True, True]), array([2, 0]))
def parts_replaced(x, m, i):
    x[m, 1] = 7.0
    x[m, i] = arange_of(2)
    x[m, 1:] -= 1.0


def arange_of(n):
    return np.arange(n) * 1.5


#numptx export added(float64[:], bool[:], float64[:])
# run: added(arange(6.0), arange(6) % 2 == 0, array([10.0, 20.0, 30.0]))
# run: added(arange(6.0), arange(6) % 2 == 0, array([10.0, 20.0]))
# run: added(arange(6.0), arange(6) % 2 == 0, array([10.0]))
def added(x, m, y):
    x[m] += y


#numptx export escaped(complex128[:], int64[:], int64[:], complex128[:,:], int64[:,:], int)
# run: escaped(random(6) * 4 + 0j, arange(6) // 3, arange(6) % 3, zeros((2, 3), dtype=complex128), zeros((2, 3), dtype=int64), 4)
# run: escaped(random(6) * 0 + 0j, arange(6) // 3, arange(6) % 3, zeros((2, 3), dtype=complex128), zeros((2, 3), dtype=int64), 4)
def escaped(z, xi, yi, final, count, n):
    for k in range(n):
        if not len(z):
            break
        np.multiply(z, z, z)
        i = abs(z) > 2.0
        count[xi[i], yi[i]] = k + 1
        final[xi[i], yi[i]] = z[i]
        np.logical_not(i, i)
        z = z[i]
        xi, yi = xi[i], yi[i]
    return final.T, count.T
