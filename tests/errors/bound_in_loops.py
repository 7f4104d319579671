#numptx export in_a_loop(int64, int64)
def in_a_loop(n, m):
    total = 0
    for k in range(n):
        for i in range(m):
            last = i * k
        total += last  #! NPX0202
    return total


#numptx export on_one_path(int64)
def on_one_path(n):
    for i in range(n):
        if i > 2:
            y = i
    return y  #! NPX0202
