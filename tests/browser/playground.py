"""The playground, over HTTP in a real browser. usage: playground.py BAYPLAN PROJECT"""
import base64
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zlib

from browser import SKIPPED, Browser, Keys, Server, axe_faults, axe_script, check, check_equal

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
PACKAGE = PROJECT / "build" / "npm" / "package"

GOOD = ('{"family": "web", "requiresCompatibilities": ["EC2"], "networkMode": "bridge",\n'
        ' "containerDefinitions": [{"name": "web", "image": "nginx:1.27.2", "memory": 512, "essential": true}]}')
SLOW = """region: us-east-1
cluster:
  containerInstances:
    - {instanceType: m5.24xlarge, count: 20000, availabilityZones: [us-east-1a, us-east-1b, us-east-1c]}
taskDefinitions: [task.json]
tasks:
  - {taskDefinition: web, count: 3000000, placementStrategy: [{type: spread, field: "attribute:ecs.availability-zone"}, {type: spread, field: instanceId}, {type: random}]}
"""


def wait(browser, condition, what, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if browser.run(f"return Boolean({condition})"):
            return
        time.sleep(0.05)
    sys.exit(f"FAILED: {what}: {browser.text('#state')!r}")


def go(browser, url):
    browser.driver.get("about:blank")
    browser.driver.get_log("performance")
    browser.page = url
    browser.driver.get(url)
    wait(browser, "document.body.dataset.answered && 'edits' in document.body.dataset", "the page has no answer")


VIEW = "document.getElementById('editor').view"
TYPE = f"""const done = arguments[arguments.length - 1];
const view = {VIEW};
const [value] = arguments;
const begin = performance.now();
const before = document.body.dataset.answered;
const watch = new MutationObserver(() => {{
  if (document.body.dataset.answered === before) return;
  watch.disconnect();
  done(performance.now() - begin);
}});
watch.observe(document.body, {{ attributes: true }});
view.dispatch({{ changes: {{ from: 0, to: view.state.doc.length, insert: value }} }});
"""


def type_text(browser, value):
    """Milliseconds until the answer to it."""
    return browser.driver.execute_async_script(TYPE, value)


def text(browser):
    return browser.run(f"return {VIEW}.state.doc.toString()")


def chosen(browser):
    return browser.run(f"const {{ doc, selection }} = {VIEW}.state; return doc.sliceString(selection.main.from, selection.main.to)")


def in_editor(browser, selector):
    return browser.run("return [...document.getElementById('editor').shadowRoot.querySelectorAll(arguments[0])]", selector)


def findings(browser):
    return [one.text for one in browser.all(".finding")]


def answered_after(browser, act):
    """Does `act()` and waits for an answer after it."""
    before = browser.run("return document.body.dataset.answered")
    act()
    wait(browser, f"document.body.dataset.answered !== '{before}'", "no answer")


def click(browser, selector):
    answered_after(browser, browser.one(selector).click)


def file_names(browser):
    return browser.run("return [...document.querySelectorAll('#files button')].map((one) => one.dataset.name)")


def open_file(browser, name):
    answered_after(browser, lambda: browser.run("[...document.querySelectorAll('#files button')].find((one) => one.dataset.name === arguments[0]).click()", name))


def go_to(browser, address, example):
    go(browser, f"{address}#e.{example}")


def page_text(browser, selector="body"):
    """The text of an element of the report in the frame."""
    wait(browser, "document.querySelector('#page iframe:not(.waiting)')", "no report is shown")
    browser.driver.switch_to.frame(browser.one("#page iframe:not(.waiting)"))
    shown = browser.text(selector)
    browser.driver.switch_to.default_content()
    return shown


def answer_dialog(browser, button, answer):
    browser.one(button).click()
    field = browser.one("#name-text")
    field.clear()
    field.send_keys(answer + Keys.ENTER)


def check_files(browser, expected, what):
    """A dialog tells what it was answered after it has closed."""
    wait(browser, f"JSON.stringify([...document.querySelectorAll('#files button')].map((one) => one.dataset.name)) === '{json.dumps(expected, separators=(',', ':'))}'",
         what, seconds=20)


def lints(browser, address, site):
    go_to(browser, address, "broken-gpu")
    check_equal(len(findings(browser)), 5, "findings of the first example")
    first = findings(browser)[0]
    check("BAY015" in first and "^" in first and "train.json:12:7" in first, f"no code, carets and place: {first!r}")
    browser.one(".finding .place").click()
    check_equal(chosen(browser), '"memroy"', "what the place of a finding selects")
    links = browser.run("return [...document.querySelectorAll('.finding a.rule')].map((one) => one.getAttribute('href'))")
    check(len(links) == 5 and all((site / "playground" / link).resolve().exists() for link in links), f"pages of rules: {links}")
    related = browser.one(".related .place")
    check_equal((related.text, browser.text(".related li")), ("train.json:3", "train.json:3 Fargate is required here"), "a related place")
    related.click()
    check_equal(browser.run(f"const {{ doc, selection }} = {VIEW}.state; return doc.lineAt(selection.main.from).number"), 3, "where a related place leads")
    type_text(browser, GOOD)
    check_equal([one for one in findings(browser) if one.startswith("error")], [], "errors of a good definition")
    type_text(browser, GOOD.replace('"memory": 512, ', ""))
    check(any(one.startswith("error") for one in findings(browser)), "a container without memory is no error")
    for broken in ("", "[" * 200_000, "a: " + "{b: " * 50_000, '{"family": "w\u00fc\U0001f600b", "cpu": }', "x" * 3_000_000):
        type_text(browser, broken)
        check(browser.text("#state") not in ("", "Loading\u2026"), f"no answer to {broken[:20]!r}")


def marks(browser, address):
    """Line numbers, colors, squiggles with a tooltip, and its fix."""
    colors = """const root = document.getElementById('editor').shadowRoot; const plain = getComputedStyle(root.querySelector('.cm-content')).color;
        return new Set([...root.querySelectorAll('.cm-line span')].map((one) => getComputedStyle(one).color).filter((one) => one !== plain)).size"""
    for example in ("broken-gpu", "lose-a-zone", "terraform"):  # JSON, YAML, HCL
        go_to(browser, address, example)
        check(browser.run(colors) >= 2, f"{example}: the text has no colors")
    go_to(browser, address, "broken-gpu")
    lines = [one.text for one in in_editor(browser, ".cm-lineNumbers .cm-gutterElement")]
    check_equal([one for one in lines if one][:3], ["1", "2", "3"], "line numbers")
    squiggles = in_editor(browser, ".cm-lintRange-error")
    check_equal([one.text for one in squiggles[:3]], ['"memroy"', '"gpu"', "1"], "what is underlined")
    check_equal(len(in_editor(browser, ".cm-lint-marker")), 3, "lines with a mark in the gutter")
    hover(browser, squiggles[1])
    tip = in_editor(browser, ".cm-tooltip .cm-diagnostic")[0].text
    check("BAY404" in tip and "GPU" in tip, f"the tooltip of a squiggle: {tip!r}")
    answered_after(browser, in_editor(browser, ".cm-tooltip .cm-diagnosticAction")[0].click)
    check('"type": "GPU"' in text(browser) and len(findings(browser)) == 4, "the fix of a tooltip is not applied")


def hover(browser, element):
    from selenium.webdriver.common.action_chains import ActionChains
    ActionChains(browser.driver).move_to_element(element).perform()
    wait(browser, "document.getElementById('editor').shadowRoot.querySelector('.cm-tooltip .cm-diagnostic')", "no tooltip")


def fixes(browser, address):
    go_to(browser, address, "broken-gpu")
    before = text(browser)
    button = next(one for one in browser.all(".finding .fix") if "check" in one.text)
    check_equal(button.text, 'Replace with "memory" (check the result)', "the fix of a misspelled key")
    answered_after(browser, button.click)
    check_equal(text(browser), before.replace("memroy", "memory"), "the text after a fix")
    check_equal(len(findings(browser)), 4, "findings after a fix")
    browser.run("[...document.querySelectorAll('#result button')].find((one) => one.textContent.startsWith('Fix all')).click()")
    wait(browser, "document.querySelectorAll('.finding').length === 1", "the safe fixes are not applied")
    check('"type": "GPU", "value": "1"' in text(browser), f"the text after all fixes: {text(browser)}")
    in_editor(browser, ".cm-content")[0].send_keys(Keys.CONTROL + "z")
    wait(browser, "document.querySelectorAll('.finding').length === 4", "fixes cannot be undone")
    # Positions of fixes are bytes; those of the editor are UTF-16 code units.
    type_text(browser, GOOD.replace('"web"', '"w\u00fc\U0001f600"', 1).replace("memory", "memroy"))
    broken = text(browser)
    answered_after(browser, next(one for one in browser.all(".finding .fix") if "memory" in one.text).click)
    check_equal(text(browser), broken.replace("memroy", "memory"), "a fix behind letters of several bytes")


def other_files(browser, address):
    """A finding of another file names it and opens it there."""
    go_to(browser, address, "lose-a-zone")
    open_file(browser, "web.json")
    type_text(browser, text(browser).replace('"memory"', '"memroy"'))
    open_file(browser, "infer.json")
    click(browser, "#tab-lint")
    check_equal([one.text for one in browser.all("#files .count.error")], ["1"], "the count on the tab of another file")
    check("web.json:" in findings(browser)[0], f"a finding without its file: {findings(browser)}")
    answered_after(browser, browser.one(".finding .place").click)
    check_equal((browser.run("return document.querySelector('#files [aria-selected=true]').dataset.name"), chosen(browser)), ("web.json", '"memroy"'), "where a finding of another file leads")
    # A scenario that is wrong is marked, too.
    go_to(browser, address, "lose-a-zone")
    type_text(browser, text(browser).replace("desiredCount: 12", "desiredCuont: 12"))
    check("scenario.yaml:8" in findings(browser)[0] and "desiredCuont" in findings(browser)[0], f"the error of a scenario: {findings(browser)}")
    check_equal(len(in_editor(browser, ".cm-lintRange-error")), 1, "squiggles of a scenario")
    # The command refuses definitions that lint refuses.
    go_to(browser, address, "lose-a-zone")
    open_file(browser, "web.json")
    type_text(browser, text(browser).replace('"memory"', '"memroy"'))
    check(any("web.json:" in one for one in findings(browser)) and browser.run("return document.getElementById('output').dataset.shows") == "result", f"place with an error: {findings(browser)}")
    check_equal(browser.text("#lint-count"), "1", "the count on the tab of lint")


def edits_files(browser, address):
    go_to(browser, address, "broken-gpu")
    type_text(browser, "family: web\ncontainerDefinitions:\n  - name: web\n    memory: 512\n")
    check_equal(file_names(browser), ["train.yaml"], "the name of a file with YAML pasted into it")
    check(not [one for one in findings(browser) if "BAY001" in one], f"YAML is taken for JSON: {findings(browser)}")
    check(any("image" in one for one in findings(browser)), f"no finding for the missing image: {findings(browser)}")
    in_editor(browser, ".cm-content")[0].send_keys(Keys.CONTROL + "z")
    wait(browser, f"{VIEW}.state.doc.toString().includes('memroy')", "a paste that renamed the file cannot be undone")
    type_text(browser, GOOD)
    check_equal(file_names(browser), ["train.json"], "the name of a file with JSON pasted into it")
    answer_dialog(browser, "#add", "scenario.yaml")
    check_files(browser, ["train.json", "scenario.yaml"], "the files after one was added")
    type_text(browser, SLOW.replace("task.json", "train.json").replace("20000", "2").replace("3000000", "3"))
    click(browser, "#tab-place")
    check("3 of 3 tasks" in page_text(browser, "h1"), "no report of a scenario that was typed")
    open_file(browser, "train.json")
    type_text(browser, "family: web")
    check_equal(file_names(browser)[0], "train.json", "the name of a file that the scenario refers to")
    answer_dialog(browser, "#rename", "scenario.yaml")
    check("already" in browser.text("#name-refusal"), "a name is given twice")
    browser.one("#name-text").send_keys(Keys.ESCAPE)
    answer_dialog(browser, "#rename", "web.yaml")
    check_files(browser, ["web.yaml", "scenario.yaml"], "the files after one was renamed")
    click(browser, "#remove")
    check_equal(file_names(browser), ["scenario.yaml"], "the files after one was removed")
    check(browser.run("return document.getElementById('remove').disabled"), "the last file can be removed")
    answered_after(browser, browser.one("#told button").click)
    check_equal(file_names(browser), ["web.yaml", "scenario.yaml"], "the files after the removal was undone")
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("a.json", "b.tf")]
        for path in paths:
            path.write_text("\ufeffx = 1\r\n", newline="")
        browser.one("#uploaded").send_keys("\n".join(map(str, paths)))
        wait(browser, "document.querySelectorAll('#files button').length === 4", "files of the computer are not opened")
    check_equal(text(browser), "x = 1\n", "the text of a file of the computer")


