"""Views bound to names: across branches and loops, swapped, rebound, chosen, returned together with what they view."""

import numpy as np


#numptx export chosen_view(float64[:,:], int)
# run: chosen_view(random((4, 5)), 1)
# run: chosen_view(random((4, 5)), 0)
# run: chosen_view(random((4, 5)), -1)
# run: chosen_view(random((5, 4)).T, -1)
def chosen_view(a, n):
    if n > 0:
        v = a[1:]
    elif n == 0:
        v = a.T
    else:
        v = a[::-1]
    v += 1.0
    return v, a


#numptx export conditional_view(float64[:], float64[:], bool)
# run: conditional_view(random(4), random(6), True)
# run: conditional_view(random(4), random(6), False)
# run: x = random(6); conditional_view(x[1:], x, True)
# run: x = random(6); conditional_view(x[1:], x, False)
def conditional_view(x, y, first):
    v = x[1:] if first else y[::-1]
    v[0] = 7.0
    w = x if first else y
    return v, w, x, y


#numptx export view_or_fresh(float64[:], bool)
# run: view_or_fresh(random(4), True)
# run: view_or_fresh(random(4), False)
def view_or_fresh(x, share):
    v = x[1:] if share else x[1:] + 0.0
    v *= 3.0
    return v, x


#numptx export swapped(float64[:], float64[:], int)
# run: swapped(random(4), random(4), 3)
# run: swapped(random(4), random(5), 4)
# run: swapped(random(4), random(5), 0)
# run: x = random(5); swapped(x[1:], x[:-1], 3)
def swapped(a, b, n):
    for k in range(n):
        a, b = b, a
        a += k
    return a, b


#numptx export swapped_views(float64[:,:], int)
# run: swapped_views(random((4, 3)), 3)
# run: swapped_views(random((3, 4)).T, 2)
def swapped_views(a, n):
    x, y = a[0], a[1]
    for k in range(n):
        x, y = y, x
        x += y
    return x, y, a


#numptx export not_a_swap(float64[:,:])
# run: not_a_swap(random((3, 4)))
# run: not_a_swap(random((4, 3)).T)
# run: not_a_swap(random((6, 4))[::-2])
def not_a_swap(a):
    a[0], a[1] = a[1], a[0]
    a[:, 0], a[:, 1], a[:, 2] = a[:, 1], a[:, 2], a[:, 0]
    return a


#numptx export elements_swap(float64[:])
# run: elements_swap(random(4))
# run: elements_swap(random(4)[::-1])
def elements_swap(x):
    x[0], x[1] = x[1], x[0]
    x[2], x[-1] = x[-1], x[2]
    return x


#numptx export rotated_names(float64[:], float64[:], float64[:], int)
# run: rotated_names(random(3), random(3), random(3), 1)
# run: rotated_names(random(3), random(4), random(5), 2)
# run: rotated_names(random(3), random(4), random(5), 5)
def rotated_names(a, b, c, n):
    while n > 0:
        a, b, c = b, c, a
        c[0] = n
        n -= 1
    return a, b, c


#numptx export chained(float64[:], float64[:])
# run: chained(random(4), random(4))
# run: chained(random(4), random(1))
# run: x = random(5); chained(x[1:], x[:-1])
def chained(x, y):
    z = x[...] = y
    z = z[::-1]
    u = v = x[1:]
    u += 1.0
    return z, u, v


#numptx export chained_stores(float64[:,:], float64[:])
# run: chained_stores(random((3, 4)), random(4))
# run: x = random((3, 4)); chained_stores(x, x[0])
def chained_stores(a, x):
    a[0] = a[1] = x[::-1]
    a[1], a[2] = b = (a[0] * 2.0, a[1])
    return a, b


#numptx export narrowed(float64[:], int)
# run: narrowed(random(20), 2)
# run: narrowed(random(20)[::-1], 3)
# run: narrowed(random(5), 10)
# run: narrowed(random(5), 0)
def narrowed(x, n):
    v = x
    for k in range(n):
        v = v[1:-1]
        v += 1.0
    return v, x


#numptx export reversed_each_time(float64[:], int)
# run: reversed_each_time(random(5), 0)
# run: reversed_each_time(random(5), 1)
# run: reversed_each_time(random(5), 4)
def reversed_each_time(x, n):
    v = x
    for k in range(n):
        v = v[::-1]
        v[0] = k
    return v, x


#numptx export turned_each_time(float64[:,:], int)
# run: turned_each_time(random((3, 3)), 1)
# run: turned_each_time(random((3, 4)), 3)
# run: turned_each_time(random((3, 4)), 0)
def turned_each_time(a, n):
    v = a
    k = 0
    while k < n:
        v = v.T
        v[0, k:] += 10.0
        k += 1
    return v


#numptx export fresh_then_view(float64[:], int)
# run: fresh_then_view(random(6), 0)
# run: fresh_then_view(random(6), 1)
# run: fresh_then_view(random(6), 3)
def fresh_then_view(x, n):
    v = x
    for k in range(n):
        w = v * 2.0
        v = w[1:]
    return v


#numptx export base_and_view(int)
# run: base_and_view(6)
# run: base_and_view(0)
def base_and_view(n):
    x = np.arange(n) * 1.0
    v = x[::2]
    v += 10.0
    return x, v, x[1::2], x


#numptx export nested_tuples(float64[:,:])
# run: nested_tuples(random((3, 4)))
# structure: launches=0 allocs=0 copies=0
def nested_tuples(a):
    first, rest = a[0], a[1:]
    return (a, (first, rest)), ((rest.T, a[:, None]),), a


def halves(x):
    n = len(x) // 2
    return x[:n], x[n:]


def itself(x):
    return x


