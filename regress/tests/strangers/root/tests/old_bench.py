import cocotb

@cocotb.test()
def old(dut):
    yield Timer(1)
    print "a test of the time of Python 2"
