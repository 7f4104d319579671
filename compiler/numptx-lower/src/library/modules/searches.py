"""Places in sorted lists and arrays: `bisect`."""


def bisect_bisect_left(a, x, lo=0, hi=None, key=None):
    """The first place where the members from there on are not less."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) // 2
        member = a[middle] if key is None else key(a[middle])
        if member < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def bisect_bisect_right(a, x, lo=0, hi=None, key=None):
    """The first place where the members from there on are greater."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) // 2
        member = a[middle] if key is None else key(a[middle])
        if x < member:
            hi = middle
        else:
            lo = middle + 1
    return lo


def bisect_insort_left(a, x, lo=0, hi=None, key=None):
    """Adds a member before equal ones."""
    wanted = x if key is None else key(x)
    a.insert(bisect_bisect_left(a, wanted, lo, hi, key), x)


def bisect_insort_right(a, x, lo=0, hi=None, key=None):
    """Adds a member behind equal ones."""
    wanted = x if key is None else key(x)
    a.insert(bisect_bisect_right(a, wanted, lo, hi, key), x)
