"""What `itertools` and `functools` make of lists, as lists."""


def itertools_accumulate(iterable, function=None, initial=None):
    """Running sums, or what a function makes of the result so far and each member."""
    results = []
    if initial is not None:
        results.append(initial)
    for member in iterable:
        if len(results) == 0:
            results.append(member)
        elif function is None:
            results.append(results[-1] + member)
        else:
            results.append(function(results[-1], member))
    return results


def itertools_pairwise(iterable):
    """Each member with the next one."""
    members = list(iterable)
    return [(members[i], members[i + 1]) for i in range(len(members) - 1)]


def islice_of(members, start, stop, step):
    """Every so many members between two places."""
    if start < 0 or stop < 0 or step < 1:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    return members[start:stop:step]


def functools_reduce(function, iterable, initial=None):
    """What a function makes of the result so far and each member, from the first one on."""
    members = list(iterable)
    if initial is not None:
        total = initial
        for member in members:
            total = function(total, member)
        return total
    if len(members) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    first = members[0]
    for i in range(1, len(members)):
        first = function(first, members[i])
    return first
