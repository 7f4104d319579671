"""Methods of `np.random`: what NumPy's signatures bind, and the methods that are made of others. A name begins with whose method it is: `both` of
`Generator` and `RandomState`, `generator`, `legacy`, `bits`, `sequence`. What draws is the compiler's: `random_draw(method, rng, size, …)`."""
import numpy as np


def random_default(seed=None):
    if isinstance(seed, np.random.Generator):
        return seed
    if isinstance(seed, np.random.BitGenerator):
        return random_wrapped(seed)
    if isinstance(seed, np.random.RandomState):
        return random_wrapped(seed)
    return random_wrapped(random_bit_generator(0, seed))


def random_bit_generator(kind, seed=None):
    if isinstance(seed, np.random.SeedSequence):
        return random_new(kind, seed)
    return random_new(kind, random_seed_sequence(seed))


def random_generator(bit_generator):
    if not isinstance(bit_generator, np.random.BitGenerator):
        refuse("a `Generator` is made of a bit generator", "write `np.random.default_rng(seed)`, or `np.random.Generator(np.random.PCG64(seed))`")
    return random_wrapped(bit_generator)


def random_state(seed=None):
    if isinstance(seed, np.random.BitGenerator):
        return random_wrapped_state(seed)
    return random_seeded_state(seed)


def random_seeded_state(seed):
    if seed is None:
        return random_wrapped_state(random_new(3, random_fresh()))
    return random_seeded(seed)


def random_seed_sequence(entropy=None, *, spawn_key=(), pool_size=4):
    if entropy is None:
        if len(spawn_key) > 0 or pool_size != 4:
            refuse("a key or a pool without entropy", "name the entropy: `np.random.SeedSequence(42, spawn_key=(1,))`")
        return random_fresh()
    return random_entropy(entropy, spawn_key, pool_size)


def sequence_spawn(self, n_children):
    if n_children < 0:
        raise ValueError("n_children must be non-negative")
    return [random_spawned(self) for _ in range(n_children)]


def sequence_generate_state(self, n_words, dtype=np.uint32):
    return random_words(self, n_words, dtype)


def bits_random_raw(self, size=None, output=True):
    if size is None:
        refuse("one raw number is an int that may not fit in 64 bits", "draw an array: `bits.random_raw(1)[0]`")
    return random_draw("raw", self, size)


def bits_jumped(self, jumps=1):
    return random_jumped(self, jumps)


def bits_advance(self, delta):
    random_advanced(self, delta)
    return self


def generator_random(self, size=None, dtype=np.float64, out=None):
    no_out(out)
    return drawn_as("random", "random_f32", dtype, self, size)


def generator_standard_normal(self, size=None, dtype=np.float64, out=None):
    no_out(out)
    return drawn_as("standard_normal", "standard_normal_f32", dtype, self, size)


def generator_standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
    no_out(out)
    if method == "zig":
        return drawn_as("standard_exponential", "standard_exponential_f32", dtype, self, size)
    return drawn_as("standard_exponential_inv", "standard_exponential_inv_f32", dtype, self, size)


def generator_standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
    no_out(out)
    if np.dtype(dtype) == np.float32:
        return random_draw("standard_gamma_f32", self, size, shape)
    if np.dtype(dtype) != np.float64:
        refuse("this dtype", "draw float64 or float32 numbers: `dtype=np.float32`")
    return random_draw("standard_gamma", self, size, shape)


def no_out(out):
    if out is not None:
        refuse("`out`", "write what is drawn: `y[...] = rng.random(y.shape)`")


def drawn_as(name, single, dtype, self, size):
    if np.dtype(dtype) == np.float32:
        return random_draw(single, self, size)
    if np.dtype(dtype) != np.float64:
        refuse("this dtype", "draw float64 or float32 numbers: `dtype=np.float32`")
    return random_draw(name, self, size)


def legacy_random_sample(self, size=None):
    return random_draw("random", self, size)


def legacy_random(self, size=None):
    return random_draw("random", self, size)


def legacy_ranf(self, size=None):
    return random_draw("random", self, size)


def legacy_sample(self, size=None):
    return random_draw("random", self, size)


def legacy_rand(self, *args):
    if len(args) == 0:
        return random_draw("random", self, None)
    return random_draw("random", self, args)


def legacy_randn(self, *args):
    if len(args) == 0:
        return random_draw("standard_normal", self, None)
    return random_draw("standard_normal", self, args)


