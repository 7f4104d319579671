"""The products of a matrix and of its transpose with vectors, added to others."""


#numptx export mvt(float64[:], float64[:], float64[:], float64[:], float64[:,:])
# run: n = 4; mvt(random(n), random(n), random(n), random(n), random((n, n)))
# run: n = 13; mvt(random(n), random(n), random(n), random(n), random((n, n)))
# run: n = 70; mvt(random(n), random(n), random(n), random(n), random((n, n)))
# run: n = 7; x = random(n); mvt(x, random(n), x, x[::-1], random((n, n)))
# large: n = 1500; mvt(random(n), random(n), random(n), random(n), random((n, n)))
def mvt(x1, x2, y1, y2, a):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            x1[i] = x1[i] + a[i, j] * y1[j]
    for i in range(n):
        for j in range(n):
            x2[i] = x2[i] + a[j, i] * y2[j]


#numptx export mvt_products(float64[:], float64[:], float64[:], float64[:], float64[:,:])
# run: n = 4; mvt_products(random(n), random(n), random(n), random(n), random((n, n)))
# run: n = 13; mvt_products(random(n), random(n), random(n), random(n), random((n, n)))
# run: n = 150; mvt_products(random(n), random(n), random(n), random(n), random((n, n)))
# large: n = 4000; mvt_products(random(n), random(n), random(n), random(n), random((n, n)))
def mvt_products(x1, x2, y1, y2, a):
    x1 += a @ y1
    x2 += y2 @ a
