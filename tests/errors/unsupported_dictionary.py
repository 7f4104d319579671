#numptx export f(float)
def f(x):  #! NPX0209
    return {"x": x, "name": "f"}
