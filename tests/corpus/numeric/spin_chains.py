"""Rings of spins as bits of integers: Heisenberg's model, heat capacities, entanglement, and Grover's search."""
# tolerance: 1e-9
import numpy as np


def basis(n, n_up):
    """All states of `n` spins, a bit each, of which so many point up."""
    states = np.arange(2**n)
    return states[np.bitwise_count(states) == n_up]


def hamiltonian(n, n_up, anisotropy):
    states = basis(n, n_up)
    matrix = np.zeros((len(states), len(states)))
    places = np.diag_indices(len(states))
    for site in range(n):
        mask = (1 << site) | (1 << (site + 1) % n)
        differ = np.bitwise_count(states & mask) == 1
        matrix[places] += 0.25 * anisotropy * np.where(differ, -1.0, 1.0)
        exchanged = np.flatnonzero(differ)
        matrix[np.searchsorted(states, states[exchanged] ^ mask), exchanged] += 0.5
    return matrix


#numptx export spectrum_of_ring(int, float)
# run: spectrum_of_ring(4, 1.0)
# run: spectrum_of_ring(5, 0.37)
# run: spectrum_of_ring(3, -2.0)
def spectrum_of_ring(n, anisotropy):
    """Levels of all sectors, how often each occurs, and the gap above the lowest."""
    levels = np.empty(0)
    for n_up in range(n + 1):
        levels = np.append(levels, np.linalg.eigvalsh(hamiltonian(n, n_up, anisotropy)))
    levels = np.sort(levels)
    first = np.flatnonzero(np.ediff1d(levels, to_begin=1.0) > 1e-8)
    return levels[first], np.diff(np.append(first, len(levels))), levels[first[1]] - levels[0]


#numptx export heat_capacities(float64[:], float64[:])
# run: heat_capacities(array([-2.0, -1.0, 0.0, 0.0, 1.5]), linspace(0.2, 3.0, 8))
# run: heat_capacities(random(14)[::-2] * 800, random(6)[::3] + 0.5)
# run: heat_capacities(array([3.0]), array([0.01, inf]))
def heat_capacities(levels, temperatures):
    """And free energies; sums of exponentials are taken by their logarithms, so that none overflows."""
    exponents = -np.divide.outer(levels, temperatures)
    logarithm = np.logaddexp.reduce(exponents, axis=0)
    weights = np.exp(exponents - logarithm)
    mean = levels @ weights
    return -temperatures * logarithm, (levels**2 @ weights - mean**2) / temperatures**2, mean


#numptx export entanglement(int, float)
# run: entanglement(6, 1.0)
# run: entanglement(4, 0.25)
# run: entanglement(2, 1.0)
def entanglement(n, anisotropy):
    """Entropies of the first spins beside the others, in the lowest state of an even ring, from the ends of the matrix of its amplitudes."""
    states = basis(n, n // 2)
    _, vectors = np.linalg.eigh(hamiltonian(n, n // 2, anisotropy))
    amplitudes = np.zeros(2**n)
    amplitudes[states] = vectors[:, 0]
    entropies = np.zeros(n - 1)
    for cut in range(1, n):
        shares = np.linalg.svd(amplitudes.reshape(2**cut, -1), compute_uv=False) ** 2
        kept = shares[shares > 1e-14]
        entropies[cut - 1] = -np.sum(kept * np.log2(kept))
    return entropies


#numptx export grover(int, int64[:], int)
# run: grover(5, array([11]), 4)
# run: grover(4, array([9, 0, 3, 0])[::2], 2)
# run: grover(1, zeros(0, int64), 1)
def grover(n, marked, n_steps):
    """The probability of the marked states after each step, and the last amplitudes."""
    single = np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2.0)
    gates = np.eye(1, dtype=np.complex128)
    for _ in range(n):
        gates = np.kron(gates, single)
    state = gates[:, 0].copy()
    found = np.empty(n_steps)
    for step in range(n_steps):
        state[marked] *= -1.0
        state = gates @ state
        state[1:] *= -1.0
        state = gates @ state
        found[step] = np.sum(np.abs(np.take(state, marked)) ** 2)
    return found + 1.0, state
