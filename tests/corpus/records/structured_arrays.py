"""Structured arrays: parameters whose fields are views of the caller's memory, elements, slices, masks, and arrays made here."""

import numpy as np

Sample = np.dtype([("x", np.float64), ("n", np.int64), ("ok", np.bool_)], align=True)
Pixel = np.dtype([("r", "u1"), ("g", "u1"), ("b", np.uint8)])


#numptx export total(Sample[:])
# run: a = zeros(5, Sample); a["x"] = arange(5); a["ok"][::2] = True; total(a)
# run: total(zeros(0, Sample))
# run: a = ones(6, Sample); total(a[::-2])
def total(a):
    s = 0.0
    for i in range(len(a)):
        if a[i]["ok"]:
            s += float(a["x"][i] * a[i]["n"])
    return s, a["x"].sum(), a["n"].max(initial=-1), a.shape, a.size


#numptx export changed(Sample[:], float64[:])
# run: changed(zeros(4, Sample), arange(4.0))
# run: changed(zeros(8, Sample)[::2], arange(4.0))
# run: changed(zeros(3, Sample), ones(4))
def changed(a, x):
    a["x"] = x
    a["x"] *= 2.0
    a["n"][1:] = 7
    a[0]["n"] += 3
    r = a[-1]
    r["ok"] = True
    r["x"] = r["x"] + 0.5
    for i in range(len(a)):
        a["n"][i] += i
    return a["x"], r["n"]


#numptx export stored(Sample[:])
# run: a = zeros(4, Sample); a["x"] = arange(4); stored(a)
# run: a = zeros(9, Sample); a["n"] = arange(9); stored(a[::2])
# run: stored(zeros(2, Sample))
# layout: any
def stored(a):
    a[0] = a[-1]
    a[1] = (2.5, 3, True)
    a[1:] = a[:-1]
    b = a.copy()
    b["n"] = -1
    chosen = a[a["ok"]]
    chosen["x"] = 100.0
    return a["x"].copy(), b["n"], chosen["x"], len(chosen)


#numptx export made(int)
# run: made(5)
# run: made(0)
# run: made(1)
# layout: any
def made(n):
    a = np.zeros(n, dtype=Sample)
    for i in range(n):
        a[i] = (i * 0.5, i * i, i % 2 == 0)
    b = np.zeros_like(a)
    b["x"][:] = a["x"][::-1]
    c = np.empty((2, 3), Sample)
    c["x"] = 1.5
    c["n"] = np.arange(3)
    row = c[1]
    row["x"][0] = -1.0
    return a["x"], a["n"], b["x"], c["x"], c["n"][:, 1], c.shape


#numptx export brightness(Pixel[:,:])
# run: brightness(ones((2, 3), Pixel))
# run: p = zeros((4, 4), Pixel); p["r"] = 255; p["g"] = arange(4); brightness(p[1:, ::-1])
# run: brightness(zeros((0, 2), Pixel))
def brightness(p):
    grey = np.empty(p.shape)
    for i in range(p.shape[0]):
        for j in range(p.shape[1]):
            grey[i, j] = 0.25 * p["r"][i, j] + 0.5 * p[i, j]["g"] + 0.25 * p["b"][i, j]
    p["b"] = 0
    return grey


#numptx export one(Sample, float)
# run: a = ones(2, Sample); one(a[0], 2.0)
# run: a = zeros(1, Sample); one(a[0], 1.0)
# run: a = zeros(1, Sample); a["x"] = inf; one(a[0], -1.0)
def one(r, scale):
    return r["x"] * scale, r["n"] + 1, r["ok"]


#numptx export failing(Sample[:], int)
# run: failing(ones(3, Sample), 1)
# run: failing(ones(3, Sample), 3)
# run: failing(ones(3, Sample), -4)
def failing(a, i):
    a[i]["x"] = 5.0
    return a[i]["x"]
