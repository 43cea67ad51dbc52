"""Generate the module around a shim, which gives all cores the same ports."""

from __future__ import annotations

from jinja2 import Environment, StrictUndefined

from verif.own_core.description import CoreDescription
from verif.own_core.formula import Formula

_TEXT = """\
// Written for {{ description.name }} by verif/own_core/core_module.py; do not edit.

module black_box_core #(
  parameter int Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [Width-1:0] first_i,
  input  logic [Width-1:0] second_i,
  input  logic [Width-1:0] modulus_i,
  input  logic [{{ constants }}-1:0] constants_i,
  input  logic [     15:0] length_i,
  output logic             done_o,
  output logic [Width-1:0] result_o,
  output logic [      7:0] code_o,
  output logic [{{ hits }}-1:0] hits_o
);

  logic [Width-1:0] result;

  {{ description.shim }} #(
{% for name, value in parameters.items() %}
    .{{ name }}({{ value }}){{ "" if loop.last else "," }}
{% endfor %}
  ) u_shim (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .start_i (start_i),
{% if description.is_product %}
    .x_i     (first_i),
    .y_i     (second_i),
    .m_i     (modulus_i),
{% else %}
    .base_i    (first_i),
    .exponent_i(second_i),
    .modulus_i (modulus_i),
{% if description.length %}
    .length_i  (length_i),
{% endif %}
{% endif %}
{% for name, bits in ports %}
    .{{ name }}_i(constants_i[{{ starts[name] }}+:{{ bits }}]),
{% endfor %}
{% if description.status %}
    .status_o(code_o),
{% endif %}
    .done_o  (done_o),
    .result_o(result)
  );

  // The result of rejected operands counts for nothing, and may have unknown bits.
  assign result_o =
{% for code in rejected %}
      (code_o == 8'd{{ code }}) ? '0 :
{% endfor %}
      result;

{% if not description.status %}
  assign code_o = '0;
{% endif %}
{% if not description.watch %}
  assign hits_o = 1'b0;
{% endif %}
{% for watch in description.watch %}
  assign hits_o[{{ places[watch.name] }}+:{{ 2 ** watch.bits }}] =
      {{ 2 ** watch.bits }}'d1 << u_shim.{{ watch.signal }};
{% endfor %}

endmodule
"""


WATCHED = "watched."


def watch_places(description: CoreDescription) -> dict[str, int]:
    """Return the first bit of each watched signal in the vector of hits."""
    places, place = {}, 0
    for watch in description.watch:
        places[watch.name] = place
        place += 1 << watch.bits
    return places


def watch_group(description: CoreDescription, name: str) -> str:
    """Return the coverage group of a watched signal."""
    return f"{WATCHED}{description.name}.{name}"


def is_watched(group: str) -> bool:
    """Return True if a coverage group belongs to a watched signal."""
    return group.startswith(WATCHED)


def constant_bits(description: CoreDescription, width: int) -> int:
    """Return the bits of the vector of constants, at least one."""
    return max(1, sum(bits for _, bits in description.ports(width)))


def hit_bits(description: CoreDescription) -> int:
    """Return the bits of the vector of hits, at least one."""
    return max(1, sum(1 << watch.bits for watch in description.watch))


def core_module(description: CoreDescription, width: int, *, takes_width: bool = True) -> str:
    """Return the SystemVerilog text of ``black_box_core`` at one width.

    Args:
        description: description of the core.
        width: n in bits.
        takes_width: True if the shim has the parameter ``Width``.
    """
    ports = description.ports(width)
    starts = {name: sum(bits for _, bits in ports[:at]) for at, (name, _) in enumerate(ports)}
    parameters = {
        name: str(Formula(text)(n=width)) for name, text in description.parameters.items()
    }
    if takes_width:
        parameters["Width"] = "Width"
    environment = Environment(trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return environment.from_string(_TEXT).render(
        description=description,
        constants=constant_bits(description, width),
        ports=ports,
        starts=starts,
        hits=hit_bits(description),
        places=watch_places(description),
        parameters=parameters,
        rejected=description.status.rejected if description.status else (),
    )
