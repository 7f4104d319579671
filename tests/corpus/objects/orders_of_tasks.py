"""Orders in which tasks can be done that need others first: by counts of what is missing, and by depth-first walks."""


#numptx export order_of_tasks((str,str) list)
# run: order_of_tasks([("mesh", "solve"), ("read", "mesh"), ("solve", "plot"), ("read", "plot")])
# run: order_of_tasks([])
# run: order_of_tasks([("a", "b"), ("b", "a")])
# run: order_of_tasks([("läuft", "läuft")])
def order_of_tasks(needs):
    missing = {}
    followers = {}
    for before, after in needs:
        missing.setdefault(before, 0)
        missing[after] = missing.get(after, 0) + 1
        if before not in followers:
            followers[before] = []
        followers[before].append(after)
    ready = [task for task in missing if missing[task] == 0]
    order = []
    while ready:
        task = ready.pop(0)
        order.append(task)
        for after in followers.get(task, []):
            missing[after] -= 1
            if missing[after] == 0:
                ready.append(after)
    if len(order) < len(missing):
        left = sorted(task for task in missing if missing[task] > 0)
        raise ValueError("a cycle through " + ", ".join(left))
    return order


#numptx export levels_of_nodes(int list list)
# run: levels_of_nodes([[1, 2], [3], [3], []])
# run: levels_of_nodes([])
# run: levels_of_nodes([[7]])
def levels_of_nodes(targets):
    n = len(targets)
    incoming = [0] * n
    for row in targets:
        for v in row:
            incoming[v] += 1
    level = [0] * n
    stack = [v for v in range(n) if not incoming[v]]
    while stack:
        u = stack.pop()
        for v in targets[u]:
            level[v] = max(level[v], level[u] + 1)
            incoming[v] -= 1
            if incoming[v] == 0:
                stack.append(v)
    by_level = {}
    for v, l in enumerate(level):
        by_level.setdefault(l, []).append(v)
    return level, by_level


#numptx export finished_in_order(int, (int,int) list)
# run: finished_in_order(4, [(0, 1), (1, 2), (0, 3)])
# run: finished_in_order(1, [])
# run: finished_in_order(2, [(1, 0), (1, 0)])
def finished_in_order(n, edges):
    targets = {u: [v for w, v in edges if w == u] for u in range(n)}
    seen = set()
    order = []

    def visit(u):
        if u in seen:
            return 0
        seen.add(u)
        count = 1
        for v in targets[u]:
            count += visit(v)
        order.append(u)
        return count

    counts = [visit(u) for u in range(n)]
    return order[::-1], counts
