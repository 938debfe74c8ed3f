"""What every page has: the command that made it, fixes to copy, prices with their day, sorting, print, and no name that does anything.

usage: pages.py BAYPLAN PROJECT
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

from browser import Browser, check, check_equal, check_page, numbers, report

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
EXAMPLES = PROJECT / "examples"
HOSTILE = "</script><img src=x onerror=\"alert('1')\">"
NAMES = (HOSTILE, "it's \"quoted\" & `id`", "\u202egnp.exe", "long-" + "x" * 240)


def told(paths):
    return json.loads(pathlib.Path(paths["json"]).read_text())


def passed_on(word):
    """A word of a command line as a page shows it: a path from the root without its folders, unless they are below the present one."""
    path = pathlib.PurePath(word)
    if not path.is_absolute():
        return word
    return str(path.relative_to(os.getcwd())) if path.is_relative_to(os.getcwd()) else path.name


def version():
    return (PROJECT / "CMakeLists.txt").read_text().split("project(bayplan VERSION ")[1].split()[0]


def common():
    """Of each command: its own command line, bayplan's version, the day of the prices."""
    lines = [("place", EXAMPLES / "two-p3-16xlarge/scenario.yaml"), ("place", EXAMPLES / "lost-zone/scenario.yaml"), ("why", "big", EXAMPLES / "why-not/scenario.yaml"),
             ("repack", EXAMPLES / "give-back/cluster"), ("whatif", EXAMPLES / "lose-a-zone/scenario.yaml", "--each-az"),
             ("fleet", EXAMPLES / "cheapest-fleet/scenario.yaml", "--types", "g4dn.*", "--effort", "20000000"), ("fit", EXAMPLES / "pull-request/train.json"),
             ("lint", EXAMPLES / "broken-gpu/train.json"), ("diff", EXAMPLES / "pull-request/train-main.json", EXAMPLES / "pull-request/train.json"),
             ("catalog", "g4dn.*", "p3.*"), ("explain", "BAY408")]
    for line in lines:
        line = [str(word) for word in line]
        paths = report(PROGRAM, *line)
        prices = told(paths).get("prices")

        def checks(browser):
            # A page that is passed on does not say in which folders its files were.
            command = shlex.split(browser.text(".command code"))
            check_equal(command[:1 + len(line)], ["bayplan", *(passed_on(word) for word in line)], "the command line")
            check("html=" + pathlib.Path(paths["html"]).name in command, f"the command line lacks --output: {command}")
            check(str(EXAMPLES) not in browser.run("return document.querySelector('header').textContent"), f"{line[0]}: a folder of the machine")
            check(f"bayplan {version()}" in browser.text("footer"), "the version is missing")
            if prices and prices["newest"]:
                where = browser.text("footer") + browser.text("main")
                check(prices["newest"] in where and prices["region"] in where, f"{line[0]}: the prices have no region or day")
            check_equal(len(browser.all(".command button.copy")), 1, "buttons that copy the command line")
            check_equal(browser.run("return document.querySelectorAll('h1').length"), 1, "headings of the first order")
        check_page(paths["html"], checks)


