"""Kernels of every kind, for arrays of many elements: more than indices of 32 bits reach, or of the 8 that they have under `--force=narrow`."""

import numpy as np

#numptx export flat(uint8[:], uint8[:])
def flat(x, y):
    return x + y


#numptx export chosen(uint8[:], uint8[:])
def chosen(x, y):
    return np.where(x > y, x - y, y)


#numptx export shifted(uint8[:])
def shifted(x):
    return x[1:] + 1


#numptx export differences(uint8[:])
def differences(x):
    return x[1:] - x[:-1]


#numptx export reversed_(uint8[:])
def reversed_(x):
    return x[::-1] ^ 5


#numptx export halved(uint8[:])
def halved(x):
    return x[::2] + 1


#numptx export filled(uint8[:])
def filled(x):
    x[1::2] = 3


#numptx export added_in_place(uint8[:])
def added_in_place(x):
    x[::3] += 1


#numptx export ramp(int64)
def ramp(n):
    return (np.arange(n) % 251).astype(np.uint8)


#numptx export joined(uint8[:], uint8[:])
def joined(x, y):
    return np.concatenate((x, y))


#numptx export transposed(uint8[:,:])
def transposed(x):
    return np.ascontiguousarray(x.T + 1)


#numptx export turned(uint8[:,:])
def turned(x):
    return x[::-1, 1:] + x[:, :-1]


#numptx export spread(uint8[:], uint8[:])
def spread(x, y):
    return x[:, None] + y[None, :]


#numptx export indexed(int64, int64)
def indexed(n, m):
    return ((np.arange(n)[:, None] * 7 + np.arange(m)) % 251).astype(np.uint8)


#numptx export total(uint8[:])
def total(x):
    return np.sum(x)


#numptx export total_of_view(uint8[:])
def total_of_view(x):
    return np.sum(x[1::2])


#numptx export extremes(uint8[:,:])
def extremes(x):
    return np.max(x, axis=1), np.min(x, axis=0)


#numptx export totals(uint8[:,:])
def totals(x):
    return np.sum(x, axis=0), np.sum(x, axis=1)


#numptx export total_across(uint8[:,:])
def total_across(x):
    return np.sum(x.T[:, ::-1])


#numptx export where_most(uint8[:])
def where_most(x):
    return np.argmax(x), np.argmin(x)


#numptx export running(uint8[:])
def running(x):
    return np.maximum.accumulate(x)


#numptx export running_total(uint8[:])
def running_total(x):
    return np.cumsum(x, dtype=np.uint8)


#numptx export running_rows(uint8[:,:])
def running_rows(x):
    return np.add.accumulate(x, axis=0, dtype=np.uint8), np.add.accumulate(x, axis=1, dtype=np.uint8)


#numptx export taken(uint8[:], int64[:])
def taken(x, at):
    return x[at]


#numptx export looked_up(uint8[:], uint8[:])
def looked_up(table, x):
    return table[x]


#numptx export put(uint8[:], int64[:], uint8[:])
def put(x, at, values):
    x[at] = values


#numptx export counted(int64[:], uint8[:])
def counted(counts, x):
    np.add.at(counts, x, 1)


#numptx export masked(uint8[:])
def masked(x):
    x[x > 200] = 7


#numptx export selected(uint8[:])
def selected(x):
    return x[x > 249]


#numptx export looped(uint8[:], uint8[:])
def looped(x, y):
    n = x.shape[0]
    for i in range(n):
        k = n - 1 - i
        while k > n - 1 - i - 3 and k > 0:
            k -= 1
        y[i] = x[k]


#numptx export relaxed(uint8[:], uint8[:], int64)
def relaxed(x, y, steps):
    for t in range(steps):
        y[1:-1] = x[:-2] ^ x[2:]
        x[1:-1] = y[1:-1] + 1


#numptx export swept(int64[:], int64[:])
def swept(x, y):
    for i in range(1, x.shape[0]):
        x[i] = (x[i - 1] * 3 + y[i]) % 1000
        y[i] = x[i] + y[i - 1] // 2
