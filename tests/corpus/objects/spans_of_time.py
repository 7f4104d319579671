"""Intervals on a line: merged, counted where they overlap, packed in rooms."""

import numpy as np


#numptx export merged_spans((float,float) list)
# run: merged_spans([(1.0, 3.0), (8.0, 9.0), (2.0, 4.5)])
# run: merged_spans([])
# run: merged_spans([(0.0, 1.0), (1.0, 1.0), (-1.0, 0.5)])
# run: merged_spans([(2.0, 1.0)])
def merged_spans(spans):
    out = []
    for start, stop in sorted(spans):
        if stop < start:
            raise ValueError(f"span ends at {stop} before it starts at {start}")
        if out and start <= out[-1][1]:
            last_start, last_stop = out[-1]
            out[-1] = (last_start, max(last_stop, stop))
        else:
            out.append((start, stop))
    covered = 0.0
    for a, b in out:
        covered += b - a
    return out, covered


#numptx export most_at_once(float64[:], float64[:])
# run: most_at_once(array([0.0, 1.0, 2.0]), array([1.5, 3.0, 2.5]))
# run: most_at_once(array([]), array([]))
# run: most_at_once(array([1.0, 1.0]), array([inf, inf]))
def most_at_once(starts, stops):
    events = []
    for a, b in zip(starts, stops):
        events.append((float(a), 1))
        events.append((float(b), -1))
    events.sort()
    now = most = 0
    profile = []
    for time, change in events:
        now += change
        most = max(most, now)
        profile.append((time, now))
    return most, profile


#numptx export rooms((int,int) list)
# run: rooms([(9, 11), (10, 12), (11, 13)])
# run: rooms([])
# run: rooms([(5, 5), (5, 5)])
def rooms(meetings):
    ends = []
    assigned = {}
    for i in sorted(range(len(meetings)), key=lambda k: meetings[k]):
        start, stop = meetings[i]
        for room in range(len(ends)):
            if ends[room] <= start:
                ends[room] = stop
                assigned[i] = room
                break
        else:
            assigned[i] = len(ends)
            ends.append(stop)
    return len(ends), assigned


#numptx export gaps_filled(int:float dict, int, int)
# run: gaps_filled({0: 1.0, 3: 4.0}, 0, 4)
# run: gaps_filled({}, 0, 0)
# run: gaps_filled({2: float("inf")}, 1, 4)
def gaps_filled(values, start, stop):
    known = sorted(values)
    out = np.full(stop - start, np.nan)
    for t in range(start, stop):
        before = [k for k in known if k <= t]
        after = [k for k in known if k >= t]
        if t in values:
            out[t - start] = values[t]
        elif before and after:
            a, b = before[-1], after[0]
            out[t - start] = values[a] + (values[b] - values[a]) * (t - a) / (b - a)
    return out
