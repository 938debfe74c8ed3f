"""The documentation as scripts/site builds it, opened as files. usage: site.py BAYPLAN PROJECT"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from browser import SKIPPED, Browser, Keys, check, check_equal

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
RULE = ("BAY113", "fargate-cpu-memory-pair")
NARROW = ("index.html", "docs/README.html", "docs/checks.html", "docs/checks/BAY113.html", "docs/placement.html", "docs/reports.html",
          "commands/fleet.html", "bench/FLEET.html")


def built(folder):
    done = subprocess.run([sys.executable, str(PROJECT / "scripts" / "site"), str(folder), "--program", PROGRAM], capture_output=True, text=True)
    if done.returncode == SKIPPED:
        print(done.stderr, "skipped")
        sys.exit(SKIPPED)
    check(done.returncode == 0, f"scripts/site ended with {done.returncode}: {done.stderr}")


def rules(site):
    """Each is listed in the index, and has a page with its title and its name."""
    told = json.loads(subprocess.run([PROGRAM, "explain", "--all", "--format", "json"], capture_output=True, check=True).stdout)["rules"]
    overview = (site / "docs" / "checks.html").read_text()
    told = [rule for rule in told if rule["implemented"]]
    check(len(told) > 250, f"{len(told)} rules")
    for rule in told:
        page = site / "docs" / "checks" / f"{rule['code']}.html"
        check(f'href="checks/{rule["code"]}.html"' in overview, f"the list of rules does not link {rule['code']}")
        check(page.exists() and f"{rule['code']}: " in page.read_text() and rule["rule"] in page.read_text(), f"there is no page of {rule['code']}")


def commands(site):
    """Every flag, and every example, of every command."""
    whole = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z][\w-]*) {2,}", whole.partition("Subcommands:\n")[2], flags=re.M)
    check(len(names) > 10, f"commands: {names}")
    for name in names:
        help_text = subprocess.run([PROGRAM, name, "--help"], capture_output=True, text=True, check=True).stdout
        page = re.sub(r"<[^>]*>", "", (site / "commands" / f"{name}.html").read_text())
        for flag in re.findall(r"^  (-\S+)", help_text, flags=re.M):
            check(flag in page, f"the page of {name} lacks {flag}")
        lines = [line for line in (site / "llms.txt").read_text().split("\n") if line.startswith(f"- [{name}](commands/{name}.html): ")]
        check(len(lines) == 1 and re.search(r"Example: `[^`]+`$", lines[0]), f"llms.txt lacks {name} with an example: {lines}")


def wait_for(browser, selector):
    end = time.monotonic() + 30
    while not browser.all(selector) and time.monotonic() < end:
        time.sleep(0.05)
    check(browser.all(selector), f"there is no {selector} on {browser.driver.current_url}")


def finds_a_rule(browser, site):
    browser.open(site / "index.html")
    check_equal(browser.text("h1").strip("#¶"), "bayplan", "heading of the front page")
    box = browser.one(".sidebar-search")
    box.send_keys(RULE[0] + Keys.ENTER)
    wait_for(browser, "#search-results .search li a")
    first = browser.one("#search-results .search li a")
    check_equal(first.text, " ".join(RULE), "what the search finds first")
    first.click()
    wait_for(browser, "article h1")
    check(browser.driver.current_url.split("#")[0].endswith("docs/checks/BAY113.html"), f"the search leads to {browser.driver.current_url}")


def brightness(browser):
    color = browser.run("return getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in re.findall(r"\d+", color)[:3]) / 3


def main():
    with tempfile.TemporaryDirectory(prefix="bayplan-site-") as name:
        site = pathlib.Path(name).resolve() / "site"
        begun = time.monotonic()
        built(site)
        print(f"built in {time.monotonic() - begun:.0f} s, {sum(path.stat().st_size for path in site.rglob('*') if path.is_file()) / 1e6:.1f} MB")
        rules(site)
        commands(site)
        inside = site.as_uri() + "/"
        with Browser(1280) as browser:
            finds_a_rule(browser, site)
            browser.open(site / "index.html")
            check(brightness(browser) > 200, "the page is dark on a light system")
            check_equal(browser.complaints(within=inside), [], "what the site complains of")
            browser.run("document.querySelector('.theme-toggle-content button').click()")
            check(brightness(browser) < 60, "the switch does not make the page dark")
        with Browser(400, dark=True) as browser:
            for page in NARROW:
                browser.open(site / page)
                browser.frame()
                check(brightness(browser) < 60, f"{page} is light on a dark system")
                check(browser.overflow() <= 0, f"{page} is {browser.overflow()} pixels too wide at 400")
            check_equal(browser.complaints(within=inside), [], "what the site complains of, 400 pixels wide")


main()
