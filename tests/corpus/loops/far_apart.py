"""Loops whose iterations need one that lies as far back as a value of the program says."""

import numpy as np


#numptx export change(int64[:], int)
# run: change(array([1, 2, 5]), 60)
# run: change(array([0, 2]), 9)
# run: change(array([-1, 2]), 9)
# run: change(zeros(0, dtype=int64), 9)
def change(coins, amount):
    ways = np.zeros(amount + 1, dtype=np.int64)
    ways[0] = 1
    for c in coins:
        for j in range(c, amount + 1):
            ways[j] += ways[j - c]
    return ways


#numptx export change_by_index(int32[:], int)
# run: change_by_index(array([1, 2, 5], dtype=int32), 60)
# run: change_by_index(array([7, -2, 0], dtype=int32), 6)
def change_by_index(coins, amount):
    ways = np.zeros(amount + 1, dtype=np.int64)
    ways[0] = 1
    for k in range(len(coins)):
        for j in range(coins[k], amount + 1):
            ways[j] += ways[j - coins[k]]
    return ways


#numptx export echo(float64[:], int)
# run: echo(random(50), 7)
# run: echo(random(50), 0)
# run: echo(random(50), -3)
# run: echo(random(5), 7)
def echo(x, delay):
    for i in range(delay, x.shape[0]):
        x[i] += 0.5 * x[i - delay]


#numptx export backwards(float64[:], int)
# run: backwards(random(50), 7)
# run: backwards(random(50), 1)
# run: backwards(random(50), 0)
# run: backwards(random(5), 9)
def backwards(x, far):
    for i in range(x.shape[0] - far - 2, -1, -1):
        x[i] += 0.5 * x[i + far + 1]
