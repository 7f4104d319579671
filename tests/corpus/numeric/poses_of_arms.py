"""Arms of robots: poses of joints by Denavit and Hartenberg, Jacobians, reaching a place, and orientations as quaternions."""
# tolerance: 1e-9
import functools

import numpy as np


def link(angle, offset, length, twist):
    """The pose of a joint's end in the frame of the joint before."""
    c, s = np.cos(angle), np.sin(angle)
    ct, st = np.cos(twist), np.sin(twist)
    rotation = np.array([[c, -s * ct, s * st], [s, c * ct, -c * st], [0.0, st, ct]])
    place = np.array([[length * c], [length * s], [offset]])
    return np.block([[rotation, place], [np.zeros((1, 3)), np.ones((1, 1))]])


def poses(angles, table):
    """Poses of all joints in the frame of the base, the base first."""
    frames = np.empty((len(angles) + 1, 4, 4))
    frames[0] = np.eye(4)
    for k, (angle, row) in enumerate(zip(angles, table)):
        frames[k + 1] = frames[k] @ link(angle, row[0], row[1], row[2])
    return frames


def jacobian(frames):
    """How place and orientation of the tool change with each angle; a column each."""
    axes, places = frames[:-1, :3, 2], frames[:-1, :3, 3]
    return np.vstack((np.cross(axes, frames[-1, :3, 3] - places).T, axes.T))


#numptx export tool(float64[:], float64[:,3])
# run: tool(random(4) * 2 - 1, array([[0.3, 0.0, 1.5], [0.0, 0.5, 0.0], [0.1, 0.4, -1.5], [0.2, 0.0, 0.0]]))
# run: tool((random(6) * 3)[::-2], (random((3, 3)) - 0.5).T)
# run: tool(zeros(0), zeros((0, 3)))
def tool(angles, table):
    """The pose of the tool, its Jacobian, and Yoshikawa's measure of manipulability."""
    frames = poses(angles, table)
    change = jacobian(frames)
    lengths = np.linalg.svd(change[:3], compute_uv=False)
    return frames[-1], change, np.prod(lengths)


#numptx export reached(float64[:], float64[:,3], float64[3], int)
# tolerance: 1e-7
# run: reached(array([0.1, 0.4, 0.5]), array([[0.0, 0.5, 0.0], [0.0, 0.4, 0.0], [0.0, 0.2, 0.0]]), array([0.3, 0.6, 0.0]), 30)
# run: reached(array([9.0, 0.3, 9.0, 1.0])[1::2], array([[0.2, 0.5, 1.57], [0.0, 0.6, 0.0]]), array([0.3, 0.2, 0.6]), 12)
# run: reached(array([0.5]), array([[0.0, 1.0, 0.0]]), array([0.0, 1.0, 0.0]), 0)
def reached(angles, table, goal, n_steps):
    """Angles that bring the tool to a place, by damped least squares; steps are limited to half a radian."""
    angles = angles.copy()
    misses = np.zeros(n_steps + 1)
    for step in range(n_steps + 1):
        frames = poses(angles, table)
        miss = goal - frames[-1, :3, 3]
        misses[step] = np.sqrt(miss @ miss)
        if step < n_steps:
            change = jacobian(frames)[:3]
            turn = np.linalg.solve(change.T @ change + 1e-2 * np.eye(len(angles)), change.T @ miss)
            angles += turn / np.maximum(np.abs(turn).max() / 0.5, 1.0)
    return angles, misses


#numptx export mean_orientation(float64[:,4])
# run: mean_orientation(random((5, 4)))
# run: mean_orientation(random((4, 12)).T[::-3] - 0.2)
# run: mean_orientation(array([[-2.0, 0.0, 0.0, 0.0]]))
def mean_orientation(quaternions):
    """The rotation matrix of the quaternion nearest to all, of whatever sign, and the product of all, one after the other."""
    unit = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    _, vectors = np.linalg.eigh(unit.T @ unit)
    return rotation_of(vectors[:, -1]), functools.reduce(np.matmul, [rotation_of(q) for q in unit], np.eye(3))


def rotation_of(quaternion):
    w, v = quaternion[0], quaternion[1:]
    crossing = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + 2 * w * crossing + 2 * crossing @ crossing
