"""What every page can do: copy a fix, tell of an instance, sort and filter, scroll, print. usage: pages.py BAYPLAN PROJECT"""
import json
import pathlib
import sys

from browser import Browser, check, check_equal, check_page, report

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
EXAMPLES = PROJECT / "examples"


def hover():
    paths = report(PROGRAM, "place", str(EXAMPLES / "two-p3-16xlarge/scenario.yaml"))
    answer = json.loads(pathlib.Path(paths["json"]).read_text())

    def checks(browser):
        browser.run("""const map = clusterView.map; const box = map.canvas.getBoundingClientRect();
            map.canvas.dispatchEvent(new MouseEvent('mousemove', {clientX: box.left + map.x[0] + 3, clientY: box.top + map.y[0] + 3}))""")
        tip = browser.text(".tip")
        check(answer["placements"][0]["containerInstance"] in tip, f"the tip does not name the instance: {tip!r}")
        check("16 vCPU" in tip, f"the tip does not say what a task requests: {tip!r}")
        check("free GPU" in browser.text(".legend"), "the legend does not explain free GPUs")
    check_page(paths["html"], checks)


def charts():
    paths = report(PROGRAM, "place", str(EXAMPLES / "lost-zone/scenario.yaml"))

    def checks(browser):
        heights = browser.run("""const rows = new Map(); for (const one of document.querySelectorAll('#timeline figure')) {
            const box = one.getBoundingClientRect(); rows.set(box.top, [...(rows.get(box.top) || []), box.height]); } return [...rows.values()]""")
        check(all(max(row) - min(row) < 1 for row in heights), f"charts of one row differ in height: {heights}")
        check(browser.run("return innerWidth") < 600 or len(heights) == 1, f"charts take {len(heights)} rows")
    check_page(paths["html"], checks)


def findings():
    paths = report(PROGRAM, "lint", str(EXAMPLES / "broken-gpu/train.json"))

    def checks(browser):
        copied = browser.driver.execute_async_script("""const done = arguments[0];
            Object.defineProperty(navigator, 'clipboard', {value: {writeText: (text) => { done(text); return Promise.resolve(); }}});
            document.querySelector('.finding button.copy').click()""")
        check_equal(copied.strip(), '"memory": 28672,', "what the button of the first fix copies")
    check_page(paths["html"], checks)


def tables():
    paths = report(PROGRAM, "fit", str(EXAMPLES / "pull-request/train.json"))
    with Browser() as browser:
        browser.open(paths["html"])
        table = browser.one("main table")
        rows = len(table.find_elements("css selector", "tbody tr"))
        browser.all("main input[type=search]")[0].send_keys("g5.")
        browser.frame()
        shown = [row.text for row in table.find_elements("css selector", "tbody tr") if row.is_displayed()]
        check(0 < len(shown) < rows and all("g5." in row for row in shown), f"rows that pass a filter: {len(shown)} of {rows}")
        head = table.find_element("css selector", "th button")
        for order in ("ascending", "descending"):
            head.click()
            check_equal(table.find_element("css selector", "th").get_attribute("aria-sort"), order, "the order that a heading tells")
    with Browser(360) as browser:
        browser.open(paths["html"])
        browser.frame()
        check(browser.all(".wide.scrolls"), "a table that is wider than the page does not say that it scrolls")
        check(browser.overflow() <= 0, "the page is wider than its window of 360 pixels")
        mark = browser.run("return getComputedStyle(document.querySelector('.wide.scrolls'), '::before').content")
        check("scrolls" in mark, f"the mark of a table that scrolls: {mark!r}")


def printed():
    paths = report(PROGRAM, "lint", str(EXAMPLES / "broken-gpu/train.json"))
    with Browser(dark=True) as browser:
        browser.open(paths["html"])
        browser.frame()
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        browser.frame()
        hidden = browser.run("return [...document.querySelectorAll('button.copy, .bar')].every((one) => getComputedStyle(one).display === 'none')")
        check(hidden and browser.all("button.copy"), "paper shows what one can only click")
        check_equal(browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)", "the ground on paper")


hover()
charts()
findings()
tables()
printed()
