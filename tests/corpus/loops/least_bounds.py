"""Loops that end at the least of two bounds, of which one depends on the loop around them."""


# Rows that are before `low` go on below it: they read there what they have written at it.
#numptx export down_to_the_least(float64[:,:], float64[:])
# run: down_to_the_least(random((5, 9)), random(6))
# run: down_to_the_least(random((9, 9)), random(2))
# run: down_to_the_least(random((40, 50)), random(30))
# run: down_to_the_least(random((3, 9)), random(0))
def down_to_the_least(x, w):
    low = w.shape[0]
    for j in range(1, x.shape[0]):
        for i in range(x.shape[1] - 1, min(j, low), -1):
            x[j, i] = x[j, low] * 0.5 + x[j - 1, i]


#numptx export up_to_the_least(float64[:,:], int)
# run: up_to_the_least(random((5, 9)), 6)
# run: up_to_the_least(random((9, 9)), 2)
# run: up_to_the_least(random((3, 9)), 0)
def up_to_the_least(x, high):
    for j in range(1, x.shape[0]):
        for i in range(0, min(j, high)):
            x[j, i] = x[j, high] * 0.5 + x[j - 1, i]


# Both bounds are the same everywhere.
#numptx export total_up_to_the_least(float64[:], int, int)
# run: total_up_to_the_least(random(9), 3, 6)
# run: total_up_to_the_least(random(9), 6, 3)
# run: total_up_to_the_least(random(9), 9, 9)
def total_up_to_the_least(x, a, b):
    total = 0.0
    for k in range(2):
        for i in range(min(k - k + a, b)):
            total += x[i]
    return total


#numptx export sums_down_to_the_least(float64[:,:], float64[:], int)
# run: sums_down_to_the_least(random((5, 9)), zeros(5), 6)
# run: sums_down_to_the_least(random((9, 9)), zeros(9), 2)
def sums_down_to_the_least(x, y, low):
    for j in range(x.shape[0]):
        for i in range(x.shape[1] - 1, min(j, low), -1):
            y[j] += x[j, i] * x[j, x.shape[1] - 1 - i]
