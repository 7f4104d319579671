"""The heat equation in three dimensions: two fields that take turns."""


#numptx export heat_3d(int, float64[:,:,:], float64[:,:,:])
# run: heat_3d(1, random((4, 4, 5)), random((4, 4, 5)))
# run: heat_3d(3, random((7, 5, 6)), random((7, 5, 6)))
# run: heat_3d(2, random((16, 14, 18)), random((16, 14, 18)))
# run: heat_3d(2, random((2, 2, 2)), random((2, 2, 2)))
# large: heat_3d(3, random((50, 60, 55)), random((50, 60, 55)))
def heat_3d(steps, a, b):
    nx, ny, nz = a.shape
    for _ in range(steps):
        for i in range(1, nx - 1):
            for j in range(1, ny - 1):
                for k in range(1, nz - 1):
                    b[i, j, k] = (
                        0.125 * (a[i + 1, j, k] - 2.0 * a[i, j, k] + a[i - 1, j, k])
                        + 0.125 * (a[i, j + 1, k] - 2.0 * a[i, j, k] + a[i, j - 1, k])
                        + 0.125 * (a[i, j, k + 1] - 2.0 * a[i, j, k] + a[i, j, k - 1])
                        + a[i, j, k]
                    )
        for i in range(1, nx - 1):
            for j in range(1, ny - 1):
                for k in range(1, nz - 1):
                    a[i, j, k] = (
                        0.125 * (b[i + 1, j, k] - 2.0 * b[i, j, k] + b[i - 1, j, k])
                        + 0.125 * (b[i, j + 1, k] - 2.0 * b[i, j, k] + b[i, j - 1, k])
                        + 0.125 * (b[i, j, k + 1] - 2.0 * b[i, j, k] + b[i, j, k - 1])
                        + b[i, j, k]
                    )


def laplacian(a):
    middle = a[1:-1, 1:-1, 1:-1]
    x = a[2:, 1:-1, 1:-1] - 2.0 * middle + a[:-2, 1:-1, 1:-1]
    y = a[1:-1, 2:, 1:-1] - 2.0 * middle + a[1:-1, :-2, 1:-1]
    z = a[1:-1, 1:-1, 2:] - 2.0 * middle + a[1:-1, 1:-1, :-2]
    return x + y + z


#numptx export heat_3d_fields(int, float64[:,:,:], float64[:,:,:])
# run: heat_3d_fields(1, random((4, 4, 5)), random((4, 4, 5)))
# structure: launches=2 allocs=0 copies=0
# run: heat_3d_fields(3, random((7, 5, 6)), random((7, 5, 6)))
# run: heat_3d_fields(5, random((20, 24, 28)), random((20, 24, 28)))
# large: heat_3d_fields(20, random((150, 130, 140)), random((150, 130, 140)))
# bench: heat_3d_fields(25, random((40, 40, 40)), random((40, 40, 40)))
def heat_3d_fields(steps, a, b):
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = a[1:-1, 1:-1, 1:-1] + 0.125 * laplacian(a)
        a[1:-1, 1:-1, 1:-1] = b[1:-1, 1:-1, 1:-1] + 0.125 * laplacian(b)
