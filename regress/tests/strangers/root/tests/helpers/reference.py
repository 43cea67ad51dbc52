def crc8(words):
    value = 0
    for word in words:
        value ^= word
        for _ in range(8):
            value = ((value << 1) ^ 0x1D) & 0xFF if value & 0x80 else value << 1
    return value
