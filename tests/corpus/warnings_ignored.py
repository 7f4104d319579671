"""`warnings`: compiled code warns of nothing, and blocks that ignore are their statements."""

import warnings
from warnings import catch_warnings, simplefilter

import numpy as np


#numptx export quotients(float64[:], float64[:])
# run: quotients(arange(3.0), array([0.0, 2.0, nan]))
def quotients(x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z = x / y
        if z.size > 2:
            return z, np.log(x)
    return z, z


#numptx export together(float64[:])
# run: together(array([1.0, 2.0, inf, 0.0]))
def together(x):
    total = 0.0
    for v in x:
        with catch_warnings(action="ignore", category=RuntimeWarning), np.errstate(all="ignore"):
            if v > 1e300:
                break
            total += 1.0 / v
    with catch_warnings(record=False):
        simplefilter(action="ignore", category=RuntimeWarning)
        warnings.filterwarnings("ignore", message="invalid value", category=RuntimeWarning)
        return total, np.nanmean(x)


#numptx export in_functions(float64[:])
# run: in_functions(zeros(2))
def in_functions(x):
    import warnings as w

    with w.catch_warnings():
        w.filterwarnings("ignore", category=RuntimeWarning)
        return 1.0 / x


#numptx export passed_over(float64[:])
# run: passed_over(array([1.0, 2.0]))
def passed_over(x):
    if x.min() < 0:
        warnings.warn(f"negative: {x.min():.2f}", RuntimeWarning, stacklevel=2)
    return np.sqrt(np.abs(x))
