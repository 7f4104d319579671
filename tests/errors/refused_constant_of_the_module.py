SIZES = {"small": 1, "large": 2}  #! NPX0402


#numptx export f(float64[:])
def f(x):
    for name in SIZES:
        x[SIZES["small"]] = 1.0
    return SIZES["large"] + x
