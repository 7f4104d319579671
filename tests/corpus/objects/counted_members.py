"""Counters: of letters, words and pairs."""

import collections
from collections import Counter


#numptx export letters(str)
# run: letters("hello world")
# run: letters("")
# run: letters("ééa")
def letters(text):
    counts = Counter(text)
    return dict(counts), counts.most_common(2), counts.most_common(), counts["z"], "z" in counts, len(counts)


#numptx export histogram(int list)
# run: histogram([3, 1, 3, 3, 1])
# run: histogram([])
# run: histogram([-1])
def histogram(xs):
    counts = collections.Counter()
    for x in xs:
        counts[x] += 1
    shares = {x: n / len(xs) for x, n in counts.items()}
    return sorted(counts.items()), sorted(counts.elements()), sum(counts.values()), shares, counts.total()


#numptx export are_anagrams(str, str)
# run: are_anagrams("listen", "silent")
# run: are_anagrams("", "")
# run: are_anagrams("aab", "abb")
def are_anagrams(a, b):
    one, other = Counter(a), Counter(b)
    other["never"] += 0
    return one == other, one != other, one == dict(other)


#numptx export words_of(str list)
# run: words_of(["b a", "a c", "a"])
# run: words_of([])
# run: words_of([""])
def words_of(lines):
    counts = Counter()
    for line in lines:
        counts.update(line.split())
    top = [word for word, n in counts.most_common(2)]
    counts.subtract(["a", "x"])
    counts.update({"b": 5})
    counts.update(a=2)
    del counts["x"]
    del counts["nothing"]
    counts["c"] = -1
    return top, dict(counts), counts.pop("b"), counts.get("q", 7), counts.most_common(-1), list(counts.elements())


#numptx export pairs_counted((int, int) list)
# run: pairs_counted([(1, 2), (2, 1), (1, 2)])
# run: pairs_counted([])
# run: pairs_counted([(0, 0)])
def pairs_counted(pairs):
    counts = Counter((a, b) if a < b else (b, a) for a, b in pairs)
    best = counts.most_common(1)
    return best[0] if best else ((0, 0), 0)


#numptx export mode(int list)
# run: mode([2, 1, 2, 1])
# run: mode([])
# run: mode([4])
def mode(xs):
    return Counter(xs).most_common(1)[0][0]
