def fib(n):
    if n < 2:  #! NPX0111
        return n
    return fib(n - 1) + fib(n - 2)


#numptx export f(int)
def f(x):
    return fib(27) + x
