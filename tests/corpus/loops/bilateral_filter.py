"""The bilateral filter: each pixel a mean over a window, with weights by distance and by likeness."""

import numpy as np


#numptx export bilateral_filter(float64[:,:], int, float, float)
# run: bilateral_filter(random((4, 5)), 1, 1.5, 0.2)
# run: bilateral_filter(random((11, 13)), 2, 1.5, 0.2)
# run: bilateral_filter(random((24, 20)), 3, 2.0, 0.1)
# run: bilateral_filter(random((3, 3)), 0, 1.5, 0.2)
# large: bilateral_filter(random((160, 180)), 3, 2.0, 0.1)
# bench: bilateral_filter(random((1024, 1024)), 3, 2.0, 0.1)
def bilateral_filter(image, radius, sigma_space, sigma_value):
    height, width = image.shape
    result = np.zeros((height, width))
    for y in range(height):
        for x in range(width):
            total = 0.0
            weights = 0.0
            for v in range(max(0, y - radius), min(height, y + radius + 1)):
                for u in range(max(0, x - radius), min(width, x + radius + 1)):
                    distance = float((v - y) ** 2 + (u - x) ** 2)
                    likeness = (image[v, u] - image[y, x]) ** 2
                    weight = np.exp(-distance / (2.0 * sigma_space**2) - likeness / (2.0 * sigma_value**2))
                    total += weight * image[v, u]
                    weights += weight
            result[y, x] = total / weights
    return result


#numptx export bilateral_filter_shifts(float64[:,:], int, float, float)
# run: bilateral_filter_shifts(random((5, 6)), 1, 1.5, 0.2)
# run: bilateral_filter_shifts(random((11, 13)), 2, 1.5, 0.2)
# run: bilateral_filter_shifts(random((64, 60)), 3, 2.0, 0.1)
# large: bilateral_filter_shifts(random((800, 900)), 3, 2.0, 0.1)
# bench: bilateral_filter_shifts(random((1024, 1024)), 3, 2.0, 0.1)
def bilateral_filter_shifts(image, radius, sigma_space, sigma_value):
    height, width = image.shape
    centre = image[radius : height - radius, radius : width - radius]
    total = np.zeros_like(centre)
    weights = np.zeros_like(centre)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            other = image[radius + dy : height - radius + dy, radius + dx : width - radius + dx]
            likeness = np.exp(-((other - centre) ** 2) / (2.0 * sigma_value**2))
            weight = np.exp(-(dy * dy + dx * dx) / (2.0 * sigma_space**2)) * likeness
            total += weight * other
            weights += weight
    return total / weights
