# A loop that may be left early is not short for that: two ends that come nearer step by step take as long as the array is.


#numptx export pair(float64[:], float)
def pair(x, wanted):
    i = 0
    j = len(x) - 1
    while i < j:  #! NPX0601
        s = x[i] + x[j]
        if s == wanted:
            return i
        if s < wanted:
            i += 1
        else:
            j -= 1
    return -1


# The same, where what is between them is halved.
#numptx export place(float64[:], float)
def place(x, wanted):
    low = 0
    high = len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] == wanted:
            return middle
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return -1
