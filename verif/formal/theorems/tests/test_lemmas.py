"""Lemmas are translated as they are written; what is not understood is rejected by its text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from verif.formal.theorems.lemmas import (
    PROPERTIES,
    UNIT,
    LemmaError,
    Property,
    lemma_names,
    print_lemmas,
)

FILE = """
  // signals
  logic go;
  number_t word;  // of j
  // end signals
      // lemmas
      first: assert ({});
      // end lemmas
"""


def _translated(text: str, folder: Path) -> str:
    file = folder / "property.sv"
    file.write_text(FILE.format(text))
    return print_lemmas(replace(UNIT, path=file))


@pytest.mark.parametrize(
    "text, translated",
    [
        ("!go || (word < j)", "((u_go u t = true) -> ((u_word u j t) < j))"),
        ("go == go_q", "((u_go u (S t) = true) <-> (u_go u t = true))"),
        ("bit_of(word, j % WordBits)", "(bit_of (u_word u j t) (j mod w))"),
        ("above(word) <= word + word", "((above_word w (u_word u j t)) <= "),
    ],
)
def test_translation(text: str, translated: str, tmp_path: Path) -> None:
    assert translated in _translated(text, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "word - j < j",  # a difference may wrap
        "word + word + word + word + word == j",
        "other",
        "go < go",
        "go ? go : go",
        "word",
    ],
)
def test_other_text_is_rejected(text: str, tmp_path: Path) -> None:
    with pytest.raises(LemmaError, match="not translated"):
        _translated(text, tmp_path)


def test_every_assertion_between_the_marks_is_a_lemma(tmp_path: Path) -> None:
    with pytest.raises(LemmaError, match="not a lemma: assume"):
        _translated("go);\n      assume (go", tmp_path)


# Least number of lemmas of each property.
LEAST = {"Lemmas": 60, "LadderLemmas": 40, "RingLemmas": 20}


@pytest.mark.parametrize("of", PROPERTIES)
def test_lemmas_of_a_property(of: Property) -> None:
    names = lemma_names(of)
    assert len(names) == len(set(names)) > LEAST[of.theory]
    assert print_lemmas(of).count("  h_") == len(names) + 1
