"""The page of `bayplan place`, held against its JSON report. usage: place.py BAYPLAN PROJECT"""
import json
import pathlib
import sys
import tempfile
import time

from browser import Keys, check, check_equal, check_page, Browser, numbers, report

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
HOSTILE = '"><img src=x onerror=alert(1)>'  # names in <...> alone would be taken for placeholders
EVIL = {"family": "evil", "containerDefinitions": [{"name": "c", "image": "a", "cpu": 256, "memory": 512}]}


def example():
    paths = report(PROGRAM, "place", str(PROJECT / "examples/two-p3-16xlarge/scenario.yaml"))
    told = json.loads(pathlib.Path(paths["json"]).read_text())
    placed, instances = told["summary"]["placed"], told["summary"]["instances"]

    def checks(browser):
        check(str(placed) in browser.text("#answer"), "the answer does not say how many were placed")
        check_equal(numbers(browser.text(".told")), [instances, instances], "instances told")
        check_equal(int(browser.one(".rows").get_attribute("aria-rowcount")), instances + 1, "rows of the list")
        tasks = browser.run("return Array.from(clusterView.cluster.running).reduce((a, b) => a + b, 0)")
        check_equal(tasks, placed, "tasks on the map")
        gpus = browser.run("return Array.from(clusterView.cluster.gpus).reduce((a, b) => a + b, 0)")
        check_equal(gpus, sum(len(c["gpuIds"]) for p in told["placements"] for c in p["containers"]), "GPUs taken on the map")
        # Only what is drawn differs from the ground.
        check(browser.run("""const c = document.querySelector('.map canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
            const seen = new Set(); for (let i = 0; i < d.length; i += 4) seen.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]); return seen.size""") > 4,
              "the map is empty")
        canvas = browser.one(".map canvas")
        canvas.send_keys(Keys.ARROW_RIGHT)
        first = browser.text(".tip")
        check(told["placements"][0]["instanceType"] in first, f"an arrow key tells of {first!r}")
        browser.one(".bar input[type=search]").send_keys("no such instance")
        browser.frame()
        check_equal(numbers(browser.text(".told")), [0, instances], "instances told of a filter that nothing passes")
    check_page(paths["html"], checks)


def hostile():
    with tempfile.TemporaryDirectory() as folder:
        definition = pathlib.Path(folder) / f"a & b {chr(34)}x.json"
        definition.write_text(json.dumps(EVIL))
        scenario = pathlib.Path(folder) / "scenario.json"
        long = "x" * 300
        scenario.write_text(json.dumps({
            "taskDefinitions": [definition.name],
            "cluster": {"containerInstances": [{"instanceType": "m5.large", "count": 3, "availabilityZone": "us-east-1a"}]},
            "services": [{"serviceName": name, "taskDefinition": "evil", "desiredCount": 2}
                         for name in ("مرحبا🚀", long[:250], HOSTILE)]}))
        paths = report(PROGRAM, "place", str(scenario), "--no-lint")

        def checks(browser):
            check_equal(len(browser.all("img")), 0, "elements made of a name")
            check(HOSTILE in browser.text(".legend"), "a name with markup is missing")
            check("مرحبا🚀" in browser.text(".legend"), "a name in Arabic is missing")
        check_page(paths["html"], checks)


def nothing():
    paths = report(PROGRAM, "place", "--instances", "m5.large=1@us-east-1a", "--task",
                   str(PROJECT / "examples/two-p3-16xlarge/defs/train-4-gpu.json") + "=3")

    def checks(browser):
        check_equal(numbers(browser.text("#failures td"))[0], 3, "tasks without a place")
        check("GPU" in browser.text("#failures"), "why is missing")
    check_page(paths["html"], checks)


def large():
    with tempfile.TemporaryDirectory() as folder:
        definition = pathlib.Path(folder) / "web.json"
        definition.write_text(json.dumps({"family": "web", "containerDefinitions": [{"name": "web", "image": "a", "cpu": 256, "memory": 512}]}))
        zones = ["us-east-1a", "us-east-1b", "us-east-1c"]
        command = ["place", *(part for n, zone in zip((1667, 1667, 1666), zones) for part in ("--instances", f"m5.4xlarge={n}@{zone}")), "--task", f"{definition}=50000", "--strategy", "spread:attribute:ecs.availability-zone"]
        paths = report(PROGRAM, *command, folder=folder, formats=("html",))
        with Browser() as browser:
            begin = time.monotonic()
            browser.open(paths["html"])
            browser.frame()
            opened = time.monotonic() - begin
            check_equal(numbers(browser.text(".told")), [5000, 5000], "instances told")
            check_equal(browser.run("return clusterView.cluster.count"), 50000, "tasks on the map")
            check(len(browser.all(".rows .body [role=row]")) < 100, "rows out of sight are in the page")
            drawing = browser.run("const begin = performance.now(); clusterView.map.draw(); return performance.now() - begin")
            size = pathlib.Path(paths["html"]).stat().st_size
            print(f"5,000 instances, 50,000 tasks: {size / 1e6:.1f} MB, open in {opened:.2f} s, drawn in {drawing:.0f} ms")
            check_equal(browser.complaints(), [], "what the page complains of")


example()
hostile()
nothing()
large()
