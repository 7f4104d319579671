#numptx export f(int)
def f(n):
    text = f"{n}"  #! NPX0402
    return len(text)


#numptx export aligned(float)
def aligned(x):
    if x < 0:
        raise ValueError(f"{x:>10}")  #! NPX0402
    return x