def choose(flag, x, y):
    if flag:
        return x
    return y


def first_and_all(x):
    return x[0], x


#numptx export from_helpers(float64[:,:], bool)
# run: from_helpers(random((4, 3)), True)
# run: from_helpers(random((3, 4)).T, False)
# run: from_helpers(random((1, 4)), False)
def from_helpers(a, flag):
    low, high = halves(a)
    high[...] = 2.0
    b = itself(a)
    c = choose(flag, a[0], a[-1])
    c -= 1.0
    d, e = first_and_all(choose(flag, high, b))
    return low, high, b, c, d, e


#numptx export parameter_from_helper(float64[:], float64[:], bool)
# run: parameter_from_helper(random(3), random(4), True)
# run: parameter_from_helper(random(3), random(4), False)
def parameter_from_helper(x, y, flag):
    return itself(x), choose(flag, x, y), itself(itself(y))[1:]


#numptx export everywhere(float64[:,:,:], int, int)
# run: everywhere(random((3, 4, 5)), 0, 0)
# run: everywhere(random((3, 4, 5)), -1, 2)
# run: everywhere(random((5, 4, 3)).T, 2, -3)
# run: everywhere(random((3, 4, 5)), 3, 0)
# run: everywhere(random((3, 4, 5)), 0, -5)
def everywhere(a, i, j):
    return (
        a[None, i, None, ..., None],
        a[..., j, None, :],
        a[i, ..., j],
        a[None][..., None][0, -1, ..., i, 0],
        a[i, j, ...],
        a[i, j][..., None],
        a[:, None, j, ::-1],
        a[i, j, 0, ...],
    )


#numptx export moving_window(float64[:], int, int, int)
# run: moving_window(random(12), 0, 12, 3)
# run: moving_window(random(12), 11, 0, -4)
# run: moving_window(random(12), -1, -20, -1)
# run: moving_window(random(12)[::-1], 2, 100, 5)
# run: moving_window(random(0), 0, 4, 1)
def moving_window(x, a, b, s):
    v = x[a:b:s]
    w = v[::-1]
    w += 1.0
    u = w[len(w) // 2 :: s]
    u[...] = 0.0
    return v, w, u


#numptx export copies_do_not_share(float64[:,:])
# run: copies_do_not_share(random((3, 4)))
# run: copies_do_not_share(random((4, 3)).T)
# run: copies_do_not_share(random((3, 8))[:, ::2])
def copies_do_not_share(a):
    b = a.copy()
    c = np.copy(a)
    d = np.array(a)
    e = a + 0.0
    f = a.flatten()
    for v in (b, c, d, e):
        v[0, 0] = 9.0
    f[0] = 8.0
    return a, b, c, d, e, f


#numptx export observable_order(float64[:,:])
# run: observable_order(random((3, 4)))
# run: observable_order(random((4, 3)).T)
# run: observable_order(random((3, 8))[:, ::2])
# run: observable_order(random((1, 4)))
def observable_order(x):
    y = x.T + 1
    z = y.reshape(-1)
    z[0] = 5
    u = x + 1
    v = u.reshape(-1)
    v[0] = 5
    return y, z, u, v


#numptx export shared_reshapes(float64[:,:,:])
# run: shared_reshapes(random((2, 3, 4)))
# run: shared_reshapes(random((4, 3, 2)).T)
# run: shared_reshapes(random((2, 6, 4))[:, ::2])
# run: shared_reshapes(random((2, 3, 8))[..., ::2])
# run: shared_reshapes(random((2, 3, 1)))
# run: shared_reshapes(random((1, 3, 4)))
# run: shared_reshapes(random((2, 1, 4)).transpose(2, 1, 0))
# run: shared_reshapes(random((4, 3, 4))[::-2, ::-1])
def shared_reshapes(a):
    n, m, k = a.shape
    b = a.reshape(n * m, k)
    c = a.reshape(n, m * k)
    d = a.reshape(n, 1, m, 1, k)
    e = a[:, :, 0].reshape(m * n, 1)
    f = a[0].T.reshape(-1)
    for v in (b, c, e):
        v[0] = 3.0
    d[0] = 4.0
    f[0] = 6.0
    return a, b, c, d, e, f


#numptx export from_branches_in_loops(float64[:,:], int)
# run: from_branches_in_loops(random((4, 5)), 4)
# run: from_branches_in_loops(random((5, 4)).T, 4)
# run: from_branches_in_loops(random((4, 5)), 0)
def from_branches_in_loops(a, n):
    v = a[0]
    for k in range(n):
        if k % 2 == 0:
            w = a[k]
        else:
            w = v[::-1]
        w += k
        if k == 2:
            continue
        v = w
    return v, a


#numptx export tuples_of_views(float64[:], bool)
# run: tuples_of_views(random(6), True)
# run: tuples_of_views(random(6), False)
def tuples_of_views(x, flag):
    pair = (x[:3], x[3:])
    if flag:
        pair = (pair[1], pair[0])
    pair[0][0] = -1.0
    return pair, pair[1], x


#numptx export of_rank_0(int64[:,:], int, int)
# run: of_rank_0(arange(12).reshape(3, 4), 1, 1)
# run: of_rank_0(arange(12).reshape(3, 4), 3, 0)
# run: of_rank_0(arange(12).reshape(3, 4)[::-1, ::2], 2, 2)
def of_rank_0(x, k, n):
    t = x[-1, 1, ...][...][None].squeeze(0)
    u = t
    for _ in range(n):
        u = x[0, 0, ...][np.newaxis][0, ...]
    while n > 0:
        n -= 1
        t = u[None].squeeze(0)
    if k > 1:
        return t[...], np.multiply(x, t), u
    return t, x, u
