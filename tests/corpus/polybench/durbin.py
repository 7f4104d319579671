"""Durbin's recursion: the Yule-Walker equations of a symmetric Toeplitz matrix."""

import numpy as np


#numptx export durbin(float64[:])
# run: durbin(array([0.5, 0.25, 0.125, 0.1]))
# run: durbin(random(17) / 17)
# run: durbin(random(90) / 90)
# large: durbin(random(1500) / 1500)
def durbin(r):
    n = len(r)
    y = np.zeros(n)
    z = np.zeros(n)
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        total = 0.0
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return y


#numptx export durbin_flipped(float64[:])
# run: durbin_flipped(array([0.5, 0.25, 0.125, 0.1]))
# run: durbin_flipped(random(17) / 17)
# run: durbin_flipped(random(150) / 150)
# large: durbin_flipped(random(5000) / 5000)
# bench: durbin_flipped(random(2000) / 2000)
def durbin_flipped(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = alpha
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return y
