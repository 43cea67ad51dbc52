"""The RSA demonstration: its output and its exit code. Python stands in for the hardware.

And the stored ciphertexts, which are a vectors file as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from models.registry import architectures
from regress.cli import command_line as cli
from regress.cli.workspace import Workspace
from regress.tests.conftest import PASSING_XML
from regress.tests.test_terminal import terminated
from verif.bench.sequences.rsa_jobs import CIPHERTEXTS
from verif.library.vectors.file import VectorReader
from verif.tests.context import make_workspace

# VALUE is what the hardware delivers, MESSAGE what the environment says about it.
CORE = f"""
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
job = json.loads((folder / "job.json").read_text())
(vector,) = job["cases"]
base, exponent, modulus = (int(vector[name], 16) for name in ("base", "exponent", "modulus"))
message = MESSAGE
case = {{"name": vector["name"], "status": "failed" if message else "passed"}}
case |= {{"message": message, "note": "", "facts": {{"result": hex(VALUE)}}}}
(folder / "cases.jsonl").write_text(json.dumps(case) + "\\n")
result = {{"operations": 1, "cycles": 54321, "sim_time_ns": 560000.0}}
result["failures"] = [message] if message else []
(folder / "results.xml").write_text({PASSING_XML!r})
(folder / "result.json").write_text(json.dumps(result))
"""
POWER = "pow(base, exponent, modulus)"


def core(value: str = POWER, message: str = "") -> str:
    return CORE.replace("VALUE", value).replace("MESSAGE", repr(message))


def demo(workspace: Workspace, *options: str) -> int:
    return cli.main(["rsa-demo", "--bits", "512", *options], workspace)


def test_openssl_accepts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo(make_workspace(tmp_path, core())) == 0
    printed = capsys.readouterr().out
    for line in (
        r"digest     SHA-256 [0-9a-f]{64}",
        r"key        RSA, 512 bits, e = 65537, made from seed 1",
        r"simulating one exponentiation with the private exponent …",
        r"signature  [0-9a-f]{32}…[0-9a-f]{32} \(64 bytes\)",
        r"cycles     54 321",
        r"simulated  0\.543 ms at 10 ns a cycle; with the bus 0\.560 ms",
        r"verdict    OpenSSL accepts the signature: OpenSSL \d.*",
        r"wall time  \d+\.\d s, the simulation \d+\.\d s of it",
        rf"run        {re.escape(str(tmp_path))}/runs/rsa-demo-\d+-\d+",
    ):
        assert re.search(f"^{line}$", printed, re.MULTILINE), line
    assert "FAILED" not in printed


def test_the_job_is_one_like_any_other(tmp_path: Path) -> None:
    assert demo(make_workspace(tmp_path, core()), "--architecture", "fast_montgomery") == 0
    run = json.loads((tmp_path / "runs" / "latest" / "run.json").read_text())
    (job,) = run["jobs"]
    asked = job["planned"]["job"]
    assert (asked["test"], asked["point"]["architecture"], asked["point"]["width"]) == (
        "exp_vectors", "fast_montgomery", 512
    )  # fmt: skip
    assert run["plan"]["command"][1:4] == ["-m", "regress", "rsa-demo"]
    (vector,) = json.loads((tmp_path / "runs/latest" / job["folder"] / "job.json").read_text())[
        "cases"
    ]
    assert vector["length"] == 512
    assert vector["reject"] is False


def test_the_seed_makes_the_key(tmp_path: Path) -> None:
    def modulus(seed: str) -> str:
        assert demo(make_workspace(tmp_path, core()), "--seed", seed) == 0
        (path,) = (tmp_path / "runs" / "latest").resolve().glob("jobs/**/job.json")
        return json.loads(path.read_text())["cases"][0]["modulus"]

    assert modulus("3") == modulus("3") != modulus("4")


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (f"{POWER} ^ 1", "OpenSSL rejects the signature: OpenSSL"),
        ("0", "OpenSSL rejects the signature: OpenSSL"),
        (f"{POWER} + modulus", "the result has 51. bits and is not below the modulus: OpenSSL"),
    ],
)
def test_a_wrong_signature_fails_even_if_the_environment_saw_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str, verdict: str
) -> None:
    assert demo(make_workspace(tmp_path, core(value))) == 1
    printed = capsys.readouterr().out
    assert re.search(f"^verdict    {verdict}", printed, re.MULTILINE)
    assert "accepts" not in printed


def test_a_right_signature_fails_if_the_environment_saw_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo(make_workspace(tmp_path, core(message="3 cycles too many"))) == 1
    printed = capsys.readouterr().out
    assert "verdict    OpenSSL accepts the signature" in printed
    assert ": 3 cycles too many" in printed


@pytest.mark.parametrize(
    ("script", "broken", "message"),
    [
        ("print('License expired')", "", "FAILED: missing results.xml"),
        (core(), "mwrkmm", "FAILED: build failed: %Error: no such wire"),
    ],
)
def test_without_a_signature_there_is_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str, broken: str, message: str
) -> None:
    assert demo(make_workspace(tmp_path, script, broken=broken)) == 1
    printed = capsys.readouterr().out
    assert message in printed
    assert "verdict" not in printed


def test_an_interrupt_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("regress.run.runner.wait", interrupted)
    assert demo(make_workspace(tmp_path, core())) == 130
    assert capsys.readouterr().err == "regress: interrupted\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bits", "488"], "argument --bits: '488' is not accepted; accepted: 489 to 8192"),
        (["--bits", "8193"], "argument --bits: '8193' is not accepted; accepted: 489 to 8192"),
        (["--bits", "many"], "argument --bits: 'many' is not accepted"),
        (["--seed", "-1"], "argument --seed: '-1' is not accepted; accepted: an integer from 0"),
        (["--architecture", "mwrkm"], "did you mean 'mwrkmm'?"),
        (["--architecture", "montgomery"], "unknown architecture 'montgomery'; accepted: "),
        (["--key", "1"], "unrecognized arguments: --key 1"),
    ],
)
def test_wrong_options_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: Sequence[str], message: str
) -> None:
    assert cli.main(["rsa-demo", *options], make_workspace(tmp_path, core())) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("regress: ")
    assert printed.err.count("\n") == 1
    assert message in printed.err
    assert not (tmp_path / "runs").exists()


def test_the_stored_ciphertexts_are_a_vectors_file() -> None:
    vectors = VectorReader(architectures(), ["mwrkmm"]).read(CIPHERTEXTS)
    assert [vector.width for vector in vectors] == [
        bits for bits in (128, 256, 512, 1024, 2048) for _ in range(2)
    ]
    assert not any(vector.reject for vector in vectors)


def test_a_terminated_demonstration_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verif.soc.rsa_demo.execute", terminated)
    assert demo(make_workspace(tmp_path, core())) == 130
    assert capsys.readouterr().err == "regress: interrupted\n"
