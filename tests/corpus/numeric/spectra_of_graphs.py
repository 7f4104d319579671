"""Graphs as matrices: triangles and clustering, spectra of Laplacians, resistances, modularity, and parts of graphs."""
# tolerance: 1e-9
import numpy as np


def adjacency(edges, n):
    matrix = np.zeros((n, n))
    matrix[edges[:, 0], edges[:, 1]] = 1.0
    matrix = np.maximum(matrix, matrix.T)
    np.fill_diagonal(matrix, 0.0)
    return matrix


def laplacian(matrix):
    return np.diag(matrix.sum(axis=0)) - matrix


#numptx export clustering(int64[:,2], int)
# run: clustering(integers(0, 12, (40, 2)), 12)
# run: clustering(integers(0, 9, (2, 60)).T[::-2], 10)
# run: clustering(zeros((0, 2), int64), 2)
def clustering(edges, n):
    """Triangles at each node, local coefficients, and the share of closed paths of two edges."""
    matrix = adjacency(edges, n)
    degrees = matrix.sum(axis=1)
    triangles = np.diagonal(np.linalg.matrix_power(matrix, 3)) / 2
    pairs = degrees * (degrees - 1) / 2
    local = np.divide(triangles, pairs, out=np.zeros(n), where=pairs > 0)
    return triangles, local, triangles.sum() / np.maximum(pairs.sum(), 1.0), degrees[np.triu_indices(n, 1)[1]].sum()


#numptx export spectrum(int64[:,2], int)
# run: spectrum(integers(0, 9, (24, 2)), 9)
# run: spectrum(array([[0, 1], [9, 9], [1, 2], [9, 9], [2, 3]])[::2], 4)
# run: spectrum(zeros((0, 2), int64), 1)
def spectrum(edges, n):
    """Eigenvalues of the Laplacian, and of the normalised one, and how many spanning trees there are, each edge once."""
    matrix = adjacency(edges, n)
    values = np.linalg.eigvalsh(laplacian(matrix))
    degrees = matrix.sum(axis=0)
    root = np.sqrt(np.reciprocal(np.where(degrees > 0, degrees, 1.0)))
    normalised = np.eye(n) - np.outer(root, root) * matrix
    trees = np.linalg.det(np.delete(np.delete(laplacian(matrix), 0, axis=0), 0, axis=1))
    return values + 1.0, np.linalg.eigvalsh(normalised) + 1.0, np.rint(trees)


#numptx export resistances(int64[:,2], float64[:], int)
# run: resistances(array([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]]), random(5) + 0.5, 4)
# run: resistances(stack((zeros(12, int64), arange(1, 13)), axis=1)[::-2], random(12)[::2] + 1.0, 13)
# run: resistances(zeros((0, 2), int64), zeros(0), 1)
def resistances(edges, conductances, n):
    """Between all nodes of a network of resistors, by the pseudoinverse; parallel ones add up."""
    matrix = np.zeros((n, n))
    np.add.at(matrix, (edges[:, 0], edges[:, 1]), conductances)
    matrix += matrix.T
    inverse = np.linalg.pinv(laplacian(matrix), hermitian=True)
    own = np.diag(inverse)
    between = own[:, None] + own - 2 * inverse
    rows, columns = np.tril_indices(n, -1)
    return between[rows, columns], n * np.trace(inverse)


#numptx export modularity(int64[:,2], int64[:])
# run: modularity(integers(0, 10, (30, 2)), integers(0, 3, 10))
# run: modularity(integers(0, 8, (22, 2))[::-2], arange(16)[::2] % 4)
# run: modularity(array([[0, 1]]), array([5, 5]))
def modularity(edges, group):
    """Of a partition; and the number of edges inside each group, by taking its rows and columns out."""
    matrix = adjacency(edges, len(group))
    degrees = matrix.sum(axis=1)
    excess = matrix - np.outer(degrees, degrees) / degrees.sum()
    same = np.equal.outer(group, group)
    inside = np.zeros(group.max() + 1)
    for name in np.unique(group):
        nodes = np.flatnonzero(group == name)
        inside[name] = np.triu(matrix[np.ix_(nodes, nodes)]).sum()
    return excess[same].sum() / degrees.sum() + 1.0, inside