def place():
    scenario = EXAMPLES / "two-p3-16xlarge/scenario.yaml"
    paths = report(PROGRAM, "place", str(scenario))
    answer = told(paths)

    def checks(browser):
        check_equal(browser.one("#answer").get_attribute("class"), "bad", "the color of an answer that begins with NO")
        check(all(one["change"] in browser.text("#remedies") for one in answer["remedies"]), "fixes")
        fixes = [one.text for one in browser.all("#remedies code.copied")]
        check_equal(len(browser.all("#remedies button.copy")), len(fixes), "buttons that copy a fix")
        # Copies the text, whatever way the browser has.
        copied = browser.driver.execute_async_script("""const done = arguments[0];
            Object.defineProperty(navigator, 'clipboard', {value: {writeText: (text) => { done(text); return Promise.resolve(); }}});
            document.querySelector('#remedies button.copy').click()""")
        check_equal(copied, fixes[0], "what a button copies")
        done = subprocess.run([PROGRAM, "whatif", str(scenario), *shlex.split(copied)], capture_output=True, text=True)
        check(done.stdout.startswith("YES"), f"what the button copies is no fix: {done.stdout[:200]!r}")
        failures = browser.text("#failures")
        closest = answer["failures"][0]["closest"]
        check(closest in failures, f"the closest match is missing: {failures!r}")
        check("RESOURCE:GPU 2 of 2" in failures, f"how many instances reject the task is missing: {failures!r}")
        arrows = browser.run("return [...document.querySelectorAll('.rows .head button')].map((one) => getComputedStyle(one, '::after').content)")
        check(arrows and all(one not in ("none", "normal", '""') for one in arrows), f"headings of the instances do not show that they sort: {arrows}")
        failed = answer["failures"][0]
        browser.run("""const map = clusterView.map; const box = map.canvas.getBoundingClientRect();
            map.canvas.dispatchEvent(new MouseEvent('mousemove', {clientX: box.left + map.x[0] + 3, clientY: box.top + map.y[0] + 3}))""")
        tip = browser.text(".tip")
        check(not browser.all(".detail"), "what an instance holds is said twice")
        check(answer["placements"][0]["containerInstance"] in tip, f"the tip does not name the instance: {tip!r}")
        check("32 vCPU" in tip or "16 vCPU" in tip, f"the tip does not say what a task asks for: {tip!r}")
        check(failed["task"] in tip and "GPUs short" in tip, f"the tip does not say why the task is not placed: {tip!r}")
    check_page(paths["html"], checks)


def whatif():
    paths = report(PROGRAM, "whatif", str(EXAMPLES / "lose-a-zone/scenario.yaml"), "--each-az", "--each-instance")
    answer = told(paths)
    check(answer["anyZone"], "the example has no fix for any zone")

    def checks(browser):
        text = browser.text("#remedies")
        check_equal(len(browser.all("#variants tbody tr")), len(answer["variants"]) + 1, "rows: the baseline and each variant")
        check("the JSON report has" not in browser.text("main"), "the page sends its reader to the JSON report")
        check("/month" in browser.text("main > p"), "what the cluster costs in a month is missing")
        check("Fix for any zone loss: " + answer["anyZone"][0]["change"] in text.replace("Copy", "").replace("  ", " "), f"the fix for any zone is missing: {text[:300]!r}")
        worst = browser.run("return [...document.querySelectorAll('#without-place meter')].map((one) => one.parentElement.className)")
        check(worst and all("bad" in one for one in worst), "tasks not placed have the color of what is good")
    check_page(paths["html"], checks)


def deployment():
    """Waves, the state and each fix of a deployment, of `whatif` and of `diff`."""
    folder = EXAMPLES / "will-it-deploy"
    paths = report(PROGRAM, "whatif", str(folder / "scenario.yaml"), "--deploy", f"api={folder / 'api-v2.json'}")
    deployed = told(paths)["variants"][0]["deployments"][0]

    def checks(browser):
        section = browser.text("#deployments")
        check(deployed["state"] in section, f"the state {deployed['state']} is missing: {section!r}")
        check_equal(len(browser.all("#deployments tbody tr")), len(deployed["waves"]), "waves")
        check(all(one["change"] in section for one in deployed["remedies"]), f"a fix is missing: {section!r}")
        check(not browser.all("#without-place"), "a section of tasks not placed that has none")
        check("/month" in browser.text("main > p"), "what the cluster costs in a month is missing")
        flags = [one.text for one in browser.all("code.copied")]
        check(flags and all(one.startswith("--") for one in flags), f"what is copied is no flag: {flags}")
    check_page(paths["html"], checks)


