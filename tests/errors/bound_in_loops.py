#numptx export read_first(int64)
def read_first(n):
    total = 0
    for k in range(n):
        total += last  #! NPX0202
        last = k
    return total


#numptx export of_other_types(float64[:], int64)
def of_other_types(x, n):
    for i in range(n):
        if i > 2:
            y = i
        elif i > 1:
            y = x
    return y  #! NPX0209


#numptx export read_by_its_condition(int64)
def read_by_its_condition(n):
    while y < n:  #! NPX0202
        y = n
    return n
