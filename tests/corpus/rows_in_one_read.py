"""Reductions of rows that follow each other, and what is computed of them elementwise: kernels of rows on devices."""

import numpy as np


#numptx export normalised(float32[:,:])
# run: normalised(random((7, 33), float32))
# structure: device_launches==1
# run: normalised(random((3, 1), float32))
# run: normalised(random((1, 200), float32) * 80)
# run: normalised(random((2, 1100), float32))
# structure: device_launches==1
# run: normalised(random((0, 5), float32))
# run: a = random((5, 9), float32); a[1, 2] = nan; a[2, 3] = inf; a[3] = -inf; normalised(a)
# run: normalised(random((9, 8), float32)[::-2, ::-1])
# run: normalised(random((9, 8), float32).T)
# run: normalised(zeros((3, 0), float32))
# tolerance: 1e-5
def normalised(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


#numptx export log_normalised(float64[:,:])
# run: log_normalised(random((7, 33)))
# structure: device_launches==1
# run: log_normalised(full((2, 3), -inf))
# run: a = random((5, 9)); a[1, 2] = nan; a[2, 3] = inf; log_normalised(a)
# tolerance: 1e-13
def log_normalised(x):
    d = x - x.max(axis=1, keepdims=True)
    return d - np.log(np.exp(d).sum(axis=1, keepdims=True))


#numptx export layers(float32[:,:], float32[:], float32[:])
# run: layers(random((7, 33), float32), random(33, float32), random(33, float32))
# structure: device_launches==1
# run: layers(random((7, 33), float32), random(1, float32), random(33, float32))
# run: layers(random((7, 1), float32), random(5, float32), random(5, float32))
# run: layers(random((6, 70), float32)[::2, ::2], random(70, float32)[::-2], random(35, float32))
# run: layers(random((7, 0), float32), random(0, float32), random(1, float32))
# tolerance: 1e-4
def layers(x, w, b):
    m = x.mean(axis=1, keepdims=True)
    v = x.var(axis=1, keepdims=True)
    return (x - m) / np.sqrt(v + np.float32(1e-5)) * w + b


#numptx export by_mean_square(float32[:,:], float32[:])
# run: by_mean_square(random((7, 33), float32), random(33, float32))
# structure: device_launches==1
# tolerance: 1e-5
def by_mean_square(x, w):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + np.float32(1e-5)) * w


#numptx export of_length_one(float64[:,:])
# run: of_length_one(random((7, 33)) - 0.5)
# structure: device_launches==1
# run: of_length_one(zeros((2, 3)))
def of_length_one(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


#numptx export spread(float64[:,:])
#numptx export spread(float32[:,:])
#numptx export spread(int16[:,:])
# run: spread(random((7, 33)))
# structure: device_launches==1
# run: spread(random((7, 300), float32))
# run: spread(integers(-300, 300, (4, 70), dtype=int16))
# run: spread(random((4, 0)))
# run: spread(random((0, 4)))
# run: spread(random((9, 8))[::-2, ::-1])
# tolerance: 1e-5
def spread(x):
    return x.var(axis=1), x.std(axis=1)


#numptx export spread_of_planes(float64[:,:,:])
# run: spread_of_planes(random((5, 6, 7)))
# structure: device_launches==1
# run: spread_of_planes(random((5, 6, 7)).transpose(0, 2, 1))
# tolerance: 1e-13
def spread_of_planes(x):
    return x.std(axis=(1, 2))


#numptx export with_largest(float64[:,:])
# run: with_largest(random((7, 33)))
# structure: device_launches==1
# run: a = random((5, 9)); a[1, 2] = nan; a[2] = 0.0; a[3, 1:] = -0.0; with_largest(a)
def with_largest(x):
    largest = x.max(axis=1)
    first = x.argmax(axis=1)
    return largest, first, np.where(x == largest[:, None], x * 2.0, x)


#numptx export in_place(float64[:,:])
# run: in_place(random((7, 33)))
# structure: device_launches==1
# run: in_place(random((14, 66))[::-2, ::2])
# tolerance: 1e-14
def in_place(x):
    x -= x.mean(axis=1)[:, None]


#numptx export over_itself(float64[:,:])
# run: a = random((9, 20)); over_itself(a)
# tolerance: 1e-14
def over_itself(x):
    m = x[1:].mean(axis=1)
    x[:-1] -= m[:, None]


#numptx export kept_values(complex128[:,:])
# run: kept_values(random((5, 12)) + 1j * random((5, 12)))
# tolerance: 1e-13
def kept_values(z):
    m = z.mean(axis=1)
    s = (np.abs(z - m[:, None]) ** 2).sum(axis=1)
    return m, s, (z - m[:, None]) / np.sqrt(s)[:, None]


#numptx export by_index(float64[:,:])
# run: by_index(random((5, 12)))
# tolerance: 1e-13
def by_index(x):
    k = np.arange(x.shape[1])
    centre = (x * k).sum(axis=1) / x.sum(axis=1)
    return (x * (k - centre[:, None]) ** 2).sum(axis=1)


#numptx export long_rows(float32[:,:])
# run: long_rows(random((2, 9000), float32))
# tolerance: 1e-5
def long_rows(x):
    return (x - x.mean(axis=1, keepdims=True)) / x.max(axis=1, keepdims=True)
