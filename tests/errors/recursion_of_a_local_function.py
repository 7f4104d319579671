#numptx export f(int)
def f(n):
    def even(k):
        return 1 if k == 0 else 2 * odd(k - 1)

    def odd(k):
        return 0 if k == 0 else even(k - 1) + 1  #! NPX0211

    return even(n)


#numptx export g(int)
def g(n):
    def last(k):
        return z if k == 0 else last(k - 1) + 1  #! NPX0202

    if n > 3:
        z = 5
    return last(n)
