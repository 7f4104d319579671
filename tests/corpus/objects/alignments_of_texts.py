"""Two texts compared: common subsequences, edit distances, alignments with gaps."""

import numpy as np


#numptx export common_subsequence(str, str)
# run: common_subsequence("abcbdab", "bdcaba")
# run: common_subsequence("", "x")
# run: common_subsequence("straße", "strasse")
def common_subsequence(a, b):
    best = {}
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                best[i, j] = 0
            elif a[i - 1] == b[j - 1]:
                best[i, j] = best[i - 1, j - 1] + 1
            else:
                best[i, j] = max(best[i - 1, j], best[i, j - 1])
    text = ""
    i, j = len(a), len(b)
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            text = a[i - 1] + text
            i, j = i - 1, j - 1
        elif best[i - 1, j] >= best[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return text, best[len(a), len(b)]


#numptx export edit_distance(str, str)
# run: edit_distance("kitten", "sitting")
# run: edit_distance("", "")
# run: edit_distance("né", "ne")
def edit_distance(a, b):
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            cost = 0 if x == y else 1
            current.append(min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost))
        previous = current
    return previous[-1]


#numptx export aligned(str, str, float)
# run: aligned("GATTACA", "GCATGCU", -1.0)
# run: aligned("A", "", -2.0)
# run: aligned("AA", "AA", float("-inf"))
def aligned(a, b, gap):
    score = np.zeros((len(a) + 1, len(b) + 1))
    for i in range(len(a)):
        score[i + 1, 0] = score[i, 0] + gap
    for j in range(len(b)):
        score[0, j + 1] = score[0, j] + gap
    for i in range(len(a)):
        for j in range(len(b)):
            match = score[i, j] + (1.0 if a[i] == b[j] else -1.0)
            score[i + 1, j + 1] = max(match, score[i, j + 1] + gap, score[i + 1, j] + gap)
    top, bottom = [], []
    i, j = len(a), len(b)
    while i > 0 or j > 0:
        if i > 0 and j > 0 and score[i, j] == score[i - 1, j - 1] + (1.0 if a[i - 1] == b[j - 1] else -1.0):
            i -= 1
            j -= 1
            top.append(a[i])
            bottom.append(b[j])
        elif i > 0 and (j == 0 or score[i, j] == score[i - 1, j] + gap):
            i -= 1
            top.append(a[i])
            bottom.append("-")
        else:
            j -= 1
            top.append("-")
            bottom.append(b[j])
    top.reverse()
    bottom.reverse()
    return "".join(top), "".join(bottom), float(score[-1, -1])
