"""Curves of interest rates: discount factors from swap rates, forward rates, bonds' yields and durations, internal rates of return."""
# tolerance: 1e-11
import numpy as np


def discount_factors(swap_rates):
    """Of the end of each year, one after the other, from the rates of swaps that pay once a year."""
    factors = np.empty_like(swap_rates)
    annuity = 0.0
    for k, rate in enumerate(swap_rates):
        factors[k] = (1.0 - rate * annuity) / (1.0 + rate)
        annuity += factors[k]
    return factors


#numptx export forward_curve(float64[:], float64[:])
# run: forward_curve(linspace(0.01, 0.04, 10), array([0.0, 0.25, 1.0, 3.5, 9.75, 12.0]))
# run: forward_curve((0.03 + 0.01 * random(14))[::-2], random(6)[::2] * 9)
# run: forward_curve(array([-0.005]), zeros(0))
def forward_curve(swap_rates, times):
    """Zero rates, forward rates of each year, and discount factors at any times: their logarithms are interpolated."""
    years = np.arange(1, len(swap_rates) + 1)
    logarithms = np.log(discount_factors(swap_rates))
    forwards = np.expm1(-np.diff(logarithms, prepend=0.0))
    knots, values = np.r_[0, years], np.r_[0.0, logarithms]
    inside = np.interp(times, knots, values)
    beyond = np.maximum(times - years[-1], 0.0) * (values[-1] - values[-2])
    return -logarithms / years, forwards, np.exp(inside + beyond)


#numptx export internal_rate(float64[:])
# tolerance: 1e-9
# run: internal_rate(array([-100.0, 30.0, 35.0, 40.0, 20.0]))
# run: internal_rate(array([-50.0, 0.0, -20.0, 1.0, 40.0, 9.0, 60.0, 1.0])[::-1][1:])
# run: internal_rate(array([-10.0, 11.0]))
# run: internal_rate(array([10.0, 11.0]))
def internal_rate(flows):
    """The rate at which the present value of all flows is 0, of the real roots the one nearest to no interest."""
    growth = np.roots(flows)
    real = growth[np.abs(growth.imag) < 1e-9].real
    positive = real[real > 0]
    if len(positive) == 0:
        return np.float64(np.nan), np.float64(np.nan)
    rate = positive[np.argmin(np.abs(positive - 1.0))] - 1.0
    return rate, np.polyval(flows[::-1], 1.0 / (1.0 + rate)) / np.max(np.abs(flows)) + 1.0


#numptx export bond(float64, int, float64)
# run: bond(0.05, 10, 96.0)
# run: bond(0.0, 7, 80.0)
# run: bond(0.03, 1, 101.0)
def bond(coupon, n_years, price):
    """Yield, modified duration and convexity: the price is a polynomial of the discount factor."""
    flows = np.append(np.zeros(1), np.full(n_years, 100.0 * coupon))
    flows[-1] += 100.0
    polynomial = flows[::-1]
    slope = np.polyder(polynomial)
    factor = 1.0 / (1.0 + coupon)
    for _ in range(8):
        factor -= (np.polyval(polynomial, factor) - price) / np.polyval(slope, factor)
    duration = np.polyval(slope, factor) * factor**2 / price
    bend = np.polyval(np.polyder(polynomial, 2), factor) * factor**4 + 2.0 * np.polyval(slope, factor) * factor**3
    return 1.0 / factor - 1.0, duration, bend / price
