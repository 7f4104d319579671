"""Gray-scale of an RGB image: luma weights of ITU-R BT.601, rounded to bytes."""

import numpy as np


#numptx export grayscale(uint8[:,:,3])
# run: grayscale(integers(0, 256, (40, 30, 3), dtype=uint8))
# structure: launches=1 allocs=1 copies=0
# run: grayscale(integers(0, 256, (30, 40, 3), dtype=uint8)[::-1, ::2])
# bench: grayscale(integers(0, 256, (8192, 8192, 3), dtype=uint8))
def grayscale(image):
    luma = 0.299 * image[:, :, 0] + 0.587 * image[:, :, 1] + 0.114 * image[:, :, 2]
    return np.rint(luma).astype(np.uint8)
