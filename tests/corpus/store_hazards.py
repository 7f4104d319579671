"""Stores whose operands may overlap what is written: copied where they do, and only what does; nothing where they do not."""

import numpy as np


#numptx export add_into(float64[:], float64[:], float64[:])
# run: add_into(random(1000), random(1000), random(1000))
# structure: launches==1 allocs==0 copies==0
# run: x = random(1001); add_into(x[:-1], x[1:], random(1000))
# structure: launches==1 allocs==0 copies==0
# run: x = random(1001); add_into(x[:-1], random(1000), x[1:])
# structure: launches==2 allocs==1 copies==0 peak==8000
# run: x = random(1001); add_into(x[:-1], x[1:], x[1:])
# structure: launches==2 allocs==1 copies==0 peak==8000
# run: x = random(1000); add_into(x, x, x)
# structure: launches==1 allocs==0 copies==0
# run: x = random(1000); add_into(x, random(1000), x)
# structure: launches==1 allocs==0 copies==0
# run: x = random(1000); add_into(x[::-1], random(1000), x)
# structure: launches==2 allocs==1 copies==0 peak==8000
# run: x = random(3000); add_into(x[::3], x[1::3], x[2::3])
# structure: launches==1 allocs==0 copies==0
# run: x = random(2000); add_into(x[::2], x[1::2], x[1999::-2])
# run: add_into(random(0), random(0), random(0))
# run: x = random(10); add_into(x[:0], x[3:3], x[5:5])
def add_into(x, y, z):
    z[:] = x + y


#numptx export scaled_into(float64[:], float64[:])
# run: scaled_into(random(1000), random(1000))
# structure: launches==1 allocs==0 copies==0
# run: x = random(1000); scaled_into(x, x)
# structure: launches==1 allocs==0 copies==0
# run: x = random(1001); scaled_into(x[1:], x[:-1])
# structure: launches==2 allocs==1 copies==0 peak==8000
# run: x = random(1000); scaled_into(x, x[::-1])
# structure: launches==2 allocs==1 copies==0 peak==8000
# run: x = random(2000); scaled_into(x[::2], x[1::2])
# structure: launches==1 allocs==0 copies==0
# run: x = random(2000); scaled_into(x[::2], x[:1000])
# run: x = array([0.0, -0.0, inf, -inf, nan, 1.0]); scaled_into(x[1:], x[:-1])
def scaled_into(x, y):
    y[:] = 2.0 * x


#numptx export shifted(float64[:])
# run: shifted(random(1000))
# structure: launches==2 allocs==1 copies==0 peak==7992
# run: shifted(random(1))
# run: shifted(random(0))
# run: shifted(random(2001)[::-2])
def shifted(a):
    a[1:] = a[:-1]


#numptx export slid(float64[:], int, int, int)
# run: slid(random(1000), 0, 500, 500)
# structure: launches==1 allocs==0 copies==0
# run: slid(random(1000), 500, 0, 500)
# structure: launches==1 allocs==0 copies==0
# run: slid(random(1000), 3, 0, 400)
# structure: launches==2 allocs==1 copies==0 peak==3200
# run: slid(random(1000), 7, 7, 400)
# structure: launches==1 allocs==0 copies==0
# run: slid(random(1000), -400, -300, 300)
# run: slid(random(1000), 990, 0, 400)
def slid(x, to, at, n):
    x[to : to + n] = x[at : at + n]


#numptx export interleaved(float64[:], int, int)
# run: interleaved(random(1000), 0, 1)
# structure: launches==1 allocs==0 copies==0
# run: interleaved(random(1000), 2, 0)
# run: interleaved(random(1001), 1, 0)
def interleaved(x, i, j):
    x[i : i + 990 : 2] = x[j : j + 990 : 2] - 1.0


#numptx export add_first(float64[:])
# run: add_first(random(1000))
# structure: launches==2 allocs==1 copies==0 peak==8
# run: add_first(random(0) + 1.0)
# run: add_first(array([inf, 1.0, nan]))
def add_first(a):
    a += a[0]


#numptx export add_at(float64[:], int)
# run: add_at(random(1000), 3)
# run: add_at(random(1000), -1)
# run: add_at(random(10), 10)
def add_at(a, i):
    a += a[i]


#numptx export transposed(float64[:,:])
# run: transposed(random((30, 30)))
# structure: launches==2 allocs==1 copies==0 peak==7200
# run: transposed(random((1, 1)))
# run: transposed(random((30, 30))[::-1, ::-1])
# run: transposed(asfortranarray(random((30, 30))))
def transposed(a):
    a[:] = a.T


#numptx export turned(int32[:,:,:])
# run: turned(integers(-2147483648, 2147483647, (8, 8, 8), dtype=int32))
# run: turned(integers(-5, 5, (8, 8, 8), dtype=int32).T)
def turned(a):
    a[:] = a.transpose(1, 2, 0)
    a += a.transpose(2, 1, 0)
    a[:, 1:] = a[:, :-1].transpose(2, 1, 0)


#numptx export reversed_in_place(float64[:])
# run: reversed_in_place(random(1000))
# structure: launches==2 allocs==1 copies==0 peak==8000
# run: reversed_in_place(random(1))
# run: reversed_in_place(random(1001)[::-2])
def reversed_in_place(a):
    a[:] = a[::-1]


#numptx export added_to_reverse(int64[:])
# run: added_to_reverse(integers(-9223372036854775808, 9223372036854775807, 101))
def added_to_reverse(a):
    a += a[::-1]
    a[::-1] = a + a[::-1]


