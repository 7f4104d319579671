"""Arrays and lists that a `try` makes, takes and hands on."""

import numpy as np


#numptx export filled(float64[:], str list)
# run: filled(array([1.0, 2.0]), ["3", "4"])
# run: filled(array([1.0, 2.0]), ["3", "x"])
# run: filled(array([1.0, 2.0]), ["3", "4", "5"])
def filled(x, words):
    y = np.zeros(len(x))
    try:
        for k, word in enumerate(words):
            y[k] = float(word)
        z = y + x
    except IndexError:
        z = y
    except ValueError:
        z = x * 2.0
    return z


#numptx export moved(int list list, int)
# run: moved([[1], [2, 3]], 1)
# run: moved([[1], [2, 3]], 2)
# run: moved([], 0)
def moved(xs, k):
    kept = [k]
    try:
        taken = xs[k]
        both = taken + kept
        kept.append(len(both))
        xs.append(both)
        xs.append(xs[k + 1])
    except IndexError:
        kept.append(-1)
        return kept, xs
    return taken, xs


#numptx export means(float64[:] list, int)
# run: means([array([1.0, 2.0]), array([4.0])], 1)
# run: means([array([1.0, 2.0])], 1)
# run: means([], 0)
def means(xs, k):
    try:
        chosen = xs[k]
        if len(chosen) == 0:
            raise ValueError("nothing")
        return chosen.sum() / len(chosen)
    except IndexError:
        return np.float64(-1.0)
    except ValueError as e:
        print(e)
        return np.float64(-2.0)
    finally:
        print(len(xs))
