"""Arguments: defaults, optional ones, overloads, tuples, strings, NumPy scalars, keywords, refused types."""

import numpy as np


#numptx export optional(float64[:], float?, int?)
# run: optional(random(3))
# run: optional(random(3), 2.0)
# run: optional(random(3), 2.0, 5)
# run: optional(random(3), a=1.5)
# run: optional(x=random(3), a=1.5)
def optional(x, a=0.5, n=3):
    return x * a + n


#numptx export defaults(float64[:], float)
#numptx export defaults(float64[:])
# run: defaults(random(3))
# run: defaults(random(3), 4.0)
# run: defaults(random(3), 4)
def defaults(x, scale=2.0):
    return x * scale


#numptx export overloads(float64[:])
#numptx export overloads(float32[:])
#numptx export overloads(float64[:,:])
#numptx export overloads(int)
#numptx export overloads(float)
#numptx export overloads(bool)
# run: overloads(random(3))
# run: overloads(random(3, dtype=float32))
# run: overloads(random((3, 4)))
# run: overloads(3)
# run: overloads(2.5)
# run: overloads(True)
def overloads(x):
    return x + 1


#numptx export alternatives(float64[:] or float32[:], int or float)
# run: alternatives(random(3), 2)
# run: alternatives(random(3, dtype=float32), 2.5)
# run: alternatives(random(3, dtype=float32), 2)
def alternatives(x, a):
    return x * a


#numptx export integer_for_float(float64[:], float)
# run: integer_for_float(random(3), 2)
# run: integer_for_float(random(3), True)
# run: integer_for_float(random(3), float32(0.5))
# run: integer_for_float(random(3), 2**60)
def integer_for_float(x, a):
    return x * a


#numptx export scalar_types(int8, uint16, float32, bool, complex)
# run: scalar_types(int8(3), uint16(7), float32(0.1), True, 1j)
def scalar_types(a, b, c, d, e):
    return a + b, c * 2, d, e * 2, a + 1, c + 0.1, -a


#numptx export weak_int(float32[:], int)
# run: weak_int(random(3, dtype=float32), 3)
# run: weak_int(random(3, dtype=float32), True)
def weak_int(x, n):
    return x + n


#numptx export pair(float64[:], (int, float))
# run: pair(random(3), (2, 0.5))
def pair(x, p):
    n, f = p
    return x * n + f, p[0], p[1]


#numptx export arrays_in_tuple((float64[:], float64[:]), int)
# run: arrays_in_tuple((random(3), random(3)), 1)
# run: x = random(4); arrays_in_tuple((x[1:], x[:-1]), 1)
def arrays_in_tuple(p, n):
    x, y = p
    x += y
    return x, p[1] * n


#numptx export nested_tuple(((int, int), float64[:]))
# run: nested_tuple(((1, 2), random(3)))
def nested_tuple(p):
    (a, b), x = p
    return x[a:b], a + b


#numptx export returns_nested(float64[:])
# run: returns_nested(random(3))
def returns_nested(x):
    return (x[0], (x[1:], 2)), (), (1,)


#numptx export chosen_by_text(float64[:], str)
# run: chosen_by_text(random(3), "sum")
# run: chosen_by_text(random(3), "max")
# run: chosen_by_text(random(3), "other")
def chosen_by_text(x, mode):
    if mode == "sum":
        return x.sum()
    elif mode == "max":
        return x.max()
    return -1.0


#numptx export nones(float64[:], float or None)
# run: nones(random(3), 2.0)
# run: nones(random(3), None)
def nones(x, a=None):
    if a is None:
        return x
    return x * a


def annotated(x: "float64[:, :]", n: int, scale: float = 2.0) -> "float64[:, :]":
    return x[:n] * scale


# run: annotated(random((3, 4)), 2)
# run: annotated(random((3, 4)), n=2, scale=3)


#numptx export order_f(float64[:,:] order(F))
# run: order_f(asfortranarray(random((3, 4))))
# run: order_f(random((4, 3)).T)
def order_f(x):
    return x + 1, x.sum(0)


#numptx export no_arguments()
# run: no_arguments()
def no_arguments():
    return np.arange(3)


#numptx export scalar_results(float64[:], int, float, bool)
# run: scalar_results(random(3), 2, 0.5, True)
def scalar_results(x, n, f, b):
    return (
        n,
        f,
        b,
        x[0],
        x.sum(),
        x.shape[0],
        n + f,
        n > 1,
        x[0] > 0.5,
        len(x),
        n / 2,
        int(f),
        float(n),
        bool(n),
        abs(f),
        round(f),
        complex(f, n),
        max(n, 3),
        min(f, 1.0),
    )


#numptx export read_only(float64[:])
# run: x = random(3); x.flags.writeable = False; read_only(x)
def read_only(x):
    return x[1:], x + 1


#numptx export writes_read_only(float64[:])
# run: x = random(3); x.flags.writeable = False; writes_read_only(x)
# run: writes_read_only(broadcast_to(random(1), 3))
def writes_read_only(x):
    x[0] = 1
    return x


#numptx export strided(float64[::,::])
# run: strided(random((6, 8))[::2, ::-2])
# run: strided(broadcast_to(random(4), (3, 4)))
# run: strided(random((6, 8)).T)
def strided(x):
    return x + 1, x.sum(axis=0), x[0]


#numptx export same_array_twice(float64[:], float64[:])
# run: x = random(4); same_array_twice(x, x)
def same_array_twice(x, y):
    x += 1
    return x + y, x, y


#numptx export complex_scalars(complex128[:], complex)
# run: complex_scalars(random(3) + 1j, 1 + 2j)
def complex_scalars(z, c):
    return z * c, c.real, c.imag, abs(c), z.real, z.imag, np.conj(z), np.abs(z), c * c, z[0].real, z == c


#numptx export by_name(float64[:], float)
#numptx export by_name(float64[:], float, int)
# run: by_name(random(3), scale=2.0)
# run: by_name(random(3), n=3, scale=1.5)
# run: by_name(scale=0.5, x=random(2))
# run: by_name(random(3), 2.0)
# run: by_name(random(3), 2.0, n=1)
# run: by_name(random(3))
# message: any
def by_name(x, *, scale, n=2):
    return x * scale + n
