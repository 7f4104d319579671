"""Arrays of lists of run time."""
import numpy as np


def turned_round(members):
    """What all members of a list have at each place, as far as the shortest one goes."""
    if len(members) == 0:
        least = 0
    else:
        least = min([len(member) for member in members])
    return [tuple([member[i] for member in members]) for i in range(least)]


def stacked_members(members):
    """The array of a list of arrays of one shape."""
    n = len(members)
    if n == 0:
        raise ValueError("an array of an empty list has another dtype or shape than one of members, which was compiled")
    first = members[0]
    out = np.empty((n,) + first.shape, first.dtype)
    for i in range(n):
        member = members[i]
        if member.shape != first.shape:
            raise ValueError(
                f"setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was ({n},) + inhomogeneous part."
            )
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
        if member.shape != first.shape:
            raise ValueError(
                f"setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was ({n},) + inhomogeneous part."
            )
        out[i] = member
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
    for i in range(n):
        member = as_joined(members[i], way, axis)
        for k, extents in enumerate(zip(first.shape, member.shape)):
            if k != along and extents[0] != extents[1]:
                raise ValueError(
                    f"all the input array dimensions except for the concatenation axis must match exactly, but along dimension {k}, "
                    f"the array at index 0 has size {extents[0]} and the array at index {i} has size {extents[1]}"
                )
        total += member.shape[along]
    shape = first.shape[:along] + (total,) + first.shape[along + 1:]
    out = np.empty(shape, first.dtype) if np.ndim(members[0]) < 2 else np.empty_like(first, shape=shape)
    rows = np.moveaxis(out, along, 0)
    start = 0
    for i in range(n):
        member = np.moveaxis(as_joined(members[i], way, axis), along, 0)
        rows[start:start + member.shape[0]] = member
        start += member.shape[0]
    return out
