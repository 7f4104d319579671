"""Queues and graphs: searches that lists and dictionaries drive."""


#numptx export steps(int list list, int)
# run: steps([[1, 2], [3], [3], []], 0)
# run: steps([[], [0]], 0)
def steps(neighbours, start):
    distances = {start: 0}
    queue = [start]
    while queue:
        node = queue.pop(0)
        for next_ in neighbours[node]:
            if next_ not in distances:
                distances[next_] = distances[node] + 1
                queue.append(next_)
    return distances


#numptx export in_order(int:int list dict)
# run: in_order({1: [2, 3], 2: [3], 3: []})
# run: in_order({})
def in_order(needs):
    order = []
    open_ = list(needs.keys())
    for _ in range(len(needs) * len(needs) + 1):
        if not open_:
            break
        node = open_.pop(0)
        is_ready = True
        for need in needs[node]:
            if need in needs and need not in order:
                is_ready = False
        if is_ready:
            order.append(node)
        else:
            open_.append(node)
    return order, open_


#numptx export balanced(str list)
# run: balanced(["(", "a", "[", "b", "]", ")"])
# run: balanced(["(", "]"])
# run: balanced([])
def balanced(text):
    closing = {")": "(", "]": "["}
    stack = []
    for c in text:
        if c == "(" or c == "[":
            stack.append(c)
        elif c in closing:
            if not stack or stack.pop() != closing[c]:
                return False
    return len(stack) == 0


#numptx export evaluated(str)
# run: evaluated("1 2 +")
# run: evaluated("1 +")
# run: evaluated("3 4 * 2 -")
def evaluated(text):
    stack = []
    for token in text.split():
        if token not in ("+", "*", "-"):
            stack.append(float(token))
        elif token == "+":
            stack.append(stack.pop() + stack.pop())
        elif token == "*":
            stack.append(stack.pop() * stack.pop())
        else:
            b = stack.pop()
            stack.append(stack.pop() - b)
    return stack


#numptx export scheduled(float list, int)
# run: scheduled([3.0, 1.0, 2.0], 2)
# run: scheduled([], 1)
def scheduled(durations, n):
    ends = [0.0] * max(1, min(n, 4))
    for duration in sorted(durations, reverse=True):
        at = ends.index(min(ends))
        ends[at] += duration
    return max(ends), ends