def lost_zone():
    paths = report(PROGRAM, "whatif", str(EXAMPLES / "lose-a-zone/scenario.yaml"), "--lose-az", "us-east-2a")
    lines = subprocess.run([PROGRAM, "whatif", str(EXAMPLES / "lose-a-zone/scenario.yaml"), "--lose-az", "us-east-2a", "-v"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "500"}).stdout.split("\n")
    moves = [line.strip() for line in lines[lines.index("Moves") + 1:]]
    moves = moves[:moves.index("")]

    def checks(browser):
        section = browser.text("#moves")
        check("Removed: " in section and moves and all(one in section for one in moves), f"moves {moves} are missing: {section!r}")
        check("Losing us-east-2a" in browser.text("#variants") and "lose-az" not in browser.text("#variants"), "the variant is named by its flag")
    check_page(paths["html"], checks)


def sentences():
    """What the text says below its tables."""
    for line, words in ((("repack", str(EXAMPLES / "give-back/cluster")), "--keep-zones prevents it"),
                        (("sweep", str(EXAMPLES / "night-fleet/grid.yaml")), "Influence on ")):
        paths = report(PROGRAM, *line, formats=("html",))

        def checks(browser):
            said = browser.run("return [...document.querySelectorAll('main p')].map((one) => one.textContent).join('\\n')")
            check(words in said, f"{line[0]}: {words!r} is missing")
        check_page(paths["html"], checks)


def fixes_to_copy():
    """Only what one can paste has a button."""
    paths = report(PROGRAM, "why", "big", str(EXAMPLES / "why-not/scenario.yaml"))
    answer = told(paths)

    def checks(browser):
        check_equal(len(browser.all("#remedies > .wide tbody tr")), len(answer["remedies"]), "fixes")
        flags = [one.text for one in browser.all("#remedies code.copied")]
        check(all(one.startswith("--add ") for one in flags), f"what is copied is no flag: {flags}")
        check_equal(len(browser.all("#remedies button.copy")), len(flags), "buttons")
        check("Fixes" not in browser.text("#remedies p"), "the heading is said twice")
    check_page(paths["html"], checks)


def layout():
    """Figures fill their rows; sentences are read without scrolling sideways; nothing is cut."""
    with tempfile.TemporaryDirectory() as folder:
        for line in (("place", str(EXAMPLES / "two-p3-16xlarge/scenario.yaml")), ("place", str(EXAMPLES / "lost-zone/scenario.yaml")),
                     ("fleet", str(EXAMPLES / "cheapest-fleet/scenario.yaml"), "--types", "g4dn.*", "--effort", "20000000")):
            paths = report(PROGRAM, *line, folder=folder, formats=("html",))

            def checks(browser):
                ragged = browser.run("""return [...document.querySelectorAll('.figures')].flatMap((list) => {
                    const right = list.getBoundingClientRect().right; const rows = new Map();
                    for (const one of list.children) { const box = one.getBoundingClientRect(); rows.set(Math.round(box.top), box.right); }
                    return [...rows.values()].filter((edge) => right - edge > 2); })""")
                check_equal(ragged, [], f"{line[0]}: rows of figures that end early")
                uneven = browser.run("""return [...document.querySelectorAll('.figures')].map((list) => {
                    const rows = new Map(); for (const one of list.children) { const top = Math.round(one.getBoundingClientRect().top);
                    rows.set(top, (rows.get(top) || 0) + (one.className === 'long' ? 2 : 1)); }
                    return Math.max(...rows.values()) - Math.min(...rows.values()); })""")
                if browser.run("return innerWidth") > 1000:
                    check(all(one <= 2 for one in uneven), f"{line[0]}: a row of figures has {uneven} fewer than another")
                    broken = browser.run("return [...document.querySelectorAll('.figures div:not(.long) dt')].filter((one) => one.getClientRects().length && one.offsetHeight > 24).map((one) => one.textContent)")
                    check_equal(broken, [], f"{line[0]}: labels that wrap")
                else:
                    wide = browser.run("return [...document.querySelectorAll('.sentences')].filter((one) => one.scrollWidth > one.clientWidth + 1).length")
                    check_equal(wide, 0, f"{line[0]}: tables of sentences that scroll sideways")
                    check(browser.run("const code = document.querySelector('.command code'); return code.scrollHeight <= code.clientHeight + 2"), "the command line is cut")
            check_page(paths["html"], checks)


