"""Where temporaries lie: in the memory of those that end, once for all iterations, and in turns."""

import numpy as np


#numptx export heat(int, float64[:])
# run: heat(9, random(50))
# structure: launches==2 allocs=4 copies=0
# run: heat(0, random(50))
# structure: allocs=0
# run: heat(40, random(50))
# structure: launches==2 allocs=4
# run: heat(4, random(100)[::2])
# run: heat(5, random(2))
# run: heat(5, random(0))
def heat(steps, u):
    for _ in range(steps):
        u = u + 0.1 * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
    return u


#numptx export ping_pong(int, float64[:,:], float64[:,:])
# run: ping_pong(10, random((20, 30)), random((20, 30)))
# structure: launches=10 allocs=2 copies=0
# run: ping_pong(3, random((20, 30)), random((30, 20)).T)
# run: x = random((20, 30)); ping_pong(3, x, x)
# run: ping_pong(0, random((3, 4)), random((3, 4)))
def ping_pong(steps, u, v):
    for _ in range(steps):
        w = 2.0 * u[::-1] - v
        u, v = w, u
    return u, v


#numptx export decay(int, float64[:,:])
# run: decay(10, random((20, 30)))
# structure: launches=10 allocs=1 copies=0
# run: decay(10, random((30, 20)).T)
# structure: allocs=1
# run: decay(3, random((4, 0)))
# run: decay(0, random((4, 4)))
def decay(steps, u):
    for _ in range(steps):
        u = u * 0.5 + 1.0
    return u


#numptx export temporaries(int, float64[:,:])
# run: temporaries(10, random((20, 30)))
# structure: allocs=1 copies=0
# run: temporaries(0, random((20, 30)))
# run: temporaries(4, random((30, 20)).T)
# structure: allocs=1
def temporaries(steps, u):
    for _ in range(steps):
        un = u.copy()
        u[1:-1, 1:-1] = 0.25 * (un[:-2, 1:-1] + un[2:, 1:-1] + un[1:-1, :-2] + un[1:-1, 2:])


#numptx export until(float64, float64[:])
# run: until(1e-3, random(40))
# structure: allocs=4 copies=0
# run: until(1e9, random(40))
def until(tolerance, u):
    change = 2.0 * tolerance
    n = 0
    while change > tolerance and n < 200:
        v = u.copy()
        v[1:-1] = 0.5 * (u[2:] + u[:-2])
        change = np.abs(v - u).max()
        u = v
        n += 1
    return u, n


#numptx export chain(float64[:,:])
# run: chain(random((8, 8)))
# structure: allocs==1 copies=0 peak=512
# run: chain(random((8, 4)).T)
# structure: allocs==1 peak=256
def chain(a):
    b = a + a[::-1]
    b[0] = 0.0
    c = 2.0 * b
    c[1:] = 1.0
    d = c - 3.0
    d[:, 0] = 4.0
    e = d * d
    e[:, 1] = 5.0
    return e


#numptx export stages(float64[:])
# run: stages(random(100))
# structure: allocs=2 peak=1600
def stages(a):
    b = a[::-1] + 1.0
    c = np.roll(b, 1) * 2.0
    d = np.roll(c, 2) * 3.0
    e = np.roll(d, 3) * 4.0
    f = np.roll(e, 4) * 5.0
    return f


#numptx export steps_of_stages(int, float64[:])
# run: steps_of_stages(3, random(100))
# structure: allocs=3 peak=2400
# run: steps_of_stages(20, random(100))
# structure: allocs=3 peak=2400
def steps_of_stages(steps, a):
    for _ in range(steps):
        b = a[::-1] + 1.0
        c = b[::-1] * b
        c[0] = 1.0
        d = c[::-1] - c
        d[0] = 2.0
        e = d[::-1] * d
        e[0] = 3.0
        a[:] = e[::-1] * e
    return a


#numptx export totals(float64[:,:])
# run: totals(random((50, 40)))
# structure: peak=1360
def totals(a):
    b = a - a.mean(axis=0)
    c = b / b.std(axis=0)
    d = c - c.max(axis=0)
    return d.sum(axis=1)


#numptx export kept(int, float64[:])
# run: kept(3, random(6))
# run: kept(0, random(6))
def kept(steps, u):
    first = u
    last = u
    for _ in range(steps):
        last = u
        u = u[::-1] + 1.0
        first = u[1:]
    return first, last, u


#numptx export checked(int, int, float64[:])
# run: checked(3, 2, random(6))
# run: checked(0, -9, random(6))
# run: checked(2, -9, random(6))
# run: checked(2, 6, random(6))
def checked(steps, k, u):
    for _ in range(steps):
        t = u[k] * u[::-1]
        u[:] = t
    return u
