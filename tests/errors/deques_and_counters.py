import collections
import itertools
from collections import Counter, OrderedDict, defaultdict, deque
from heapq import heappush, merge


#numptx export a_counter_is_written(str)
def a_counter_is_written(text):
    print(Counter(text))  #! NPX0402 dict(xs)


#numptx export no_slices_of_deques(int list)
def no_slices_of_deques(xs):
    q = deque(xs)
    return q[1:]  #! NPX0406 list(q)[1:]


#numptx export other_collections(int list)
def other_collections(xs):
    return collections.ChainMap(xs), OrderedDict()  #! NPX0501 deque


#numptx export functions_around(str list, int)
def functions_around(words, n):
    counts = defaultdict(lambda: n)  #! NPX0505 lambda
    for word in words:
        counts[word] += 1
    return dict(counts)


#numptx export counted_in_floats(str list)
def counted_in_floats(words):
    counts = Counter()
    for word in words:
        counts[word] += 0.5  #! NPX0209
    return dict(counts)


#numptx export two_defaults(bool)
def two_defaults(flag):  #! NPX0209
    d = defaultdict(int) if flag else defaultdict(float)
    d["a"] += 1  #! NPX0209
    return dict(d)


#numptx export merged_heaps(int list)
def merged_heaps(xs):
    heappush(xs, 1)
    return list(merge(xs, xs))  #! NPX0501 nsmallest


#numptx export any_number_of_members(int list, int)
def any_number_of_members(xs, n):
    return list(itertools.combinations(xs, n))  #! NPX0505 combinations(xs, 2)


#numptx export lists_as_keys(int list list)
def lists_as_keys(rows):
    seen = set()
    for row in rows:
        seen.add(row)  #! NPX0505 seen.add(tuple(xs))
    return len(seen)


#numptx export a_default_of_a_function_is_returned(str list)
def a_default_of_a_function_is_returned(words):  #! NPX0407 dict(xs)
    counts = defaultdict(lambda: 1)
    for word in words:
        counts[word] += 1
    return counts


#numptx export lists_have_two_ends(int list)
def lists_have_two_ends(xs):
    xs.appendleft(1)  #! NPX0205
    return xs
