"""Where functions of `math` are infinite for a finite argument: a pole is an error of another kind than a result that is too large."""

import math


#numptx export power(float, float)
# run: power(0.0, -1.0)
# run: power(-0.0, -3.0)
# run: power(0.0, -inf)
# run: power(1e300, 3.0)
# run: power(-1e300, 3.0)
# run: power(2.0, 3.0)
# run: power(nan, 0.0)
def power(x, y):
    return math.pow(x, y)


#numptx export gamma(float)
# run: gamma(0.0)
# run: gamma(-0.0)
# run: gamma(-1.0)
# run: gamma(200.0)
# run: gamma(inf)
# run: gamma(-1e-310)
def gamma(x):
    return math.gamma(x)


#numptx export logarithm_of_gamma(float)
# run: logarithm_of_gamma(0.0)
# run: logarithm_of_gamma(-2.0)
# run: logarithm_of_gamma(-1e300)
# run: logarithm_of_gamma(1e308)
# run: logarithm_of_gamma(-inf)
def logarithm_of_gamma(x):
    return math.lgamma(x)


#numptx export rounded(float)
# run: rounded(inf)
# run: rounded(-inf)
# run: rounded(nan)
# run: rounded(-2.5)
def rounded(x):
    return math.floor(x), math.ceil(x), math.trunc(x)