def many_variants():
    """Every variant has a row, and a long table a filter."""
    paths = report(PROGRAM, "whatif", "--instances", "m5.large=30@us-east-1a,us-east-1b", "--task", f"{EXAMPLES / 'will-it-deploy/api-v2.json'}=2", "--each-instance", "--no-lint")

    def checks(browser):
        check_equal(len(browser.all("#variants tbody tr")), len(told(paths)["variants"]) + 1, "rows: the baseline and each instance")
        check(browser.one("#variants input[type=search]").is_displayed(), "a long table has no filter")
    check_page(paths["html"], checks)


def fleet():
    paths = report(PROGRAM, "fleet", str(EXAMPLES / "cheapest-fleet/scenario.yaml"), "--types", "g4dn.*,g3*.*,p3.*,p2.*")
    answer = told(paths)

    def checks(browser):
        check_equal(len(browser.all("#strategies tbody tr")) > 1, len({one["hourlyCost"] for one in answer["strategies"]}) > 1, "whether strategies are compared")
        check_equal(len(browser.all("#marginal tbody tr")), len(answer["marginalPrice"]), "tasks with a marginal cost")
        cost = f"${answer['recommended']['hourlyCost']:g}"
        check(cost in browser.text("#answer") and "/month" in browser.text("header"), "the answer lacks the price, or that of a month")
        check(cost not in browser.text("#summary"), "the summary repeats the price")
        check_equal([one.text.split(":")[0] for one in browser.all("#costs .best")], ["recommended"], "the bar that is emphasized")
        check(all("/month" in one.text for one in browser.all("#costs .histogram .figure")), "a bar lacks the price of a month")
        check("$/month" in browser.text("#marginal thead"), "marginal costs lack the price of a month")
    check_page(paths["html"], checks)


def over_time():
    paths = report(PROGRAM, "place", str(EXAMPLES / "lost-zone/scenario.yaml"))
    lost = [event for event in told(paths)["events"] if event["eventName"] == "AVAILABILITY_ZONE_LOST"]
    check(len(lost) == 1, f"the example loses {len(lost)} zones")
    zone, at = lost[0]["subject"], lost[0]["at"]

    def checks(browser):
        charts = len(browser.all("#timeline svg"))
        check_equal(len(browser.all("#timeline .event.lost")), charts, "charts that mark the lost zone")
        names = [one.text for one in browser.all("#timeline .event-name")]
        check(len(names) == 1 and zone in names[0], f"the zone is named {names}")
        check_equal(len(browser.all("#timeline .lost-area")), charts, "charts that shade the time without the zone")
        heights = browser.run("""const rows = new Map(); for (const one of document.querySelectorAll('#timeline figure')) {
            const box = one.getBoundingClientRect(); rows.set(box.top, [...(rows.get(box.top) || []), box.height]); } return [...rows.values()]""")
        check(all(max(row) - min(row) < 1 for row in heights), f"charts of one row differ in height: {heights}")
        for moment, is_lost in ((at - 1, False), (at, True)):
            browser.run("""const slider = document.querySelector('#timeline input[type=range]'); slider.step = 1; slider.value = arguments[0];
                slider.dispatchEvent(new Event('input'))""", moment)
            browser.frame()
            check_equal(browser.run("return clusterView.map.headings.filter((one) => one.lost).map((one) => one.text.split(' ')[0])"), [zone] if is_lost else [], f"lost zones on the map at {moment}")
        browser.run("document.querySelector('#timeline .events button').click()")
        browser.frame()
        check_equal(browser.run("return clusterView.cluster.time") in {event["at"] for event in told(paths)["events"]}, True, "where the list of events leads")
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
        box = browser.all("main input[type=search]")[0]
        box.send_keys("g5.")
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