def legacy_standard_normal(self, size=None):
    return random_draw("standard_normal", self, size)


def legacy_standard_exponential(self, size=None):
    return random_draw("standard_exponential", self, size)


def legacy_standard_gamma(self, shape, size=None):
    return random_draw("standard_gamma", self, size, shape)


def legacy_tomaxint(self, size=None):
    return random_draw("tomaxint", self, size)


def legacy_seed(self, seed=None):
    random_reseeded(self, random_seeded_state(seed))


def both_uniform(self, low=0.0, high=1.0, size=None):
    return random_draw("uniform", self, size, low, high)


def both_normal(self, loc=0.0, scale=1.0, size=None):
    return random_draw("normal", self, size, loc, scale)


def both_lognormal(self, mean=0.0, sigma=1.0, size=None):
    return random_draw("lognormal", self, size, mean, sigma)


def both_exponential(self, scale=1.0, size=None):
    return random_draw("exponential", self, size, scale)


def both_laplace(self, loc=0.0, scale=1.0, size=None):
    return random_draw("laplace", self, size, loc, scale)


def both_gumbel(self, loc=0.0, scale=1.0, size=None):
    return random_draw("gumbel", self, size, loc, scale)


def both_logistic(self, loc=0.0, scale=1.0, size=None):
    return random_draw("logistic", self, size, loc, scale)


def both_rayleigh(self, scale=1.0, size=None):
    return random_draw("rayleigh", self, size, scale)


def both_gamma(self, shape, scale=1.0, size=None):
    return random_draw("gamma", self, size, shape, scale)


def both_beta(self, a, b, size=None):
    return random_draw("beta", self, size, a, b)


def both_chisquare(self, df, size=None):
    return random_draw("chisquare", self, size, df)


def both_noncentral_chisquare(self, df, nonc, size=None):
    return random_draw("noncentral_chisquare", self, size, df, nonc)


def both_f(self, dfnum, dfden, size=None):
    return random_draw("f", self, size, dfnum, dfden)


def both_noncentral_f(self, dfnum, dfden, nonc, size=None):
    return random_draw("noncentral_f", self, size, dfnum, dfden, nonc)


def both_standard_t(self, df, size=None):
    return random_draw("standard_t", self, size, df)


def both_standard_cauchy(self, size=None):
    return random_draw("standard_cauchy", self, size)


def both_vonmises(self, mu, kappa, size=None):
    return random_draw("vonmises", self, size, mu, kappa)


def both_pareto(self, a, size=None):
    return random_draw("pareto", self, size, a)


def both_weibull(self, a, size=None):
    return random_draw("weibull", self, size, a)


def both_power(self, a, size=None):
    return random_draw("power", self, size, a)


def both_wald(self, mean, scale, size=None):
    return random_draw("wald", self, size, mean, scale)


def both_triangular(self, left, mode, right, size=None):
    return random_draw("triangular", self, size, left, mode, right)


def both_poisson(self, lam=1.0, size=None):
    return random_draw("poisson", self, size, lam)


def both_binomial(self, n, p, size=None):
    return random_draw("binomial", self, size, n, p)


def both_negative_binomial(self, n, p, size=None):
    return random_draw("negative_binomial", self, size, n, p)


def both_geometric(self, p, size=None):
    return random_draw("geometric", self, size, p)


def both_zipf(self, a, size=None):
    return random_draw("zipf", self, size, a)


def both_logseries(self, p, size=None):
    return random_draw("logseries", self, size, p)


def both_hypergeometric(self, ngood, nbad, nsample, size=None):
    return random_draw("hypergeometric", self, size, ngood, nbad, nsample)


def generator_integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
    if high is None:
        return random_range(self, 0, low, size, dtype, endpoint)
    return random_range(self, low, high, size, dtype, endpoint)


def legacy_randint(self, low, high=None, size=None, dtype=int):
    if high is None:
        return random_range(self, 0, low, size, dtype, False)
    return random_range(self, low, high, size, dtype, False)


def legacy_random_integers(self, low, high=None, size=None):
    if high is None:
        return random_range(self, 1, low + 1, size, np.int64, False)
    return random_range(self, low, high + 1, size, np.int64, False)


def number_of(size):
    """How many elements a size has; None has one."""
    if size is None:
        return 1
    if isinstance(size, tuple):
        count = 1
        for extent in size:
            count = count * extent
        return count
    return size


