"""How pages are read: a badge and a line first, contents of long ones, whole words, one value for one moment; runs that play; a layout that
any input keeps; no finding of axe, where npm has it. usage: design.py BAYPLAN PROJECT
"""
import json
import pathlib
import sys
import tempfile

from browser import Browser, axe_faults, axe_script, check, check_equal, check_page, report

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
EXAMPLES = PROJECT / "examples"
BADGE, LINE = "document.querySelector('#answer .badge')", "document.querySelector('#answer .line')"


def example(*words):
    return [str(EXAMPLES / word) if "/" in word else word for word in words]


PAGES = {
    "place": example("place", "two-p3-16xlarge/scenario.yaml"), "run": example("place", "lost-zone/scenario.yaml"), "few": example("place", "stuck-deployment/scenario.yaml"),
    "why": example("why", "big", "why-not/scenario.yaml"), "repack": example("repack", "give-back/cluster"),
    "whatif": example("whatif", "lose-a-zone/scenario.yaml", "--each-az"), "lose": example("whatif", "lose-a-zone/scenario.yaml", "--lose-az", "us-east-2a"),
    "later": example("whatif", "lost-zone/scenario.yaml", "--lose-az", "us-east-1a", "--at", "8h"),
    "fleet": example("fleet", "cheapest-fleet/scenario.yaml", "--types", "g4dn.*", "--effort", "20000000"), "fit": example("fit", "pull-request/train.json"),
    "lint": example("lint", "broken-gpu/train.json"), "diff": example("diff", "pull-request/train-main.json", "pull-request/train.json"),
    "retired": example("fleet", "cheapest-fleet/scenario.yaml", "--types", "p2.*", "--effort", "100000"), "catalog": example("catalog", "g4dn.*", "p3.*"), "explain": example("explain", "BAY408"), "sweep": example("sweep", "night-fleet/grid.yaml"),
    "replay": example("replay", "replay/snapshot", "replay/events.jsonl", "replay/trail.json"),
}
BADGES = {"place": ("NO", "bad"), "run": ("NO", "bad"), "why": ("NO", "bad"), "repack": ("SAVES", "doubtful"), "whatif": ("NO", "bad"), "lose": ("NO", "bad"), "later": ("NO", "bad"), "few": ("NO", "bad"),
          "fleet": ("OPTIMAL", "good"), "fit": ("FITS", "good"), "lint": ("FAIL", "bad"), "diff": ("REVIEW", "doubtful"), "explain": ("ERROR", "bad"),
          "sweep": ("YES", "good"), "retired": ("OPTIMAL", "doubtful")}

# Words of at most 40 characters on more than one line, other than addresses of the web.
BROKEN = """const broken = []; const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest('pre, script, style, a, .command') || !node.parentElement.getClientRects().length) continue;
      for (const word of node.data.matchAll(/[^\\s\\/]{2,40}/g)) {
        const range = document.createRange(); range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
        const tops = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top)));
        if (tops.size > 1) broken.push(word[0]);
      } }
    return broken"""


def first_lines(pages, axe):
    for width, dark in ((1280, False), (400, True)):
        with Browser(width, dark=dark) as browser:
            for name, path in pages.items():
                browser.open(path)
                browser.frame()
                line = browser.run(f"return {LINE}.textContent")
                check(0 < len(line) <= 90, f"{name}: a first line of {len(line)} characters: {line!r}")
                badge = BADGES.get(name)
                found = browser.run(f"return {BADGE} && [{BADGE}.innerText, {BADGE}.className.split(' ')[1]]")
                check_equal(found, list(badge) if badge else None, f"{name}: the badge")
                check_equal(browser.run(BROKEN), [], f"{name}: words that break, {width} pixels wide")
                check(browser.overflow() <= 0, f"{name}: {browser.overflow()} pixels too wide at {width}")
                is_long = browser.run("const nav = document.querySelector('.contents'); return document.documentElement.scrollHeight - nav.offsetHeight > 2 * innerHeight"
                                      " && document.querySelectorAll('main > section').length > 2")
                check_equal(browser.one(".contents").is_displayed(), is_long, f"{name}: whether there are contents")
                check_equal(browser.complaints(), [], f"{name}: complaints")
                check_equal(axe_faults(browser, axe), [], f"{name}: findings of axe, {width} pixels wide")


