# Loops whose steps follow each other and have few points: threads of a GPU that wait for each other, or kernels that the host starts one by one.
import numpy as np


#numptx export lorenz(float64[:,:], float64[:], int, float)
def lorenz(out, start, n, h):
    def slope(y):
        return np.array([10.0 * (y[1] - y[0]), y[0] * (28.0 - y[2]) - y[1], y[0] * y[1] - 8.0 / 3.0 * y[2]])

    y = start.copy()
    for k in range(n):  #! NPX0601
        first = slope(y)
        second = slope(y + h * first)
        y = y + h / 2 * (first + second)
        out[k, :] = y


#numptx export oscillator(float64[:,:], float, float, float)
def oscillator(out, x, v, dt):
    out[0] = x, v
    for k in range(len(out) - 1):  #! NPX0601
        v -= x * dt
        x += v * dt
        out[k + 1] = x, v


# A few steps are no time lost.
#numptx export ten_steps(float64[:,:], float, float, float)
def ten_steps(out, x, v, dt):
    for k in range(10):
        v -= x * dt
        x += v * dt
        out[k] = x, v


# How long rows are, data tell.
#numptx export wide(float64[:,:], float64[:], int, float)
def wide(out, x, n, h):
    y = x.copy()
    for k in range(n):
        y = y + h * (np.sum(y) - y)
        out[k, :] = y


# Patches of an image, one after the other.
#numptx export patches(float64[:,:], float64[:,:])
def patches(x, out):
    h, w = x.shape
    for i in range(h - 2):  #! NPX0601
        for j in range(w - 2):
            out[i * (w - 2) + j, :] = x[i:i + 3, j:j + 3].reshape(9)


#numptx export added_up(float64[:,:], float64[:,:])
def added_up(x, columns):
    h, w = x.shape
    for i in range(h - 2):  #! NPX0601
        for j in range(w - 2):
            x[i:i + 3, j:j + 3] += columns[i * (w - 2) + j].reshape(3, 3)


# An array of one element that becomes longer.
#numptx export grows(float64[:], int)
def grows(x, steps):
    u = np.ones(1)
    for _ in range(steps):
        u = u * x + u.sum()
    return u


# Rows that the host computes in a loop of its own, whose length data tell.
#numptx export rows(float64[:,:], int)
def rows(a, n):
    for _ in range(n):
        a /= np.sum(a)
        for i in range(len(a)):  #! NPX0601
            a[i, :] = np.sort(a[i]) - a[i, 0]


# Few points, each of which is a loop that one thread runs.
#numptx export channels(float64[:,:], float64[:])
def channels(x, s):
    for c in range(3):  #! NPX0601
        for i in range(len(x)):
            s[c] += x[i, c]


# A loop of one iteration is its body, and the loop in it is told of.
#numptx export once(float64[:])
def once(x):
    for t in range(1):
        for i in range(1, len(x)):  #! NPX0601
            x[i] = x[i] + 0.5 * x[i - 1]


# Rows that need nothing of each other, and that the host has computed one by one.
#numptx export sorted_rows(float64[:,:])
def sorted_rows(x):
    out = np.empty_like(x)
    for i in range(len(x)):  #! NPX0601
        out[i] = np.sort(x[i])
    return out


# A library function has long points of its own in it, and arrays that are made before the loop.
#numptx export inverses(float64[:,:,:], float64[:,:,:])
def inverses(a, out):
    for i in range(a.shape[0]):  #! NPX0601
        out[i] = np.linalg.inv(a[i])


# What time makes of a whole array is no row after the other.
#numptx export history(float64[:,:], float64[:])
def history(h, x):
    for t in range(len(h)):
        x[1:-1] = 0.5 * (x[2:] + x[:-2])
        h[t] = np.sort(x)


# Parallel only where all weights are one and the same: that is no condition to run under.
#numptx export filled(float64[:], int64[:], float64[:])
def filled(best, weights, values):
    for c in range(len(best)):  #! NPX0601
        for i in range(len(weights)):
            if weights[i] <= c and best[c - weights[i]] + values[i] > best[c]:
                best[c] = best[c - weights[i]] + values[i]


# What a loop hands on keeps its extents.
#numptx export transfer(float64[:,:,:])
def transfer(layers):
    product = np.eye(2)
    for t in range(layers.shape[0]):  #! NPX0601
        product = product @ layers[t]
    return product


# As many columns as the last factor has.
#numptx export products(float64[:,:,:], float64[:,:])
def products(layers, product):
    for t in range(layers.shape[0]):
        product = product @ layers[t]
    return product
