SIZES = {"small": 1, "large": 2}


#numptx export f(float64[:])
def f(x):
    for name in SIZES:  #! NPX0402 use parameters, tuples or arrays
        x[SIZES["small"]] = 1.0
    return SIZES["large"] + x
