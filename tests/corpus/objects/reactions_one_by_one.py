"""Chemical reactions as events: which one comes next is chosen by given random numbers."""

import math

import numpy as np


#numptx export decays(int, float, float64[:])
# run: decays(5, 0.5, random(10))
# run: decays(0, 0.5, random(10))
# run: decays(3, 1.0, array([]))
def decays(n, rate, uniform):
    time = 0.0
    history = [(time, n)]
    for u in uniform:
        if n == 0:
            break
        time += -math.log(1.0 - u) / (rate * n)
        n -= 1
        history.append((time, n))
    return history


#numptx export reactions(str:int dict, float64[:,:], float)
# run: reactions({"A": 20, "B": 5, "C": 0}, random((30, 2)), 10.0)
# run: reactions({"C": 3, "B": -1, "A": 2, "ö": 1}, random((30, 2)), inf)
# run: reactions({"A": 0, "B": 0, "C": 0}, random((4, 2)), 1.0)
# run: reactions({"A": 1}, random((4, 2)), 1.0)
def reactions(counts, uniform, until):
    state = dict(counts)
    time = 0.0
    fired = {"bind": 0, "split": 0}
    for k in range(len(uniform)):
        rates = {"bind": 0.01 * state["A"] * state["B"], "split": 0.1 * state["C"]}
        total = rates["bind"] + rates["split"]
        if total == 0.0:
            break
        time += -math.log(1.0 - uniform[k, 0]) / total
        if time > until:
            break
        if uniform[k, 1] * total < rates["bind"]:
            name, change = "bind", -1
        else:
            name, change = "split", 1
        fired[name] += 1
        state["A"] += change
        state["B"] += change
        state["C"] -= change
    return state, fired, time


#numptx export collisions(float64[:], float64[:], float)
# run: collisions(array([0.0, 1.0, 3.0]), array([1.0, 0.0, -1.0]), 5.0)
# run: collisions(array([0.0]), array([1.0]), 5.0)
# run: collisions(array([0.0, 1.0]), array([0.0, 0.0]), 5.0)
def collisions(x, v, until):
    x, v = x.copy(), v.copy()
    time = 0.0
    log = []
    while len(log) < 20:
        upcoming = []
        for i in range(len(x) - 1):
            speed = v[i] - v[i + 1]
            if speed > 0:
                upcoming.append((float((x[i + 1] - x[i]) / speed), i))
        if not upcoming:
            break
        step, i = min(upcoming)
        if time + step > until:
            break
        time += step
        x += v * step
        v[i], v[i + 1] = v[i + 1], v[i]
        log.append((time, i))
    return log, x, v
