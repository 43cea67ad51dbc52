"""The multipliers of one product stand side by side, and each has a site of its own."""

import re
from itertools import pairwise

import pytest

from verif.implement.targets import ecp5_floorplan

# Of the LFE5U-85F, by Lattice's family data sheet (FPGA-DS-02012).
MULTIPLIERS = 156
PRODUCTS = [f"u_ring.gen_element[{i}].u_{kind}" for i in range(11) for kind in ("um", "xy")]


def placed(names: list[str]) -> dict[str, str]:
    """Site of each multiplier of a design that has these."""
    cells = {name: {"type": ecp5_floorplan.KIND, "attributes": {}} for name in names}
    cells["lut"] = {"type": "LUT4", "attributes": {}}
    ecp5_floorplan.place_multipliers({"modules": {"t": {"cells": cells}}}, "t")
    assert "BEL" not in cells.pop("lut")["attributes"]
    return {name: str(cell["attributes"]["BEL"]) for name, cell in cells.items()}


def column(site: str) -> int:
    """The column of a site: the position among the multipliers of its row."""
    found = re.fullmatch(r"X(\d+)/Y\d+/MULT18_(\d)", site)
    assert found is not None
    return ecp5_floorplan.PLACES.index((int(found[1]), int(found[2])))


def row(site: str) -> str:
    return site.split("/")[1]


@pytest.mark.parametrize("band", [1, 4, 9, 52])
def test_each_site_of_the_device_is_there_once(band: int) -> None:
    sites = ecp5_floorplan.sites(band)
    assert len(sites) == len(set(sites)) == MULTIPLIERS


@pytest.mark.parametrize("blocks", [1, 4, 6])
def test_the_blocks_of_a_product_are_neighbours_in_a_row(blocks: int) -> None:
    sites = placed([f"{product}.p_{block}" for block in range(blocks) for product in PRODUCTS])
    for product in PRODUCTS:
        of_product = [sites[f"{product}.p_{block}"] for block in range(blocks)]
        assert len({row(site) for site in of_product}) == 1
        columns = [column(site) for site in of_product]
        assert columns == list(range(columns[0], columns[0] + blocks))


def test_what_follows_in_the_ring_stands_beside_or_above() -> None:
    """Element 10 after element 9, not after element 1; from row to row, up and down in turn."""
    sites = placed([f"{product}.p_{block}" for block in range(4) for product in PRODUCTS])
    firsts = [sites[f"{product}.p_0"] for product in PRODUCTS]
    for site, following in pairwise(firsts):
        assert (row(site) == row(following)) != (column(site) == column(following))


def test_more_products_than_bands_take_what_is_left() -> None:
    names = [f"{product}.p_{block}" for block in range(9) for product in PRODUCTS[:16]]
    assert len(set(placed(names).values())) == len(names)


def test_a_design_without_multipliers_stays_as_it_is() -> None:
    assert placed([]) == {}
