"""The pages of lint, fit, fleet and whatif, held against their JSON reports. usage: reports.py BAYPLAN PROJECT"""
import json
import pathlib
import sys

from browser import check, check_equal, check_page, numbers, report

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])


def told(paths):
    return json.loads(pathlib.Path(paths["json"]).read_text())


def lint():
    paths = report(PROGRAM, "lint", *(str(path) for path in sorted((PROJECT / "tests/rules").glob("*/bad.json"))[:40]))
    findings = told(paths)["findings"]

    def checks(browser):
        check_equal(len(browser.all(".finding")), len(findings), "findings")
        check_equal(numbers(browser.text(".told")), [len(findings)] * 2, "findings told")
        code = findings[len(findings) // 2]["code"]
        browser.one("input[type=search]").send_keys(code.lower())
        browser.frame()
        shown = sum(1 for one in browser.all(".finding") if one.is_displayed())
        wanted = sum(1 for one in findings if one["code"] == code)
        check(wanted <= shown < len(findings), f"{shown} findings pass the filter {code}, {wanted} have that code")
        browser.run("const box = document.querySelector('input[type=checkbox]'); box.click();")
        check(all(not one.is_displayed() for one in browser.all(".finding.error")), "errors are shown though not asked for")
    check_page(paths["html"], checks)


def fit():
    paths = report(PROGRAM, "fit", str(PROJECT / "examples/two-p3-16xlarge/defs/train-4-gpu.json"))
    rows = told(paths)["taskDefinitions"][0]["types"]

    def checks(browser):
        check(len(browser.all("#task-1 table")) == 2, "two tables are wanted: those that hold it, and the others")
        counts = [len(table.find_elements("css selector", "tbody tr")) for table in browser.all("#task-1 table")]
        holding = sum(1 for row in rows if row["fits"] != "no")
        check_equal(counts, [holding, len(rows) - holding], "instance types")
        prices = "return [...document.querySelector('main table').tBodies[0].rows].map((row) => row.cells[5].textContent)"
        browser.run("document.querySelector('main table').tHead.rows[0].cells[5].querySelector('button').click()")
        known = [float(text.strip("$").replace(",", "")) for text in browser.run(prices) if text != "-"]
        check(len(known) > 3 and known == sorted(known), "rows are not in order of price")
    check_page(paths["html"], checks)


def fleet():
    paths = report(PROGRAM, "fleet", str(PROJECT / "examples/cheapest-fleet/scenario.yaml"), "--effort", "20000000")
    wanted = told(paths)

    def checks(browser):
        types = {one["instanceType"] for one in wanted["recommended"]["fleet"]}
        check_equal({row.text.split()[0] for row in browser.all("#fleet tbody tr")}, types | {"all"}, "types in the table")
        cost = f"{wanted['recommended']['hourlyCost']:g}"
        check(cost in browser.text("#answer"), f"the answer lacks {cost}")
        tasks = browser.run("return clusterView.cluster.running.reduce((sum, one) => sum + one, 0)")
        check_equal(tasks, wanted["tasks"], "tasks on the map of the fleet")
        check("bound" in browser.text("#costs"), "the bound is missing")
    check_page(paths["html"], checks)


def whatif():
    paths = report(PROGRAM, "whatif", str(PROJECT / "examples/lose-a-zone/scenario.yaml"), "--each-az")
    variants = told(paths)["variants"]

    def checks(browser):
        check_equal(len(browser.all("#variants tbody tr")), len(variants) + 1, "rows: baseline and variants")
        check_equal(len(browser.all("#without-place meter")), len(variants) + 1, "bars")
    check_page(paths["html"], checks)


lint()
fit()
fleet()
whatif()
