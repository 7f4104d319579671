"""Triangular systems: iterations that each sum up what all iterations before them stored, which one launch solves by tiles of 64 rows."""

import numpy as np


#numptx export forward(float64[:,:], float64[:], float64[:])
# run: forward(random((100, 100)) + 100 * eye(100), zeros(100), random(100))
# structure: launches==1 allocs=0 copies=0
# run: forward(zeros((0, 0)), zeros(0), zeros(0))
# run: forward(eye(1) * 3, zeros(1), random(1))
# run: forward(eye(1) * 0, zeros(1), random(1))
# run: forward(random((2, 2)) + 2 * eye(2), zeros(2), random(2))
# run: forward(random((63, 63)) + 63 * eye(63), zeros(63), random(63))
# run: forward(random((64, 64)) + 64 * eye(64), zeros(64), random(64))
# run: forward(random((65, 65)) + 65 * eye(65), zeros(65), random(65))
# run: forward(random((127, 127)) + 127 * eye(127), zeros(127), random(127))
# run: forward(random((128, 128)) + 128 * eye(128), zeros(128), random(128))
# run: forward(random((129, 129)) + 129 * eye(129), zeros(129), random(129))
# run: forward(random((200, 200)) + 200 * eye(200), zeros(200), random(200))
# run: forward(random((1500, 1500)) + 1500 * eye(1500), zeros(1500), random(1500))
# run: forward(random((300, 310)) + 300 * eye(300, 310), zeros(300), random(303))
# run: forward((random((150, 150)) + 150 * eye(150))[::-1, ::-1], zeros(150)[::-1], random(150)[::-1])
# run: forward((random((300, 300)) + 300 * eye(300))[::2, ::2], zeros(300)[::2], random(300)[::2])
# run: forward((random((150, 150)) + 150 * eye(150)).T, zeros(150), random(150))
# run: forward(where(random((80, 80)) < 0.01, nan, random((80, 80))), zeros(80), random(80))
# run: forward(where(random((80, 80)) < 0.01, inf, -0.0), zeros(80), random(80))
# run: x = random(150); forward(random((150, 150)) + 150 * eye(150), x, x)
# run: x = random(151); forward(random((150, 150)) + 150 * eye(150), x[1:], x[:-1])
# run: x = random((101, 100)) + 100 * eye(101, 100); forward(x[1:], x[0], random(100))
# run: forward(random((99, 100)), zeros(100), random(100))
# run: forward(random((100, 99)) + 100 * eye(100, 99), zeros(100), random(100))
# run: forward(random((100, 50)) + 100 * eye(100, 50), zeros(100), random(100))
# run: forward(random((100, 100)), zeros(100), random(99))
# Rows whose value is 0 because everything cancels, is next to nothing, or is too large for a float64.
# run: forward(ones((300, 300)), zeros(300), ones(300))
# run: forward(2.0 * ones((130, 130)), zeros(130), ones(130) + 1e-13 * (arange(130) % 3 == 1))
# run: forward(1e-300 * ones((130, 130)), zeros(130), 1e10 * (arange(130) % 7 == 6))
# run: forward(1e-150 * eye(130), zeros(130), 1e170 * random(130))
# run: forward(1e200 * eye(130), zeros(130), 1e-120 * random(130))
# bench: forward(random((4000, 4000)) + 4000 * eye(4000), zeros(4000), random(4000))
def forward(lower, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]


#numptx export backward(float64[:,:], float64[:], float64[:])
# run: backward(random((100, 100)) + 100 * eye(100), zeros(100), random(100))
# structure: launches==1 allocs=0 copies=0
# run: backward(zeros((0, 0)), zeros(0), zeros(0))
# run: backward(eye(1) * 3, zeros(1), random(1))
# run: backward(random((64, 64)) + 64 * eye(64), zeros(64), random(64))
# run: backward(random((65, 65)) + 65 * eye(65), zeros(65), random(65))
# run: backward(random((200, 200)) + 200 * eye(200), zeros(200), random(200))
# run: backward((random((150, 150)) + 150 * eye(150))[::-1, ::-1], zeros(150)[::-1], random(150)[::-1])
# run: x = random(150); backward(random((150, 150)) + 150 * eye(150), x, x)
# run: x = random(151); backward(random((150, 150)) + 150 * eye(150), x[:-1], x[1:])
# run: backward(random((100, 101)), zeros(100), random(100))
# run: backward(random((101, 100)), zeros(100), random(101))
# run: backward(random((100, 99)) + 100 * eye(100, 99), zeros(100), random(100))
def backward(upper, x, y):
    for i in range(x.shape[0] - 1, -1, -1):
        x[i] = (y[i] - upper[i, i + 1:] @ x[i + 1:]) / upper[i, i]