def makes_a_scenario(browser, address):
    go_to(browser, address, "hundred-gpu-tasks")
    click(browser, "#tab-place")
    check("needs a scenario" in browser.text("#state"), browser.text("#state"))
    answered_after(browser, browser.one("#result .primary").click)
    check_equal(file_names(browser), ["infer.json", "scenario.yaml"], "the files with a scenario")
    check("3 of 3 tasks placed" in page_text(browser, "h1"), "the report of a scenario to begin with")


def keeps_state(browser, address):
    go_to(browser, address, "lose-a-zone")
    click(browser, "#tab-whatif")
    field = browser.one("#flags")
    check_equal(field.get_attribute("value"), "--each-az", "the usual options of whatif")
    field.clear()
    answered_after(browser, lambda: field.send_keys("--lose-az us-east-2b"))
    wait(browser, "!document.getElementById('output').hasAttribute('aria-busy')", "no answer to options")
    check("us-east-2b" in page_text(browser, "header"), "the report does not follow the options")
    open_file(browser, "web.json")
    changed = text(browser).replace("512", "513") + " "
    type_text(browser, changed)
    check_equal(browser.run("return location.hash"), "", "the link of another state")
    go(browser, address)
    check_equal(text(browser), changed, "the text after a reload")
    check_equal((file_names(browser), browser.run("return document.querySelector('#files [aria-selected=true]').dataset.name")), (["scenario.yaml", "infer.json", "web.json"], "web.json"), "the files after a reload")
    check_equal((browser.run("return document.querySelector('#commands [aria-selected=true]').id"), browser.one("#flags").get_attribute("value")), ("tab-whatif", "--lose-az us-east-2b"), "command and options after a reload")
    browser.run("localStorage.clear()")


