"""Writes `special_values.txt`: values of SciPy's special functions, by mpmath in 50 digits; what SciPy gives at special places, by SciPy.

    python tests/functions/special_values.py    # needs mpmath and scipy

The tests need neither: they read the file.
"""

import itertools
import warnings
from pathlib import Path

import mpmath as mp
import numpy as np
import scipy
import scipy.special

FILE = Path(__file__).with_name("special_values.txt")
HEADER = f"""# Values of special functions: a name, arguments, and the value, of float64, by `special_values.py`.
# Lines with `=` are rounded from 50 digits, by mpmath {mp.__version__}; those with `~` are what SciPy {scipy.__version__} gives at special places.
"""

mp.mp.dps = 50
LINE = [-30.0, -7.3, -2.5, -1.25, -0.5, -1e-3, 1e-12, 1e-3, 0.1, 0.5, 0.9, 1.0, 1.7, 2.5, 3.0, 7.9, 8.1, 15.5, 26.0]
RIGHT = [1e-12, 1e-3, 0.1, 0.5, 0.9, 1.0, 1.7, 2.0, 2.5, 3.0, 7.9, 8.1, 15.5, 26.0, 100.0, 640.0]
SHARES = [1e-300, 1e-15, 1e-4, 0.07, 0.3, 0.49, 0.5, 0.51, 0.75, 0.9, 0.999, 1 - 1e-12]
BOTH = [-1 + 1e-9, -0.97, -0.3, -1e-10, 1e-6, 0.2, 0.5, 0.77, 0.99, 1 - 1e-14]
PAIRS = [*itertools.product([0.02, 0.5, 1.0, 2.5, 7.0], [0.01, 0.4, 1.0, 3.5, 20.0]), (150.0, 130.0), (150.0, 180.0), (260.0, 255.0), (1e4, 1.01e4), (1e6, 999000.0)]
ORDERS = [0.0, 1.0, 4.0, 0.5, 2.25, 1 / 3, 30.0, 62.7]
REACHES = [0.01, 0.7, 1.9, 2.1, 9.3, 24.0, 26.0, 61.0, 180.0]
BELOW = [(-2.0, 3.3), (-3.0, 0.4), (-0.3, 1.2), (-0.5, 2.2), (-7.6, 12.0), (-2.75, 40.0)]
ORDERED = [*itertools.product(ORDERS, REACHES), *BELOW]
DEGREES = [*itertools.product([0.0, 1.0, 2.0, 5.0, 20.0], [-0.999, -0.3, 1e-9, 0.77, 1.0, 3.5])]
AIRY = [-60.0, -9.1, -3.3, -1.0, -1e-3, 1e-12, 0.4, 1.0, 2.7, 11.0, 60.0]
PARTS = [*itertools.product([0.01, 0.5, 2.0, 11.0], [0.03, 0.6, 3.0, 40.0], [0.004, 0.3, 0.8]), (200.0, 300.0, 0.41), (1e4, 5e3, 0.667)]


def within(values, low, high):
    return [v for v in values if low <= v <= high]


def singles(values):
    return [(v,) for v in values]


def zeta(x, q=1):
    with mp.workdps(150):
        return mp.zeta(x, q)


def student(v, t):
    tail = mp.betainc(v / 2, mp.mpf(1) / 2, 0, v / (v + t * t), regularized=True) / 2
    return tail if t < 0 else 1 - tail


def laguerre(n, a, x):
    return mp.fsum((-x) ** k / mp.factorial(k) * mp.binomial(n + a, n - k) for k in range(int(n) + 1))


def spherical(f):
    return lambda n, x: mp.sqrt(mp.pi / (2 * x)) * f(n + mp.mpf(1) / 2, x)


def slope_of(f):
    return lambda n, x: f(n - 1, x) - (n + 1) / x * f(n, x)


spherical_j, spherical_y = spherical(mp.besselj), spherical(mp.bessely)
POLES = lambda values: [v for v in values if not (v <= 0 and v == int(v))]  # noqa: E731

