"""Loops that combine in one scalar what loops of data's lengths find: energies over lists of neighbours, rows of different lengths."""

import numpy as np


#numptx export energy(int64[:], int32[:], float64[:,:], float)
# run: energy(arange(0, 6001, 10), integers(0, 600, 6000, dtype=int32), random((600, 3)), 0.7)
# structure: launches==3
# run: energy(sort(integers(0, 6000, 601)), integers(-600, 600, 6000, dtype=int32), random((600, 4))[:, ::-1], 0.7)
# run: energy(arange(0, 6001, 10)[::-1], integers(0, 600, 6000, dtype=int32), random((600, 3)), 0.7)
# run: energy(array([0]), zeros(0, dtype=int32), random((6, 3)), 0.7)
# run: energy(array([], dtype=int64), zeros(0, dtype=int32), random((6, 3)), 0.7)
# run: energy(arange(0, 6001, 10), integers(0, 601, 6000, dtype=int32), random((600, 3)), 0.7)
# run: energy(arange(0, 6011, 10), integers(0, 600, 6000, dtype=int32), random((601, 3)), 0.7)
# tolerance: 1e-13
def energy(starts, neighbours, x, cutoff):
    total = np.float64(0.0)
    pairs = 0
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            j = neighbours[p]
            d = 0.0
            for k in range(3):
                t = x[i, k] - x[j, k]
                d += t * t
            if 0.0 < d < cutoff:
                total += 1.0 / d
                pairs += 1
    return total, pairs


#numptx export squares(int64[:], float32[:])
# run: squares(sort(integers(0, 3000, 500)), random(3000, float32))
# run: squares(sort(integers(0, 9000, 1500)), random(9000, float32))
# run: squares(where(arange(1500) == 1499, 9000, arange(1500)), random(8999, float32))
# run: squares(array([0, 3, 3, 7]), array([1, -2, inf, 3, nan, 0, 1], float32))
# run: squares(array([0, 3]), full(3, -0.0, float32))
# run: squares(array([-3, 3]), random(7, float32))
# run: squares(array([5, 9]), random(7, float32))
# tolerance: 1e-5
def squares(starts, x):
    total = np.float32(-0.0)
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            total += x[p] * x[p]
    return total


#numptx export of_integers(int64[:], int64[:])
# run: of_integers(sort(integers(0, 3000, 500)), integers(-2**63, 2**63 - 1, 3000))
# run: of_integers(array([0, 2, 2, 4]), array([2**63 - 1, 5, -7, 3]))
# run: of_integers(array([0, 0]), array([2**63 - 1]))
# large: of_integers(sort(integers(0, 10000000, 9)), integers(-2**63, 2**63 - 1, 10000000))
def of_integers(starts, x):
    total = np.int64(3)
    bits = np.int64(-1)
    parity = np.int64(0)
    product = np.int64(1)
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            total += x[p]
            bits &= x[p] | 5
            parity ^= x[p]
            product *= x[p] | 1
    return total, bits, parity, product


#numptx export extremes(int64[:], float64[:], int16[:])
# run: extremes(sort(integers(0, 3000, 500)), random(3000), integers(-1000, 1000, 3000, dtype=int16))
# run: extremes(array([0, 2, 2, 4]), array([nan, 5, -inf, inf]), array([1, 2, -32768, 32767], int16))
# run: extremes(array([0, 2, 2, 4]), array([0.0, -0.0, 0.0, -0.0]), array([1, 2, -32768, 32767], int16))
# run: extremes(array([0, 2]), array([nan, nan]), array([1, 2], int16))
# run: extremes(array([0, 0]), array([nan, nan]), array([1, 2], int16))
def extremes(starts, x, k):
    least = np.float64(np.inf)
    last = np.float64(np.inf)
    most = np.float64(-np.inf)
    small = np.int16(32767)
    large = np.int16(-32768)
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            if x[p] < least:
                least = x[p]
            if x[p] <= last:
                last = x[p]
            if most < x[p]:
                most = x[p]
            small = min(small, k[p])
            large = max(large, k[p])
    return least, last, most, small, large