def contents(page):
    """Links to every section, the one in sight marked; it stays at the top."""
    with Browser() as browser:
        browser.open(page)
        browser.frame()
        wanted = browser.run("return [...document.querySelectorAll('main > section > h2')].map((one) => one.textContent)")
        check_equal([one.get_attribute("textContent") for one in browser.all(".contents a")], wanted, "the contents")
        browser.run("document.querySelectorAll('.contents a')[3].click()")
        browser.frame()
        browser.frame()
        check_equal(browser.text(".contents [aria-current]"), wanted[3], "the section in sight")
        top = browser.run("return document.querySelectorAll('main > section')[3].getBoundingClientRect().top - document.querySelector('.contents').getBoundingClientRect().bottom")
        check(top >= 0, f"a section is {-top} pixels behind the contents")


def one_value(page, answer):
    """At every moment, and at the last one, the line of figures, the map and the table of the end agree."""
    end = answer["timeline"]["end"]

    def checks(browser):
        first = min(event["at"] for event in answer["events"] if event["eventName"] == "AVAILABILITY_ZONE_LOST")
        check_equal(browser.run("return runView.now"), first, "where the slider begins: at the first event")
        for part in (0, 0.15, 0.5, 0.97, 1):
            browser.run("runView.show(arguments[0])", int(end * part))
            browser.frame()
            said = dict(one.rsplit(" ", 1) for one in browser.run("return [...document.querySelectorAll('.keys li')].map((one) => one.textContent.slice(1))"))
            whole = browser.run("""const c = clusterView.cluster; const sum = (value) => { let all = 0; for (let i = 0; i < c.size; ++i) if (c.isThere(i)) all += value(i); return all; };
                return [percent(sum((i) => c.cpu[i]), sum((i) => c.profile(i).cpu)), percent(sum((i) => c.memory[i]), sum((i) => c.profile(i).memory)), String(sum((i) => c.running[i]))]""")
            check_equal([said["CPU"], said["memory"], said["placed"]], whole, f"figures above the charts, and of the map, at {part} of the run")
        figures = browser.run("return Object.fromEntries([...document.querySelectorAll('#summary .figures div')].map((one) => [one.querySelector('dt').textContent, one.querySelector('dd').textContent]))")
        check_equal((said["CPU"], said["memory"]), (figures["CPU reserved"], figures["memory reserved"]), "figures at the end")
        ticks = browser.run("return [...document.querySelector('#timeline svg').querySelectorAll('.tick')].map((one) => one.textContent)")
        check(len(ticks) >= 3 and all(one == "0s" or one.endswith("h") for one in ticks), f"ticks that are no whole hours: {ticks}")
        apart = browser.run("""const slider = document.querySelector('.run input[type=range]'); const box = slider.getBoundingClientRect();
            return [0, 0.5, 1].map((part) => { runView.show(report.cluster.end * part); const cursor = document.querySelector('.run .cursor').getBoundingClientRect();
              return Math.abs(box.left + 8 + (box.width - 16) * part - cursor.left); })""")
        check(all(one <= 2 for one in apart), f"the thumb of the slider is {apart} pixels from the line in the charts")
    check_page(page, checks)


