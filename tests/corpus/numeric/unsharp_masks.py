"""Images sharpened by what a binomial blur takes away, and the contrast of each neighbourhood."""

import numpy as np

BINOMIAL = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0


def blurred(image, mode):
    """The image after a blur of five by five; beyond its edges it goes on as `np.pad` has it."""
    kernel = BINOMIAL.astype(image.dtype)
    padded = np.pad(image, 2, mode=mode)
    rows = np.empty((padded.shape[0], image.shape[1]), dtype=image.dtype)
    for k, row in enumerate(padded):
        rows[k] = np.convolve(row, kernel, mode="valid")
    result = np.empty_like(image)
    for k, column in enumerate(rows.T):
        result[:, k] = np.convolve(column, kernel, mode="valid")
    return result


#numptx export sharpened(uint8[:,:], float, float)
# run: sharpened(integers(0, 256, (9, 12), uint8), 0.5, 3.0)
# run: sharpened(integers(0, 256, (16, 22), uint8)[::2, ::-2], 1.5, 0.0)
# run: sharpened(integers(0, 256, (3, 7), uint8).T, 0.5, 8.0)
# run: sharpened(full((1, 1), 200, uint8), 2.0, 0.0)
def sharpened(image, amount, threshold):
    pixels = image.astype(np.float64)
    detail = pixels - blurred(pixels, "reflect")
    np.putmask(detail, np.abs(detail) < threshold, 0.0)
    return np.clip(np.rint(pixels + amount * detail), 0, 255).astype(np.uint8)


#numptx export normalised_contrast(float32[:,:])
# tolerance: 1e-5
# run: normalised_contrast(random((8, 9), float32))
# run: normalised_contrast(random((12, 5), float32)[::-2].T)
# run: x = random((9, 11), float32); x[2, 7] = nan; normalised_contrast(x)
# run: normalised_contrast(full((2, 3), 0.5, float32))
def normalised_contrast(image):
    mean = blurred(image, "symmetric")
    variance = blurred(np.square(image - mean), "symmetric")
    return (image - mean) / np.sqrt(variance + np.float32(0.01))


#numptx export halved(uint8[:,:,3])
# run: halved(integers(0, 256, (6, 8, 3), uint8))
# run: halved(integers(0, 256, (7, 5, 3), uint8))
# run: halved(integers(0, 256, (1, 1, 3), uint8)[::-1])
def halved(image):
    """Half the size: means of two by two pixels, the last row and column twice where their number is odd."""
    height, width, _ = image.shape
    even = np.pad(image, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge").astype(np.uint16)
    blocks = even.reshape(even.shape[0] // 2, 2, even.shape[1] // 2, 2, 3)
    return ((blocks.sum(axis=(1, 3)) + 2) // 4).astype(np.uint8)
