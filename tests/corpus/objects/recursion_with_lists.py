"""Functions that call themselves with lists, dictionaries and sets: what one call changes, the others see."""


#numptx export permutations(int list)
# run: permutations([1, 2, 3])
# run: permutations([])
# run: permutations([5])
def permutations(xs):
    out = []
    permute(list(xs), 0, out)
    return out


def permute(xs, k, out):
    if k == len(xs):
        out.append(xs.copy())
        return
    for i in range(k, len(xs)):
        xs[k], xs[i] = xs[i], xs[k]
        permute(xs, k + 1, out)
        xs[k], xs[i] = xs[i], xs[k]


#numptx export subsets(int list)
# run: subsets([1, 2, 3])
# run: subsets([])
# run: subsets([7, 7])
def subsets(xs):
    result = []

    def go(i, chosen):
        if i == len(xs):
            result.append(list(chosen))
            return
        go(i + 1, chosen)
        go(i + 1, chosen + [xs[i]])

    go(0, [])
    return result


#numptx export by_pivots(int list)
# run: by_pivots([3, 1, 2, 3])
# run: by_pivots([])
# run: by_pivots([9, 8])
def by_pivots(xs):
    if len(xs) <= 1:
        return xs
    pivot = xs[0]
    less = [x for x in xs[1:] if x < pivot]
    more = [x for x in xs[1:] if x >= pivot]
    return by_pivots(less) + [pivot] + by_pivots(more)


#numptx export by_merging(float list)
# run: by_merging([3.0, 1.0, 2.0, 0.5])
# run: by_merging([])
# run: by_merging([1.0])
def by_merging(xs):
    if len(xs) < 2:
        return list(xs)
    m = len(xs) // 2
    a, b = by_merging(xs[:m]), by_merging(xs[m:])
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]


#numptx export queens(int)
# run: queens(4)
# run: queens(6)
# run: queens(0)
def queens(n):
    return placed(n, 0, [], set(), set())


def placed(n, row, columns, up, down):
    if row == n:
        return 1
    total = 0
    for c in range(n):
        if c not in columns and row + c not in up and row - c not in down:
            columns.append(c)
            up.add(row + c)
            down.add(row - c)
            total += placed(n, row + 1, columns, up, down)
            columns.pop()
            up.remove(row + c)
            down.remove(row - c)
    return total


#numptx export visited(int list list, int)
# run: visited([[1, 2], [2], []], 0)
# run: visited([[]], 0)
# run: visited([[1], [0]], 1)
def visited(graph, start):
    seen = set()
    order = []

    def visit(v):
        if v in seen:
            return
        seen.add(v)
        for w in graph[v]:
            visit(w)
        order.append(v)

    visit(start)
    return order, sorted(seen)


#numptx export paths(str:str list dict, str, str)
# run: paths({"a": ["b", "c"], "b": ["c"], "c": []}, "a", "c")
# run: paths({"a": []}, "a", "b")
# run: paths({"a": ["a"]}, "a", "a")
def paths(graph, start, end):
    return paths_from(graph, start, end, [])


def paths_from(graph, start, end, path):
    path = path + [start]
    if start == end:
        return [path]
    found = []
    for node in graph[start]:
        if node not in path:
            for p in paths_from(graph, node, end, path):
                found.append(p)
    return found


#numptx export fibonacci(int)
# run: fibonacci(50)
# run: fibonacci(0)
# run: fibonacci(-3)
def fibonacci(n):
    return known(n, {})


def known(n, table):
    if n < 2:
        return n
    if n not in table:
        table[n] = known(n - 1, table) + known(n - 2, table)
    return table[n]


#numptx export changes(int list, int)
# run: changes([2, 3, 5], 8)
# run: changes([2], 3)
# run: changes([], 0)
def changes(coins, target):
    out = []
    search(coins, target, 0, [], out)
    return out


def search(coins, target, start, chosen, out):
    if target == 0:
        out.append(chosen[:])
        return
    for i in range(start, len(coins)):
        if coins[i] <= target:
            chosen.append(coins[i])
            search(coins, target - coins[i], i, chosen, out)
            chosen.pop()


#numptx export towers(int)
# run: towers(3)
# run: towers(0)
# run: towers(1)
def towers(n):
    moves = []
    move(n, "a", "b", "c", moves)
    return moves


def move(n, source, spare, target, moves):
    if n > 0:
        move(n - 1, source, target, spare, moves)
        moves.append((source, target))
        move(n - 1, spare, source, target, moves)