def survives_large_files(browser, address):
    """The program ends and says so; the page itself must not hang, either."""
    go_to(browser, address, "broken-gpu")
    line = '{"family": "w\u00fc\U0001f600", "containerDefinitions": [' + ", ".join('{"name": "web", "memroy": 1}' for _ in range(3_000)) + "]}"
    print(f"a line of {len(line)} letters is answered after {type_text(browser, line):.0f} ms")
    wait(browser, "document.querySelectorAll('.finding').length >= 100", "no hundred findings in a long line")
    type_text(browser, "\n" * 500_000)
    check(browser.text("#state") != "", "no answer to empty lines")
    browser.run("localStorage.clear()")
    go(browser, address)
    unfolds = zlib.compressobj(9, wbits=-15)
    bomb = base64.urlsafe_b64encode(unfolds.compress(b" " * 400_000_000) + unfolds.flush()).decode().rstrip("=")
    browser.run("location.hash = 'd.' + arguments[0]", bomb)
    wait(browser, "document.getElementById('told').textContent.includes('incomplete or damaged')", "a link that unfolds to 400 MB is not refused")


def tells_how_quick(browser, address):
    """Prints times for bench/WASM.md and judges none, since other tests use the processors, too."""
    go(browser, address)  # the cache is warm now
    firsts = []
    for _ in range(8):
        go(browser, address)
        firsts.append(browser.run("return performance.getEntriesByName('answered')[0].startTime"))
    value = text(browser)
    letters = [type_text(browser, value + " " * (number % 3)) for number in range(1, 21)]
    print(f"first finding after {min(firsts):.0f} to {max(firsts):.0f} ms, a letter after {sorted(letters)[10]:.0f} ms (median), {max(letters):.0f} at most")
    check_equal(len(firsts) + len(letters), 28, "answers measured")


