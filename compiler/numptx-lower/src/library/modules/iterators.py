"""What `itertools` and `functools` make of lists, as lists."""


def itertools_accumulate(iterable, func=None, initial=None):
    """Running sums, or what a function makes of the result so far and each member."""
    results = []
    if initial is not None:
        results.append(initial)
    for member in iterable:
        if len(results) == 0:
            results.append(member)
        elif func is None:
            results.append(results[-1] + member)
        else:
            results.append(func(results[-1], member))
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


def itertools_compress(data, selectors):
    """The members whose selectors are true."""
    return [member for member, chosen in zip(data, selectors) if chosen]


def itertools_dropwhile(predicate, iterable):
    """The members from the first one on for which the predicate is false."""
    results = []
    drops = True
    for member in iterable:
        drops = drops and bool(predicate(member))
        if not drops:
            results.append(member)
    return results


def itertools_takewhile(predicate, iterable):
    """The members before the first one for which the predicate is false."""
    results = []
    for member in iterable:
        if not predicate(member):
            break
        results.append(member)
    return results


def itertools_filterfalse(function, iterable):
    """The members for which a function is false, or which are false themselves."""
    if function is None:
        return [member for member in iterable if not member]
    return [member for member in iterable if not function(member)]


def itertools_starmap(function, iterable):
    """What a function makes of each tuple."""
    return [function(*members) for members in iterable]


def itertools_repeat(object, times=None):
    """The same so many times."""
    if times is None:
        refuse("it goes on for ever", "say how often: `repeat(x, len(xs))`")
    return [object for _ in range(times)]


def itertools_zip_longest(*iterables, fillvalue=None):
    """Members side by side; a value stands where there is none."""
    if len(iterables) == 2:
        first, second = list(iterables[0]), list(iterables[1])
        n = max(len(first), len(second))
        return [(first[k] if k < len(first) else fillvalue, second[k] if k < len(second) else fillvalue) for k in range(n)]
    if len(iterables) != 3:
        refuse("two or three are taken", "write a loop over positions: `for k in range(n):`")
    first, second, third = list(iterables[0]), list(iterables[1]), list(iterables[2])
    n = max(len(first), len(second), len(third))
    return [
        (first[k] if k < len(first) else fillvalue, second[k] if k < len(second) else fillvalue, third[k] if k < len(third) else fillvalue)
        for k in range(n)
    ]


def itertools_groupby(iterable, key=None):
    """Keys, and lists of the members next to each other that have them."""
    members = list(iterable)
    keys = list(members) if key is None else [key(member) for member in members]
    groups = []
    start = 0
    for k in range(1, len(members) + 1):
        if k == len(members) or keys[k] != keys[start]:
            groups.append((keys[start], members[start:k]))
            start = k
    return groups


def itertools_tee(iterable, n=2):
    """Lists of the same members."""
    members = list(iterable)
    return tuple([list(members) for _ in range(n)])


def itertools_batched(iterable, n):
    """Tuples of so many members; the last one may have fewer."""
    if n < 1:
        raise ValueError("n must be at least one")
    members = list(iterable)
    return [tuple(members[k:k + n]) for k in range(0, len(members), n)]
