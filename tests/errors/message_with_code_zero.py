#numptx export f(int)
def f(n):
    if n < 0:
        raise ValueError("a\0b")  #! NPX0402
    return n
