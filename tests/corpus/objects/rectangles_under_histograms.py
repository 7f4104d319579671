"""Stacks that keep heights in order: the largest rectangle under a histogram, and the next larger value of each."""

import numpy as np


#numptx export largest_rectangle(float64[:])
# run: largest_rectangle(array([2.0, 1.0, 5.0, 6.0, 2.0, 3.0]))
# run: largest_rectangle(array([]))
# run: largest_rectangle(array([4.0])[::-1])
# run: largest_rectangle(array([1.0, inf, 2.0]))
def largest_rectangle(heights):
    stack = [(0, 0.0)]
    best = 0.0
    for i in range(len(heights) + 1):
        height = float(heights[i]) if i < len(heights) else 0.0
        start = i
        while stack[-1][1] > height:
            start, tall = stack.pop()
            best = max(best, tall * (i - start))
        stack.append((start, height))
    return best


#numptx export next_larger(int64[:])
# run: next_larger(array([4, 5, 2, 25, 7]))
# run: next_larger(array([3, 3, 3]))
# run: next_larger(array([], dtype=int64))
def next_larger(x):
    found = np.full(len(x), -1)
    waiting = []
    for i in range(len(x)):
        while len(waiting) != 0 and x[waiting[-1]] < x[i]:
            found[waiting.pop()] = x[i]
        waiting.append(i)
    return found, len(waiting)


#numptx export days_until_warmer(float list)
# run: days_until_warmer([20.5, 21.0, 19.0, 18.5, 22.0])
# run: days_until_warmer([])
# run: days_until_warmer([float("nan"), 1.0, 2.0])
def days_until_warmer(temperatures):
    days = [0] * len(temperatures)
    stack = []
    for day, temperature in enumerate(temperatures):
        while stack and temperatures[stack[-1]] < temperature:
            earlier = stack.pop()
            days[earlier] = day - earlier
        stack.append(day)
    return days
