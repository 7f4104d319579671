#numptx export f(int)
def f(n):
    total = 0
    for letter in n:  #! NPX0408
        total += 1
    return total