#numptx export of_two_loops(int64[:], float64[:], bool[:])
# run: of_two_loops(sort(integers(0, 3000, 500)), random(3000), random(499) < 0.4)
# run: of_two_loops(sort(integers(0, 3000, 500)), random(3000), random(498) < 0.4)
# tolerance: 1e-13
def of_two_loops(starts, x, chosen):
    total = 1.0
    found = False
    for i in range(starts.shape[0] - 1):
        if chosen[i]:
            for p in range(starts[i], starts[i + 1]):
                total += x[p]
                found = found or x[p] > 0.999
        else:
            total -= x[i]
        for p in range(starts[i], starts[i + 1]):
            total += 0.5 * x[p]
    return total, found


#numptx export in_order(int64[:], float64[:])
# run: in_order(sort(integers(0, 300, 50)), random(300))
# run: in_order(array([0, 2, 2, 4]), array([0.0, 5, -1, 2]))
def in_order(starts, x):
    total = 0.0
    last = 0.0
    best = 0.0
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            total = total * 0.5 + x[p]
            if x[p] < best + 0.25:
                best = x[p]
        last = total - last
    return total, last, best


#numptx export halves(int64[:], float64[:])
# run: halves(sort(integers(0, 300, 50)), random(300))
def halves(starts, x):
    total = 0.0
    weight = 0.0
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            total += x[p]
            weight += total
    return weight


#numptx export counted(int64[:], int)
# run: counted(sort(integers(0, 3000, 500)), 7)
# run: counted(sort(integers(0, 3000, 500)), 2**62)
# run: counted(array([0, 0, 5]), -3)
def counted(starts, first):
    n = first
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            if p % 3 == 1:
                n += 1
    return n


#numptx export deep(int64[:], int64[:], float64[:])
# run: deep(array([0, 3, 5, 9]), sort(integers(0, 3000, 10)), random(3000))
# run: deep(arange(0, 100, 3), sort(integers(0, 3000, 101)), random(3000))
# run: deep(arange(0, 100, 3), sort(integers(0, 3000, 99)), random(3000))
# tolerance: 1e-13
def deep(cells, starts, x):
    total = 0.0
    n = 0
    for c in range(cells.shape[0] - 1):
        for i in range(cells[c], cells[c + 1]):
            for p in range(starts[i], starts[i + 1]):
                total += np.sqrt(x[p])
                n += 2
            n -= 1
    return total, n


#numptx export nearest(int64[:], float64[:], int64[:])
# run: nearest(sort(integers(0, 300, 50)), random(300), zeros(49, dtype=int64))
# run: nearest(array([0, 3, 3, 5]), array([5.0, 2, 3, 1, 7]), full(3, 9))
def nearest(starts, x, where):
    best = np.float64(np.inf)
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            if x[p] < best:
                best = x[p]
                where[i] = p
    return best


#numptx export stored(int64[:], float64[:], float64[:])
# run: stored(sort(integers(0, 300, 50)), random(300), zeros(49))
# run: stored(sort(integers(0, 300, 50)), random(300), zeros(40))
# tolerance: 1e-13
def stored(starts, x, of_rows):
    total = np.float64(0.0)
    for i in range(starts.shape[0] - 1):
        own = 0.0
        for p in range(starts[i], starts[i + 1]):
            y = x[p]
            while y < 0.5:
                y *= 1.5
            own += y
            total += y
        of_rows[i] = own
    return total


#numptx export limited(int64[:], int64[:])
# run: limited(sort(integers(0, 3000, 500)), full(499, 2990))
# run: limited(sort(integers(0, 3000, 500)), full(499, 900))
# run: limited(array([0, 3, 3, 5]), array([9, 9, 4]))
def limited(starts, most):
    n = 0
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            if n > most[i]:
                raise ValueError("too many")
            n += 1
    return n


#numptx export moved(int64[:], float64[:], float64[:])
# run: moved(sort(integers(0, 300, 50)), random(300), random(300))
# run: moved(array([0, 3, 3, 5]), array([5.0, 2, 3, 1, 7]), array([9.0, 8, 1, 7, 6]))
def moved(starts, x, y):
    best = np.float64(np.inf)
    for i in range(starts.shape[0] - 1):
        for p in range(starts[i], starts[i + 1]):
            is_less = x[p] < best
            x[p] = y[p]
            if is_less:
                best = x[p]
    return best


#numptx export of_scalars(int)
# run: of_scalars(30)
# run: of_scalars(0)
def of_scalars(n):
    total = 0.0
    for i in range(n):
        k = i * 7919 % 13
        for p in range(k, 2 * k):
            while k > 5:
                k -= 1
            total += 1.0 / (p + k + 0.5)
    return total
