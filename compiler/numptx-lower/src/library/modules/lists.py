"""Arrays of lists of run time."""
import numpy as np


def turned_round(members):
    """What all members of a list have at each place, as far as the shortest one goes."""
    if len(members) == 0:
        least = 0
    else:
        least = min([len(member) for member in members])
    return [tuple([member[i] for member in members]) for i in range(least)]


def check_shape(shape, first, n):
    """Raises where a member of a list of so many has another shape than the first one."""
    for k, extents in enumerate(zip(shape, first)):
        if extents[0] != extents[1]:
            raise ValueError(
                f"setting an array element with a sequence. The requested array has an inhomogeneous shape after {k + 1} dimensions. The detected shape was {(n,) + first[:k]} + inhomogeneous part."
            )


def stacked_members(members):
    """The array of a list of arrays of one shape."""
    n = len(members)
    if n == 0:
        raise ValueError("an array of an empty list has another dtype or shape than one of members, which was compiled")
    first = members[0]
    out = np.empty((n,) + first.shape, first.dtype)
    for i in range(n):
        member = members[i]
        check_shape(member.shape, first.shape, n)
        out[i] = member
    return out


def stacked_lists(members, dtype, rank):
    """The array, of so many axes, of a list of lists of one length."""
    n = len(members)
    if n == 0:
        return np.empty((0,) * rank, dtype)
    first = np.array(members[0])
    out = np.empty((n,) + first.shape, dtype)
    for i in range(n):
        member = np.array(members[i])
        check_shape(member.shape, first.shape, n)
        out[i] = member
    return out


def stacked_along(members, axis=0):
    """The arrays of a list, or the rows of an array, along a new axis."""
    n = len(members)
    if n == 0:
        raise ValueError("need at least one array to stack")
    first = np.asarray(members[0])
    like = first
    for i in range(1, n):
        member = np.asarray(members[i])
        if member.shape != first.shape:
            raise ValueError("all input arrays must have the same shape")
        if not member.flags.f_contiguous:
            like = member
    along = from_front(axis, first.ndim + 1)
    shape = first.shape[:along] + (n,) + first.shape[along:]
    out = np.empty(shape, first.dtype) if first.ndim < 2 else np.empty_like(np.stack((like, like), axis), shape=shape)
    rows = np.moveaxis(out, along, 0)
    for i in range(n):
        rows[i] = members[i]
    return out


def as_joined(member, way, axis):
    """A member of a list as functions that join arrays take it."""
    x = np.asarray(member)
    if way == "vstack":
        return np.atleast_2d(x)
    if way == "dstack":
        return np.atleast_3d(x)
    if way == "hstack":
        return np.atleast_1d(x)
    if way == "column_stack":
        return np.atleast_1d(x)[:, None] if x.ndim < 2 else x
    return np.ravel(x) if axis is None else x


def joined_members(members, way, axis=0):
    """The arrays of a list, or the rows of an array, behind each other."""
    n = len(members)
    if n == 0:
        raise ValueError("need at least one array to concatenate")
    first = as_joined(members[0], way, axis)
    if first.ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if way == "dstack":
        along = 2
    elif way == "column_stack":
        along = 1
    elif way == "hstack":
        along = 0 if first.ndim == 1 else 1
    else:
        along = 0 if way == "vstack" or axis is None else from_front(axis, first.ndim)
    total = 0
    like = first
    for i in range(n):
        member = as_joined(members[i], way, axis)
        if not member.flags.f_contiguous:
            like = member
        for k, extents in enumerate(zip(first.shape, member.shape)):
            if k != along and extents[0] != extents[1]:
                raise ValueError(
                    f"all the input array dimensions except for the concatenation axis must match exactly, but along dimension {k}, "
                    f"the array at index 0 has size {extents[0]} and the array at index {i} has size {extents[1]}"
                )
        total += member.shape[along]
    shape = first.shape[:along] + (total,) + first.shape[along + 1:]
    form = np.concatenate((like, like), along) if way == "dstack" else like
    out = np.empty(shape, first.dtype) if np.ndim(members[0]) < 2 else np.empty_like(form, shape=shape)
    rows = np.moveaxis(out, along, 0)
    start = 0
    for i in range(n):
        member = np.moveaxis(as_joined(members[i], way, axis), along, 0)
        rows[start:start + member.shape[0]] = member
        start += member.shape[0]
    return out


def parts_between(ary, positions, axis):
    """The parts of an array along an axis between positions, which are those of slices."""
    rows = np.moveaxis(ary, axis, 0)
    parts = []
    start = 0
    for position in positions:
        stop = int(position)
        parts.append(np.moveaxis(rows[start:stop], 0, axis))
        start = stop
    parts.append(np.moveaxis(rows[start:], 0, axis))
    return parts


def parts_of_number(ary, n, axis, is_equal):
    """So many parts of an array along an axis, whose lengths differ by at most 1."""
    extent = ary.shape[axis]
    if is_equal and extent % n != 0:
        raise ValueError("array split does not result in an equal division")
    if n <= 0:
        raise ValueError("number sections must be larger than 0.")
    rows = np.moveaxis(ary, axis, 0)
    # More parts than there is memory for their lengths are an error before the first is made.
    lengths = np.full(n, extent // n)
    lengths[:extent % n] += 1
    parts = []
    start = 0
    for k in range(n):
        stop = start + int(lengths[k])
        parts.append(np.moveaxis(rows[start:stop], 0, axis))
        start = stop
    return parts