# Name → a function of mpmath's numbers, and its arguments.
EXACT = {
    "exprel": (lambda x: mp.expm1(x) / x, singles(LINE)),
    "cosm1": (lambda x: -2 * mp.sin(x / 2) ** 2, singles(LINE)),
    "sinc": (lambda x: mp.sin(mp.pi * x) / (mp.pi * x), singles([0.1, 0.5, -1.25, 7.9])),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), singles(LINE)),
    "exp2": (lambda x: mp.mpf(2) ** x, singles(LINE)),
    "exp10": (lambda x: mp.mpf(10) ** x, singles(LINE)),
    "expm1": (mp.expm1, singles(LINE)),
    "log1p": (mp.log1p, singles(within(LINE, -0.9, 30))),
    "expit": (lambda x: 1 / (1 + mp.exp(-x)), singles([-700.0, *LINE])),
    "logit": (lambda p: mp.log(p) - mp.log1p(-p), singles(SHARES)),
    "log_expit": (lambda x: -mp.log1p(mp.exp(-x)), singles([-700.0, *LINE])),
    "xlogy": (lambda x, y: x * mp.log(y), [(a, b) for a in (-1.5, 0.3, 4.0) for b in (1e-3, 0.9, 7.0)]),
    "xlog1py": (lambda x, y: x * mp.log1p(y), [(a, b) for a in (-1.5, 0.3, 4.0) for b in (-0.9, 1e-9, 7.0)]),
    "entr": (lambda x: -x * mp.log(x), singles(RIGHT)),
    "rel_entr": (lambda x, y: x * mp.log(x / y), [(a, b) for a in (1e-5, 0.3, 4.0) for b in (1e-3, 0.30001, 7.0)]),
    "kl_div": (lambda x, y: x * mp.log(x / y) - x + y, [(a, b) for a in (1e-5, 0.3, 4.0) for b in (1e-3, 0.30001, 7.0)]),
    "erf": (mp.erf, singles(LINE)),
    "erfc": (mp.erfc, singles(LINE)),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), singles([*within(LINE, -3, 30), 300.0, 1e9])),
    "erfinv": (mp.erfinv, singles(BOTH)),
    "erfcinv": (lambda q: mp.erfinv(1 - q), singles([1e-30, *SHARES[1:], 1.3, 1.9, 2 - 1e-12])),
    "ndtr": (mp.ncdf, singles([-37.0, *LINE])),
    "ndtri": (lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), singles(SHARES[1:])),
    "log_ndtr": (lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), singles([-1000.0, -100.0, *within(LINE, -30, 7.5)])),
    "gamma": (mp.gamma, singles([*POLES(LINE), 100.5, 170.2])),
    "gammaln": (lambda x: mp.log(abs(mp.gamma(x))), singles([*POLES(LINE[1:]), 1e5, 1e10])),
    "loggamma": (mp.loggamma, singles(RIGHT)),
    "gammasgn": (lambda x: mp.sign(mp.gamma(x)), singles([*POLES(LINE), -3.5, -100.2])),
    "rgamma": (mp.rgamma, singles([*LINE, 160.2])),
    "digamma": (mp.digamma, singles([*POLES(LINE), 1e5])),
    "zeta": (zeta, singles([-30.5, -7.3, -2.5, -0.1, 0.3, 0.9, 1.1, 2.0, 3.0, 7.5, 40.0])),
    "zeta_of_two": (zeta, itertools.product([1.1, 2.0, 5.5, 30.0], [0.1, 1.0, 7.3, 200.0])),
    "zetac": (lambda x: mp.zeta(x) - 1, singles([-7.3, 0.3, 1.1, 2.0, 7.5, 60.0])),
    "polygamma": (lambda n, x: mp.polygamma(int(n), x), itertools.product([0.0, 1.0, 2.0, 5.0], [0.1, 1.0, 7.3, 200.0])),
    "factorial": (lambda n: mp.gamma(n + 1), singles([0.0, 1.0, 2.5, 20.0, 170.0])),
    "poch": (lambda a, m: mp.gamma(a + m) / mp.gamma(a), [(2.5, 3.0), (2.5, 0.3), (7.0, -2.0), (0.4, 9.7), (1e5, 0.5), (-2.5, 4.0)]),
    "beta": (mp.beta, [*PAIRS[:-3], (-1.5, 2.25), (-0.4, -3.3), (0.5, 1e5)]),
    "betaln": (lambda a, b: mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b), PAIRS),
    "binom": (mp.binomial, [(5.0, 2.0), (60.0, 30.0), (1000.0, 500.0), (7.5, 3.0), (7.5, 2.25), (-2.5, 3.0), (1e9, 2.0), (1e5, 2.5)]),
    "comb": (mp.binomial, [(5.0, 2.0), (60.0, 30.0), (1000.0, 500.0), (7.5, 3.0)]),
    "perm": (mp.ff, [(5.0, 2.0), (60.0, 30.0), (7.5, 3.0)]),
    "gammainc": (lambda a, x: mp.gammainc(a, 0, x, regularized=True), [*PAIRS, (1e-5, 0.3), (300.0, 150.0)]),
    "gammaincc": (lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True), [*PAIRS, (1e-5, 0.3), (300.0, 400.0)]),
    "betainc": (lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True), PARTS),
    "betaincc": (lambda a, b, x: mp.betainc(a, b, x, 1, regularized=True), PARTS),
    "chdtr": (lambda v, x: mp.gammainc(v / 2, 0, x / 2, regularized=True), PAIRS),
    "chdtrc": (lambda v, x: mp.gammainc(v / 2, x / 2, mp.inf, regularized=True), PAIRS),
    "stdtr": (student, itertools.product([0.3, 1.0, 7.5, 40.0, 1e6], [-30.0, -2.5, -0.3, -1e-9, 0.7, 4.0])),
    "fdtr": (lambda a, b, x: mp.betainc(a / 2, b / 2, 0, a * x / (a * x + b), regularized=True), itertools.product([1.0, 3.5, 40.0], [2.0, 11.0], [0.03, 0.9, 7.0])),
    "fdtrc": (lambda a, b, x: mp.betainc(a / 2, b / 2, a * x / (a * x + b), 1, regularized=True), itertools.product([1.0, 3.5, 40.0], [2.0, 11.0], [0.03, 0.9, 7.0])),
    "boxcox": (lambda x, p: mp.log(x) if p == 0 else (x**p - 1) / p, itertools.product([0.01, 0.99, 2.5, 300.0], [-1.5, 0.0, 1e-9, 0.5, 3.0])),
    "boxcox1p": (lambda x, p: mp.log1p(x) if p == 0 else ((1 + x) ** p - 1) / p, itertools.product([-0.3, 1e-9, 2.5, 300.0], [-1.5, 0.0, 1e-9, 0.5, 3.0])),
    "inv_boxcox": (lambda y, p: mp.exp(y) if p == 0 else (1 + p * y) ** (1 / p), itertools.product([0.01, 0.99, 2.5], [-0.3, 0.0, 1e-9, 0.5, 3.0])),
    "huber": (lambda d, r: r * r / 2 if abs(r) <= d else d * (abs(r) - d / 2), itertools.product([0.1, 1.0, 7.5], [-3.0, 0.05, 1.0, 9.0])),
    "pseudo_huber": (lambda d, r: d * d * (mp.sqrt(1 + (r / d) ** 2) - 1), itertools.product([0.1, 1.0, 7.5], [-3.0, 1e-6, 1.0, 1e30])),
    "eval_legendre": (lambda n, x: mp.legendre(int(n), x), DEGREES),
    "eval_chebyt": (lambda n, x: mp.chebyt(int(n), x), DEGREES),
    "eval_chebyu": (lambda n, x: mp.chebyu(int(n), x), DEGREES),
    "eval_hermite": (lambda n, x: mp.hermite(int(n), x), DEGREES),
    "eval_hermitenorm": (lambda n, x: mp.hermite(int(n), x / mp.sqrt(2)) / mp.sqrt(2) ** int(n), DEGREES),
    "eval_laguerre": (lambda n, x: laguerre(n, 0, x), DEGREES),
    "eval_genlaguerre": (laguerre, [(n, a, x) for n, x in DEGREES for a in (-0.5, 2.25)]),
    "airy_0": (mp.airyai, singles(AIRY)),
    "airy_1": (lambda x: mp.airyai(x, derivative=1), singles(AIRY)),
    "airy_2": (mp.airybi, singles(AIRY)),
    "airy_3": (lambda x: mp.airybi(x, derivative=1), singles(AIRY)),
    "exp1": (mp.e1, singles(RIGHT)),
    "expi": (mp.ei, singles([-7.3, -0.5, -1e-3, *RIGHT])),
    "ellipk": (mp.ellipk, singles([-1e6, -7.3, -0.5, 1e-12, 0.5, 0.999, 1 - 1e-12])),
    "ellipkm1": (lambda p: mp.ellipk(1 - p), singles([1e-30, 1e-9, 0.3, 1.0, 7.0])),
    "ellipe": (mp.ellipe, singles([-1e6, -7.3, -0.5, 1e-12, 0.5, 0.999, 1 - 1e-6, 1 - 1e-12])),
    "j0": (lambda x: mp.besselj(0, x), singles([*LINE, 1e5])),
    "j1": (lambda x: mp.besselj(1, x), singles([*LINE, 1e5])),
    "y0": (lambda x: mp.bessely(0, x), singles([*RIGHT, 1e5])),
    "y1": (lambda x: mp.bessely(1, x), singles([*RIGHT, 1e5])),
    "i0": (lambda x: mp.besseli(0, x), singles(LINE)),
    "i1": (lambda x: mp.besseli(1, x), singles(LINE)),
    "i0e": (lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), singles([*LINE, 1e5])),
    "i1e": (lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), singles([*LINE, 1e5])),
    "k0": (lambda x: mp.besselk(0, x), singles(RIGHT)),
    "k1": (lambda x: mp.besselk(1, x), singles(RIGHT)),
    "k0e": (lambda x: mp.exp(x) * mp.besselk(0, x), singles([*RIGHT, 1e5])),
    "k1e": (lambda x: mp.exp(x) * mp.besselk(1, x), singles([*RIGHT, 1e5])),
    "jv": (mp.besselj, [*ORDERED, (3.0, -2.2), (1.5, 1e4)]),
    "yv": (mp.bessely, [*ORDERED, (1.5, 1e4)]),
    "yn": (mp.bessely, [(float(n), x) for n in (0, 1, 5, -2) for x in REACHES]),
    "kn": (mp.besselk, [(float(n), x) for n in (0, 1, 5, -2) for x in REACHES]),
    "iv": (mp.besseli, [*ORDERED, (3.0, -2.2), (500.0, 300.0)]),
    "ive": (lambda v, x: mp.exp(-abs(x)) * mp.besseli(v, x), [*ORDERED, (1.5, 1e4)]),
    "kv": (mp.besselk, [*ORDERED, (500.0, 300.0)]),
    "kve": (lambda v, x: mp.exp(x) * mp.besselk(v, x), [*ORDERED, (1.5, 1e4)]),
    "spherical_jn": (spherical_j, itertools.product([0.0, 1.0, 2.0, 7.0, 40.0], REACHES)),
    "spherical_yn": (spherical_y, itertools.product([0.0, 1.0, 2.0, 7.0, 40.0], REACHES)),
    "spherical_jn_slope": (slope_of(spherical_j), itertools.product([0.0, 1.0, 2.0, 7.0], REACHES)),
    "spherical_yn_slope": (slope_of(spherical_y), itertools.product([0.0, 1.0, 2.0, 7.0], REACHES)),
}

