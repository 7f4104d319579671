"""Jacobi's method with a five-point stencil: two fields that take turns."""


#numptx export jacobi_2d(int, float64[:,:], float64[:,:])
# run: jacobi_2d(10, random((40, 30)), random((40, 30)))
# structure: launches=20 allocs=0 copies=0
# run: jacobi_2d(0, random((4, 4)), random((4, 4)))
# run: jacobi_2d(3, random((2, 2)), random((2, 2)))
# bench: jacobi_2d(100, random((4096, 4096)), random((4096, 4096)))
def jacobi_2d(steps, a, b):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
