"""What comes first of keys and values: as printed, and by which exception ends it."""


def said(n):
    print("said", n)
    return n


#numptx export tabled(int:int dict, int list)
# run: tabled({1: 2}, [1, 2])
# run: tabled({1: 2, 2: 7}, [2, 1, 2])
# run: tabled({}, [])
def tabled(table, xs):
    return {said(x): table[x] for x in xs}


#numptx export nested(int list list)
# run: nested([[1, 2], [3]])
# run: nested([[4], []])
# run: nested([])
def nested(rows):
    return {said(x): [said(y + 10) for y in row if y != x] for row in rows for x in row if said(-x) < -1}


#numptx export displayed(int:int dict, int list)
# run: displayed({1: 2, 3: 4}, [1])
# run: displayed({1: 2}, [1])
# run: displayed({1: 2}, [])
def displayed(table, xs):
    return {said(xs[0]): said(table[1]), said(5): said(table[3])}


#numptx export assigned(int:int dict, int list)
# run: assigned({1: 2}, [1, 2])
# run: assigned({2: 1}, [1, 2])
# run: assigned({}, [])
def assigned(table, xs):
    table[said(xs[0])] = said(xs[1])
    table[said(7)] = said(table[1])
    table[said(8)] = said(table[2])
    return table
