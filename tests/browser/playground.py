"""The playground, over HTTP in a real browser. usage: playground.py BAYPLAN PROJECT"""
import base64
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from browser import SKIPPED, Browser, Keys, check, check_equal

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
PACKAGE = PROJECT / "build" / "npm" / "package"

GOOD = ('{"family": "web", "requiresCompatibilities": ["EC2"], "networkMode": "bridge",\\n'
        ' "containerDefinitions": [{"name": "web", "image": "nginx:1.27.2", "memory": 512, "essential": true}]}')
SLOW = """region: us-east-1
cluster:
  containerInstances:
    - {instanceType: m5.24xlarge, count: 20000, availabilityZones: [us-east-1a, us-east-1b, us-east-1c]}
taskDefinitions: [task.json]
tasks:
  - {taskDefinition: web, count: 3000000, placementStrategy: [{type: spread, field: "attribute:ecs.availability-zone"}, {type: spread, field: instanceId}, {type: random}]}
"""


class Server:
    """Files of a folder, as any host gives them. Remembers what was asked for."""

    def __init__(self, folder):
        asked = self.asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".js": "text/javascript",
                              ".wasm": "application/wasm"}

            def log_message(self, *_):
                pass

            def do_GET(self):
                asked.append(self.path)
                super().do_GET()

            def end_headers(self):
                self.send_header("Cache-Control", "max-age=3600")
                super().end_headers()

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"


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
    wait(browser, "document.body.dataset.answered", "the page has no answer")


TYPE = """const done = arguments[arguments.length - 1];
const text = document.getElementById("text");
const [value] = arguments;
const begin = performance.now();
const before = document.body.dataset.answered;
const watch = new MutationObserver(() => {
  if (document.body.dataset.answered === before) return;
  watch.disconnect();
  done(performance.now() - begin);
});
watch.observe(document.body, { attributes: true });
text.value = value;
text.dispatchEvent(new Event("input"));
"""


def type_text(browser, value):
    """Milliseconds until the answer to it."""
    return browser.driver.execute_async_script(TYPE, value)


def findings(browser):
    return [one.text for one in browser.all(".finding")]


def lints(browser, address):
    go(browser, address)
    check(findings(browser), "the first example has no findings")
    check("BAY" in findings(browser)[0] and "^" in findings(browser)[0], f"no code and carets: {findings(browser)[0]!r}")
    browser.one(".finding").click()
    chosen = browser.run("const text = document.getElementById('text'); return text.value.slice(text.selectionStart, text.selectionEnd)")
    check(chosen and chosen in browser.run("return document.getElementById('text').value"), "a finding selects nothing")
    code = browser.text(".rule").removeprefix("Explain ")
    browser.one(".rule").click()
    wait(browser, f"document.getElementById('state').textContent === 'Rule {code}'", "a rule is not explained")
    check(f"{code} " in browser.text("#result") and "Fix" in browser.text("#result"), f"no explanation of {code}")
    type_text(browser, GOOD.replace("\\n", "\n"))
    check_equal([one for one in findings(browser) if one.startswith("error")], [], "errors of a good definition")
    type_text(browser, GOOD.replace("\\n", "\n").replace('"memory": 512, ', ""))
    check(any(one.startswith("error") for one in findings(browser)), "a container without memory is no error")
    for broken in ("", "[" * 200_000, "a: " + "{b: " * 50_000, '{"family": "w\u00fc\U0001f600b", "cpu": }', "x" * 3_000_000):
        type_text(browser, broken)
        check(browser.text("#state") not in ("", "Loading\u2026"), f"no answer to {broken[:20]!r}")


def file_names(browser):
    return [one.text for one in browser.all("#files button")]


def answer_prompt(browser, button, text):
    browser.one(button).click()
    prompt = browser.driver.switch_to.alert
    prompt.send_keys(text)
    prompt.accept()


def edits_files(browser, address):
    go(browser, address)
    type_text(browser, "family: web\ncontainerDefinitions:\n  - name: web\n    memory: 512\n")
    check_equal(file_names(browser), ["train.yaml"], "the name of a file with YAML pasted into it")
    check(not [one for one in findings(browser) if "BAY001" in one], f"YAML is taken for JSON: {findings(browser)}")
    check(any("image" in one for one in findings(browser)), f"no finding for the missing image: {findings(browser)}")
    type_text(browser, GOOD.replace("\\n", "\n"))
    check_equal(file_names(browser), ["train.json"], "the name of a file with JSON pasted into it")
    answer_prompt(browser, "#add", "scenario.yaml")
    check_equal(file_names(browser), ["train.json", "scenario.yaml"], "the files after one was added")
    type_text(browser, SLOW.replace("task.json", "train.json").replace("20000", "2").replace("3000000", "3"))
    browser.one("#tab-place").click()
    wait(browser, "document.querySelector('#result img')?.naturalWidth > 100", "no picture of a scenario that was typed")
    browser.one("#files button").click()
    type_text(browser, "family: web")
    check_equal(file_names(browser)[0], "train.json", "the name of a file that the scenario refers to")
    answer_prompt(browser, "#rename", "scenario.yaml")
    check("already" in browser.text("#told"), "a name is given twice")
    answer_prompt(browser, "#rename", "web.yaml")
    check_equal(file_names(browser), ["web.yaml", "scenario.yaml"], "the files after one was renamed")
    browser.one("#remove").click()
    check_equal(file_names(browser), ["scenario.yaml"], "the files after one was removed")
    check(browser.run("return document.getElementById('remove').disabled"), "the last file can be removed")


