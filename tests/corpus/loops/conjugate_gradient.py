"""The conjugate gradient method: steps until the residual is small."""

import numpy as np

# tolerance: 1e-9


#numptx export conjugate_gradient(float64[:,:], float64[:], float, int)
# run: m = random((4, 4)); conjugate_gradient(m @ m.T + 4 * eye(4), random(4), 1e-9, 100)
# run: m = random((17, 17)); conjugate_gradient(m @ m.T + 17 * eye(17), random(17), 1e-9, 100)
# structure: launches<=3
# run: m = random((120, 120)); conjugate_gradient(m @ m.T + 120 * eye(120), random(120), 1e-9, 200)
# run: conjugate_gradient(eye(3), zeros(3), 1e-9, 10)
# large: m = random((1500, 1500)); conjugate_gradient(m @ m.T + 1500 * eye(1500), random(1500), 1e-9, 100)
def conjugate_gradient(a, b, tolerance, limit):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rho = r @ r
    steps = 0
    while np.sqrt(rho) > tolerance and steps < limit:
        q = a @ p
        alpha = rho / (p @ q)
        x += alpha * p
        r -= alpha * q
        before = rho
        rho = r @ r
        p = r + (rho / before) * p
        steps += 1
    return x, steps


#numptx export poisson(float64[:,:], float)
# run: poisson(random((4, 5)), 1e-8)
# run: poisson(random((11, 13)), 1e-8)
# structure: launches<=1
# run: poisson(random((40, 36)), 1e-8)
# large: poisson(random((300, 280)), 1e-8)
# bench: poisson(random((1024, 1024)), 1e-3)
def poisson(b, tolerance):
    x = np.zeros_like(b)
    r = b.copy()
    p = b.copy()
    q = np.zeros_like(b)
    rho = np.sum(r * r)
    while rho > tolerance * tolerance:
        q[:] = 4.0 * p
        q[1:, :] -= p[:-1, :]
        q[:-1, :] -= p[1:, :]
        q[:, 1:] -= p[:, :-1]
        q[:, :-1] -= p[:, 1:]
        alpha = rho / np.sum(p * q)
        x += alpha * p
        r -= alpha * q
        after = np.sum(r * r)
        p *= after / rho
        p += r
        rho = after
    return x


#numptx export conjugate_gradient_elements(float64[:,:], float64[:], float)
# run: m = random((4, 4)); conjugate_gradient_elements(m @ m.T + 4 * eye(4), random(4), 1e-8)
# run: m = random((17, 17)); conjugate_gradient_elements(m @ m.T + 17 * eye(17), random(17), 1e-8)
# structure: launches<=1
# run: m = random((40, 40)); conjugate_gradient_elements(m @ m.T + 40 * eye(40), random(40), 1e-8)
# large: m = random((400, 400)); conjugate_gradient_elements(m @ m.T + 400 * eye(400), random(400), 1e-8)
def conjugate_gradient_elements(a, b, tolerance):
    n = b.size
    x = np.zeros(n)
    q = np.zeros(n)
    r = b.copy()
    p = b.copy()
    rho = 0.0
    for i in range(n):
        rho += r[i] * r[i]
    for _ in range(10 * n):
        if rho <= tolerance**2:
            break
        curvature = 0.0
        for i in range(n):
            q[i] = 0.0
            for j in range(n):
                q[i] += a[i, j] * p[j]
            curvature += p[i] * q[i]
        alpha = rho / curvature
        after = 0.0
        for i in range(n):
            x[i] += alpha * p[i]
            r[i] -= alpha * q[i]
            after += r[i] * r[i]
        for i in range(n):
            p[i] = r[i] + after / rho * p[i]
        rho = after
    return x


#numptx export steps_counted(float64[:], float64)
# run: steps_counted(random(300), 1e-3)
# structure: launches<=3
# run: steps_counted(zeros(300), 1e-3)
# run: steps_counted(random(0), 1e-3)
def steps_counted(x, least):
    """What counts steps does not get too large, and needs no check."""
    n, rises = 0, 100
    change = 1.0
    while change > least and n < 1000:
        x *= 0.75
        after = np.sum(x * x)
        if after < 0.5 * change:
            rises -= 2
        else:
            rises += 1
        change = after
        n += 1
    return n, rises


#numptx export far(int, float64[:])
# run: far(2**63 - 20, random(3))
# run: far(0, random(3))
# run: far(-2**63, random(3))
def far(n, x):
    """A count that starts near the end of what an int may be."""
    while np.sum(x) > 0.01:
        x *= 0.5
        n += 1
    return n


#numptx export doubled(int, float64[:])
# run: doubled(3, random(3) + 1)
# run: doubled(0, random(3))
def doubled(n, x):
    """What doubles may get too large."""
    while np.sum(x) > 0.01:
        x *= 0.5
        n += n
    return n


# What is iterated on is an argument, and the sums are carried.
#numptx export improved(float64[:,:], float64[:], float64[:], int)
# run: m = random((17, 17)); improved(m @ m.T + 17 * eye(17), random(17), zeros(17), 100)
# structure: launches==6 copies=0
# run: m = random((150, 150)); improved(m @ m.T + 150 * eye(150), random(150), zeros(150), 100)
# run: improved(eye(3), zeros(3), zeros(3), 10)
# run: improved(eye(3), ones(3), ones(2), 10)
# run: improved(ones((3, 1)), ones(3), ones(1), 2)
def improved(a, b, x, limit):
    r = b - a @ x
    p = r.copy()
    rho = np.dot(r, r)
    steps = 0
    while rho > 1e-18 and steps < limit:
        q = a @ p
        alpha = rho / np.dot(p, q)
        x += alpha * p
        r -= alpha * q
        new = np.dot(r, r)
        p = r + (new / rho) * p
        rho = new
        steps += 1
    return steps
