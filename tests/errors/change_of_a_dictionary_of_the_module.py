MEMO = {0: 1}
SEEN = [0]


#numptx export factorial(int)
def factorial(n):
    if n not in MEMO:
        MEMO[n] = n * 2  #! NPX0401
    SEEN.append(n)  #! NPX0205
    return MEMO[n]
