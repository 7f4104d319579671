"""Sequences of bases: counts of short words, the same on both strands, their entropy, similarities, and the skew of G and C."""

import numpy as np

LETTERS = np.array([65, 67, 71, 84], dtype=np.uint8)


def coded(text):
    """A, C, G and T as 0 to 3, anything else as 4."""
    codes = np.full(256, 4, dtype=np.uint8)
    codes[LETTERS] = np.arange(4)
    return codes[text]


def words(text, k):
    """The numbers of all words of k bases to the base of 4; those with another letter are left out."""
    codes = coded(text)
    if len(codes) < k:
        return np.zeros(0, dtype=np.int64)
    windows = np.lib.stride_tricks.sliding_window_view(codes, k)
    known = (windows < 4).all(axis=1)
    return windows[known].astype(np.int64) @ (4 ** np.arange(k - 1, -1, -1))


def reverse_complements(numbers, k):
    """Of words that are given as numbers."""
    digits = (numbers[:, None] >> (2 * np.arange(k))) & 3
    return (3 - digits) @ (4 ** np.arange(k - 1, -1, -1))


#numptx export profile(uint8[:], int)
# run: profile(array([65, 67, 71, 84], uint8)[integers(0, 4, 80)], 2)
# run: profile(array([65, 67, 71, 84, 78], uint8)[integers(0, 5, 99)][::-2], 3)
# run: profile(array([65], uint8), 2)
def profile(text, k):
    """How often each word occurs on either strand, the most frequent ones, and the entropy in bits."""
    numbers = words(text, k)
    canonical = np.minimum(numbers, reverse_complements(numbers, k))
    counts = np.bincount(canonical, minlength=4**k)
    order = np.lexsort((np.arange(4**k), -counts))
    share = counts[counts > 0] / max(len(numbers), 1)
    return counts, order[:3], -np.sum(share * np.log2(share))


#numptx export similarities(uint8[:], uint8[:], int)
# run: similarities(array([65, 67, 71, 84], uint8)[integers(0, 4, 60)], array([65, 67, 84], uint8)[integers(0, 3, 50)], 3)
# run: x = array([65, 67, 71, 84], uint8)[integers(0, 4, 90)]; similarities(x[::-1], x[::3], 2)
# run: similarities(zeros(0, uint8), array([65, 67], uint8), 1)
def similarities(a, b, k):
    """The share of common words, of words that only one has, and the cosine of both counts."""
    of_a, of_b = words(a, k), words(b, k)
    common = np.intersect1d(of_a, of_b)
    either = np.union1d(of_a, of_b)
    counts_a, counts_b = np.bincount(of_a, minlength=4**k), np.bincount(of_b, minlength=4**k)
    cosine = counts_a @ counts_b / (np.linalg.norm(counts_a) * np.linalg.norm(counts_b))
    return common, len(common) / len(either), np.setxor1d(of_a, of_b), cosine


#numptx export skew(uint8[:], int)
# run: skew(array([65, 67, 71, 84], uint8)[integers(0, 4, 70)], 9)
# run: skew(array([71, 67, 84], uint8)[integers(0, 3, 60)][::-2], 4)
# run: skew(array([71], uint8), 1)
def skew(text, width):
    """The running difference of G and C, where it is least, as origins of replication are, and the share of both in windows."""
    codes = coded(text)
    steps = np.choose(codes, [0, -1, 1, 0, 0])
    running = np.cumsum(steps)
    strong = np.concatenate(([0], np.cumsum((codes == 1) | (codes == 2))))
    share = (strong[width:] - strong[:-width]) / width
    return running, np.argmin(running), share


#numptx export distinct_rows(uint8[:,:])
# run: distinct_rows(array([65, 84], uint8)[integers(0, 2, (12, 3))])
# run: distinct_rows(array([65, 67, 84], uint8)[integers(0, 3, (4, 30))].T[::-2, ::2])
# run: distinct_rows(zeros((1, 2), uint8))
def distinct_rows(reads):
    """Reads that differ, how often each was read, and the mean number of differing places between two of them."""
    distinct, which, counts = np.unique(reads, axis=0, return_inverse=True, return_counts=True)
    differing = (distinct[:, None, :] != distinct[None, :, :]).sum(axis=2)
    n_pairs = len(reads) * (len(reads) - 1) / 2
    diversity = counts @ np.triu(differing, 1) @ counts / max(n_pairs, 1.0)
    return distinct, which.ravel(), counts, diversity