def examples(browser, address):
    go(browser, address)
    browser.one("#examples").click()
    wait(browser, "document.querySelectorAll('#gallery .card').length > 5", "no gallery")
    titles = [one.text for one in browser.all("#gallery .card strong")]
    browser.one("#gallery form button").click()
    check(len(set(titles)) == len(titles), f"titles: {titles}")
    for number, title in enumerate(titles):
        browser.one("#examples").click()
        answered_after(browser, lambda number=number: browser.run("document.querySelectorAll('#gallery .card')[arguments[0]].click()", number))
        check("No result" not in browser.text("#state") and not browser.all("#state.failed"), f"{title}: {browser.text('#shown')}")
        check(not browser.one("#gallery").is_displayed(), "the gallery stays open")
    answered_after(browser, browser.one("#told button").click)
    check(browser.run("return document.querySelectorAll('#files button').length") >= 1, "there is no way back from an example")


def commands(browser, address):
    """Each command shows its page, in a frame without rights."""
    go_to(browser, address, "lose-a-zone")
    for command, shown in (("place", "30 of 30 tasks placed"), ("whatif", "survives no single-zone loss"), ("fit", "types fit"), ("fleet", "/h")):
        if browser.run("return document.querySelector('#commands [aria-selected=true]').dataset.command") != command:
            click(browser, f"#tab-{command}")
        check(shown in page_text(browser, "h1"), f"{command}: {page_text(browser, 'h1')!r}")
        check_equal(page_text(browser, "header p").split(" ")[1], command, f"the page of {command}")
    frame = browser.one("#page iframe")
    check("allow-same-origin" not in frame.get_attribute("sandbox"), "the frame has the rights of the page")
    browser.driver.switch_to.frame(frame)
    own = browser.run("try { return [self.origin, String(parent.document)] } catch (error) { return [self.origin, error.name] }")
    refused = browser.driver.execute_async_script("""const done = arguments[0]; addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), { once: true });
        const script = document.createElement('script'); script.textContent = 'window.ran = true'; document.body.append(script);
        setTimeout(() => done('nothing'), 3000);""")
    check_equal((own, refused, browser.run("return window.ran ?? null")), (["null", "SecurityError"], "script-src-elem", None), "rights of the frame")
    browser.driver.switch_to.default_content()
    # With the keyboard alone: from command to command, and into the result.
    browser.one("#tab-fleet").send_keys(Keys.ARROW_LEFT)
    wait(browser, "document.querySelector('#tab-whatif[aria-selected=true]')", "the arrow does not lead to What if")
    check_equal(browser.run("return document.activeElement.id"), "tab-whatif", "where the arrow leads")
    browser.one("#tab-whatif").send_keys(Keys.TAB)
    check_equal(browser.run("return document.activeElement.id"), "flags", "where the tab leads")
    in_editor(browser, ".cm-content")[0].send_keys(Keys.ESCAPE, Keys.TAB)
    check(browser.run("return document.activeElement.id") != "editor", "Escape and Tab do not leave the editor")


