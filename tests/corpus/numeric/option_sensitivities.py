"""European options: prices and sensitivities by Black and Scholes, implied volatilities, and what positions pay."""
# tolerance: 1e-9
import math

import numpy as np

try:
    from scipy.special import ndtr
except ImportError:
    ndtr = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)), otypes=[np.float64])


def density(x):
    return np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)


def distances(spot, strike, rate, volatility, time):
    """How far the strike is from the forward price, in standard deviations: `d1` and `d2`."""
    width = volatility * np.sqrt(time)
    first = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * time) / width
    return first, first - width


def call_price(spot, strike, rate, volatility, time):
    d1, d2 = distances(spot, strike, rate, volatility, time)
    return spot * ndtr(d1) - strike * np.exp(-rate * time) * ndtr(d2)


#numptx export sensitivities(float64, float64[:], float64, float64, float64[:,:])
# run: sensitivities(100.0, linspace(60, 150, 7), 0.02, 0.25, array([[0.1], [0.5], [2.0]]))
# run: sensitivities(50.0, 30 + 40 * random(10)[::-2], -0.01, 0.4, random((5, 2)).T + 0.1)
# run: sensitivities(1.0, ones(1), 0.0, 0.1, zeros((0, 1)))
def sensitivities(spot, strike, rate, volatility, time):
    """Price, delta, gamma, vega and theta of calls; of puts the price."""
    d1, d2 = distances(spot, strike, rate, volatility, time)
    discounted = strike * np.exp(-rate * time)
    call = call_price(spot, strike, rate, volatility, time)
    gamma = density(d1) / (spot * volatility * np.sqrt(time))
    vega = spot * density(d1) * np.sqrt(time)
    theta = -0.5 * vega * volatility / time - rate * discounted * ndtr(d2)
    return call, ndtr(d1), gamma, vega, theta, call - spot + discounted


#numptx export implied_smile(float64, float64[:], float64[:], float64)
# tolerance: 1e-7
# run: k = linspace(80, 120, 9); implied_smile(100.0, k, maximum(100.0 - k, 0.0) + 6.0 - 0.01 * (k - 100.0) ** 2, 0.5)
# run: k = linspace(75, 125, 11)[::-2]; implied_smile(100.0, k, maximum(100.0 - k, 0.0) + 9.0 - 0.2 * abs(k - 95.0), 1.0)
# run: implied_smile(10.0, array([9.0, 10.0, 11.0]), array([1.8, 1.2, 0.7]), 0.25)
def implied_smile(spot, strike, price, time):
    """Implied volatilities by Newton's method from Brenner and Subrahmanyam's guess, and a parabola through them."""
    volatility = np.full(strike.shape, np.sqrt(2.0 * np.pi / time) * price.mean() / spot)
    for _ in range(12):
        d1, _ = distances(spot, strike, 0.0, volatility, time)
        miss = call_price(spot, strike, 0.0, volatility, time) - price
        volatility = np.clip(volatility - miss / np.maximum(spot * density(d1) * np.sqrt(time), 1e-8), 1e-3, 3.0)
    return volatility, np.polyfit(np.log(strike / spot), volatility, 2)


#numptx export collar_payoff(float64[:], float64, float64)
# run: collar_payoff(linspace(50, 150, 11), 80.0, 120.0)
# run: collar_payoff(array([nan, 80.0, 120.0, 7.0, inf])[::-1], 80.0, 120.0)
# run: collar_payoff(zeros(0), 1.0, 2.0)
def collar_payoff(spot, floor, cap):
    """A share held with a put at the floor and a call at the cap sold; and beside it a spread that pays in between."""
    held = np.piecewise(spot, [spot < floor, spot >= cap], [floor, cap, lambda s: s])
    spread = np.select([spot <= floor, spot < cap], [0.0, spot - floor], default=cap - floor)
    return held, spread, np.heaviside(spot - cap, 0.5)
