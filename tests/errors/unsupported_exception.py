#numptx export f(int)
def f(n):
    if n < 0:
        raise StopIteration(f"{n}")  #! NPX0401
    return n
