"""What silences a check is seen where it gives no reason, and left alone where it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from ci.silencers import listed, silencers

# The texts below are written into files of a temporary folder: they silence nothing here.


@pytest.mark.parametrize(
    ("file", "text", "what"),
    [
        ("one.py", "import os  # noqa: F401\n", "# noqa: F401"),
        ("one.py", "x = f()  # type: ignore[arg-type]\n", "# type: ignore[arg-type]"),
        ("one.py", "x = f()  # pragma: no cover\n", "# pragma: no cover"),
        ("one.py", "pytest.skip()\n", "pytest.skip"),
        (
            "one.py",
            "@pytest.mark.skipif(no, reason='no tool')\ndef f(): ...\n",
            "pytest.mark.skipif",
        ),
        ("one.py", "@pytest.mark.xfail\ndef f(): ...\n", "pytest.mark.xfail"),
        ("one.py", "pytest.importorskip('cocotb')\n", "pytest.importorskip"),
        ("one.py", "try:\n    f()\nexcept E:\n    pass\n", "pass"),
        ("one.py", "def f():\n    raise NotImplementedError\n", "NotImplementedError"),
        ("one.sv", "/* verilator lint_off WIDTH */\n", "lint_off"),
        ("one.vlt", "`verilator_config\nlint_off -rule WIDTH\n", "lint_off"),
        ("one.sh", "# shellcheck disable=SC2086\n", "# shellcheck disable"),
    ],
)
def test_a_silencer_without_a_reason_is_named(
    tmp_path: Path, file: str, text: str, what: str
) -> None:
    (tmp_path / file).write_text(text)
    (found,) = silencers(tmp_path)
    assert found.startswith(f"{file}:") and f": {what} without" in found


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("one.py", "import os  # noqa: F401 - f() looks for it by name\n"),
        ("one.py", "# The stub names no type.\nx = f()  # type: ignore[arg-type]\n"),
        ("one.py", "pytest.skip('this container may not mount')\n"),
        ("one.py", "try:\n    f()\nexcept E:\n    pass  # nothing was there\n"),
        ("one.py", "raise NotImplementedError(f'{name} has none')\n"),
        ("one.py", "text = '# noqa: F401'\n"),
        ("one.sv", "// Both ports write it.\n/* verilator lint_off MULTIDRIVEN */\n"),
        ("build/one.sv", "/* verilator lint_off WIDTH */\n"),
    ],
)
def test_a_reason_is_beside_it_or_above(tmp_path: Path, file: str, text: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert list(silencers(tmp_path)) == []


def test_the_exit_code_says_whether_something_was_found_and_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert listed(silencers, str(tmp_path)) == 0
    (tmp_path / "one.py").write_text("pytest.skip()\n")
    assert listed(silencers, str(tmp_path)) == 1
    assert listed(silencers, str(tmp_path / "nothing")) == 2
    out, err = capsys.readouterr()
    assert out == "one.py:1: pytest.skip without a reason beside it\n"
    assert err == f"{tmp_path / 'nothing'} is not a folder\n"
