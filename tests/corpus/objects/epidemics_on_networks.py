"""An infection on a network, step by step: sets of the healthy, the ill and the recovered."""

import numpy as np


#numptx export epidemic(int list list, int set, int, int)
# run: epidemic([[1, 2], [0, 3], [0], [1, 4], [3]], {0}, 2, 10)
# run: epidemic([[], []], set(), 1, 5)
# run: epidemic([[1], [0]], {0, 1}, 1, 5)
# run: epidemic([[1], [0]], {7}, 1, 5)
def epidemic(contacts, first, duration, steps):
    days = {person: duration for person in sorted(first)}
    recovered = set()
    counts = [len(first)]
    for _ in range(steps):
        if not days:
            break
        newly = set()
        for person in days:
            for other in contacts[person]:
                if other not in days and other not in recovered:
                    newly.add(other)
        for person in list(days.keys()):
            days[person] -= 1
            if days[person] == 0:
                days.pop(person)
                recovered.add(person)
        for person in sorted(newly):
            days[person] = duration
        counts.append(len(days))
    return counts, sorted(recovered), sorted(days)


#numptx export fire(int64[:,:], (int,int) list)
# run: fire(array([[1, 1, 0], [0, 1, 1], [1, 0, 1]]), [(0, 0)])
# run: fire(ones((2, 2), dtype=int64), [])
# run: fire(ones((1, 3), dtype=int64), [(0, 1), (0, 1)])
# run: fire(ones((1, 3), dtype=int64), [(0, 3)])
def fire(forest, lit):
    state = forest.copy()
    burning = set(lit)
    burnt_at = {}
    step = 0
    while burning:
        for r, c in burning:
            state[r, c] = 2
            burnt_at[(r, c)] = step
        spread = set()
        for r, c in burning:
            for a, b in [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]:
                if 0 <= a < state.shape[0] and 0 <= b < state.shape[1] and state[a, b] == 1:
                    spread.add((a, b))
        burning = spread
        step += 1
    return state, step, sorted(burnt_at.items())


#numptx export susceptible(float, float, int)
# run: susceptible(0.5, 0.1, 50)
# run: susceptible(0.0, 0.0, 3)
# run: susceptible(float("nan"), 0.1, 2)
def susceptible(beta, gamma, steps):
    s, i, r = [0.99], [0.01], [0.0]
    for _ in range(steps):
        new = beta * s[-1] * i[-1]
        gone = gamma * i[-1]
        s.append(s[-1] - new)
        i.append(i[-1] + new - gone)
        r.append(r[-1] + gone)
    peak = i.index(max(i))
    return np.array(s), np.array(i), np.array(r), peak
