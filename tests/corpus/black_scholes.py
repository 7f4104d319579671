"""Prices of European options by the formula of Black and Scholes; the normal distribution by Abramowitz and Stegun 26.2.17."""

import numpy as np


def normal_cdf(x):
    t = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail = np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi) * series
    return np.where(x > 0, 1.0 - tail, tail)


#numptx export black_scholes(float64[:], float64[:], float64[:], float, float)
# run: black_scholes(10 + 90 * random(400), 10 + 90 * random(400), 0.1 + random(400), 0.02, 0.3)
# tolerance: 1e-11
# bench: black_scholes(10 + 90 * random(2**24), 10 + 90 * random(2**24), 0.1 + random(2**24), 0.02, 0.3)
def black_scholes(price, strike, years, rate, volatility):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    call = price * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - price * normal_cdf(-d1)
    return call, put
