"""What fits best: tables by weight in dictionaries and lists, and sums that can be reached in sets."""

import numpy as np


#numptx export best_value(int list, float list, int)
# run: best_value([1, 3, 4, 5], [1.0, 4.0, 5.0, 7.0], 7)
# run: best_value([], [], 3)
# run: best_value([2, 2], [float("nan"), 1.0], 2)
# run: best_value([5], [1.0], 0)
def best_value(weights, values, capacity):
    best = {0: 0.0}
    for w, v in zip(weights, values):
        new = dict(best)
        for used, value in best.items():
            if used + w <= capacity:
                new[used + w] = max(new.get(used + w, 0.0), value + v)
        best = new
    return max(best.values()), best


#numptx export chosen_items(int list, int list, int)
# run: chosen_items([1, 3, 4, 5], [1, 4, 5, 7], 7)
# run: chosen_items([], [], 5)
# run: chosen_items([1, 2], [3], 5)
def chosen_items(weights, values, capacity):
    assert len(weights) == len(values), f"{len(weights)} weights, {len(values)} values"
    table = [[0] * (capacity + 1)]
    for w, v in zip(weights, values):
        above = table[-1]
        row = [max(above[c], above[c - w] + v) if c >= w else above[c] for c in range(capacity + 1)]
        table.append(row)
    items, c = [], capacity
    for i in range(len(weights), 0, -1):
        if table[i][c] != table[i - 1][c]:
            items.append(i - 1)
            c -= weights[i - 1]
    return table[-1][capacity], items[::-1]


#numptx export reachable_sums(int64[:])
# run: reachable_sums(array([3, 5, 8]))
# run: reachable_sums(array([], dtype=int64))
# run: reachable_sums(array([-2, 2, 2]))
def reachable_sums(x):
    sums = {0}
    for v in x:
        sums |= {s + int(v) for s in sums}
    half = int(x.sum()) / 2
    nearest = min(sums, key=lambda s: (abs(s - half), s))
    return sorted(sums), nearest


#numptx export ways_to_pay(int list, int)
# run: ways_to_pay([1, 2, 5], 10)
# run: ways_to_pay([], 0)
# run: ways_to_pay([3], 4)
# run: ways_to_pay([1], -1)
def ways_to_pay(coins, amount):
    ways = [1] + [0] * amount
    for coin in coins:
        for value in range(coin, amount + 1):
            ways[value] += ways[value - coin]
    return ways[amount], ways
