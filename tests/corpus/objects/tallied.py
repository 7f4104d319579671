"""A list and a dictionary that one loop fills."""


#numptx export tallied(int list)
# run: tallied([3, 1, 3, 3, 1])
# run: tallied([])
def tallied(xs):
    counts = {}
    repeated = []
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
        if counts[x] == 2:
            repeated.append(x)
    return counts, repeated
