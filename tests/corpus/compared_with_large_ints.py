"""Ints beyond a dtype are compared exactly: the answer is the same for all its numbers."""

import numpy as np


#numptx export compared(int64[:])
#numptx export compared(uint8[:])
#numptx export compared(uint64[:])
# run: compared(array([-2**63, -1, 0, 2**63 - 1]))
# run: compared(zeros(0, dtype=np.int64))
# run: compared(array([0, 255], dtype=np.uint8))
# run: compared(array([0, 2**63, 2**64 - 1], dtype=np.uint64))
def compared(x):
    return x < 2**63, x == 2**64, x >= -2**63 - 1, x != 2**100, 2**70 > x, -2**70 > x, x <= -2**64


#numptx export of_one(int64)
# run: of_one(np.int64(-2**63))
# run: of_one(np.int64(7))
def of_one(n):
    return n < 2**63, n == 2**64, -2**63 - 1 < n, n >= 2**100


#numptx export of_python(int, bool)
# run: of_python(-2**63, True)
# run: of_python(2**63 - 1, False)
def of_python(n, b):
    return n < 2**63, n == 2**64, -2**63 - 1 < n < 2**64, n >= 2**100, b < 2**64


#numptx export counted(int64[:])
# run: counted(array([5, -2**63, 2**63 - 1]))
# run: counted(zeros(0, dtype=np.int64))
def counted(x):
    count = 0
    for v in x:
        if v < 2**63 and v > -2**63 - 1:
            count += 1
    return count
