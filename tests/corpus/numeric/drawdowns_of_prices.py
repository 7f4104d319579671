"""Risk of prices: returns, drawdowns, time under water, value at risk, and exponentially weighted volatility."""

import numpy as np


def log_returns(prices):
    return np.diff(np.log(prices), axis=0)


#numptx export drawdowns(float64[:])
# run: drawdowns(exp(cumsum(random(40) - 0.5)))
# run: drawdowns(exp(cumsum(random(50) - 0.45))[::-3])
# run: drawdowns(array([2.0]))
def drawdowns(prices):
    """The deepest drawdown, where it began and ended, and the longest time below a former peak."""
    peaks = np.maximum.accumulate(prices)
    depth = 1.0 - prices / peaks
    bottom = np.argmax(depth)
    top = np.argmax(prices[: bottom + 1])
    under = np.r_[False, prices < peaks, False]
    starts, ends = np.flatnonzero(np.diff(under.astype(np.int8)) == 1), np.flatnonzero(np.diff(under.astype(np.int8)) == -1)
    return depth, (top, bottom), np.max(ends - starts, initial=0)


#numptx export tail_risks(float64[:,:], float64[:], float)
# run: tail_risks(exp(cumsum(random((41, 3)) - 0.5, axis=0)), array([0.5, 0.3, 0.2]), 0.05)
# run: tail_risks(exp(cumsum(random((2, 60)) - 0.5, axis=1)).T[::2], array([0.5, 0.5]), 0.13)
# run: tail_risks(array([[1.0, 2.0], [2.0, 1.0]]), array([0.75, 0.25]), 0.5)
def tail_risks(prices, shares, level):
    """Value at risk and expected shortfall of a portfolio, and what each asset has to do with its variance."""
    returns = np.expm1(log_returns(prices))
    together = returns @ shares
    n_worst = max(int(level * len(together)), 1)
    worst = np.partition(together, n_worst - 1)[:n_worst]
    centred = returns - returns.mean(axis=0)
    covariance = centred.T @ centred / len(returns)
    variance = shares @ covariance @ shares
    return -np.quantile(together, level, method="lower"), -worst.mean(), shares * (covariance @ shares) / variance


#numptx export volatility(float64[:], float, int)
# run: volatility(exp(cumsum(random(45) - 0.5)), 0.94, 5)
# run: volatility(exp(cumsum(random(50) - 0.5))[::-2], 0.8, 1)
# run: volatility(array([1.0, 1.5]), 0.5, 7)
def volatility(prices, decay, n_missing):
    """Of each day from all days before; weights fall by a factor a day. Some quotes in between are missing."""
    prices = prices.copy()
    prices[3 : 3 + n_missing] = np.nan
    returns = np.nan_to_num(log_returns(prices))
    weights = decay ** np.arange(len(returns))
    smoothed = np.convolve(returns**2, weights)[: len(returns)] / np.cumsum(weights)
    return np.sqrt(252 * smoothed), np.extract(returns < 0, returns)