def is_hostile_safe(browser, address):
    """Names and texts of files are data, in the list, in tooltips and in reports."""
    script = "'<svg/onload=parent.ran=1//"  # `<...>` would be a placeholder
    definition = json.dumps({"family": "web", "networkMode": "bridge", "containerDefinitions": [{"name": "web", script: 1, "image": script, "memory": 512}]})
    scenario = {"cluster": {"containerInstances": [{"instanceType": "m5.large", "count": 1, "availabilityZone": "us-east-1a"}]},
                "taskDefinitions": ["task.json"], "services": [{"serviceName": script, "taskDefinition": "web", "desiredCount": 90}]}
    names = {"task.json": definition, "<script>window.ran=1</script>.json": definition, "scenario.json": json.dumps(scenario, indent=1)}
    go(browser, address)
    for command in ("lint", "place", "whatif"):
        flags = {"place": "--no-lint", "whatif": "--no-lint --each-az"}
        answered_after(browser, lambda command=command: browser.run("location.hash = 'j.' + btoa(JSON.stringify(arguments[0]))", {"command": command, "active": "task.json", "files": names, "flags": flags}))
        if command == "lint":
            check(script in browser.text(".finding"), f"what was named is not shown: {findings(browser)}")
            hover(browser, in_editor(browser, ".cm-lintRange")[0])
        else:
            check("m5.large" in page_text(browser), f"{command}: {browser.text('#shown')}")
        check_equal(browser.run("return [window.ran ?? null, document.querySelectorAll('main img, main script').length]"), [None, 0], f"{command}: what ran of a file")


