"""Every command in README and docs runs, every figure says where it comes from."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from ci.documentation import (
    ROOT,
    TEST,
    Command,
    blocks,
    copy_checkout,
    dead_links,
    difference,
    files_of,
    linked_pages,
    loose_figures,
    main,
    pages,
    reading_problems,
    run_command,
    run_page,
)
from ci.tables import current, written
from models.registry import hardware_architectures

PAGES = pages()
RUNNABLE = [page for page in PAGES if any(block.value == TEST for block in blocks(page))]


def page_of(folder: Path, text: str) -> Path:
    (folder / "page.md").write_text(text, encoding="utf-8")
    return Path("page.md")


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_block_says_where_it_runs(page: Path) -> None:
    problems = [f"{block.place}: {block.problem()}" for block in blocks(page) if block.problem()]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_figure_says_where_it_comes_from(page: Path) -> None:
    assert not list(loose_figures(page))


@pytest.mark.parametrize("page", written(), ids=str)
def test_the_tables_are_current(page: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert current(page, ROOT) == text, "run: python -m ci.documentation --write"


@pytest.mark.parametrize(
    ("page", "old"),
    [
        ("verif/docs/cycles.md", "1 025"),
        ("verif/docs/security.md", "313,496"),
        ("regress/docs/simulators.md", "Where it comes from"),
        ("regress/docs/run-json.md", "# run.json"),
    ],
)
def test_a_table_that_is_not_current_is_seen(page: str, old: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    copy = tmp_path / page
    copy.parent.mkdir(parents=True)
    copy.write_text(text.replace(old, "changed"), encoding="utf-8")
    assert current(Path(page), tmp_path) == text != copy.read_text(encoding="utf-8")


def test_the_readme_counts_the_multipliers() -> None:
    words = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"]
    word = words[len(hardware_architectures()) - 10].capitalize()
    assert f"\n{word} Montgomery and interleaved multipliers" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_no_link_is_dead(page: Path) -> None:
    assert not list(dead_links(page))


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_page_says_whom_it_is_for_and_what_is_next(page: Path) -> None:
    assert not list(reading_problems(page))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# T\n\nFor the cook. After this page you can boil.\n\nNext: [eat](eat.md).\n", ""),
        ("# T\n\nFor the cook.\nAfter this page you\nknow [tea](tea.md#hot) well.\n", ""),
        ("# T\n\nThis page boils.\n\nNext: [eat](eat.md).\n", "first line"),
        ("# T\n\nFor the cook. It boils.\n\nNext: [eat](eat.md).\n", "first line"),
        ("# T\n\nWords.\n\nFor the cook. After this page you can [eat](eat.md).\n", "first line"),
        ("# T\n\nFor the cook. After this page you can [eat](eat.md).\n\nEnd.\n", "last"),
        ("# T\n\nFor the cook. After this page you can see [code](eat.py).\n", "last"),
        ("# T\n\nFor the cook. After this page you can see [it](https://a.b/c.md).\n", "last"),
    ],
)
def test_a_page_without_reader_or_next_page_is_found(
    tmp_path: Path, text: str, problem: str
) -> None:
    found = "\n".join(reading_problems(page_of(tmp_path, text), tmp_path))
    assert problem in found
    assert bool(found) == bool(problem)


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNABLE, ids=str)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    found = blocks(page)
    if not shutil.which("iverilog") and any("icarus" in block.text for block in found):
        pytest.skip("its commands need Icarus Verilog, a system package that is not pinned")
    copy_checkout(tmp_path)
    problems = list(run_page(found, TEST, tmp_path))
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("```console\n$ true\n```\n", "no comment in front of the block"),
        ("<!-- run: test -->\nwords\n\n```console\n$ true\n```\n", "no comment in front"),
        ("words\n\n    $ true\n", "no comment in front of the block"),
        ("<!-- run: test -->\n```console\ntrue\n```\n", "no command"),
        ("<!-- run: test -->\n```console\n$ make lint\n```\n", "nothing for a test"),
        ("<!-- run: sometimes -->\n```console\n$ true\n```\n", "'sometimes' is neither test"),
        ("<!-- run: by hand -->\n```console\n$ true\n```\n", "'by hand' is neither"),
        (
            "<!-- run: script.sh -->\n```console\n$ make fog # dense\n```\n",
            "does not run 'make fog'",
        ),
        ("<!-- run: script.sh -->\n```console\n$ make tea\n3 cups\n```\n", "has no figures"),
        ("<!-- file: ../x -->\n```yaml\na: 1\n```\n", "a file has a plain name"),
        ("<!-- run: test -->\n```console\n$ true\n```\n", ""),
        ("<!-- run: by hand, 2026-11-22: needs\nroot -->\n```console\n$ true\n```\n", ""),
        ("<!-- run: script.sh -->\n```console\n$ make tea  # black\n```\n", ""),
        ("<!-- file: x.yaml -->\n```yaml\na: 1\n```\n", ""),
    ],
)
def test_a_block_without_a_true_mark_is_found(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "script.sh").write_text("make tea\n")
    (block,) = blocks(page_of(tmp_path, text), tmp_path)
    found = block.problem(tmp_path)
    assert problem in found
    assert bool(found) == bool(problem)


@pytest.mark.parametrize(
    ("text", "loose"),
    [
        ("It takes 3.5 s.\n", True),
        ("It takes 3.5\ns.\n", True),
        ("99.4 % are killed.\n", True),
        ("| a |\n| --- |\n| 12 min |\n", True),
        ("It takes 3.5 s.\n\n<!-- measured: time make tea -->\n", True),
        ("It takes 3.5 s.\n\n<!-- set: nothing.py -->\n", True),
        ("It takes 3.5 s.\n\nOther words.\n\n<!-- measured: make tea, 2026-11-22 -->\n", True),
        ("It takes 3.5 s.\n<!-- measured: make tea, 2026-11-22 -->\n", False),
        ("It takes 3.5 s.\n\n<!-- measured: make tea, 2026-11-22 -->\n", False),
        ("It saves 31 %.\n\n<!-- cited: abstract of the paper -->\n", False),
        ("After 60 s.\n\n<!-- set: page.md -->\n", False),
        ("<!-- table: t -->\n| a |\n| --- |\n| 12 min |\n<!-- /table -->\n", False),
        ("A width of 64 bits; `sleep 3 s`.\n", False),
    ],
)
def test_a_figure_from_nowhere_is_found(tmp_path: Path, text: str, loose: bool) -> None:
    assert bool(list(loose_figures(page_of(tmp_path, text), tmp_path))) == loose


def test_a_command_that_fails_or_prints_something_else_is_found(tmp_path: Path) -> None:
    page = page_of(
        tmp_path,
        "<!-- file: words.txt -->\n```text\none two\n```\n"
        "<!-- run: test -->\n```console\n$ cat words.txt\none two\n$ cat words.txt\none …\n"
        "$ cat words.txt\nthree\n$ cat nothing.txt\n$ echo one | false\n"
        "$ false  # exit code 1\n$ true # exit code 1\n```\n"
        "<!-- run: nightly -->\n```console\n$ false\n```\n",
    )
    problems = list(run_page(blocks(page, tmp_path), TEST, tmp_path))
    assert [problem.split("\n")[0] for problem in problems] == [
        "page.md:6: cat words.txt: the page shows",
        "page.md:6: cat nothing.txt: exit code 1",
        "page.md:6: echo one | false: exit code 1",
        "page.md:6: true # exit code 1: exit code 0",
    ]
    assert not (tmp_path / "words.txt").exists()


def test_a_page_leaves_a_file_of_the_user_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    text = "<!-- file: mine.txt -->\n```text\none\n```\n"
    text += "<!-- run: nightly -->\n```console\n$ cat mine.txt\none\n```\n"
    assert not list(run_page(blocks(page_of(tmp_path, text), tmp_path), "nightly", tmp_path))
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_command_that_takes_too_long_leaves_nothing_running(tmp_path: Path) -> None:
    command = Command("(sleep 0.4; touch late) & wait", "")
    assert run_command(command, tmp_path, 0.1) == "not done after 0.1 s"
    time.sleep(0.5)
    assert not (tmp_path / "late").exists()


def test_a_command_that_prints_a_traceback_is_found(tmp_path: Path) -> None:
    assert run_command(Command("python3 -c 1/0 || true", ""), tmp_path).startswith("a traceback\n")


def test_a_page_that_does_not_exist_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing.md"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("documentation: ") and "nothing.md" in line


def test_a_file_that_is_removed_but_not_committed_is_none_of_the_project(tmp_path: Path) -> None:
    for name in ("kept.py", "removed.py"):
        (tmp_path / name).touch()
    subprocess.run(
        "git init -q && git add . && rm removed.py", cwd=tmp_path, shell=True, check=True
    )
    assert files_of(tmp_path) == [Path("kept.py")]


def test_output_is_compared_with_gaps() -> None:
    assert not difference("a\n…\nd", "a\nb\nc\nd\n")
    assert not difference("", "anything")
    assert difference("a\nd", "a\nb\nd\n")


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = page_of(tmp_path, "[here](page.md#part) [there](nothing.md) [far](https://x.org/a)\n")
    assert list(dead_links(page, tmp_path)) == ["page.md: nothing.md does not exist"]
    assert linked_pages(page, tmp_path) == {Path("page.md"), Path("nothing.md")}


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 90
    seen: set[Path] = set()
    waiting = {Path("README.md")}
    while waiting:
        page = waiting.pop()
        seen.add(page)
        waiting |= linked_pages(page) - seen
    assert set(PAGES) <= seen
