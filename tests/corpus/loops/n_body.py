"""Bodies that attract each other: forces of all pairs, and steps in time (kick, drift, kick)."""

import numpy as np


#numptx export forces(float64[:,:], float64[:], float)
# run: forces(random((3, 3)), random(3), 0.1)
# run: forces(random((13, 3)), random(13), 0.1)
# run: forces(random((50, 3)), random(50), 0.01)
# run: forces(ones((4, 3)), ones(4), 0.1)
# large: forces(random((500, 3)), random(500), 0.1)
# bench: forces(random((4096, 3)), random(4096), 0.1)
def forces(position, mass, softening):
    n = position.shape[0]
    acceleration = np.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            dx = position[j, 0] - position[i, 0]
            dy = position[j, 1] - position[i, 1]
            dz = position[j, 2] - position[i, 2]
            weight = mass[j] * (dx * dx + dy * dy + dz * dz + softening * softening) ** -1.5
            acceleration[i, 0] += dx * weight
            acceleration[i, 1] += dy * weight
            acceleration[i, 2] += dz * weight
    return acceleration


#numptx export symmetric_forces(float64[:,:], float64[:], float)
# run: symmetric_forces(random((3, 3)), random(3), 0.1)
# run: symmetric_forces(random((13, 3)), random(13), 0.1)
# run: symmetric_forces(random((40, 3)), random(40), 0.01)
# large: symmetric_forces(random((400, 3)), random(400), 0.1)
def symmetric_forces(position, mass, softening):
    n = len(mass)
    force = np.zeros_like(position)
    for i in range(n):
        for j in range(i + 1, n):
            d = position[j] - position[i]
            pull = mass[i] * mass[j] * (np.sum(d * d) + softening**2) ** -1.5
            force[i] += pull * d
            force[j] -= pull * d
    return force


def attraction(position, mass, softening):
    x, y, z = position[:, 0:1], position[:, 1:2], position[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inverse = (dx**2 + dy**2 + dz**2 + softening**2) ** -1.5
    return np.concatenate(((dx * inverse) @ mass, (dy * inverse) @ mass, (dz * inverse) @ mass), axis=1)


# Forces from all sides cancel.
# tolerance: 1e-12
# large: leapfrog(random((1000, 3)), random((1000, 3)), random((1000, 1)), 10, 0.01, 0.1)


#numptx export leapfrog(float64[:,:], float64[:,:], float64[:,:], int, float, float)
# run: leapfrog(random((3, 3)), random((3, 3)), random((3, 1)), 3, 0.01, 0.1)
# run: leapfrog(random((13, 3)), random((13, 3)), random((13, 1)), 4, 0.01, 0.1)
# run: leapfrog(random((50, 3)), random((50, 3)), random((50, 1)), 5, 0.01, 0.1)
def leapfrog(position, velocity, mass, steps, dt, softening):
    kinetic = np.empty(steps + 1)
    velocity -= np.mean(mass * velocity, axis=0) / np.mean(mass)
    acceleration = attraction(position, mass, softening)
    kinetic[0] = 0.5 * np.sum(mass * velocity**2)
    for step in range(steps):
        velocity += acceleration * dt / 2.0
        position += velocity * dt
        acceleration = attraction(position, mass, softening)
        velocity += acceleration * dt / 2.0
        kinetic[step + 1] = 0.5 * np.sum(mass * velocity**2)
    return kinetic
