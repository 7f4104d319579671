"""Bytes of instruments: words of another byte order, bits of flags, checksums, codes of Gray, and floats taken apart."""

import numpy as np


#numptx export decoded(uint8[:])
# run: decoded(integers(0, 256, 24, uint8))
# run: decoded(integers(0, 256, 32, uint8)[::-2])
# run: decoded(zeros(0, uint8))
# run: decoded(zeros(9, uint8))
def decoded(packet):
    """Packets of eight bytes: a counter, two flags and a voltage, big end first, and a float of single precision."""
    if packet.size % 8 != 0:
        raise ValueError(f"{packet.size} bytes are no packets of 8")
    rows = packet.reshape(-1, 8)
    counter = rows[:, 0].astype(np.uint16)
    flags = np.array([(rows[:, 1] >> bit) & 1 for bit in (7, 0)], dtype=bool)
    voltage = (rows[:, 2].astype(np.uint16) << 8 | rows[:, 3]).astype(np.int16) / 1024
    bits = rows[:, 4:].astype(np.int64) @ (1 << np.arange(0, 32, 8))
    exponent, fraction = bits >> 23 & 255, bits & 0x7FFFFF
    value = np.ldexp(np.where(exponent > 0, fraction + 0x800000, 2 * fraction).astype(np.float64), exponent - 150)
    value = np.where(bits >> 31 == 1, -value, value)
    lost = np.diff(counter, prepend=counter[:1]).astype(np.int16) - 1
    return flags, voltage, np.where(exponent == 255, np.nan, value), np.count_nonzero(lost > 0)


#numptx export checksums(uint8[:], int)
# run: checksums(integers(0, 256, 40, uint8), 8)
# run: checksums(integers(0, 256, 50, uint8)[::-2], 5)
# run: checksums(zeros(0, uint8), 4)
def checksums(message, width):
    """Parities of rows and columns, Fletcher's sum, and Adler's: running sums modulo 255 and 65521."""
    filled = np.append(message, np.zeros(-len(message) % width, np.uint8)).reshape(-1, width)
    lengthwise, across = np.bitwise_xor.reduce(filled, axis=0), np.bitwise_xor.reduce(filled, axis=1)
    weights = np.arange(len(message), 0, -1)
    fletcher = message.sum(dtype=np.int64) % 255, message @ weights % 255
    adler = (1 + message.sum(dtype=np.int64)) % 65521, (len(message) + message @ weights) % 65521
    return lengthwise, across, fletcher, adler[1] << 16 | adler[0]


#numptx export gray_codes(uint32[:])
# run: gray_codes(integers(0, 2**32, 9).astype(uint32))
# run: gray_codes(arange(16).astype(uint32)[::-3])
# run: gray_codes(zeros(0, uint32))
def gray_codes(numbers):
    """Codes in which neighbours differ by one bit, the numbers found again, and how many bits differ from one to the next."""
    codes = numbers ^ (numbers >> 1)
    found = codes.copy()
    for shift in (1, 2, 4, 8, 16):
        found ^= found >> shift
    return codes, np.array_equal(found, numbers), np.bitwise_count(codes[1:] ^ codes[:-1])


#numptx export rounded_to_single(float64[:])
# run: rounded_to_single(random(12) * 9.0)
# run: rounded_to_single(array([0.0, -0.0, 1e-50, 6e-41, 3.4e38, 1e39, nan, -inf])[::-1])
# run: rounded_to_single(zeros(0))
def rounded_to_single(values):
    """What single precision keeps: numbers, mantissas and exponents, and whether errors are half a unit of the last place at most."""
    single = values.astype(np.float32)
    mantissa, exponent = np.frexp(single)
    there = np.isfinite(single)
    error = np.abs(single[there] - values[there]) / np.spacing(np.abs(single[there])).astype(np.float64)
    room = np.finfo(np.float32).max - single[there].max(initial=np.float32(0.0))
    return single, mantissa, exponent, error.max(initial=0.0) <= 0.5, room
