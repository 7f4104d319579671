"""`del` of names, `round` to digits, and the greatest common divisor of several ints."""

import math

import numpy as np


#numptx export deleted(float64[:])
# run: deleted(random(5))
def deleted(x):
    y = x * 2.0
    z = y + 1.0
    del y
    for i in range(len(x)):
        t = x[i] * 3.0
        z[i] += t
        del t
    return z


#numptx export deleted_on_a_path(float64, bool)
# run: deleted_on_a_path(float64(2.0), True)
# run: deleted_on_a_path(float64(2.0), False)
def deleted_on_a_path(x, flag):
    y = x * 2.0
    if flag:
        del y
    return y


#numptx export deleted_in_a_loop(float64, int)
# run: deleted_in_a_loop(float64(2.0), 0)
# run: deleted_in_a_loop(float64(2.0), 1)
# run: deleted_in_a_loop(float64(2.0), 2)
def deleted_in_a_loop(x, n):
    y = 3.0
    total = 0.0
    for i in range(n):
        total += y * x
        del y
    return float(total)


#numptx export rounded(float)
# run: rounded(2.675)
# run: rounded(-2.675)
# run: rounded(0.125)
# run: rounded(0.375)
# run: rounded(-0.004)
# run: rounded(1e15 + 0.3)
# run: rounded(4503599627370497.5)
# run: rounded(123456789.987654321)
# run: rounded(1e300)
# run: rounded(inf)
# run: rounded(nan)
# run: rounded(-0.0)
# run: rounded(5e-324)
# run: rounded(0.15)
# run: rounded(562949953421312.25)
def rounded(x):
    return round(x, 2), round(x, 0), round(x, 1), round(x, 5), round(x, 15), round(x, 22)


#numptx export rounded_numbers(float64[:], float32, int)
# run: rounded_numbers(random(5), float32(2.675), 17)
def rounded_numbers(x, s, n):
    return round(x[0], 3), round(s, 2), round(n, 2)


#numptx export divisors(int, int, int)
# run: divisors(12, 18, 27)
# run: divisors(0, 0, -4)
def divisors(a, b, c):
    return math.gcd(a, b, c), math.lcm(a, b, c), math.gcd(a, b, c, 2), math.gcd(a), math.lcm()
