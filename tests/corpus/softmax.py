"""Softmax over the last axis of a float32 field of four axes."""

import numpy as np


#numptx export softmax(float32[:,:,:,:])
# run: softmax(random((3, 4, 5, 17), dtype=float32))
# structure: launches=3 device_launches==1 copies=0
# tolerance: 1e-5
# bench: softmax(random((64, 16, 512, 512), dtype=float32))
def softmax(x):
    largest = np.max(x, axis=-1, keepdims=True)
    weights = np.exp(x - largest)
    return weights / np.sum(weights, axis=-1, keepdims=True)
