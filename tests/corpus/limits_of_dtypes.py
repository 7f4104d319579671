"""`np.finfo` and `np.iinfo`: numbers that are known when compiling."""

import numpy as np

EPS = np.finfo(np.float64).eps
LARGEST = np.iinfo(np.int32).max


#numptx export limits(float64[:])
#numptx export limits(float32[:])
# run: limits(random(6) - 0.5)
# run: limits(random(6, float32))
# run: limits(random(0))
def limits(x):
    f = np.finfo(x.dtype)
    numbers = f.eps, f.epsneg, f.max, f.min, f.tiny, f.smallest_normal, f.smallest_subnormal, f.resolution
    ints = f.bits, f.precision, f.nmant, f.nexp, f.iexp, f.maxexp, f.minexp, f.machep, f.negep
    nearly = np.where(np.abs(x) < f.eps, f.tiny, x)
    return numbers, ints, nearly * EPS, np.finfo(float).eps, np.finfo(np.complex64).eps


#numptx export limits_of_integers(int16[:])
# run: limits_of_integers(integers(-9, 9, 5, dtype=int16))
def limits_of_integers(x):
    low = np.iinfo(x.dtype).max
    for v in x:
        low = min(low, v)
    others = np.iinfo(np.int8).min, np.iinfo("u1").max, np.iinfo(int).max, np.iinfo(np.int64).min, np.iinfo(np.uint32).max
    return low, others, np.iinfo(np.uint16).bits, LARGEST, np.iinfo(x.dtype).dtype == np.int16
