"""Deriche's recursive smoothing of an image: a pass in each direction along rows, then along columns."""

import numpy as np


#numptx export deriche(float, float32[:,:])
# run: deriche(0.25, random((4, 5), dtype=float32))
# run: deriche(0.25, random((17, 23), dtype=float32))
# run: deriche(0.5, random((48, 40), dtype=float32))
# large: deriche(0.25, random((300, 400), dtype=float32))
# tolerance: 1e-5
def deriche(alpha, image):
    w, h = image.shape
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + 2.0 * alpha * np.exp(-alpha) - np.exp(-2.0 * alpha))
    here, before = k, k * np.exp(-alpha) * (alpha - 1.0)
    after, far = k * np.exp(-alpha) * (alpha + 1.0), -k * np.exp(-2.0 * alpha)
    one, two = 2.0 * np.exp(-alpha), -np.exp(-2.0 * alpha)
    forth = np.zeros((w, h), dtype=np.float32)
    back = np.zeros((w, h), dtype=np.float32)
    out = np.zeros((w, h), dtype=np.float32)
    for i in range(w):
        y1 = y2 = x1 = 0.0
        for j in range(h):
            x = float(image[i, j])
            y = here * x + before * x1 + one * y1 + two * y2
            forth[i, j] = y
            x1 = x
            y2 = y1
            y1 = y
    for i in range(w):
        y1 = y2 = x1 = x2 = 0.0
        for j in range(h - 1, -1, -1):
            y = after * x1 + far * x2 + one * y1 + two * y2
            back[i, j] = y
            x2 = x1
            x1 = float(image[i, j])
            y2 = y1
            y1 = y
    for i in range(w):
        for j in range(h):
            out[i, j] = forth[i, j] + back[i, j]
    for j in range(h):
        y1 = y2 = x1 = 0.0
        for i in range(w):
            x = float(out[i, j])
            y = here * x + before * x1 + one * y1 + two * y2
            forth[i, j] = y
            x1 = x
            y2 = y1
            y1 = y
    for j in range(h):
        y1 = y2 = x1 = x2 = 0.0
        for i in range(w - 1, -1, -1):
            y = after * x1 + far * x2 + one * y1 + two * y2
            back[i, j] = y
            x2 = x1
            x1 = float(out[i, j])
            y2 = y1
            y1 = y
    for i in range(w):
        for j in range(h):
            out[i, j] = forth[i, j] + back[i, j]
    return out


#numptx export deriche_columns(float, float64[:,:])
# run: deriche_columns(0.25, random((4, 5)))
# run: deriche_columns(0.25, random((17, 23)))
# run: deriche_columns(0.5, random((64, 50)))
# large: deriche_columns(0.25, random((2000, 1500)))
# bench: deriche_columns(0.25, random((720, 480)))
def deriche_columns(alpha, image):
    h = image.shape[1]
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + 2.0 * alpha * np.exp(-alpha) - np.exp(-2.0 * alpha))
    here, before = k, k * np.exp(-alpha) * (alpha - 1.0)
    after, far = k * np.exp(-alpha) * (alpha + 1.0), -k * np.exp(-2.0 * alpha)
    one, two = 2.0 * np.exp(-alpha), -np.exp(-2.0 * alpha)
    forth = np.empty_like(image)
    back = np.empty_like(image)
    forth[:, 0] = here * image[:, 0]
    forth[:, 1] = here * image[:, 1] + before * image[:, 0] + one * forth[:, 0]
    for j in range(2, h):
        forth[:, j] = here * image[:, j] + before * image[:, j - 1] + one * forth[:, j - 1] + two * forth[:, j - 2]
    back[:, -1] = 0.0
    back[:, -2] = after * image[:, -1]
    for j in range(h - 3, -1, -1):
        back[:, j] = after * image[:, j + 1] + far * image[:, j + 2] + one * back[:, j + 1] + two * back[:, j + 2]
    return forth + back