def plays(page, is_stepwise):
    """Play, pause, speed; without motion where the reader wants less."""
    with Browser() as browser:
        browser.open(page)
        browser.run("runView.show(0)")
        button = browser.one(".run .play")
        check_equal(button.text, "Play", "the button before")
        button.click()
        check_equal((button.text, browser.run("return runView.isPlaying")), ("Pause", True), "the button while it plays")
        button.click()
        check_equal((button.text, browser.run("return runView.isPlaying")), ("Play", False), "the button after a pause")
        # Half of a run, whichever way it goes on; twice as far at twice the speed.
        half = 1500 if is_stepwise else 5000
        way = []
        for speed in (1, 2):
            way.append(browser.run("""runView.show(0); document.querySelector('.run .speed').value = arguments[0]; runView.advance(arguments[1]); return runView.now""", speed, half))
        check(way == [1, 1] if is_stepwise else way[0] > 0 and abs(way[1] - 2 * way[0]) < 2, f"the way at single and double speed: {way}")
        end = browser.run("runView.play(); for (let i = 0; i < 500 && runView.isPlaying; ++i) runView.advance(3000); return [runView.now, clusterView.cluster.end, runView.isPlaying]")
        check_equal((end[0], end[2]), (end[1], False), "where the run ends")
    with Browser() as browser:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        browser.open(page)
        moved = browser.run("runView.show(0); runView.advance(100); const early = runView.now; runView.advance(1500); return [early, runView.now]")
        check(moved[0] == 0 and moved[1] > 0, f"a run with less motion goes to {moved}, not from change to change")


def steps(page):
    """The map of whatif: before, the event, each move, after."""
    answer = json.loads(pathlib.Path(page).with_suffix(".json").read_text())
    variant = answer["variants"][0]

    def checks(browser):
        end = browser.run("return report.cluster.end")
        placed = []
        for step in (0, 1, end):
            browser.run("runView.show(arguments[0])", step)
            browser.frame()
            placed.append(browser.run("""const c = clusterView.cluster; const sum = (value) => { let all = 0; for (let i = 0; i < c.size; ++i) if (c.isThere(i)) all += value(i); return all; };
                const share = (part, whole) => Math.round(1e6 * sum(part) / sum(whole)) / 1e6;
                return [c.there(), share((i) => c.cpu[i], (i) => c.profile(i).cpu), share((i) => c.memory[i], (i) => c.profile(i).memory),
                  share((i) => c.gpus[i], (i) => c.profile(i).gpus), c.running.reduce((a, b) => a + b, 0)]"""))
        for shown, result in ((placed[0], answer["baseline"]), (placed[2], variant)):
            use = result["summary"]["utilization"]
            wanted = [result["summary"]["instances"], *(round(use[name], 6) for name in ("CPU", "MEMORY", "GPU"))]
            check_equal(shown[:4], wanted, "instances and reserved shares on the map")
        check(placed[1][4] < placed[2][4] < placed[0][4] and placed[1][0] == placed[2][0], f"the event alone: {placed}")
        check("After: 2 tasks not placed" in browser.text(".run .step"), "the words of the last step")
        check_equal([row.text.split()[0] for row in browser.all("#variants tbody tr")][0], "before", "the first row")
    check_page(page, checks)


def compares(page):
    """Two runs at one moment: the page begins with the one after, at the event, and shows the other at the moment that was shown."""
    with Browser() as browser:
        browser.open(page)
        shown = """const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0).length;
            return [runView.now, clusterView.cluster.there(), shown('.run'), shown('.map canvas'), ...[...document.querySelectorAll('.runs button')].map((one) => one.ariaPressed)]"""
        buttons = browser.all(".runs button")
        check_equal([one.text for one in buttons], ["Before", "After: lose-az us-east-1a at 8h"], "the buttons of the runs")
        check_equal(browser.run(shown), [8 * 3600, 4, 1, 1, "false", "true"], "after the loss of the zone")
        buttons[0].click()
        browser.frame()
        check_equal(browser.run(shown), [8 * 3600, 6, 1, 1, "true", "false"], "before it")
        browser.run("runView.show(3600); runView.play()")
        buttons[1].click()
        browser.frame()
        check_equal(browser.run(shown)[1:4], [6, 1, 1], "an hour from the start")
        moments = browser.run("return runViews.map((one) => one.now)")
        check(moments[0] == moments[1] >= 3600, f"both runs at one moment: {moments}")
        check_equal(browser.run("return runViews.map((one) => one.isPlaying)"), [False, False], "a run that is not shown plays on")


