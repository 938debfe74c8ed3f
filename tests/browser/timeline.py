"""The page of a run over time: the slider moves the map, and both agree with the JSON report. usage: timeline.py BAYPLAN PROJECT"""
import json
import pathlib
import sys

from browser import check, check_equal, check_page, report

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])


def running_at(told, at):
    return sum(1 for one in told["placements"] if one["placedAt"] is not None and one["placedAt"] <= at and (one["stoppedAt"] is None or one["stoppedAt"] > at))


def checks_of(told):
    end = told["timeline"]["end"]

    def checks(browser):
        check_equal(len(browser.all("#cut-off tbody tr")), len(told["timeline"]["cutOff"]), "tasks told as cut off")
        count = len(browser.all("#timeline svg"))
        check(count >= 3, f"{count} charts")
        for part in (0, 0.25, 0.5, 1):
            at = browser.run("""const slider = document.querySelector('#timeline input[type=range]'); slider.value = arguments[0];
                slider.dispatchEvent(new Event('input')); return Number(slider.value)""", int(end * part))
            browser.frame()
            tasks = browser.run("return Array.from(clusterView.cluster.running).reduce((a, b) => a + b, 0)")
            check_equal(tasks, running_at(told, browser.run("return clusterView.cluster.time")), f"tasks on the map at {at}")
    return checks


for example in ("gpu-queue", "managed-from-zero", "lost-zone", "stuck-deployment"):
    scenario = next((PROJECT / "examples" / example).glob("scenario.*"))
    paths = report(PROGRAM, "place", str(scenario))
    check_page(paths["html"], checks_of(json.loads(pathlib.Path(paths["json"]).read_text())))
