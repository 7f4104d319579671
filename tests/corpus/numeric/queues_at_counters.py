"""Queues: waiting times of customers, several servers, formulas of Erlang and of Pollaczek, priorities, and networks of queues."""
# tolerance: 1e-9
import functools
import heapq

import numpy as np


def poisson_arrivals(rate, n, rng):
    return np.cumsum(rng.exponential(1.0 / rate, n))


#numptx export one_server(float, float, int, Generator)
# run: one_server(0.8, 1.0, 60, np.random.default_rng(4))
# run: one_server(2.0, 1.5, 33, np.random.Generator(np.random.Philox(2)))
# run: one_server(0.5, 1.0, 1, np.random.default_rng(0))
# run: one_server(0.5, 1.0, 0, np.random.default_rng(0))
def one_server(arrivals_a_second, served_a_second, n, rng):
    """Lindley's recurrence without a loop; percentiles of waiting times, how many are in the system over time, and busy periods."""
    if n == 0:
        raise ValueError("nobody comes")
    arrival = poisson_arrivals(arrivals_a_second, n, rng)
    service = rng.gamma(2.0, 0.5 / served_a_second, n)
    worked = np.cumsum(service)
    idle = np.maximum.accumulate(arrival - (worked - service))
    departure = idle + worked
    waited = departure - service - arrival
    times = np.concatenate((arrival, departure))
    order = np.argsort(times, kind="stable")
    inside = np.cumsum(np.repeat([1, -1], n)[order])
    share = np.bincount(inside[:-1], weights=np.diff(times[order])) / np.ptp(times)
    begins = np.flatnonzero(np.diff(idle, prepend=-np.inf) > 0.0)
    busy = np.add.reduceat(service, begins)
    return np.percentile(waited, [50, 90, 99]), share, busy, np.mean(waited > 1e-12)


#numptx export several_servers(float64[:], float64[:], int)
# run: several_servers(cumsum(random(30)), random(30) * 2, 3)
# run: several_servers(cumsum(random(40))[::-2][::-1], (random(20) * 3)[::-1], 2)
# run: several_servers(array([0.0, 0.0, 0.0]), array([1.0, 2.0, 3.0]), 5)
# run: several_servers(array([0.25]), array([0.0]), 1)
def several_servers(arrival, service, n_servers):
    """Whoever is first takes the server that is free first: when each begins, who serves, and how busy servers are."""
    free = [(0.0, k) for k in range(n_servers)]
    begun, server = np.zeros(len(arrival)), np.zeros(len(arrival), dtype=np.int64)
    for i in range(len(arrival)):
        time, k = heapq.heappop(free)
        begun[i] = max(time, arrival[i])
        server[i] = k
        heapq.heappush(free, (float(begun[i] + service[i]), k))
    last = max(time for time, _ in free)
    busy = np.bincount(server, weights=service, minlength=n_servers)
    return begun, server, busy / max(last, 1e-300), last


def blocked(load, n_servers):
    """Erlang's first formula, by its recurrence."""
    return functools.reduce(lambda b, k: load * b / (k + load * b), range(1, n_servers + 1), 1.0)


#numptx export erlang(float64[:], int)
# run: erlang(linspace(0.5, 9.5, 7), 10)
# run: erlang((random(9) * 3)[::-2], 4)
# run: erlang(array([0.25]), 1)
# run: erlang(zeros(0), 2)
def erlang(loads, n_servers):
    """The chance of being turned away, of having to wait, the mean wait, and by root finding how many servers keep the wait rare."""
    lost = np.array([blocked(load, n_servers) for load in loads])
    used = loads / n_servers
    waiting = lost / (1.0 - used * (1.0 - lost))
    needed = np.zeros(len(loads), dtype=np.int64)
    for i in range(len(loads)):
        k = 1
        while blocked(loads[i], k) > 0.01:
            k += 1
        needed[i] = k
    return lost, np.clip(waiting, 0.0, 1.0), np.where(used < 1.0, waiting / (n_servers - loads), np.inf), needed


#numptx export lengths(float, int64[:], float64[:], int)
# run: lengths(0.3, array([1, 2, 5]), array([0.5, 0.3, 0.2]), 12)
# run: lengths(0.2, array([4, 9, 1, 9, 2])[::-2], array([0.25, 0.25, 0.5]), 7)
# run: lengths(0.0, array([1]), array([1.0]), 3)
def lengths(rate, services, chances, n):
    """How many wait behind one whose service takes so many steps, in steps with an arrival each by chance: Pollaczek and Khinchine."""
    longest = services.max()
    taken = np.zeros(longest + 1)
    np.add.at(taken, services, chances)
    trial = np.array([1.0 - rate, rate])
    arrivals, power = np.zeros(longest + 1), np.ones(1)
    for k in range(longest + 1):
        arrivals[: k + 1] += taken[k] * power
        power = np.convolve(power, trial)
    mean = rate * (taken @ np.arange(longest + 1))
    numerator = (1.0 - mean) * np.polymul(np.array([-1.0, 1.0]), arrivals[::-1])[::-1]
    denominator = arrivals - np.eye(1, longest + 1, 1)[0] if longest > 0 else arrivals
    share = np.zeros(n)
    padded = np.pad(numerator, (0, max(n - len(numerator), 0)))
    for k in range(n):
        reach = min(k, longest)
        share[k] = (padded[k] - denominator[1 : reach + 1] @ share[k - reach : k][::-1]) / denominator[0]
    return arrivals, mean, share, np.searchsorted(np.cumsum(share), 0.9)


#numptx export network(float64[:,:], float64[:], float64[:], int64[:])
# run: network(random((4, 4)) / 5, random(4), random(4) + 3.0, array([1, 2, 1, 3]))
# run: network((random((6, 3)) / 4)[::-2].T, random(6)[::2], ones(3) * 4, array([2, 1, 1])[::-1])
# run: network(zeros((1, 1)), array([0.5]), array([1.0]), array([1]))
def network(routing, outside, served, n_servers):
    """Jackson's: what comes to each counter, how many are there, the time that all of it takes, and counters by their load."""
    coming = np.linalg.solve(np.eye(len(outside)) - routing.T, outside)
    load = coming / served
    if (load >= n_servers).any():
        raise ValueError("a counter is not served fast enough")
    waiting = np.empty(len(load))
    for i, (a, c) in enumerate(zip(load, n_servers)):
        lost = blocked(a, c)
        waiting[i] = a / (c - a) * lost / (1.0 - a / c * (1.0 - lost))
    inside = waiting + load
    return coming, inside, inside.sum() / outside.sum(), np.argsort(-load / n_servers), np.cumprod(1.0 - load / n_servers)[-1]
