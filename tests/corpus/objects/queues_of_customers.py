"""Customers who wait: one server, several servers, and a queue that has no more room."""

import numpy as np


#numptx export one_server(float64[:], float64[:])
# run: one_server(array([0.0, 1.0, 1.5, 9.0]), array([2.0, 2.0, 0.5, 1.0]))
# run: one_server(array([]), array([]))
# run: one_server(array([3.0]), array([inf]))
def one_server(arrivals, services):
    free_at = 0.0
    waits = [0.0 for _ in range(0)]
    for arrival, service in zip(arrivals, services):
        start = max(float(arrival), free_at)
        waits.append(start - float(arrival))
        free_at = start + float(service)
    mean = 0.0
    if waits:
        mean = sum(waits) / len(waits)
    return waits, mean, free_at


#numptx export several_servers(float64[:], float64[:], int)
# run: several_servers(array([0.0, 0.5, 0.6, 0.7]), array([2.0, 1.0, 1.0, 3.0]), 2)
# run: several_servers(array([]), array([]), 3)
# run: several_servers(array([1.0]), array([1.0]), 0)
def several_servers(arrivals, services, k):
    free = [0.0] * k
    served_by = []
    leaving = np.zeros(len(arrivals))
    for i in range(len(arrivals)):
        soonest = min(free)
        server = free.index(soonest)
        start = max(soonest, float(arrivals[i]))
        free[server] = start + float(services[i])
        leaving[i] = free[server]
        served_by.append(server)
    counts = {s: served_by.count(s) for s in range(k)}
    return leaving, served_by, counts


#numptx export turned_away((float,str) list, int)
# run: turned_away([(0.0, "in"), (1.0, "in"), (2.0, "in"), (2.5, "out"), (3.0, "in")], 2)
# run: turned_away([], 1)
# run: turned_away([(5.0, "out")], 1)
# run: turned_away([(0.0, "in"), (0.0, "wait")], 1)
def turned_away(events, room):
    queue = []
    lost = 0
    stays = []
    for time, kind in sorted(events, key=lambda event: event[0]):
        if kind == "in":
            if len(queue) >= room:
                lost += 1
            else:
                queue.append(time)
        elif kind == "out":
            stays.append(time - queue.pop(0))
        else:
            raise ValueError(f"unknown event {kind!r} at {time:g}")
    return lost, stays, queue