def catalog():
    """Every instance type: the first rows until all are asked for, sorted and filtered over all of them."""
    paths = report(PROGRAM, "catalog")
    types = [one["instanceType"] for one in told(paths)["types"]]
    shown = "return [...document.querySelector('main table').tBodies[0].rows].filter((one) => !one.hidden).map((one) => one.cells[0].textContent)"
    words = "return document.querySelector('.bar output').textContent"
    write = ("const input = document.querySelector('.bar input'); input.value = arguments[0]; "
             "input.dispatchEvent(new Event('input', {bubbles: true}))")

    def checks(browser):
        count = f"{len(types):,}"
        check_equal(browser.run(shown), types[:300], "the first types")
        check_equal(browser.run(words), f"first 300 of {count} of {count} rows", "the number of rows")
        browser.run("[...document.querySelectorAll('main thead button')].find((one) => one.textContent === 'vCPU').click()")
        browser.run("[...document.querySelectorAll('main thead button')].find((one) => one.textContent === 'vCPU').click()")
        largest = max(told(paths)["types"], key=lambda one: one["vcpus"])
        vcpus = {one["instanceType"]: one["vcpus"] for one in told(paths)["types"]}
        check_equal(vcpus[browser.run(shown)[0]], largest["vcpus"], "the vCPUs of the first row, sorted downward")
        browser.run(write, "m8i.")
        wanted = sorted(one for one in types if "m8i." in one)
        check_equal(sorted(browser.run(shown)), wanted, "rows that pass a filter")
        check_equal(browser.run(words), f"{len(wanted)} of {count} rows", "the number of rows that pass")
        browser.run(write, "")
        check_equal(len(browser.run(shown)), 300, "rows without a filter")
        browser.run("[...document.querySelectorAll('.bar button')].find((one) => one.textContent === 'Show all').click()")
        check_equal(len(browser.run(shown)), len(types), "all rows")
        check(browser.run("return [...document.querySelectorAll('.bar button')].find((one) => one.textContent === 'Show all').hidden"), "all rows can be shown twice")
    check_page(paths["html"], checks)


def on_paper(browser):
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    browser.frame()


def narrow_paper():
    """A4 without margins of 1 cm is 718 pixels wide."""
    for line in (("catalog", "g4dn.*", "p3.*"), ("sweep", str(EXAMPLES / "night-fleet/grid.yaml")), ("fit", str(EXAMPLES / "pull-request/train.json"))):
        paths = report(PROGRAM, *line, formats=("html",))
        with Browser(718, dark=True) as browser:
            browser.open(paths["html"])
            browser.frame()
            on_paper(browser)
            check(browser.overflow() <= 0, f"{line[0]}: {browser.overflow()} pixels too wide on paper")
            names = browser.run("return [...document.querySelectorAll('td.word')].filter((one) => one.offsetHeight > 0).length")
            check(names > 0, f"{line[0]}: no name is kept on one line")