#numptx export row_and_column(float64[:,:])
# run: row_and_column(random((40, 40)))
# structure: allocs==3 copies==0 peak==320
# run: row_and_column(random((40, 40))[::-1].T)
def row_and_column(a):
    a += a[0]
    a -= a[:, 3:4]
    a[:, 1:] *= a[2, 1:]


#numptx export outer_row(float64[:,:], float64[:], float64[:])
# run: outer_row(random((40, 30)), random(30), random(40))
# structure: launches==1 allocs==0 copies==0
# run: a = random((40, 30)); outer_row(a, a[7], random(40))
# structure: launches==2 allocs==1 copies==0 peak==240
# run: a = random((40, 30)); outer_row(a, a[7], a[:, 2])
# structure: launches==3 allocs==2 copies==0 peak==560
# run: a = random((40, 40)); outer_row(a, a[::-1, 5], a[5])
def outer_row(a, row, column):
    a[:] = np.minimum(a, row + column[:, None])


#numptx export floyd_step(float64[:,:], int)
# run: floyd_step(random((50, 50)), 7)
# structure: launches==3 allocs==2 copies==0 peak==800
# run: floyd_step(random((50, 50)), -1)
# run: floyd_step(asfortranarray(random((50, 50))), 3)
# run: floyd_step(random((5, 5)), 5)
def floyd_step(path, k):
    path[:] = np.minimum(path, path[:, k][:, None] + path[k, :])


#numptx export floyd(float64[:,:])
# run: floyd(random((50, 50)))
# structure: launches==1 allocs=4 copies==0 peak==3200
def floyd(path):
    """Two vectors are copied, of each of the four iterations of a time tile."""
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, path[:, k][:, None] + path[k, :])


#numptx export eliminate(float64[:,:])
# run: eliminate(random((20, 20)) + 20.0 * eye(20))
def eliminate(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]


#numptx export exchanged(float64[:,:], int, int)
# run: exchanged(random((20, 20)), 3, 11)
# run: exchanged(random((20, 20)), 4, 4)
def exchanged(a, i, j):
    row = a[i].copy()
    a[i] = a[j]
    a[j] = row


#numptx export not_exchanged(float64[:,:])
# run: not_exchanged(random((4, 5)))
def not_exchanged(a):
    a[0], a[1] = a[1], a[0]


#numptx export parts(complex128[:])
# run: parts(random(100) + 1j * random(100))
def parts(z):
    z.real[:] = z.imag
    z.imag[1:] = z.real[:-1]
    z[:] = z.real


#numptx export carried(float64[:], float64[:], int)
# run: carried(random(100), random(100), 5)
# run: x = random(101); carried(x[1:], x[:-1], 5)
# run: x = random(100); carried(x, x, 4)
def carried(a, b, n):
    for i in range(n):
        a[1:-1] = (b[:-2] + b[2:]) / 2.0
        a, b = b, a
    return a


#numptx export masked(float64[:], float64[:])
# run: masked(random(100), random(100))
# run: x = random(101); masked(x[1:], x[:-1])
# run: x = random(100); masked(x, x[::-1])
def masked(a, b):
    a[:] = np.where(b > 0.5, a, b)


#numptx export bytes_and_counts(uint8[:], int8[:], bool[:])
# run: bytes_and_counts(integers(0, 256, 100, dtype=uint8), integers(-128, 128, 100, dtype=int8), integers(0, 2, 100).astype(bool))
# run: x = integers(0, 256, 101, dtype=uint8); bytes_and_counts(x[1:], x[:-1].view(int8), (x[1:] > 9))
# run: x = integers(0, 256, 100, dtype=uint8); bytes_and_counts(x, x.view(int8), x > 9)
def bytes_and_counts(a, b, c):
    a[:] = a + c
    b[:] = np.minimum(b, 100)
    a[:] = np.where(c, a, b.astype(np.uint8))


#numptx export widened(float32[:], float64[:])
# run: widened(random(64, dtype=float32), random(32))
# run: x = random(32); widened(x.view(float32), x)
def widened(a, b):
    a[:32] = b
    b[:] = a[32:]


#numptx export picked(float64[:], float64[:], int[:])
# run: picked(random(100), random(50), integers(0, 50, 100))
# structure: allocs==1 copies==0
# run: x = random(100); picked(x, x, integers(0, 100, 100))
# structure: allocs==2 copies==0
# run: x = random(100); picked(x, x, arange(99, -1, -1))
# run: x = random(150); picked(x[:100], x[50:], integers(-100, 100, 100))
# run: x = random(200); picked(x[::2], x[1::2], integers(0, 100, 100))
# structure: allocs==1 copies==0
# run: i = integers(0, 100, 100); picked(i.view(float64), random(100), i)
def picked(z, x, idx):
    z[:] = x[idx]


#numptx export picked_rows(float64[:,:], float64[:,:], int[:])
# run: picked_rows(random((6, 5)), random((4, 5)), integers(0, 4, 6))
# run: x = random((6, 5)); picked_rows(x, x, array([5, 4, 3, 2, 1, 0]))
# run: x = random((5, 5)); picked_rows(x, x.T, array([4, 0, 1, 1, 2]))
# run: x = random((1, 5)); picked_rows(x[:1], x[0][None], array([0]))
def picked_rows(z, x, idx):
    z[:] = x[idx] + 1.0


#numptx export put(float64[:], float64[:], int[:])
# run: put(random(50), random(100), integers(0, 50, 100))
# structure: allocs==2 copies==0
# run: x = random(100); put(x, x, arange(99, -1, -1))
# run: x = random(100); put(x, x, integers(0, 100, 100))
# run: x = random(200); put(x[100:], x[50:150], integers(0, 100, 100))
# run: i = integers(0, 100, 100); put(random(100), i.view(float64), i)
def put(z, x, idx):
    z[idx] = x
    z[idx] += 1.0
