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
    if isinstance(seed, np.ndarray) and seed.dtype == np.uint64 and seed.size != 1:
        raise TypeError("Cannot cast array data from dtype('uint64') to dtype('int64') according to the rule 'safe'")
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
    return drawn_as("random", "random_f32", dtype, self, size, out)


def generator_standard_normal(self, size=None, dtype=np.float64, out=None):
    return drawn_as("standard_normal", "standard_normal_f32", dtype, self, size, out)


def generator_standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
    if method == "zig":
        return drawn_as("standard_exponential", "standard_exponential_f32", dtype, self, size, out)
    return drawn_as("standard_exponential_inv", "standard_exponential_inv_f32", dtype, self, size, out)


def generator_standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
    if out is None:
        return random_draw(method_of_dtype("standard_gamma", "standard_gamma_f32", dtype), self, size, shape)
    name = method_of_dtype("standard_gamma", "standard_gamma_f32", dtype)
    checked_draw_output(out, dtype, size, True)
    out[...] = random_draw(name, self, out.shape, shape)
    return out


def method_of_dtype(name, single, dtype):
    """The method of the numbers' dtype."""
    if np.dtype(dtype) == np.float32:
        return single
    if np.dtype(dtype) != np.float64:
        refuse("this dtype", "draw float64 or float32 numbers: `dtype=np.float32`")
    return name


def drawn_as(name, single, dtype, self, size, out):
    if out is None:
        return random_draw(method_of_dtype(name, single, dtype), self, size)
    method = method_of_dtype(name, single, dtype)
    checked_draw_output(out, dtype, size, False)
    # Numbers are drawn in the order of memory.
    if out.flags.c_contiguous:
        out[...] = random_draw(method, self, out.shape)
    else:
        out.T[...] = random_draw(method, self, out.shape[::-1])
    return out


def checked_draw_output(out, dtype, size, in_c_order):
    if not isinstance(out, np.ndarray):
        refuse("`out` that is no array", "pass an array of the dtype that is drawn: `rng.random(out=y)`")
    if in_c_order:
        if not out.flags.c_contiguous:
            raise ValueError("Supplied output array must be C-contiguous, writable, aligned, and in machine byte-order.")
    elif not out.flags.forc:
        raise ValueError("Supplied output array must be contiguous, writable, aligned, and in machine byte-order.")
    if out.dtype != np.dtype(dtype):
        raise TypeError(f"Supplied output array has the wrong type. Expected {np.dtype(dtype)}, got {out.dtype}")
    if size is not None and not is_size_of(out, size):
        raise ValueError("size must match out.shape when used together")


def is_size_of(out, size):
    if not isinstance(size, (tuple, list)):
        return out.ndim == 1 and out.shape[0] == size
    if len(size) != out.ndim:
        return False
    fits = True
    for n, extent in zip(size, out.shape):
        fits = fits and n == extent
    return fits


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
    if isinstance(size, (tuple, list)):
        count = 1
        for extent in size:
            count = count * extent
        return count
    return size


def is_shape(size):
    """Whether no extent of a size is negative."""
    if not isinstance(size, (tuple, list)):
        return size >= 0
    fits = True
    for extent in size:
        fits = fits and extent >= 0
    return fits


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
    flat = random_several(number, self, n, parameters, number_of(size) if is_shape(size) else 0)
    if not is_shape(size):
        raise ValueError("negative dimensions are not allowed")
    if isinstance(size, (tuple, list)):
        return np.reshape(flat, tuple(size) + (k,))
    return np.reshape(flat, (size, k))
