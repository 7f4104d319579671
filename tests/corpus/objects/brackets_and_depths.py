"""Whether brackets close in the order in which they opened: a stack of characters and positions."""


#numptx export first_unmatched(str)
# run: first_unmatched("f(x[0], {1: 2})")
# run: first_unmatched("")
# run: first_unmatched("a[1)")
# run: first_unmatched("é(ß[")
def first_unmatched(text):
    closing = {")": "(", "]": "[", "}": "{"}
    opened = set(closing.values())
    stack = []
    for i in range(len(text)):
        c = text[i]
        if c in opened:
            stack.append((c, i))
        elif c in closing:
            if not stack:
                return i
            last, _ = stack.pop()
            if last != closing[c]:
                return i
    return stack[0][1] if stack else -1


#numptx export depths(str)
# run: depths("(()(()))")
# run: depths("no brackets")
# run: depths(")(")
def depths(text):
    depth, deepest = 0, 0
    counts = {}
    for c in text:
        if c == "(":
            depth += 1
            counts[depth] = counts.get(depth, 0) + 1
            deepest = max(deepest, depth)
        elif c == ")":
            depth -= 1
            if depth < 0:
                raise IndexError("closed before it was opened")
    return deepest, counts
