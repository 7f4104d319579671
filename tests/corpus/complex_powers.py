"""Python's complex numbers to small integer powers, as Python multiplies them."""

import numpy as np


#numptx export powers(complex)
# run: powers(1+2j)
# run: powers(-1.5-0.1j)
# run: powers(0j)
# run: powers(complex(nan, 1.0))
# run: powers(complex(1e200, 1.0))
# run: powers(complex(-0.0, 0.0))
def powers(z):
    return z**2, z**3, z**0, z**1, z**10, z**2.0


#numptx export reciprocals(complex)
# run: reciprocals(1+2j)
# run: reciprocals(0j)
# run: reciprocals(complex(1e200, 1.0))
def reciprocals(z):
    return z**-1, z**-3


#numptx export escapes(float, float, int)
# run: escapes(-1.5, 0.3, 30)
# run: escapes(5.0, 5.0, 30)
# run: escapes(0.0, 0.0, 0)
def escapes(a, b, n):
    out = np.zeros((20, 20), dtype=np.int64)
    for i in range(20):
        for j in range(20):
            c = complex(a + i * 0.1, b - j * 0.1)
            z = 0j
            for _ in range(n):
                if abs(z) > 2.0:
                    break
                z = z**2 + c
                out[i, j] += 1
    return out
