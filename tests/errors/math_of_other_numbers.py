import math


#numptx export f(float, float64[:])
def f(x, y):
    a = math.gcd(x, 3)  #! NPX0505
    b = math.isqrt(2.0)  #! NPX0505
    c = math.comb(y, 3)  #! NPX0505
    d = math.isclose(y, x)  #! NPX0505
    return a, b, c, d
