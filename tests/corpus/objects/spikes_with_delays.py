"""Neurons that send spikes with delays: events in a list that is sorted by time, states in arrays."""

import numpy as np


#numptx export spikes(float64[:,:], (float,int) list, float, float)
# run: spikes(array([[0.0, 1.2], [0.6, 0.0]]), [(0.0, 0), (0.1, 0)], 1.0, 4.0)
# run: spikes(zeros((2, 2)), [], 1.0, 4.0)
# run: spikes(array([[2.0]]), [(0.0, 0)], 0.5, 3.0)
# run: spikes(zeros((1, 1)), [(0.0, 3)], 0.5, 3.0)
def spikes(weights, inputs, delay, until):
    potential = np.zeros(len(weights))
    events = sorted([(time, neuron, 1.0) for time, neuron in inputs])
    fired = []
    while events:
        time, neuron, weight = events.pop(0)
        if time > until:
            break
        potential[neuron] += weight
        if potential[neuron] >= 1.0:
            potential[neuron] = 0.0
            fired.append((time, neuron))
            for target in range(len(weights)):
                w = float(weights[neuron, target])
                if w != 0.0:
                    events.append((time + delay, target, w))
            events.sort(key=lambda event: (event[0], event[1]))
    return fired, potential


#numptx export intervals(float list)
# run: intervals([1.0, 3.5, 4.0])
# run: intervals([2.0])
# run: intervals([float("inf"), 1.0])
def intervals(times):
    times.sort()
    gaps = [b - a for a, b in zip(times, times[1:])]
    return gaps, min(gaps, default=-1.0), max(gaps, default=-1.0)


#numptx export counted_in_bins(float list, float, int)
# run: counted_in_bins([0.1, 0.2, 1.7, 9.0], 0.5, 4)
# run: counted_in_bins([], 0.5, 3)
# run: counted_in_bins([-0.1], 0.5, 3)
# run: counted_in_bins([float("nan")], 0.5, 3)
def counted_in_bins(times, width, n):
    counts = [0] * n
    for time in times:
        k = int(time // width)
        if k < 0:
            raise ValueError(f"time {time} lies before the first bin")
        if k < n:
            counts[k] += 1
    return np.array(counts) / width
