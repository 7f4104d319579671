#numptx export f(float)
def f(x):
    return {"x": x}  #! NPX0402