def embedded(browser, address):
    go(browser, f"{address}?embed#e.lose-a-zone")
    browser.run("localStorage.clear()")  # what the page before kept when it was left
    check("30 of 30" in page_text(browser, "h1") and not browser.one("header").is_displayed(), "the embedded page")
    open_file(browser, "web.json")
    type_text(browser, text(browser) + " ")
    check_equal(browser.run("return localStorage.length"), 0, "texts that an embedded page keeps")


def links(browser, address):
    go_to(browser, address, "broken-gpu")
    value = '{"family": "w\u00fcrfel \U0001f600"}'
    type_text(browser, value)
    shown = findings(browser)
    browser.one("#share").click()
    wait(browser, "location.hash.length > 10", "no link")
    url = browser.driver.current_url
    browser.run("localStorage.clear()")
    go(browser, url)
    check_equal(text(browser), value, "the text behind a link")
    check_equal(findings(browser), shown, "the findings behind a link")
    for broken in ("#d.AAAA", "#j.e30", "#x", "#e.nothing", url[:-9][len(address):]):
        browser.run("localStorage.clear()")
        go(browser, address + broken)
        check(findings(browser), f"nothing is shown with the broken link {broken[:10]}")


def ends_what_takes_long(browser, address):
    go(browser, address)
    browser.run("location.hash = 'j.' + btoa(JSON.stringify({command: 'place', active: 'scenario.yaml', files: {'scenario.yaml': arguments[0], 'task.json': arguments[1]}}))", SLOW, GOOD)
    wait(browser, "document.getElementById('state').textContent.includes('more than 10 seconds')", "nobody ends what takes long")
    browser.one("#tab-lint").click()
    wait(browser, "!document.getElementById('state').classList.contains('failed')", "no answer after one was ended")


