#numptx export f(str)
def f(text):
    try:
        return int(text)
    except ValueError as e:
        n = len(e)  #! NPX0402 `str(e)`
    try:
        return int(text[1:])
    except ValueError as e:
        message = f"{e} {e!r}"  #! NPX0402 `str(e)`
        print(message)
        print(e, str(e), f"{e}")
    return 0
