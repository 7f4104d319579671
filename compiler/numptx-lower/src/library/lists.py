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
