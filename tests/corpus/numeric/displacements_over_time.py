"""Trajectories of diffusing particles: paths across periodic boundaries, mean square displacements, and velocities' correlations."""
# tolerance: 1e-9
import numpy as np


def mean_square_displacements(paths):
    """By lag, over all particles and times; paths are of shape (time, particle, axis)."""
    n = len(paths)
    return np.array([np.mean(np.sum((paths[lag:] - paths[: n - lag]) ** 2, axis=2)) for lag in range(n)])


#numptx export diffusion(float64[:,:,:], float, float)
# run: diffusion((cumsum(random((20, 3, 2)) - 0.5, axis=0) + 5.0) % 2.0, 2.0, 0.1)
# run: diffusion(((cumsum(random((2, 4, 30)) - 0.5, axis=2) + 9.0) % 3.0).T[::-2], 3.0, 0.5)
# run: diffusion(array([[[0.1]], [[0.9]], [[0.2]]]), 1.0, 1.0)
def diffusion(wrapped, box, step):
    """Displacements of particles whose places are known up to multiples of the box, and their diffusion coefficient."""
    paths = np.unwrap(wrapped, axis=0, period=box)
    squares = mean_square_displacements(paths)
    times = np.arange(len(squares)) * step
    first = len(squares) // 10 + 1
    weights = np.sqrt(np.arange(len(squares), 0, -1))
    slope, offset = np.polyfit(times[first:], squares[first:], 1, w=weights[first:])
    return squares, slope / (2 * paths.shape[2]), paths[-1] - paths[0]


#numptx export velocity_correlation(float64[:,:], float)
# run: velocity_correlation(random((16, 4)) - 0.5, 0.2)
# run: velocity_correlation((random((3, 40)) - 0.5).T[::-3], 1.0)
# run: velocity_correlation(array([[2.0]]), 0.1)
def velocity_correlation(velocities, step):
    """Of each particle, averaged; its integral; and its spectrum, which the window keeps from ringing."""
    n = len(velocities)
    pairs = np.arange(n, 0, -1)
    correlation = np.zeros(n)
    for v in velocities.T:
        correlation += np.correlate(v, v, mode="full")[n - 1 :] / (pairs * velocities.shape[1])
    integral = np.trapezoid(correlation, dx=step)
    window = np.hanning(2 * n + 1)[n:-1]
    return correlation / correlation[0], integral, np.fft.rfft(correlation * window, 2 * n).real * step


#numptx export van_hove(float64[:,:], int, float64[:])
# run: van_hove(cumsum(random((30, 5)) - 0.5, axis=0), 4, linspace(-3, 3, 9))
# run: van_hove(cumsum(random((3, 44)) - 0.4, axis=1).T[::-2], 1, array([-2.0, -0.5, 0.0, 0.5, 2.0]))
# run: van_hove(zeros((2, 1)), 1, array([-1.0, 1.0]))
def van_hove(paths, lag, edges):
    """The density of displacements after a lag, and by how much they are not Gaussian."""
    moved = (paths[lag:] - paths[:-lag]).ravel()
    density, _ = np.histogram(moved, bins=edges, density=True)
    second, fourth = np.mean(moved**2), np.mean(moved**4)
    return density, fourth / (3 * second**2) - 1.0, np.histogram_bin_edges(np.abs(moved), bins=4)


#numptx export simulated(int, int, float, int)
# run: simulated(4, 50, 0.1, 3)
# run: simulated(1, 1, 2.0, 0)
# run: simulated(0, 3, 1.0, 1)
def simulated(n, n_steps, friction, seed):
    """Langevin dynamics of particles on springs, from rest; noise and friction keep a temperature of 1."""
    rng = np.random.default_rng(seed)
    places, velocities = np.zeros(n), np.zeros(n)
    energies = np.empty(n_steps)
    step = 0.05
    for k in range(n_steps):
        noise = rng.standard_normal(n) * np.sqrt(2 * friction * step)
        velocities += -step * (places + friction * velocities) + noise
        places += step * velocities
        energies[k] = 0.5 * np.sum(places**2 + velocities**2)
    return places, velocities, energies
