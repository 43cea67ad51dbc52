def expected(a, b, subtract):
    return (a - b if subtract else a + b) % 256
