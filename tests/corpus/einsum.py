"""Sums of products over named axes."""
# tolerance: 1e-9
# layout: any
import numpy as np

#numptx export pairs(float64[:,:], float64[:,:])
# run: pairs(random((5, 6)), random((6, 7)))
# run: pairs(random((6, 5)).T, random((14, 7))[::-2][:6])
# run: pairs(random((5, 0)), random((0, 7)))
# run: pairs(random((5, 1)), random((6, 7)))
# run: pairs(random((5, 3)), random((6, 7)))
# run: pairs(random((40, 50)), random((50, 60)))
# run: pairs(where(eye(4) > 0, inf, 1.0), zeros((4, 3)))
def pairs(a, b):
    return np.einsum("ij,jk->ik", a, b), np.einsum("ij,jk->ki", a, b), np.einsum("ij,jk", a, b), np.einsum("ij,jk->", a, b)


#numptx export alone(float64[:,:])
# run: alone(random((4, 4)))
# run: alone(random((8, 4))[::-2].T)
# run: alone(zeros((0, 0)))
# run: alone(random((3, 4)))
def alone(a):
    return np.einsum("ij->ji", a), np.einsum("ij->j", a), np.einsum("ij->", a), np.einsum("ba", a), np.einsum("ii", a), np.einsum("ii->i", a)


#numptx export stacks(float32[:,:,:], float32[:,:,:])
# tolerance: 1e-4
# run: stacks(random((3, 4, 5), float32), random((3, 5, 6), float32))
# run: stacks(random((1, 4, 5), float32), random((3, 5, 6), float32))
# run: stacks(random((5, 4, 3), float32).transpose(2, 1, 0), random((3, 5, 6), float32))
def stacks(a, b):
    return np.einsum("bij,bjk->bik", a, b), np.einsum("...ij,...jk->...ik", a, b), np.einsum("...ij,...jk", a, b), np.einsum("bij,bjk->ik", a, b)


#numptx export chain(float64[:,:], float64[:,:], float64[:,:], float64[:])
# run: chain(random((3, 4)), random((4, 5)), random((5, 6)), random(6))
def chain(a, b, c, x):
    return np.einsum("ij,jk,kl,l->i", a, b, c, x), np.einsum("ij,jk,kl->il", a, b, c, optimize=True), np.einsum("ij,jk,kl,l", a, b, c, x, optimize="greedy")


#numptx export numbers(complex128[:], int64[:], bool[:], float64)
# run: numbers(random(5) + 1j * random(5), arange(5) * 2**61, arange(5) > 2, 3.0)
def numbers(z, n, b, x):
    return np.einsum("i,i", z, n), np.einsum("i,i->i", n, n), np.einsum("i,i", b, b), np.einsum("i->", b), np.einsum(",i->i", x, z)


#numptx export outer_and_diagonal(float64[:,:,:], float64[:])
# run: outer_and_diagonal(random((4, 4, 3)), random(4))
def outer_and_diagonal(t, x):
    return np.einsum("iij,i->j", t, x), np.einsum("i,j", x, x), np.einsum("iij->ji", t), np.einsum("iij,k->", t, x)


#numptx export into(float64[:,:], float64[:,:], float64[:,:])
# run: into(random((4, 5)), random((5, 6)), zeros((4, 6)))
# run: x = random((5, 5)); into(x, x, x)
# run: into(random((4, 5)), random((5, 6)), zeros((4, 7)))
def into(a, b, out):
    np.einsum("ij,jk->ik", a, b, out=out)
    return out


#numptx export contraction_of_four(float64[:,:,:,:], float64[:,:])
# run: contraction_of_four(random((3, 4, 5, 6)), random((5, 4)))
def contraction_of_four(t, m):
    return np.einsum("abcd,cb->ad", t, m), np.einsum("abcd,cb->da", t, m)


#numptx export outputs(int8[:], int64[:], float64[:,:])
# run: outputs(ones(3, int8) * int8(100), zeros(3, int64), random((3, 3)))
def outputs(x, out, a):
    np.einsum("i,i->i", x, x, out=out)
    np.einsum("ii->i", a)[:] = 0
    return out, a


#numptx export stacked_vectors(complex128[:,:,:], complex128[:,:], complex128[:])
# run: stacked_vectors(random((3, 4, 5)) + 1j * random((3, 4, 5)), random((3, 5)) - 1j * random((3, 5)), random(4) * 1j)
# run: stacked_vectors(random((3, 4, 5)) + 1j * random((3, 4, 5)), random((1, 5)) - 1j * random((1, 5)), random(4) * 1j)
# run: stacked_vectors(random((3, 4, 5)) + 1j * random((3, 4, 5)), random((1, 4)) - 1j * random((1, 4)), random(4) * 1j)
def stacked_vectors(a, x, y):
    return np.matvec(a, x), np.vecmat(y, a), np.vecdot(x, x), np.vecdot(a, x[:, None, :])


#numptx export into_vectors(float64[:,:], float64[:], float64[:])
# run: into_vectors(ones((2, 3)), ones(3), zeros(2))
# run: into_vectors(ones((1, 3)), ones(3), zeros(5))
def into_vectors(a, x, out):
    np.matvec(a, x, out=out)
    return out


#numptx export view(int64[:])
#numptx export view(float64[:,:])
# run: view(arange(5))
# run: view(random((3, 4)).T)
def view(y):
    x = np.einsum("...->...", y)
    x += 1
    return x
