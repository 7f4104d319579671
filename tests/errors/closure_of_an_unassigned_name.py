#numptx export f(int)
def f(n):
    g = lambda: later  #! NPX0202
    value = g()
    later = n
    return value