def survives_large_files(browser, address):
    """The program ends and says so; the page itself must not hang, either."""
    go(browser, address)
    line = '{"family": "w\u00fc\U0001f600", "containerDefinitions": [' + ", ".join('{"name": "web", "memroy": 1}' for _ in range(20_000)) + "]}"
    print(f"a line of {len(line)} letters is answered after {type_text(browser, line):.0f} ms")
    wait(browser, "document.querySelectorAll('.finding').length >= 100", "no hundred findings in a long line")
    type_text(browser, "\n" * 100_000)  # Chromium itself takes seconds to lay out more.
    check(browser.text("#state") != "", "no answer to empty lines")
    lines = json.dumps({"command": "lint", "active": "a.json", "files": {"a.json": "\n" * 2_000_000}}).encode()
    for what, unfolded in (("400 MB", b" " * 400_000_000), ("2 million lines", lines)):
        go(browser, address)
        unfolds = zlib.compressobj(9, wbits=-15)
        bomb = base64.urlsafe_b64encode(unfolds.compress(unfolded) + unfolds.flush()).decode().rstrip("=")
        browser.run("location.hash = 'd.' + arguments[0]", bomb)
        wait(browser, "document.getElementById('told').textContent.includes('incomplete or damaged')", f"a link that unfolds to {what} is not refused")


def tells_how_quick(browser, address):
    """Prints times for bench/WASM.md and judges none, since other tests use the processors, too."""
    go(browser, address)  # the cache is warm now
    firsts = []
    for _ in range(8):
        go(browser, address)
        firsts.append(browser.run("return performance.getEntriesByName('answered')[0].startTime"))
    text = browser.run("return document.getElementById('text').value")
    letters = [type_text(browser, text + " " * (number % 3)) for number in range(1, 21)]
    print(f"first finding after {min(firsts):.0f} to {max(firsts):.0f} ms, a letter after {sorted(letters)[10]:.0f} ms (median), {max(letters):.0f} at most")
    check_equal(len(firsts) + len(letters), 28, "answers measured")


def choose(browser, title):
    before = browser.run("return document.body.dataset.answered")
    for option in browser.all("#example option"):
        if option.text == title:
            option.click()
    wait(browser, f"document.body.dataset.answered !== '{before}'", f"no answer to the example {title}")


def commands(browser, address):
    go(browser, address)
    for option in [one.text for one in browser.all("#example option")][1:]:
        choose(browser, option)
        check("No result" not in browser.text("#state") and not browser.all("#state.failed"), f"{option}: {browser.text('#result')}")
    choose(browser, "Two services on three zones")
    wait(browser, "document.querySelector('#result img')?.naturalWidth > 100", "no picture of the cluster")
    check("g4dn.12xlarge#1" in browser.text("#result pre"), browser.text("#result"))
    choose(browser, "The cheapest GPU fleet")
    check("g4dn" in browser.text("#result pre"), browser.text("#result"))
    check_equal([one.text for one in browser.all("#files button")][0], "scenario.yaml", "the first file")
    # With the keyboard alone: from command to command, and into the result.
    choose(browser, "Two services on three zones")
    browser.one("#tab-place").send_keys(Keys.ARROW_RIGHT)
    wait(browser, "document.querySelector('#tab-fleet[aria-selected=true]') && !document.querySelector('#result img')", "the arrow does not lead to Fleet")
    browser.one("#tab-fleet").send_keys(Keys.ARROW_LEFT)
    wait(browser, "document.querySelector('#result img')", "the arrow does not lead to Place")
    check_equal(browser.run("return document.activeElement.id"), "tab-place", "where the arrow leads")
    browser.one("#tab-place").send_keys(Keys.TAB)
    check_equal(browser.run("return document.activeElement.id"), "result", "where the tab leads")


def links(browser, address):
    go(browser, address)
    text = '{"family": "w\u00fcrfel \U0001f600"}'
    type_text(browser, text)
    shown = findings(browser)
    browser.one("#share").click()
    wait(browser, "location.hash.length > 10", "no link")
    url = browser.driver.current_url
    go(browser, url)
    check_equal(browser.run("return document.getElementById('text').value"), text, "the text behind a link")
    check_equal(findings(browser), shown, "the findings behind a link")
    for broken in ("#d.AAAA", "#j.e30", "#x", url[:-9][len(address):]):
        go(browser, address + broken)
        check(findings(browser), f"nothing is shown with the broken link {broken[:10]}")


def ends_what_takes_long(browser, address):
    go(browser, address)
    browser.run("location.hash = 'j.' + btoa(JSON.stringify({command: 'place', active: 'scenario.yaml', files: {'scenario.yaml': arguments[0], 'task.json': arguments[1]}}))", SLOW, GOOD.replace("\\n", "\n"))
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
        server = Server(site)
        address = server.address + "/playground/index.html"
        with Browser(1280) as browser:
            tells_how_quick(browser, address)
            lints(browser, address)
            commands(browser, address)
            links(browser, address)
            edits_files(browser, address)
            survives_large_files(browser, address)
            check_equal(browser.complaints(within=server.address), [], "what the page complains of")
            ends_what_takes_long(browser, address)
            keeps_to_itself(browser, server)
        with Browser(400, dark=True) as browser:
            go(browser, address)
            check(browser.overflow() <= 0, f"{browser.overflow()} pixels too wide at 400")
            check(findings(browser), "no findings on a phone")
            check_equal(browser.complaints(within=server.address), [], "what the page complains of, 400 pixels wide")


main()
