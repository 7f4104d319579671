"""Rules of integration: nodes and weights of Gauss by polynomials, rules of Newton and Cotes by Vandermonde's matrix, Romberg's scheme."""
# tolerance: 1e-9
import numpy as np


def legendre(n):
    """The coefficients of Legendre's polynomial, the highest power first, by Bonnet's recurrence."""
    before, polynomial = np.array([1.0]), np.array([1.0, 0.0])
    if n == 0:
        return before
    for k in range(1, n):
        raised = np.polymul([(2 * k + 1) / (k + 1), 0.0], polynomial)
        before, polynomial = polynomial, np.polyadd(raised, -k / (k + 1) * before)
    return polynomial


#numptx export gauss_legendre(int, float64[:])
# run: gauss_legendre(5, array([3.0, 0.0, -1.0, 2.0]))
# run: gauss_legendre(8, random(12)[::-2])
# run: gauss_legendre(1, array([2.0]))
def gauss_legendre(n, integrand):
    """Nodes and weights on [-1, 1], what the rule says of a polynomial, and its integral."""
    polynomial = legendre(n)
    nodes = np.sort(np.roots(polynomial).real)
    slope = np.polyval(np.polyder(polynomial), nodes)
    weights = 2.0 / ((1.0 - nodes**2) * slope**2)
    primitive = np.polyint(integrand)
    exact = np.polyval(primitive, 1.0) - np.polyval(primitive, -1.0)
    return nodes + 1.0, weights, weights @ np.polyval(integrand, nodes), exact


#numptx export newton_cotes(float64[:])
# run: newton_cotes(linspace(0.0, 1.0, 5))
# run: newton_cotes(array([0.0, 9.0, 0.25, 9.0, 1.0])[::-2])
# run: newton_cotes(array([0.5]))
def newton_cotes(nodes):
    """Weights on [0, 1] that integrate all powers below the number of nodes, and the error of the next power."""
    n = len(nodes)
    powers = np.vander(nodes, increasing=True)
    weights = np.linalg.solve(powers.T, 1.0 / np.arange(1, n + 1))
    through = np.poly(nodes)
    return weights, through, weights @ nodes**n - 1.0 / (n + 1) + 1.0


#numptx export romberg(float64[:], float)
# run: romberg(exp(linspace(0.0, 1.0, 17)), 1.0)
# run: romberg(sin(linspace(0.0, 6.0, 17))[::-2], -6.0)
# run: romberg(array([1.0, 3.0]), 2.0)
def romberg(values, length):
    """Of equidistant values, their number a power of two and one; the whole triangle of extrapolations."""
    n = len(values) - 1
    depth = int(np.frexp(n)[1])
    table = np.zeros((depth, depth))
    for row in range(depth):
        step = n >> row
        table[row, 0] = np.trapezoid(values[::step], dx=length * step / n)
        for column in range(1, row + 1):
            factor = 4.0**column
            table[row, column] = (factor * table[row, column - 1] - table[row - 1, column - 1]) / (factor - 1.0)
    return table[np.tril_indices(depth)], table[-1, -1]
