#numptx export f(str)
def f(text):
    try:  #! NPX0401
        return int(text)
    except* ValueError:
        n = 0
    return n