INF, NAN = float("inf"), float("nan")
PLACES = [0.0, -0.0, 1.0, -1.0, -2.0, 2.0, INF, -INF, NAN]
# Where SciPy's own value is by accident, as that of a Bessel function of infinite order.
OF_ORDER = [(v, x) for v in (0.0, 1.0, -1.0, 2.0, 0.5, -0.5, NAN) for x in (0.0, -1.0, INF, NAN) if not (x == 0.0 and v < 0)]
AT_ENDS = [(a, b) for a in (0.0, 2.5, -1.0, INF, NAN) for b in (0.0, 1.5, -1.0, INF, NAN)]
SPECIAL = {
    **{name: singles(PLACES) for name in EXACT},
    "entr": singles([0.0, -1.0, 1.0, INF, -INF, NAN]),
    **{name: AT_ENDS for name in ("xlogy", "xlog1py", "rel_entr", "kl_div", "gammainc", "gammaincc", "zeta_of_two")},
    **{name: OF_ORDER for name in ("jv", "yv", "iv", "ive", "kv", "kve")},
    "chdtr": [(a, b) for a in (0.0, 2.5, INF, NAN) for b in (0.0, 1.5, INF, NAN)],
    "chdtrc": [(a, b) for a in (0.0, 2.5, INF, NAN) for b in (0.0, 1.5, INF, NAN)],
    "stdtr": [(a, b) for a in (-1.0, 2.5, INF, NAN) for b in (0.0, 1.5, -INF, INF, NAN)],
    **{name: [(a, b, x) for a in (-1.0, 2.0, NAN) for b in (1.5, -1.0) for x in (0.0, 0.5, INF, -1.0)] for name in ("fdtr", "fdtrc")},
    **{name: [(a, b) for a in (0.0, 2.0, 1.0, -1.0, INF, NAN) for b in (0.0, 1.5, -1.0, NAN)] for name in ("boxcox", "boxcox1p", "inv_boxcox", "huber")},
    "pseudo_huber": [(a, b) for a in (0.0, 2.0, -1.0, NAN) for b in (0.0, 1.5, -INF, NAN)],
    **{name: [(n, x) for n in (0.0, 3.0, -1.0) for x in (0.0, -1.0, INF, NAN)] for name in ("yn", "kn")},
    **{f"eval_{name}": [(n, x) for n in (0.0, 1.0, 2.0, -1.0, -3.0) for x in (0.0, -1.0, 1.0, INF, NAN)] for name in ("legendre", "chebyt", "chebyu", "hermite", "hermitenorm", "laguerre")},
    "eval_genlaguerre": [(n, a, x) for n in (0.0, 2.0, -1.0) for a in (-2.0, -1.0, 0.5) for x in (0.0, 1.0, NAN)],
    "beta": [(a, b) for a in (0.0, -1.0, -2.0, 2.0, -2.5, INF) for b in (0.0, -1.0, 3.0, 1.5, -0.5)],
    "betaln": [(a, b) for a in (0.0, -1.0, -2.0, 2.0, -2.5, INF) for b in (0.0, -1.0, 3.0, 1.5, -0.5)],
    "binom": [(a, b) for a in (0.0, -1.0, 2.0, -2.5) for b in (0.0, -1.0, 3.0, INF, NAN)],
    "comb": [(a, b) for a in (0.0, -1.0, 2.0) for b in (0.0, -1.0, 3.0)],
    "perm": [(a, b) for a in (0.0, -1.0, 2.0) for b in (0.0, -1.0, 3.0)],
    "poch": [(a, b) for a in (0.0, -1.0, 2.0) for b in (0.0, -1.0, 3.0, 0.5)],
    "polygamma": [(0.0, 0.0), (1.0, 0.0), (2.0, -1.0), (1.0, INF), (1.0, NAN), (1.0, -0.5)],
    **{name: [(a, b, x) for a in (0.0, 2.0, -1.0, INF) for b in (0.0, 1.5, NAN) for x in (0.0, 0.5, 1.0, 2.0)] for name in ("betainc", "betaincc")},
    **{name: [(n, x) for n in (0.0, 1.0, 2.0, -1.0) for x in (0.0, INF, -INF, NAN, -2.5)] for name in ("spherical_jn", "spherical_yn", "spherical_jn_slope", "spherical_yn_slope")},
}  # fmt: skip


def of_scipy(name, arguments):
    if name == "zeta_of_two":
        return scipy.special.zeta(*arguments)
    if name.endswith("_slope"):
        return getattr(scipy.special, name.removesuffix("_slope"))(int(arguments[0]), arguments[1], derivative=True)
    if name.startswith("airy"):
        return scipy.special.airy(*arguments)[int(name[-1])]
    if name.startswith(("spherical", "eval_")) or name in ("yn", "kn"):
        return getattr(scipy.special, name)(int(arguments[0]), *arguments[1:])
    return getattr(scipy.special, name)(*map(np.float64, arguments))


def main():
    warnings.simplefilter("ignore")
    lines = []
    for name, (f, points) in EXACT.items():
        for point in points:
            value = mp.re(f(*map(mp.mpf, point)))
            lines.append(f"{name} {' '.join(map(repr, point))} = {float(value)!r}")
        for point in SPECIAL[name]:
            lines.append(f"{name} {' '.join(map(repr, point))} ~ {float(of_scipy(name, point))!r}")
    FILE.write_text(HEADER + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
