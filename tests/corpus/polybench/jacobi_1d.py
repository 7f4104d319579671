"""Jacobi's method in one dimension: two vectors that take turns."""


#numptx export jacobi_1d(int, float64[:], float64[:])
# run: jacobi_1d(2, random(5), random(5))
# run: jacobi_1d(7, random(31), random(31))
# run: jacobi_1d(10, random(500), random(500))
# run: jacobi_1d(3, random(2), random(2))
# large: jacobi_1d(20, random(50000), random(50000))
def jacobi_1d(steps, a, b):
    n = a.size
    for _ in range(steps):
        for i in range(1, n - 1):
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0
        for i in range(1, n - 1):
            a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3.0


#numptx export jacobi_1d_vectors(int, float32[:], float32[:])
# run: jacobi_1d_vectors(2, random(5, dtype=float32), random(5, dtype=float32))
# structure: launches=4 allocs=0 copies=0
# run: jacobi_1d_vectors(7, random(31, dtype=float32), random(31, dtype=float32))
# run: jacobi_1d_vectors(20, random(5000, dtype=float32), random(5000, dtype=float32))
# large: jacobi_1d_vectors(100, random(300000, dtype=float32), random(300000, dtype=float32))
# bench: jacobi_1d_vectors(800, random(3200, dtype=float32), random(3200, dtype=float32))
def jacobi_1d_vectors(steps, a, b):
    for _ in range(steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
