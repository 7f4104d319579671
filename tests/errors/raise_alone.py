#numptx export f(int)
def f(n):
    if n < 0:
        raise  #! NPX0401 `raise ValueError("message")`
    return n
