"""Maxwell's equations in two dimensions by finite differences in time: two electric fields and a magnetic one."""


#numptx export fdtd_2d(float64[:,:], float64[:,:], float64[:,:], float64[:])
# run: fdtd_2d(random((4, 5)), random((4, 5)), random((4, 5)), random(2))
# run: fdtd_2d(random((11, 7)), random((11, 7)), random((11, 7)), random(3))
# run: fdtd_2d(random((30, 40)), random((30, 40)), random((30, 40)), random(5))
# large: fdtd_2d(random((400, 500)), random((400, 500)), random((400, 500)), random(4))
def fdtd_2d(ex, ey, hz, source):
    nx, ny = hz.shape
    for t in range(source.size):
        for j in range(ny):
            ey[0, j] = source[t]
        for i in range(1, nx):
            for j in range(ny):
                ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(nx):
            for j in range(1, ny):
                ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(nx - 1):
            for j in range(ny - 1):
                hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


#numptx export fdtd_2d_fields(float64[:,:], float64[:,:], float64[:,:], float64[:])
# run: fdtd_2d_fields(random((4, 5)), random((4, 5)), random((4, 5)), random(2))
# structure: launches=8 allocs=0 copies=0
# run: fdtd_2d_fields(random((11, 7)), random((11, 7)), random((11, 7)), random(3))
# run: fdtd_2d_fields(random((60, 80)), random((60, 80)), random((60, 80)), random(5))
# run: fdtd_2d_fields(random((60, 80))[::-2], random((60, 80))[::2], random((80, 30)).T, random(5))
# large: fdtd_2d_fields(random((1500, 1400)), random((1500, 1400)), random((1500, 1400)), random(20))
# bench: fdtd_2d_fields(random((1000, 1200)), random((1000, 1200)), random((1000, 1200)), random(60))
def fdtd_2d_fields(ex, ey, hz, source):
    for t in range(source.size):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
