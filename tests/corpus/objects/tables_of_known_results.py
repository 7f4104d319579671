"""Recursions that look up what they found before: dictionaries by number and by pair of numbers."""


#numptx export binomials(int, int)
# run: binomials(10, 4)
# run: binomials(0, 0)
# run: binomials(3, 7)
# run: binomials(-1, 2)
def binomials(n, k):
    if n < 0:
        raise ValueError("n = %d is negative" % n)
    known = {}
    for row in range(n + 1):
        for column in range(row + 1):
            if column == 0 or column == row:
                known[(row, column)] = 1
            else:
                known[(row, column)] = known[(row - 1, column - 1)] + known[(row - 1, column)]
    return known.get((n, k), 0), len(known)


#numptx export fibonacci(int)
# run: fibonacci(30)
# run: fibonacci(0)
# run: fibonacci(1)
def fibonacci(n):
    memo = {0: 0, 1: 1}

    def number(k):
        if k in memo:
            return memo[k]
        memo[k] = number(k - 1) + number(k - 2)
        return memo[k]

    return number(n), len(memo)


def partitions_at_most(n, largest, memo):
    if n == 0:
        return 1
    if n < 0 or largest == 0:
        return 0
    key = (n, largest)
    if key not in memo:
        memo[key] = partitions_at_most(n - largest, largest, memo) + partitions_at_most(n, largest - 1, memo)
    return memo[key]


#numptx export partitions(int)
# run: partitions(12)
# run: partitions(0)
# run: partitions(-3)
def partitions(n):
    memo = {(0, 0): 1}
    count = partitions_at_most(n, n, memo)
    return count, len(memo)