def printed():
    paths = report(PROGRAM, "place", str(EXAMPLES / "gpu-cluster/scenario.yaml"))
    with Browser(dark=True) as browser:
        browser.open(paths["html"])
        browser.frame()
        on_paper(browser)
        hidden = browser.run("return [...document.querySelectorAll('button.copy, .bar, .contents')].every((one) => getComputedStyle(one).display === 'none')")
        check(hidden, "paper shows what one can only click")
        check_equal(browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)", "the ground on paper")
        check_equal(browser.run("return getComputedStyle(document.querySelector('.wide')).overflow"), "visible", "tables on paper")
    # What one prints a page for is on its first sheet: A4 without margins of 1 cm is 718 by 1047 pixels.
    for line, parts in ((("place", str(EXAMPLES / "two-p3-16xlarge/scenario.yaml")), ("#answer", "#remedies", "#failures")),
                        (("whatif", str(EXAMPLES / "lose-a-zone/scenario.yaml"), "--lose-az", "us-east-2a"), ("#answer", "#variants", "#remedies")),
                        (("why", "big", str(EXAMPLES / "why-not/scenario.yaml")), ("#answer", "#funnel", "#remedies")),
                        (("fleet", str(EXAMPLES / "cheapest-fleet/scenario.yaml"), "--types", "g4dn.*", "--effort", "20000000"), ("#answer", "#fleet"))):
        paths = report(PROGRAM, *line, formats=("html",))
        with Browser(718) as browser:
            browser.open(paths["html"])
            on_paper(browser)
            for part in parts:
                end = browser.run("return document.querySelector(arguments[0]).getBoundingClientRect().bottom", part)
                check(end <= 1047, f"{line[0]}: {part} ends at {end}, behind the first sheet")
            check_equal(browser.run("return getComputedStyle(document.querySelector('#text')).display"), "none", "the text report on paper")


def definition(name):
    return {"family": "evil", "containerDefinitions": [{"name": "c", "image": "a", "cpu": 256, "memory": 100_000, "environment": [{"name": name[:60], "value": "1"}]}]}


def hostile():
    """Names that would do something in a page that forgets to escape one."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        strange = folder / "a '&' b \u202ec"
        strange.mkdir()
        web = strange / "web.json"
        web.write_text(json.dumps(definition("A")))
        other = strange / "other.json"
        other.write_text(json.dumps(definition(HOSTILE)))
        scenario = strange / "scenario.json"
        scenario.write_text(json.dumps({
            "taskDefinitions": ["web.json"],
            "cluster": {"containerInstances": [{"instanceType": "m5.large", "count": 2, "availabilityZone": "us-east-1a"}, {"instanceType": "m5.large", "count": 1, "availabilityZone": "us-east-1b"}]},
            "services": [{"serviceName": name[:255], "taskDefinition": "evil", "desiredCount": 1} for name in NAMES]}))
        grid = strange / "grid.json"
        grid.write_text(json.dumps({"scenario": "scenario.json", "axes": {HOSTILE: {NAMES[1]: {"strategy": "binpack:memory"}, "even": {"strategy": ["spread:instanceId"]}}}}))
        lines = [("place", scenario, "--no-lint"), ("why", NAMES[0], scenario, "--no-lint"), ("whatif", scenario, "--no-lint", "--lose-az", "us-east-1a"),
                 ("fleet", scenario, "--no-lint", "--types", "m5.*", "--effort", "100000"), ("diff", web, other), ("lint", other), ("sweep", grid, "--no-lint"),
                 ("fit", other, "--no-lint"), ("repack", scenario, "--no-lint")]
        for line in lines:
            paths = report(PROGRAM, *(str(word) for word in line), folder=str(strange), formats=("html",))

            def checks(browser):
                check_equal(len(browser.all("img")), 0, f"{line[0]}: elements made of a name")
                own = 6 + len(browser.all("#data"))
                check_equal(len(browser.all("script")), own, f"{line[0]}: scripts, one of them made of a name")
                check_equal(shlex.split(browser.run("return document.querySelector('.command code').textContent"))[1:1 + len(line)], [passed_on(str(word)).replace("\u202e", "\ufffd") for word in line], f"{line[0]}: command line")
                if line[0] not in ("diff", "lint", "fleet", "fit", "repack"):
                    check(HOSTILE in browser.run("return document.querySelector('main').textContent"), f"{line[0]}: the name is missing")
            check_page(paths["html"], checks)


common()
place()
whatif()
deployment()
lost_zone()
sentences()
fixes_to_copy()
layout()
many_variants()
fleet()
over_time()
findings()
tables()
catalog()
printed()
narrow_paper()
hostile()
