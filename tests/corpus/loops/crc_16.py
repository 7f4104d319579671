"""The 16-bit cyclic redundancy check (CCITT, reflected) of bytes: bit by bit, and with a table."""

import numpy as np


#numptx export crc_16(uint8[:])
# run: crc_16(arange(5, dtype=uint8))
# run: crc_16(integers(0, 256, 33, dtype=uint8))
# run: crc_16(integers(0, 256, 2000, dtype=uint8))
# run: crc_16(zeros(0, dtype=uint8))
# run: crc_16(integers(0, 256, 40, dtype=uint8)[::-3])
# large: crc_16(integers(0, 256, 300000, dtype=uint8))
def crc_16(data, polynomial=0x8408):
    crc = 0xFFFF
    for byte in data:
        bits = 0xFF & byte
        for _ in range(8):
            if (crc & 1) ^ (bits & 1):
                crc = (crc >> 1) ^ polynomial
            else:
                crc >>= 1
            bits >>= 1
    crc = ~crc & 0xFFFF
    return ((crc << 8) | (crc >> 8)) & 0xFFFF


#numptx export crc_16_table(uint8[:])
# run: crc_16_table(arange(5, dtype=uint8))
# run: crc_16_table(integers(0, 256, 33, dtype=uint8))
# run: crc_16_table(integers(0, 256, 5000, dtype=uint8))
# large: crc_16_table(integers(0, 256, 2000000, dtype=uint8))
def crc_16_table(data):
    table = np.zeros(256, dtype=np.uint16)
    for byte in range(256):
        rest = byte
        for _ in range(8):
            rest = (rest >> 1) ^ 0x8408 if rest & 1 else rest >> 1
        table[byte] = rest
    crc = 0xFFFF
    for i in range(data.size):
        crc = (crc >> 8) ^ int(table[(crc ^ int(data[i])) & 0xFF])
    return crc, table
