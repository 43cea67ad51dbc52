"""Opens reports in a headless browser, looks for what a reader would stumble over, takes pictures.

``python ci/browser_check.py REPORT.html … --out FOLDER`` needs the package playwright and a browser
it knows, or Chromium (Debian: ``apt-get install chromium``); any Python will do, the project's
environment has neither. Without them it says so and ends with 0.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

try:
    from playwright.sync_api import Browser, Error, Page, Playwright, sync_playwright
except ImportError:
    print("browser check skipped: the package playwright is not installed")
    sys.exit(0)

MAX_BYTES = 5_000_000
# A loaded machine takes its time over a long page.
TIMEOUT_MS = 180_000
# Largest part of a long page in one picture.
MAX_PIXELS_HIGH = 9000
SIZES = {"desktop": (1280, 900), "phone": (380, 800)}
SCHEMES = ("light", "dark")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def problems(browser: Browser, report: Path, out: Path) -> Iterator[str]:
    """Return the problems of a report, one line each; its pictures are written to ``out``.

    Args:
        browser: that shows it.
        report: the page.
        out: existing folder.
    """
    if report.stat().st_size >= MAX_BYTES:
        yield f"{report.stat().st_size} bytes; accepted: less than {MAX_BYTES}"
    for size, (width, height) in SIZES.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            page = context.new_page()
            page.set_default_timeout(TIMEOUT_MS)
            heard: list[str] = []
            page.on("console", lambda said, heard=heard: heard.append(f"console: {said.text}"))
            page.on("pageerror", lambda error, heard=heard: heard.append(f"error: {error}"))
            page.on(
                "request",
                lambda asked, heard=heard: (
                    None
                    if asked.url.startswith("data:") or asked.url == report.as_uri()
                    else heard.append(f"request: {asked.url}")
                ),
            )
            page.goto(report.as_uri())
            page.screenshot(path=out / f"{size}-{scheme}.png")
            high = page.evaluate("document.documentElement.scrollHeight")
            page.screenshot(
                path=out / f"{size}-{scheme}-whole.png",
                full_page=True,
                clip={"x": 0, "y": 0, "width": width, "height": min(high, MAX_PIXELS_HIGH)},
            )
            found = [*_page_problems(page, width), *heard]
            yield from (f"{size} {scheme}: {line}" for line in found)
            context.close()


def _page_problems(page: Page, width: int) -> Iterator[str]:
    for what in ("as opened", "with everything unfolded"):
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            culprits = page.evaluate(
                """width => [...document.querySelectorAll("body *")]
                  .filter((e) => !e.closest(".scroll, .picture"))
                  .filter((e) => e.getBoundingClientRect().right > width + 1)
                  .slice(0, 5).map((e) => `${e.tagName}.${e.className}`)""",
                width,
            )
            yield f"{wide} pixels wide {what}; accepted: {width} (see {', '.join(culprits)})"
        page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    broken = page.evaluate("[...document.images].filter((e) => !e.naturalWidth).length")
    if broken:
        yield f"{broken} pictures do not show"
    yield from _filter_problems(page)


def _filter_problems(page: Page) -> Iterator[str]:
    """A filter that leaves all jobs, or none of those it names, does not work."""
    select = page.locator("#filter select[name=architecture]")
    if not select.is_visible():
        yield "the filters do not show"
        return
    names = select.locator("option").all_text_contents()[1:]
    if len(names) < 2:
        return
    select.select_option(names[0])
    shown = page.evaluate(
        """[...document.querySelectorAll("table.jobs tbody")]
          .filter((e) => e.offsetParent !== null).map((e) => e.dataset.a)"""
    )
    if set(shown) != {names[0]}:
        yield f"filtered by {names[0]}, jobs of {sorted(set(shown)) or 'nothing'} show"


def _launch(playwright: Playwright) -> Browser | None:
    """Playwright's own browser, or the machine's."""
    chromium = playwright.chromium
    paths = [None, *(path for path in map(shutil.which, BROWSERS) if path)]
    for path in paths:
        try:
            return chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error:
            continue
    return None


def main() -> int:
    """Check the reports; returns 1 if something is wrong with one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT.html")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the pictures")
    arguments = parser.parse_args()
    found = 0
    with sync_playwright() as playwright:
        browser = _launch(playwright)
        if browser is None:
            print("browser check skipped: no browser; install with: apt-get install chromium")
            return 0
        for number, report in enumerate(arguments.reports, 1):
            out = arguments.out / str(number)
            out.mkdir(parents=True, exist_ok=True)
            lines = list(problems(browser, report.resolve(), out))
            found += len(lines)
            for line in lines:
                print(f"{report}: {line}")
            print(f"{report}: {len(lines)} problems, pictures in {out}")
        browser.close()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
