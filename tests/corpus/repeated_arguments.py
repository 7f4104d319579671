# The memory order of results where an argument itself repeats elements: what is computed from it on the way is a fresh array, which has a
# stride also where the argument has none, and so a say.
import numpy as np


#numptx export halved(float64[:, :], float64[:, :])
# run: halved(broadcast_to(arange(2.0), (5, 2)), arange(10.0).reshape(2, 5).T)
# structure: launches=1 allocs=1
# run: halved(broadcast_to(arange(5.0)[:, None], (5, 2)), arange(10.0).reshape(2, 5).T)
# run: halved(broadcast_to(arange(2.0), (5, 2)), arange(10.0).reshape(5, 2))
# run: halved(arange(10.0).reshape(2, 5).T, broadcast_to(arange(2.0), (5, 2)))
# run: halved(broadcast_to(arange(1.0), (5, 2)), arange(10.0).reshape(2, 5).T)
# run: halved(arange(10.0).reshape(2, 5).T, arange(10.0).reshape(2, 5).T)
# run: halved(broadcast_to(arange(2.0), (1, 2)), arange(10.0).reshape(2, 5).T)
# run: halved(broadcast_to(arange(5.0)[:, None], (5, 1)), arange(10.0).reshape(2, 5).T)
# run: halved(broadcast_to(arange(5.0)[:, None], (5, 2)), arange(2.0)[None])
# run: halved(broadcast_to(1.0, (5, 2)), broadcast_to(arange(2.0), (5, 2)))
# run: halved(zeros((0, 2)), broadcast_to(arange(2.0), (1, 2)))
def halved(x, y):
    return x * 0.5 - y[:, ::-1]


#numptx export mixed(int64[:, :])
# run: mixed(broadcast_to(arange(3), (3, 3)))
# run: mixed(broadcast_to(arange(3)[:, None], (3, 3)))
# run: mixed(arange(9).reshape(3, 3).T)
# run: mixed(broadcast_to(7, (3, 3)))
# run: mixed(broadcast_to(arange(3), (1, 3)).T)
def mixed(x):
    return (~x) | x.astype(np.int16), x.astype(np.int16) | (~x)


#numptx export columns(float64[:], float64[:, :])
# run: columns(broadcast_to(1.0, (3,)), arange(12.0).reshape(4, 3).T)
# run: columns(arange(3.0), arange(12.0).reshape(4, 3).T)
# run: columns(arange(3.0), broadcast_to(arange(4.0), (3, 4)))
# run: columns(broadcast_to(1.0, (3,)), broadcast_to(arange(4.0), (3, 4)))
# run: columns(arange(1.0), arange(12.0).reshape(4, 3).T)
def columns(v, y):
    outer = (v + 1.0)[:, None] * 2.0
    return outer - y, (outer + y[:, :1]) - y, ((v + 1.0)[:, None] + y[:1] * 2.0) - y


#numptx export cubes(float64[:, :, :], float64[:, :, :])
# run: cubes(broadcast_to(arange(6.0).reshape(2, 3), (4, 2, 3)), arange(24.0).reshape(3, 2, 4).T)
# run: cubes(broadcast_to(arange(8.0).reshape(4, 2, 1), (4, 2, 3)), arange(24.0).reshape(3, 2, 4).T)
# run: cubes(broadcast_to(arange(12.0).reshape(4, 1, 3), (4, 2, 3)), arange(24.0).reshape(3, 2, 4).T)
# run: cubes(broadcast_to(arange(3.0), (4, 2, 3)), arange(24.0).reshape(3, 2, 4).T)
# run: cubes(broadcast_to(arange(3.0), (1, 2, 3)), arange(24.0).reshape(3, 2, 4).T)
# run: cubes(arange(24.0).reshape(3, 2, 4).T, broadcast_to(arange(3.0), (1, 1, 3)))
# run: cubes(arange(24.0).reshape(4, 2, 3), arange(24.0).reshape(3, 2, 4).T)
def cubes(x, y):
    negative = -x
    return negative * 2.0 - y, (negative[1:] + 1.0) * y[:1], np.logical_not(x[:, -1:]) - y[:, :, :1]


#numptx export layers(float64[:, :], float64[:, :])
# run: layers(broadcast_to(arange(2.0), (5, 2)), arange(10.0).reshape(2, 5).T)
# run: layers(arange(10.0).reshape(2, 5).T, broadcast_to(arange(2.0), (5, 2)))
# run: layers(arange(10.0).reshape(2, 5).T, broadcast_to(arange(5.0)[:, None], (5, 2)))
# run: layers(broadcast_to(arange(2.0), (1, 2)), arange(10.0).reshape(2, 5).T)
# run: layers(broadcast_to(arange(5.0)[:, None], (5, 1)), arange(10.0).reshape(2, 5).T)
# run: layers(arange(5.0)[:, None], arange(2.0)[None])
def layers(x, y):
    inner = x * 0.5 + 1.0
    outer = inner - y[::-1]
    stack = outer[None] + y
    wide = (inner[:, :1] * 3.0 + 1.0) * y
    return outer, stack, wide, np.exp(inner[1:] - y[:1]) + (x[1:] + y[1:])


#numptx export carried(float64[:, :], float64[:, :], int)
# run: carried(broadcast_to(arange(2.0), (5, 2)), arange(10.0).reshape(2, 5).T, 0)
# run: carried(broadcast_to(arange(2.0), (5, 2)), arange(10.0).reshape(2, 5).T, 2)
# run: carried(arange(10.0).reshape(2, 5).T, broadcast_to(arange(2.0), (5, 2)), 1)
# run: carried(arange(10.0).reshape(2, 5).T, broadcast_to(arange(5.0)[:, None], (5, 2)), 3)
def carried(x, y, n):
    for _ in range(n):
        x, y = y, x
    chosen = x if n > 1 else y
    return (x * 0.5) - y, (chosen + 1.0) * x, y - (chosen * 2.0)
