"""Accelerations of bodies that attract each other, softened; all pairs by broadcasting."""

import numpy as np


#numptx export acceleration(float64[:,:], float64[:], float, float)
# run: acceleration(random((60, 3)), random(60), 1.0, 0.1)
# tolerance: 1e-11
# bench: acceleration(random((8192, 3)), random(8192), 1.0, 0.1)
def acceleration(position, mass, gravity, softening):
    difference = position[None, :, :] - position[:, None, :]
    distance_squared = np.sum(difference**2, axis=2) + softening**2
    weight = gravity * mass[None, :] * distance_squared**-1.5
    return np.sum(weight[:, :, None] * difference, axis=1)
