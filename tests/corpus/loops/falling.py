"""Loops whose indices fall: `reversed` ranges, ranges with negative steps."""


#numptx export shifted_reversed(float64[:], int)
# run: shifted_reversed(zeros(9), 4)
# run: shifted_reversed(zeros(9), 6)
# run: shifted_reversed(zeros(9), 7)
# run: shifted_reversed(zeros(9), -1)
def shifted_reversed(w, n):
    for j in reversed(range(n + 1)):
        w[j + 2] = j


#numptx export wrapped_reversed(float64[:], int, int)
# run: wrapped_reversed(zeros(9), 4, 2)
# run: wrapped_reversed(zeros(9), 9, 9)
# run: wrapped_reversed(zeros(9), 9, 10)
def wrapped_reversed(w, n, k):
    for j in reversed(range(n)):
        w[j - k] += j + 1


#numptx export to_the_last_but_one(float64[:])
# run: to_the_last_but_one(random(9))
# run: to_the_last_but_one(random(1))
# run: to_the_last_but_one(random(0))
def to_the_last_but_one(w):
    for i in reversed(range(len(w) - 1)):
        w[i] += w[i + 1]


#numptx export of_three(float64[:])
# run: of_three(random(12))
# run: of_three(random(2))
def of_three(w):
    for i in reversed(range(3)):
        w[i * 2] = w[i + 1] + i
