#numptx export f(str)
def f(name):
    n = 0
    for letter in "abc":  #! NPX0408
        n += 1
    return n
