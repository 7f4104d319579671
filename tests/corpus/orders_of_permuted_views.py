"""Memory order of what is computed from permuted views of results, also where arguments repeat elements."""

import numpy as np


#numptx export of_one(float64[:,:,:], float64[:,:])
# run: of_one(random((3, 4, 3)), random((4, 3)))
# structure: launches=1 allocs=1 copies=0
# run: of_one(np.broadcast_to(random(3), (3, 4, 3)), random((4, 3)))
# run: of_one(np.broadcast_to(random((3, 1, 3)), (3, 4, 3)).T.copy("K").T, random((3, 4)).T)
# run: of_one(random((3, 4, 6))[::-1, :, ::2], random((4, 3))[:, ::-1])
def of_one(x, y):
    return np.abs(np.swapaxes(np.sqrt(x), 0, 2)[:, :, 1:2] + y.T[:, :, None])


#numptx export of_two(float64[:,:,:], float64[:,:,:])
# run: of_two(random((3, 4, 5)), random((3, 4, 5)))
# structure: launches=1 allocs=1 copies=0
# run: of_two(np.broadcast_to(random(5), (3, 4, 5)), random((3, 4, 1)))
# run: of_two(random((5, 4, 3)).T, random((3, 4, 5)))
# run: of_two(np.broadcast_to(random((4, 1)), (3, 4, 5)), np.broadcast_to(random((4, 5)), (3, 4, 5)))
# run: of_two(random((3, 1, 5)), random((3, 1, 1)))
def of_two(x, y):
    return ((x + y).transpose(2, 0, 1) * 2.0).transpose(0, 2, 1)


#numptx export as_float32(float64[:,:,:])
# run: as_float32(random((3, 4, 5)))
# run: as_float32(np.broadcast_to(random((3, 1, 1)), (3, 4, 5)))
# run: as_float32(np.broadcast_to(random((4, 1)), (3, 4, 5)))
def as_float32(x):
    return np.swapaxes((x.transpose(2, 0, 1) * 2.0), 0, 2).astype(np.float32)


#numptx export with_new_axis(float64[:,:,:])
# run: with_new_axis(random((3, 4, 5)))
# run: with_new_axis(np.broadcast_to(random((4, 1)), (3, 4, 5)))
# run: with_new_axis(np.broadcast_to(random(5), (3, 4, 5)))
def with_new_axis(x):
    return np.zeros_like(np.negative(x[None, :, :, :]).transpose(2, 0, 1, 3) * 2.0)
