#numptx export f(int)
def f(n):
    def fact(k):
        return 1 if k < 2 else k * fact(k - 1)  #! NPX0211

    return fact(n)
