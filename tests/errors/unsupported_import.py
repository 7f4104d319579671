import pandas
import os, sys as system
from .missing import helper


#numptx export f(float64[:])
def f(x):
    frame = pandas.DataFrame(x)  #! NPX0403
    n = os.cpu_count()  #! NPX0403 pass the result as a parameter
    m = len(system.argv)  #! NPX0403
    return helper(x)  #! NPX0403 there is no such file


#numptx export g(float64[:])
def g(x):
    import time  #! NPX0403 around the call
    return x