def of_size(flat, size):
    """What was drawn, in its shape, or the one number."""
    if size is None:
        return flat[0]
    return np.reshape(flat, size)


def generator_multinomial(self, n, pvals, size=None):
    return several_drawn(self, 0, n, np.asarray(pvals, np.float64), size)


def legacy_multinomial(self, n, pvals, size=None):
    return several_drawn(self, 0, n, np.asarray(pvals, np.float64), size)


def generator_multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
    if method == "count":
        return several_drawn(self, 2, nsample, whole_numbers(colors), size)
    if method != "marginals":
        raise ValueError('method must be "count" or "marginals".')
    return several_drawn(self, 1, nsample, whole_numbers(colors), size)


def whole_numbers(colors):
    numbers = np.asarray(colors)
    if not np.issubdtype(numbers.dtype, np.integer):
        raise ValueError("colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807.")
    return numbers.astype(np.int64)


def both_dirichlet(self, alpha, size=None):
    return several_drawn(self, 3, 0, np.asarray(alpha, np.float64), size)


def several_drawn(self, number, n, parameters, size):
    if parameters.ndim != 1:
        refuse("rows of probabilities", "draw in a loop over the rows: `rng.multinomial(n, p[i])`")
    k = parameters.shape[0]
    if size is None:
        return random_several(number, self, n, parameters, 1)
    flat = random_several(number, self, n, parameters, number_of(size))
    if isinstance(size, tuple):
        return np.reshape(flat, size + (k,))
    return np.reshape(flat, (size, k))


def generator_shuffle(self, x, axis=0):
    shuffled(self, x, axis)


def legacy_shuffle(self, x):
    shuffled(self, x, 0)


def shuffled(self, x, axis):
    if isinstance(x, list):
        order = random_order(self, len(x), 1)
        before = x.copy()
        for k in range(len(x)):
            x[k] = before[order[k]]
    else:
        order = random_order(self, x.shape[axis] if x.size > 0 else 0, 1)
        if x.size > 0:
            x[...] = np.take(x, order, axis=axis)


def generator_permutation(self, x, axis=0):
    return permuted_along(self, x, axis)


def legacy_permutation(self, x):
    return permuted_along(self, x, 0)


def permuted_along(self, x, axis):
    if isinstance(x, (int, np.integer)):
        return random_order(self, max(x, 0), 1)
    a = np.asarray(x)
    if a.ndim == 1 or axis == 0:
        return np.take(a, random_order(self, a.shape[0], 1), axis=0)
    # NumPy's has the axis first in memory.
    moved = np.ascontiguousarray(np.moveaxis(a, axis, 0))
    return np.moveaxis(np.take(moved, random_order(self, a.shape[axis], 1), axis=0), 0, axis)


