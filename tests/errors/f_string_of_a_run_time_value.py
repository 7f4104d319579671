#numptx export f(int)
def f(n):
    text = f"{n}"  #! NPX0402
    return len(text)
