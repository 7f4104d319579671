#numptx export f(float64[:])
def f(x):
    y = x
      return y  #! NPX0101
