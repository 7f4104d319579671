"""Slices, sorting and nested lists."""


#numptx export parts(int list, int)
# run: parts([1, 2, 3, 4, 5], 2)
# run: parts([1, 2], 5)
# run: parts([], -1)
def parts(xs, n):
    return xs[:n], xs[n:], xs[::-1], xs[-n:], xs + xs[1::2], xs * 2


#numptx export replaced(int list, int list)
# run: replaced([1, 2, 3, 4], [7, 8, 9])
# run: replaced([], [7])
def replaced(xs, ys):
    xs[1:3] = ys
    del xs[::2]
    xs.reverse()
    return len(xs)


#numptx export ordered(int list)
# run: ordered([3, -1, 2, -3])
# run: ordered([])
def ordered(xs):
    ys = sorted(xs)
    zs = sorted(xs, key=lambda x: (abs(x), x))
    xs.sort(reverse=True)
    return ys, zs


#numptx export by_weight((int,float) list)
# run: by_weight([(1, 2.5), (2, -1.0), (3, 2.5)])
# run: by_weight([])
def by_weight(pairs):
    pairs.sort(key=lambda pair: pair[1])
    total = 0.0
    for n, weight in pairs:
        total += n * weight
    return total, [n for n, _ in pairs]


#numptx export triangle(int)
# run: triangle(5)
# run: triangle(0)
def triangle(n):
    rows = []
    row = [1]
    for _ in range(n):
        rows.append(row)
        row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
    return rows


#numptx export shared(int list list)
# run: shared([[1, 2], [], [3]])
# run: shared([])
def shared(rows):
    longest = []
    for row in rows:
        row.append(0)
        if len(row) > len(longest):
            longest = row
    longest.append(9)
    return longest


#numptx export largest(int list)
# run: largest([3, 1, 3, 2])
# run: largest([])
def largest(xs):
    return max(xs), min(xs), sum(xs), any(x > 2 for x in xs)
