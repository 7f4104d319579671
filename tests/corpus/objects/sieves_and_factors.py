"""Numbers and their factors in lists, sets and dictionaries."""

import math


#numptx export primes(int)
# run: primes(30)
# run: primes(2)
# run: primes(-5)
def primes(n):
    if n < 2:
        return [p for p in range(0)]
    is_prime = [True] * (n + 1)
    is_prime[0] = is_prime[1] = False
    for i in range(2, int(math.sqrt(n)) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = [False] * len(is_prime[i * i :: i])
    return [i for i, prime in enumerate(is_prime) if prime]


#numptx export factors(int)
# run: factors(360)
# run: factors(1)
# run: factors(97)
# run: factors(0)
def factors(n):
    if n < 1:
        raise ValueError("%d has no factors" % n)
    powers = {}
    p = 2
    while p * p <= n:
        while n % p == 0:
            powers[p] = powers.get(p, 0) + 1
            n //= p
        p += 1
    if n > 1:
        powers[n] = powers.get(n, 0) + 1
    text = ""
    for p, k in powers.items():
        if text:
            text += " * "
        text += f"{p}^{k}" if k > 1 else str(p)
    return powers, text


#numptx export divisors(int)
# run: divisors(28)
# run: divisors(1)
# run: divisors(16)
def divisors(n):
    small, large = [], []
    i = 1
    while i * i <= n:
        if n % i == 0:
            small.append(i)
            if i != n // i:
                large.insert(0, n // i)
        i += 1
    found = small + large
    return found, sum(found[:-1]) == n, len(set(found)) == len(found)


#numptx export pairs_with_sum(int list, int)
# run: pairs_with_sum([1, 5, 7, -1, 5], 6)
# run: pairs_with_sum([], 0)
# run: pairs_with_sum([3], 6)
def pairs_with_sum(xs, total):
    seen = {}
    pairs = []
    for x in xs:
        for _ in range(seen.get(total - x, 0)):
            pairs.append((total - x, x))
        seen[x] = seen.get(x, 0) + 1
    return pairs, seen


#numptx export happy(int)
# run: happy(19)
# run: happy(4)
# run: happy(1)
def happy(n):
    seen = set()
    while n != 1 and n not in seen:
        seen.add(n)
        n = sum([int(d) ** 2 for d in str(n)])
    return n == 1, sorted(seen)
