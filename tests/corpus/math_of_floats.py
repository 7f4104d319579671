"""Functions of `math` of one number, which NumPy has by other names."""
import math


#numptx export exponentials(float)
# run: exponentials(0.75)
# run: exponentials(-0.25)
def exponentials(x):
    return math.exp2(x), math.expm1(x), math.log10(x + 1.0), math.log1p(x), math.erf(x), math.erfc(x)


#numptx export angles(float, float)
# run: angles(0.75, -2.0)
# run: angles(-0.5, 3.5)
def angles(x, y):
    return math.tan(x), math.asin(x), math.acos(x), math.atan(y), math.atan2(x, y), math.radians(y)


#numptx export hyperbolic(float)
# run: hyperbolic(0.75)
# run: hyperbolic(-0.5)
def hyperbolic(x):
    return math.sinh(x), math.cosh(x), math.asinh(x), math.acosh(x + 2.0), math.atanh(x), math.fabs(x)
