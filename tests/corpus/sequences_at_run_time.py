"""What Python iterates and looks into, where its length is known at run time only: tuples beside arrays, lists of ranges, `in`."""

import numpy as np

WEIGHTS = (0.25, 0.5)


#numptx export beside(float64[:,:])
# run: beside(random((3, 2)))
# run: beside(random((1, 2)))
# run: beside(random((4, 2))[::-1])
def beside(x):
    total = np.float64(0.0)
    for w, row in zip(WEIGHTS, x):
        total += w * row[0]
    for i, (n, row) in enumerate(zip([1, 2, 3], x), 5):
        total += i * n * row[1]
    for row, i in zip(x, range(2, 100, 7)):
        row[0] = i
    return total


#numptx export listed(int)
# run: listed(4)
# run: listed(0)
# run: listed(100)
def listed(n):
    numbers = list(range(n))
    total = 0
    for k in reversed(numbers):
        total = (total * 2 + k) % 1000
    return total, len(numbers), sum(numbers), sum(range(2, n, 3)), any(range(n)), all(range(n))


#numptx export members(float64[:], int)
# run: members(array([3.0, 1.0, 2.0]), 1)
# run: members(array([3.0, 1.0, 2.0]), -3)
# run: members(array([3.0, 1.0, 2.0]), 3)
def members(x, k):
    values = list(x)
    return values[k], len(values), max(values)


#numptx export known(float64[:])
# run: known(random(3))
def known(x):
    a = list(range(3))
    b = tuple(range(1, 4))
    return a, b, list(zip(a, b)), list(enumerate(range(2))), list(reversed(a)), tuple(zip(range(2), range(3))), list()


#numptx export looked_up(float64[:], float)
# run: looked_up(array([1.0, 2.0]), 2.0)
# run: looked_up(array([1.0, nan]), nan)
# run: looked_up(random(0), 1.0)
# run: looked_up(array([-0.0]), 0.0)
def looked_up(x, v):
    return v in x, v not in x, 1 in x


#numptx export in_range(int, int)
# run: in_range(3, 5)
# run: in_range(-1, 5)
# run: in_range(5, 5)
# run: in_range(4, 9)
# run: in_range(-2**63, 2**63 - 1)
# run: in_range(2**63 - 1, 2**63 - 1)
def in_range(i, n):
    return i in range(n), i not in range(1, n, 2), i in range(-9223372036854775807, 9223372036854775807, 3)


# Lists and tuples that are repeated: as long as is known when compiling.
#numptx export counted(int64[:], float)
# run: counted(array([0, 64, 64, 3]), 2.5)
# run: counted(arange(0), -0.0)
def counted(x, v):
    counts = np.array([0] * 65)
    for i in range(x.shape[0]):
        counts[x[i]] += 1
    return counts, np.array(40 * [v, 1.0]), np.array((v,) * 3), [v] * -1 == [], [[v] * 2] * 2 == [[v, v], [v, v]]
