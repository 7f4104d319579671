#numptx export f(str)
def f(text):
    try:
        return int(text)
    except (ValueError, Strange):  #! NPX0401 `except (ValueError, KeyError):`
        return 0