def counts(page):
    """A chart of counts names whole numbers."""
    def checks(browser):
        ticks = browser.run("""return [...document.querySelectorAll('.run figure')].filter((one) => ['Tasks', 'Instances'].includes(one.querySelector('figcaption').textContent))
            .flatMap((one) => [...one.querySelectorAll('text[text-anchor=end]:not(.tick):not(.event-name)')].map((text) => text.textContent))""")
        check(len(ticks) == 6 and all(one.replace(",", "").isdigit() for one in ticks), f"ticks of counts: {ticks}")
    check_page(page, checks)


def groups(page):
    """Rows that go on with the row above them cannot be sorted away from it; lists on a phone are as long as they are."""
    with Browser(400) as browser:
        browser.open(page)
        browser.frame()
        buttons = "return document.querySelectorAll(`${arguments[0]} thead button`).length"
        check_equal((browser.run(buttons, "#remedies"), browser.run(buttons, "#variants") > 0), (0, True), "tables that can be sorted")
        cut = browser.run("return [...document.querySelectorAll('.sentences')].map((one) => one.scrollHeight - one.clientHeight)")
        check(cut and max(cut) <= 1, f"lists that are cut on a phone: {cut}")


def fixes(page):
    """What is not placed is said once for all fixes of a variant."""
    with Browser() as browser:
        browser.open(page)
        rows = browser.run("return [...document.querySelectorAll('#remedies tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
        for column in (0, 1):
            words = [row[column] for row in rows if row[column]]
            check(len(rows) > len(words) == 3, f"rows of {len(rows)} fixes that say {words}")


def changed_fields(page):
    with Browser() as browser:
        browser.open(page)
        check(browser.run("return document.querySelector('#definition-1 details').open"), "changed fields are folded")


def charts(page):
    with Browser() as browser:
        browser.open(page)
        for axis in (1, 2, 3):
            check(browser.all(f"#axis-{axis} .charts meter"), f"axis {axis} has no chart")
        check_equal(browser.run("return [...new Set([...document.querySelectorAll('#axis-3 .best')].map((one) => one.textContent))]"), ["7"], "the emphasized point")
        hosts = browser.run("return [...document.querySelectorAll('#axis-3 figure')].map((one) => one.querySelector('figcaption').textContent)")
        check("Scenarios that place all tasks" in hosts and "$/h: median / worst" in hosts, f"charts: {hosts}")


def best_row(page):
    with Browser() as browser:
        browser.open(page)
        check_equal([row.text.split()[0] for row in browser.all("tr.best")], ["g5g.16xlarge"], "the cheapest type")


def rules(page):
    """A code leads to its rule, which is folded until then."""
    with Browser() as browser:
        browser.open(page)
        check(not any(browser.run("return [...document.querySelectorAll('.rule')].map((one) => one.open)")), "rules are unfolded")
        browser.run("document.querySelector('.finding h4 a').click()")
        browser.frame()
        opened = browser.run("return [...document.querySelectorAll('.rule[open] summary')].map((one) => one.textContent.split(' ')[0])")
        check(browser.all(".rule[open] a[href^='https://']"), "the source of a rule is no link")
        check_equal(opened, [browser.text(".finding h4 a").split()[0]], "the rule that a code opens")


def replay(page):
    with Browser() as browser:
        browser.open(page)
        check_equal(browser.run(f"return {LINE}.textContent"), "ECS chose as simulated in 13 of 14 placements", "the first line")


def bad_input():
    """The longest names, thousands of instances and events, and nothing at all."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        task = {"family": "f" * 255, "containerDefinitions": [{"name": "c" * 255, "image": "a", "cpu": 256, "memory": 512}]}
        (folder / "web.json").write_text(json.dumps(task))
        names = ["n" * 255, "w-" * 127, "x" * 100 + " y"[1:]]
        small = {"taskDefinitions": ["web.json"],
                 "cluster": {"containerInstances": [{"instanceType": "m5.large", "count": 2, "availabilityZone": "us-east-1a"}, {"instanceType": "m5.large", "count": 1, "availabilityZone": "us-east-1b"}]},
                 "services": [{"serviceName": name, "taskDefinition": "f" * 255, "desiredCount": 12} for name in names]}
        (folder / "names.json").write_text(json.dumps(small))
        zones = ["us-east-1a", "us-east-1b", "us-east-1c"]
        many = ["place", *(word for zone, count in zip(zones, (1667, 1667, 1666)) for word in ("--instances", f"m5.4xlarge={count}@{zone}")), "--task", f"{folder / 'web.json'}=9000"]
        events = {"taskDefinitions": ["web.json"], "cluster": {"containerInstances": [{"instanceType": "m5.4xlarge", "count": 20, "availabilityZone": "us-east-1a"}]},
                  "services": [{"serviceName": "s" * 255, "taskDefinition": "f" * 255, "desiredCount": 1}],
                  "tasks": [{"taskDefinition": "f" * 255, "count": 1, "startAt": f"{at}s", "duration": "60s"} for at in range(0, 20000, 4)],
                  "events": [{"at": f"{at}s", "updateService": {"service": "s" * 255, "desiredCount": 1 + at // 40 % 5}} for at in range(40, 20000, 40)],
                  "settings": {"whenFull": "wait"}}
        (folder / "events.json").write_text(json.dumps(events))
        (folder / "nothing.json").write_text(json.dumps({"taskDefinitions": ["web.json"], "cluster": {"containerInstances": []}, "services": [{"serviceName": "web", "taskDefinition": "f" * 255, "desiredCount": 0}]}))
        lines = {"names": ["place", folder / "names.json"], "why": ["why", names[0], folder / "names.json"], "whatif": ["whatif", folder / "names.json", "--lose-az", "us-east-1a"],
                 "lint": ["lint", folder / "web.json"], "fit": ["fit", folder / "web.json", "--types", "m5.*"], "repack": ["repack", folder / "names.json"],
                 "instances": many, "events": ["place", folder / "events.json"], "nothing": ["place", folder / "nothing.json"]}
        pages = {}
        for name, line in lines.items():
            (folder / name).mkdir()
            quiet = [] if name == "lint" else ["--no-lint"]
            pages[name] = report(PROGRAM, *(str(word) for word in line), *quiet, folder=str(folder / name), formats=("html",))["html"]
        for width, dark in ((1280, False), (390, True)):
            with Browser(width, dark=dark) as browser:
                for name, path in pages.items():
                    browser.open(path)
                    browser.frame()
                    check(browser.overflow() <= 0, f"{name}: {browser.overflow()} pixels too wide at {width}")
                    check(len(browser.run(f"return {LINE}.textContent")) <= 90, f"{name}: a long first line")
                    outside = browser.run("""return [...document.querySelectorAll('h1, h2, h3, p, li, dd, button, output, figure')].filter((one) => {
                        const box = one.getBoundingClientRect(); return box.width > 0 && box.right > innerWidth + 1 && !one.closest('.wide, .rows, pre, .contents, .tip'); })
                        .map((one) => one.tagName + ' ' + one.textContent.slice(0, 60))""")
                    check_equal(outside, [], f"{name}: what is cut at {width} pixels")
                    check_equal(browser.complaints(), [], f"{name}: complaints")


def main():
    axe = axe_script()
    with tempfile.TemporaryDirectory() as folder:
        pages, answers = {}, {}
        for name, line in PAGES.items():
            own = pathlib.Path(folder) / name
            own.mkdir()
            formats = ("html", "json") if name in ("run", "lose") else ("html",)
            paths = report(PROGRAM, *line, folder=str(own), formats=formats)
            pages[name] = paths["html"]
            if "json" in paths:
                answers[name] = json.loads(pathlib.Path(paths["json"]).read_text())
        first_lines(pages, axe)
        contents(pages["fleet"])
        one_value(pages["run"], answers["run"])
        plays(pages["run"], False)
        plays(pages["lose"], True)
        steps(pages["lose"])
        compares(pages["later"])
        counts(pages["few"])
        groups(pages["whatif"])
        fixes(pages["whatif"])
        changed_fields(pages["diff"])
        charts(pages["sweep"])
        best_row(pages["fit"])
        rules(pages["lint"])
        replay(pages["replay"])
    bad_input()


main()
