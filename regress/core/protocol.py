"""Names that a job's process and :mod:`regress.run.inside` share; imported by every simulation."""

SETTINGS_VARIABLE = "REGRESS_INSIDE"
# cocotb's own list, with another last entry.
ENTRY_POINTS = (
    "cocotb.logging:_configure,cocotb._init:init_package_from_simulation,regress.run.inside:run"
)
# A job writes these files at its time limit: the stack of the test, and the simulated time.
STACK_FILE, PLACE_FILE = "stack.txt", "place.json"
# Property of results.xml: file and line at which a test waited when its timeout ended it.
WAITS = "regress waits"
