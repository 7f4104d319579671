#numptx export f(str)
def f(text):
    try:  #! NPX0401 end the `finally` block without `return`
        n = int(text)
    finally:
        return 0


#numptx export g(str list)
def g(words):
    n = 0
    for word in words:
        try:  #! NPX0401 without `return`, `break` or `raise`
            n += int(word)
        finally:
            if n > 10:
                break
    return n


#numptx export h(int list)
def h(xs):
    n = 0
    try:  #! NPX0401 `break`, and return after the `try`
        for x in xs:
            n += x
            if n > 10:
                return n
    finally:
        print(n)
    return 0
