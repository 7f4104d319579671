"""Grey levels of images: equalised, split in two by Otsu's threshold, and made those of another image."""

import numpy as np


def n_pixels_by_level(image):
    return np.bincount(image.ravel(), minlength=256)


#numptx export equalised(uint8[:,:])
# run: equalised(integers(20, 200, (9, 12), uint8))
# run: equalised(integers(0, 256, (12, 10), uint8).T[::2])
# run: equalised(full((3, 1), 9, uint8))
# run: equalised(zeros((0, 4), uint8))
def equalised(image):
    below = np.cumsum(n_pixels_by_level(image))
    darkest = below[below > 0].min()
    n_above = np.maximum(below[-1] - darkest, 1)
    table = np.clip((below - darkest) * 255 // n_above, 0, 255).astype(np.uint8)
    return table[image]


#numptx export otsu_threshold(uint8[:,:])
# run: otsu_threshold(where(random((10, 11)) > 0.4, integers(0, 80, (10, 11)), integers(150, 255, (10, 11))).astype(uint8))
# run: otsu_threshold(integers(0, 256, (9, 8), uint8)[:, ::-3])
# run: otsu_threshold(full((2, 2), 255, uint8))
def otsu_threshold(image):
    """The level at which the variance between the pixels up to it and those above is largest."""
    counts = n_pixels_by_level(image)
    n_below, sum_below = np.cumsum(counts), np.cumsum(counts * np.arange(256))
    n_above, sum_above = n_below[-1] - n_below, sum_below[-1] - sum_below
    split = (n_below > 0) & (n_above > 0)
    between = np.zeros(256)
    difference = sum_below[split] / n_below[split] - sum_above[split] / n_above[split]
    between[split] = n_below[split] * n_above[split] * difference**2
    level = np.argmax(between)
    return level, image > level


#numptx export matched(float64[:,:], float64[:,:])
# run: matched(integers(0, 9, (6, 7)) / 8, random((5, 5)))
# run: matched(random((6, 8))[::2, ::-1], random((3, 4)).T)
# run: matched(random((1, 1)), random((1, 1)))
def matched(source, template):
    """The source with each value replaced by the template's value of the same quantile."""
    _, inverse, counts = np.unique(source.ravel(), return_inverse=True, return_counts=True)
    values, template_counts = np.unique(template.ravel(), return_counts=True)
    quantiles = np.cumsum(counts) / source.size
    template_quantiles = np.cumsum(template_counts) / template.size
    return np.interp(quantiles, template_quantiles, values)[inverse].reshape(source.shape)
