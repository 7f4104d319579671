"""a * x + y: the smallest kernel."""


#numptx export saxpy(float32, float32[:], float32[:])
# run: saxpy(2.0, arange(1000, dtype=float32), ones(1000, dtype=float32))
# structure: launches=1 allocs=1 copies=0
# run: saxpy(2.0, random(64, dtype=float32)[::2], random(32, dtype=float32)[::-1])
# run: saxpy(2.0, random(0, dtype=float32), random(0, dtype=float32))
# run: saxpy(nan, array([inf, -inf, nan, 0.0, -0.0], dtype=float32), ones(1, dtype=float32))
# bench: saxpy(2.0, random(2**27, dtype=float32), random(2**27, dtype=float32))
def saxpy(a, x, y):
    return a * x + y
