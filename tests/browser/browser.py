"""Reports of bayplan in a real browser. What a test opens must ask for nothing and complain of nothing."""
import atexit
import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

SKIPPED = 77

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(SKIPPED)
if not shutil.which("chromium") or not shutil.which("chromedriver"):
    print("skipped: chromium and chromium-driver are not installed")
    sys.exit(SKIPPED)


def started():
    """Chromium without a window. To start it takes longer than most of what is tried in it."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    try:
        from selenium.webdriver.chrome.service import Service
        driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    except TypeError:  # selenium 3
        driver = webdriver.Chrome(executable_path=shutil.which("chromedriver"), options=options)
    atexit.register(driver.quit)
    driver.set_script_timeout(300)  # axe on a busy machine
    return driver


class Browser:
    """Chromium with an empty cache and storage; `width` and `height` are those of the page in CSS pixels."""

    idle = []  # those that the next ones go on with

    def __init__(self, width=1280, height=900, dark=False):
        self.driver = Browser.idle.pop() if Browser.idle else started()
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"media": "", "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.page = None

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        if error or len(self.driver.window_handles) != 1:
            return
        origin = self.driver.execute_script("return location.origin")
        self.driver.get("about:blank")
        if origin != "null":
            self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        Browser.idle.append(self.driver)

    def open(self, path):
        self.page = pathlib.Path(path).resolve().as_uri()
        self.driver.get_log("performance")
        self.driver.get(self.page)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.one(selector).text

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def frame(self):
        """After what was asked for has been drawn."""
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def complaints(self, within=None):
        """Of the console, and requests for anything but the page, or for what is not below the address `within`."""
        found = [entry["message"] for entry in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            url = message["params"]["request"]["url"]
            if url != self.page and not (within and url.startswith(within)) and not url.startswith(("data:", "blob:", "about:")):
                found.append("asks for " + url)
        return found

    def overflow(self):
        """How many pixels the page is wider than its window."""
        return self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")


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


REPORTS = []  # the folders of reports without a folder of their own, which go away with the test


def report(program, *arguments, folder=None, formats=("html", "json"), cwd=None):
    """Runs bayplan, in `cwd` where that is given; the paths of its reports by format."""
    if folder is None:
        REPORTS.append(tempfile.TemporaryDirectory(prefix="bayplan-page-"))
        folder = REPORTS[-1].name
    paths = {name: str(pathlib.Path(folder) / f"report.{name}") for name in formats}
    outputs = [part for name, path in paths.items() for part in ("--output", f"{name}={path}")]
    done = subprocess.run([program, *arguments, *outputs], capture_output=True, text=True, cwd=cwd)
    assert done.returncode in (0, 1), done.stderr
    return paths


AXE = "axe-core@4.10.3"


def axe_script():
    """The source of axe-core, which npm downloads once; None without npm or network."""
    script = pathlib.Path.cwd() / "axe.min.js"
    if not script.exists() and shutil.which("npm"):
        with tempfile.TemporaryDirectory(dir=script.parent) as folder:  # two tests want it at once
            subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, AXE], capture_output=True)
            installed = pathlib.Path(folder) / "node_modules" / "axe-core" / script.name
            if installed.exists():
                installed.replace(script)
    if not script.exists():
        print(f"npm does not give {AXE}: its findings are not checked")
        return None
    return script.read_text()


def axe_faults(browser, script):
    """What axe finds on the page, with the first element of each; nothing without its script."""
    if script is None:
        return []
    browser.run(script)
    return browser.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations'], iframes: false}).then((found) => "
        "done(found.violations.map((one) => one.id + ': ' + one.nodes[0].html.slice(0, 200))))")


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def check_equal(found, wanted, what):
    check(found == wanted, f"{what}: {found!r}, not {wanted!r}")


def check_page(path, checks):
    """`checks(browser)` at two widths, light and dark; the page fits, asks for nothing, and complains of nothing."""
    for width, dark in ((1280, False), (400, True)):
        with Browser(width, dark=dark) as browser:
            browser.open(path)
            browser.frame()
            checks(browser)
            check_equal(browser.complaints(), [], f"what the page complains of, {width} pixels wide")
            check(browser.overflow() <= 0, f"{browser.overflow()} pixels too wide at {width}")


def numbers(text):
    return [int(one.replace(",", "")) for one in re.findall(r"\d[\d,]*", text)]
