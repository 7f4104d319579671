#numptx export f(str list)
def f(words):
    n = 0
    try:
        for word in words:  #! NPX0401 put the `try` into the loop
            n += int(word)
    except ValueError:
        return n
    return -n
