"""A window of a correlation map, returned as a view that keeps the map alive."""


#numptx export window(float32[:,:], int, int)
# run: window(random((20, 30), dtype=float32), 5, 7)
# structure: launches=0 allocs=0 copies=0
# run: window(random((20, 30), dtype=float32), 0, 0)
# run: window(random((20, 30), dtype=float32), 19, 29)
# run: window(random((30, 20), dtype=float32).T, 3, 4)
# run: window(random((20, 30), dtype=float32), -3, -4)
def window(correl, ix, iy):
    return correl[iy - 1 : iy + 2, ix - 1 : ix + 2]
