"""What counters of `collections` do."""


def members_counted(counter, members):
    """Counts members."""
    for member in members:
        counter[member] += 1


def members_taken(counter, members):
    """Counts members down."""
    for member in members:
        counter[member] -= 1


def counts_added(counter, counts):
    """Adds the counts of a dictionary."""
    for key, count in counts.items():
        counter[key] = count + counter[key]


def counts_taken(counter, counts):
    """Takes the counts of a dictionary away."""
    for key, count in counts.items():
        counter[key] -= count


def count_added(counter, key, count):
    """Adds one count."""
    counter[key] = count + counter[key]


def count_taken(counter, key, count):
    """Takes one count away."""
    counter[key] -= count


def counted_total(counter):
    """The sum of all counts."""
    total = 0
    for count in counter.values():
        total += count
    return total


def counted_elements(counter):
    """Each member as often as it was counted."""
    elements = []
    for key, count in counter.items():
        for _ in range(count):
            elements.append(key)
    return elements


def counters_equal(one, other):
    """Whether all counts are equal, where what is missing is 0."""
    for key, count in one.items():
        if count != other[key]:
            return False
    for key, count in other.items():
        if count != one[key]:
            return False
    return True


def most_common(counter, most):
    """The members with the highest counts, in the order of these; equal ones in that of the counter."""
    pairs = sorted(counter.items(), key=lambda pair: pair[1], reverse=True)
    if most is None:
        return pairs
    return pairs[: max(most, 0)]
