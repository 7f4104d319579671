"""All orders, subsets and places of queens, from stacks and queues of lists."""


#numptx export subsets(int list)
# run: subsets([1, 2, 3])
# run: subsets([])
# run: subsets([4, 4])
def subsets(items):
    found = [[0 for _ in range(0)]]
    for item in items:
        found += [subset + [item] for subset in found]
    return sorted(found, key=lambda s: (len(s), s)), len(found)


#numptx export next_permutation(int list)
# run: next_permutation([1, 3, 2])
# run: next_permutation([3, 2, 1])
# run: next_permutation([])
# run: next_permutation([1, 1, 2])
def next_permutation(xs):
    i = len(xs) - 2
    while i >= 0 and xs[i] >= xs[i + 1]:
        i -= 1
    if i >= 0:
        j = len(xs) - 1
        while xs[j] <= xs[i]:
            j -= 1
        xs[i], xs[j] = xs[j], xs[i]
    xs[i + 1 :] = xs[i + 1 :][::-1]
    return xs, i >= 0


#numptx export queens(int)
# run: queens(4)
# run: queens(1)
# run: queens(3)
def queens(n):
    solutions = []
    stack = [[c] for c in range(n)]
    while stack:
        places = stack.pop()
        row = len(places)
        if row == n:
            solutions.append(places)
            continue
        for c in range(n):
            if all([c != p and abs(c - p) != row - r for r, p in enumerate(places)]):
                stack.append(places + [c])
    return sorted(solutions)


#numptx export combinations(str, int)
# run: combinations("abc", 2)
# run: combinations("", 1)
# run: combinations("éa", 0)
def combinations(letters, k):
    chosen = [""]
    for _ in range(k):
        chosen = [word + c for word in chosen for c in letters if not word or word[-1] < c]
    return chosen
