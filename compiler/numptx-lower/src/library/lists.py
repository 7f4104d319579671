"""Arrays of lists of run time."""
import numpy as np


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