def keeps_to_itself(browser, server):
    """Nothing but the page's own files was asked for, and the policy lets nothing else be."""
    own = [path for path in server.asked if not path.startswith("/playground/")]
    check_equal(own, [], "what was asked for beside the playground")
    refused = browser.driver.execute_async_script("""const done = arguments[0];
      addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), { once: true });
      fetch('http://127.0.0.1:9/').catch(() => {});
      setTimeout(() => done('nothing'), 3000);""")
    check_equal(refused, "connect-src", "what forbids to send the text away")


CUT = """return [...document.querySelectorAll('header *, .bar > *, #line > *, #state, #result > *, .finding > *, .note, dialog[open] *')].filter((one) => {
    const box = one.getBoundingClientRect(); return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1); }).map((one) => one.outerHTML.slice(0, 80))"""


def fits(browser, address, width, axe):
    """Nothing is cut, and axe finds nothing, whatever is shown."""
    for example in ("broken-gpu", "lose-a-zone", "terraform", "gallery"):
        go_to(browser, address, example if example != "gallery" else "broken-gpu")
        if example == "gallery":
            browser.one("#examples").click()
            wait(browser, "document.querySelector('.card')", "no gallery")
        browser.frame()
        check(browser.overflow() <= 0, f"{example}: {browser.overflow()} pixels too wide at {width}")
        check_equal(browser.run(CUT), [], f"{example}: what is cut at {width} pixels")
        check_equal(axe_faults(browser, axe), [], f"{example}: findings of axe, {width} pixels wide")
    heights = browser.run("return ['editor', 'shown'].map((id) => document.getElementById(id).getBoundingClientRect().height)")
    check(min(heights) > 150, f"heights of editor and result at {width}: {heights}")


def sizes(folder):
    """What a browser downloads, for bench/WASM.md."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    packed = {name: len(gzip.compress(content, 9)) for name, content in files.items()}
    print(f"the playground: {sum(map(len, files.values()))} bytes, gzip -9 {sum(packed.values())}; editor.js {len(files['editor.js'])}, gzip -9 {packed['editor.js']}")
    names = set(re.findall(r"^(\S+) [\d.]+$", files["licenses.txt"].decode(), flags=re.M))
    check({"@codemirror/view", "@lezer/common", "codemirror-lang-hcl"} <= names, f"licenses of {names}")


def main():
    if not (PACKAGE / "lib" / "bayplan.wasm").exists():
        print("skipped: scripts/npm build/npm --unpacked has not been run")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="bayplan-playground-") as name:
        site = pathlib.Path(name).resolve() / "site"
        done = subprocess.run([sys.executable, str(PROJECT / "scripts" / "site"), str(site), "--program", PROGRAM, "--package", str(PACKAGE)],
                              capture_output=True, text=True)
        if done.returncode == SKIPPED:
            print(done.stderr, "skipped")
            sys.exit(SKIPPED)
        check(done.returncode == 0, f"scripts/site ended with {done.returncode}: {done.stderr}")
        check("../playground/index.html" in (site / "docs" / "playground.html").read_text(), "the page about the playground does not lead to it")
        sizes(site / "playground")
        axe = axe_script()
        server = Server(site)
        address = server.address + "/playground/index.html"
        with Browser(1280) as browser:
            tells_how_quick(browser, address)
            lints(browser, address, site)
            marks(browser, address)
            fixes(browser, address)
            other_files(browser, address)
            commands(browser, address)
            examples(browser, address)
            makes_a_scenario(browser, address)
            keeps_state(browser, address)
            embedded(browser, address)
            links(browser, address)
            edits_files(browser, address)
            is_hostile_safe(browser, address)
            check_equal(browser.complaints(within=server.address), [], "what the page complains of")
            survives_large_files(browser, address)
            ends_what_takes_long(browser, address)
            keeps_to_itself(browser, server)
        for width, dark in ((1280, False), (400, True), (390, False)):
            with Browser(width, dark=dark) as browser:
                fits(browser, address, width, axe)
                check_equal(browser.complaints(within=server.address), [], f"what the page complains of, {width} pixels wide")


main()