def generator_permuted(self, x, *, axis=None, out=None):
    if out is not None:
        refuse("`out`", "write what is drawn: `y[...] = rng.permuted(x, axis=1)`")
    a = np.asarray(x)
    if axis is None and a.ndim == 1:
        return np.take(a, random_order(self, a.shape[0], 1))
    if axis is None:
        refuse("several axes at once: the order is that of memory", "permute the vector: `rng.permuted(x.ravel()).reshape(x.shape)`")
    moved = np.moveaxis(a, axis, -1)
    n = moved.shape[-1]
    order = random_order(self, n, a.size // n if n > 0 else 0)
    result = np.empty(a.shape, a.dtype)
    result[...] = np.moveaxis(np.take_along_axis(moved, np.reshape(order, moved.shape), axis=-1), -1, axis)
    return result


def generator_choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    if isinstance(a, (int, np.integer)):
        if a <= 0 and number_of(size) != 0:
            raise ValueError("a must be a positive integer unless no samples are taken")
        index = generator_chosen(self, a, size, replace, p, shuffle)
        if size is None:
            return int(index)
        return index
    members = np.asarray(a)
    if members.shape[axis] == 0 and number_of(size) != 0:
        raise ValueError("a cannot be empty unless no samples are taken")
    index = generator_chosen(self, members.shape[axis], size, replace, p, shuffle)
    if size is None and members.ndim == 1:
        return members[index]
    return np.take(members, index, axis=axis)


def generator_chosen(self, population, size, replace, p, shuffle):
    """The places that `choice` takes."""
    known_replacement(replace)
    if p is None:
        if replace:
            return random_range(self, 0, population, size, np.int64, False)
        checked_sample(population, number_of(size), "Cannot take a larger sample than population when replace is False", "negative dimensions are not allowed")
        return of_size(random_sample(self, population, number_of(size), shuffle), size)
    weights = np.asarray(p)
    if weights.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if weights.shape[0] != population:
        raise ValueError("a and p must have same size")
    wide = weights.astype(np.float64)
    total = np.sum(wide)
    if np.isnan(total):
        raise ValueError("Probabilities contain NaN")
    if np.any(wide < 0):
        raise ValueError("Probabilities are not non-negative")
    if abs(total - 1.0) > tolerance(weights):
        raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more information.")
    if replace:
        return weighted(self, wide, size)
    checked_sample(population, number_of(size), "Cannot take a larger sample than population when replace is False", "negative dimensions are not allowed")
    return of_size(weighted_once(self, wide, number_of(size)), size)


def known_replacement(replace):
    if not is_known(replace):
        refuse("`replace` that is not known when compiling", "write both: `rng.choice(x, n) if r else rng.choice(x, n, replace=False)`")


def checked_sample(population, n, too_many, negative):
    if n > population:
        raise ValueError(f"{too_many}")
    if n < 0:
        raise ValueError(f"{negative}")


def tolerance(weights):
    if weights.dtype == np.float32:
        return 0.0003452669770922512
    return 1.4901161193847656e-08


def weighted(self, weights, size):
    """Places by their weights, with replacement."""
    sums = np.cumsum(weights)
    sums = sums / sums[-1]
    if size is None:
        return np.searchsorted(sums, random_draw("random", self, 1), side="right")[0]
    drawn = random_draw("random", self, size)
    return np.reshape(np.searchsorted(sums, np.ravel(drawn), side="right"), drawn.shape)


def weighted_once(self, weights, n):
    """Different places by their weights: what was taken weighs nothing when the rest is drawn."""
    if np.count_nonzero(weights > 0) < n:
        raise ValueError("Fewer non-zero entries in p than size")
    found = np.zeros(n, np.int64)
    left = weights.copy()
    count = 0
    while count < n:
        drawn = random_draw("random", self, n - count)
        for k in range(count):
            left[found[k]] = 0.0
        sums = np.cumsum(left)
        sums = sums / sums[-1]
        places = np.searchsorted(sums, drawn, side="right")
        before = count
        for place in places:
            is_new = True
            for k in range(before, count):
                if found[k] == place:
                    is_new = False
            if is_new:
                found[count] = place
                count += 1
    return found


def legacy_choice(self, a, size=None, replace=True, p=None):
    if isinstance(a, (int, np.integer)):
        if a <= 0 and number_of(size) != 0:
            raise ValueError("a must be greater than 0 unless no samples are taken")
        index = legacy_chosen(self, a, size, replace, p)
        if size is None:
            return int(index)
        return index
    members = np.asarray(a)
    if members.ndim != 1:
        raise ValueError("a must be 1-dimensional")
    if members.shape[0] == 0 and number_of(size) != 0:
        raise ValueError("'a' cannot be empty unless no samples are taken")
    index = legacy_chosen(self, members.shape[0], size, replace, p)
    if size is None:
        return members[index]
    return np.take(members, index)


def legacy_chosen(self, population, size, replace, p):
    """The places that `choice` takes."""
    known_replacement(replace)
    if p is None:
        if replace:
            return random_range(self, 0, population, size, np.int64, False)
        checked_sample(population, number_of(size), "Cannot take a larger sample than population when 'replace=False'", "Negative dimensions are not allowed")
        return of_size(random_order(self, population, 1)[: number_of(size)], size)
    weights = np.asarray(p)
    if weights.ndim != 1:
        raise ValueError("'p' must be 1-dimensional")
    if weights.shape[0] != population:
        raise ValueError("'a' and 'p' must have same size")
    wide = weights.astype(np.float64)
    total = np.sum(wide)
    if np.isnan(total):
        raise ValueError("probabilities contain NaN")
    if np.any(wide < 0):
        raise ValueError("probabilities are not non-negative")
    if abs(total - 1.0) > tolerance(weights):
        raise ValueError("probabilities do not sum to 1")
    if replace:
        return weighted(self, wide, size)
    checked_sample(population, number_of(size), "Cannot take a larger sample than population when 'replace=False'", "Negative dimensions are not allowed")
    return of_size(weighted_once(self, wide, number_of(size)), size)
