"""The likeliest states behind observations, with probabilities in dictionaries, and chains counted from text."""

import math


#numptx export likeliest_states(str list, str:float dict, (str,str):float dict, (str,str):float dict)
# run: likeliest_states(["walk", "shop"], {"rain": 0.6, "sun": 0.4}, {("rain", "rain"): 0.7, ("rain", "sun"): 0.3, ("sun", "rain"): 0.4, ("sun", "sun"): 0.6}, {("rain", "walk"): 0.1, ("rain", "shop"): 0.9, ("sun", "walk"): 0.8, ("sun", "shop"): 0.2})
# run: likeliest_states(["x"], {"ä": 1.0}, {}, {("ä", "x"): 0.5})
# run: likeliest_states([], {"a": 1.0}, {}, {})
# run: likeliest_states(["y"], {"a": 1.0}, {}, {})
def likeliest_states(observed, start, change, emit):
    states = list(start)
    probability = [{s: start[s] * emit[s, observed[0]] for s in states}]
    came_from = {}
    for t, symbol in enumerate(observed[1:]):
        last = probability[-1]
        now = {}
        for s in states:
            before = max(states, key=lambda r: last[r] * change[r, s])
            now[s] = last[before] * change[before, s] * emit[s, symbol]
            came_from[t, s] = before
        probability.append(now)
    final = probability[-1]
    path = [max(final, key=lambda s: final[s])]
    for t in range(len(observed) - 2, -1, -1):
        path.insert(0, came_from[t, path[0]])
    return path, final[path[-1]]


#numptx export followers(str)
# run: followers("a b a c a b")
# run: followers("one")
# run: followers("")
def followers(text):
    words = text.split()
    table = {}
    for first, second in zip(words[:-1], words[1:]):
        row = table.setdefault(first, {})
        row[second] = row.get(second, 0) + 1
    likely = {}
    for first, row in table.items():
        likely[first] = max(row.items(), key=lambda item: item[1])[0]
    return table, likely


#numptx export entropy(str)
# run: entropy("abab")
# run: entropy("")
# run: entropy("ääöü")
def entropy(text):
    counts = {}
    for c in text:
        counts[c] = counts.get(c, 0) + 1
    total = len(text)
    bits = 0.0
    for n in counts.values():
        bits -= n / total * math.log2(n / total)
    return bits, counts


#numptx export longest_increasing(int list)
# run: longest_increasing([10, 9, 2, 5, 3, 7, 101, 18])
# run: longest_increasing([])
# run: longest_increasing([1, 1, 1])
def longest_increasing(x):
    best = {}
    for i, v in enumerate(x):
        best[i] = 1
        for j in range(i):
            if x[j] < v and best[j] >= best[i]:
                best[i] = best[j] + 1
    return max(best.values(), default=0), best
