"""The documentation as scripts/site builds it, opened as files. usage: site.py BAYPLAN PROJECT"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from browser import SKIPPED, Browser, Keys, Server, check, check_equal

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


def wait_for_text(browser, selector, words):
    end = time.monotonic() + 30
    while words not in browser.text(selector) and time.monotonic() < end:
        time.sleep(0.05)
    check(words in browser.text(selector), f"{selector}: {browser.text(selector)!r}")


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


def links_rules(site):
    """A code leads to its page in sentences, in code and in printed output, but not from its own page."""
    pages = {name: (site / name).read_text() for name in ("docs/tour.html", "commands/lint.html", "docs/checks/BAY113.html", "index.html")}
    link = r'<a href="[^"]*/?checks/BAY015\.html">BAY015</a>'
    check(re.search(r"<pre>(?:(?!</pre>).)*" + link, pages["index.html"], flags=re.S), "printed output does not link the rules in it")
    article = pages["docs/checks/BAY113.html"].partition("<article")[2].partition("</article>")[0]
    check('href="BAY113.html">' not in article, "the page of a rule leads to itself")
    codes = {path.stem for path in (site / "docs" / "checks").glob("BAY*.html")}
    for name, page in pages.items():
        article = page.partition("<article")[2].partition("</article>")[0]
        plain = re.sub(r"<(a|h1|script|svg)\b.*?</\1>|<[^>]*>", " ", article, flags=re.S)
        left = {code for code in re.findall(r"\bBAY\d{3,4}\b", plain) if code in codes and code != pathlib.Path(name).stem}
        check_equal(left, set(), f"{name}: codes without a link")


def links_types(browser, site):
    """An instance type leads to its row in the table of all types."""
    pages = [page for page in sorted((site / "docs").glob("*.html")) if "instance-types.html?filter=" in page.read_text()]
    check(pages, "no page leads to an instance type")
    browser.open(pages[0])
    link = browser.one("article a[href*='instance-types.html?filter=']")
    name = link.text
    browser.driver.get(link.get_attribute("href"))
    rows = browser.run("return [...document.querySelectorAll('tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[0].textContent)")
    check(name in rows and len(rows) < 10, f"the rows that a link to {name} shows: {rows[:10]}")


def searches(browser, address):
    """Each page once, with an excerpt."""
    browser.driver.get(f"{address}/search.html?q=gpu+zone")
    wait_for(browser, "#search-results .search li .context")
    wait_for_text(browser, ".search-summary", "page")
    titles = browser.run("return [...document.querySelectorAll('#search-results li > a')].map((one) => one.href.split(/[?#]/)[0])")
    check(len(titles) > 10 and len(set(titles)) == len(titles), f"pages found twice: {sorted(one for one in titles if titles.count(one) > 1)}")
    check_equal(int(re.search(r"\d+", browser.text(".search-summary"))[0]), len(titles), "the number of pages found")
    browser.driver.get(f"{address}/search.html?q=BAY113")
    wait_for(browser, "#search-results .search li .context")
    check("(rule, in" not in browser.text("#search-results li") and "Fargate" in browser.text("#search-results li .context"), f"the excerpt of a rule: {browser.text('#search-results li')}")


def shows_live(browser, address):
    """The first page runs lint, place and fleet."""
    browser.driver.get(f"{address}/index.html")
    for name, selector, words in (("Lint", ".finding", "BAY015"), ("Place", "iframe", None), ("Fleet", "iframe", None)):
        button = next(one for one in browser.all(".live button") if one.text == name)
        browser.run("arguments[0].scrollIntoView({block: 'center'}); arguments[0].click()", button)
        browser.driver.switch_to.frame(browser.one(".live iframe"))
        wait_for(browser, f"#commands [data-command={name.lower()}][aria-selected=true]")
        wait_for(browser, f"#{'result' if words else 'page'} {selector}:not(.waiting)")
        if words:
            check(words in browser.text("#result"), f"{name}: {browser.text('#shown')}")
        check(browser.overflow() <= 0, f"{name}: {browser.overflow()} pixels too wide in the frame")
        browser.driver.switch_to.default_content()
        check_equal([one.text for one in browser.all(".live [aria-pressed=true]")], [name], "what is chosen")


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
        links_rules(site)
        server = Server(site)
        for width in (1280, 400):
            with Browser(width) as browser:
                searches(browser, server.address)
                if (site / "playground").exists():
                    shows_live(browser, server.address)
                else:
                    print("without a playground: npm or build/npm/package is missing")
                check_equal(browser.complaints(within=server.address), [], f"what the served site complains of, {width} pixels wide")
        inside = site.as_uri() + "/"
        with Browser(1280) as browser:
            finds_a_rule(browser, site)
            links_types(browser, site)
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
