#numptx export f(int32[:])
def f(x):
    x += 0.5  #! NPX0207
