#numptx export f(float64)
def f(x):
    return x


#numptx g(float64)  #! NPX0102
def g(x):
    return x


#numptx: export h(float64)  #! NPX0102
def h(x):
    return x


#Pythran export k(float64)  #! NPX0102
def k(x):
    return x


# numptx exports what such lines name
#numptx compiles this file
#numptx export l(float64)
async def l(x):  #! NPX0401
    return x
