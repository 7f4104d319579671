"""Gauss-Seidel's method with a nine-point stencil: each element sees those before it as they are now."""


#numptx export seidel_2d(int, float64[:,:])
# run: seidel_2d(1, random((40, 44)))
# structure: launches==1
# run: seidel_2d(2, random((4, 5)))
# run: seidel_2d(3, random((11, 9)))
# run: seidel_2d(3, random((40, 44)))
# run: seidel_2d(3, random((1, 2)))
# large: seidel_2d(5, random((300, 320)))
def seidel_2d(steps, a):
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = (
                    a[i - 1, j - 1]
                    + a[i - 1, j]
                    + a[i - 1, j + 1]
                    + a[i, j - 1]
                    + a[i, j]
                    + a[i, j + 1]
                    + a[i + 1, j - 1]
                    + a[i + 1, j]
                    + a[i + 1, j + 1]
                ) / 9.0


#numptx export seidel_2d_rows(int, float64[:,:])
# run: seidel_2d_rows(2, random((4, 5)))
# run: seidel_2d_rows(3, random((11, 9)))
# run: seidel_2d_rows(3, random((40, 44)))
# large: seidel_2d_rows(20, random((300, 320)))
# bench: seidel_2d_rows(8, random((100, 100)))
def seidel_2d_rows(steps, a):
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            a[i, 1:-1] += a[i - 1, :-2] + a[i - 1, 1:-1] + a[i - 1, 2:] + a[i, 2:] + a[i + 1, :-2] + a[i + 1, 1:-1] + a[i + 1, 2:]
            for j in range(1, m - 1):
                a[i, j] = (a[i, j] + a[i, j - 1]) / 9.0
