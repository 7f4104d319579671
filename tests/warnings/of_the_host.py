"""Loops that call operations on lists, dictionaries, sets and strings, or print, are the host's by nature."""

import numpy as np


#numptx export tallied(str list)
def tallied(words):
    counts = np.zeros(8)
    for word in words:
        counts[len(word) % 8] += 1.0
    return counts


#numptx export spread(int:float dict)
def spread(table):
    y = np.zeros(100)
    for place, value in table.items():
        y[place] = value
    return y


#numptx export printed(float64[:])
def printed(x):
    for i in range(1, len(x)):
        x[i] = x[i - 1] + x[i]
        print(i, x[i])


#numptx export popped(int list, float64[:])
def popped(todo, x):
    while todo:
        i = todo.pop()
        x[i] = x[i] + 1.0
        if x[i] < 3.0:
            todo.append(i)


# A loop without any in one that has some is judged on its own.
#numptx export inside(float list, float64[:])
def inside(factors, x):
    for factor in factors:
        for i in range(1, len(x)):  #! NPX0601
            x[i] = x[i] + factor * x[i - 1]
