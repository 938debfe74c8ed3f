#!/usr/bin/env python3
"""usage: drift.py PROJECT -- scripts/model-drift finds every kind of difference, and none in equal data."""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

project = pathlib.Path(sys.argv[1])
here = project / "tests" / "drift"
faults = []


def run(*arguments):
    ran = subprocess.run([sys.executable, project / "scripts" / "model-drift", *arguments], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False, encoding="utf-8")
    return ran.returncode, ran.stdout, ran.stderr


def expect(name, status, output, *arguments):
    code, out, err = run(*arguments)
    if code != status or out != output:
        faults.append(f"{name}: exit {code}, wanted {status}\n{out}{err}--- wanted\n{output}")


def expect_refusal(name, words, *arguments):
    code, out, err = run(*arguments)
    if code != 2 or out or words not in err or "Traceback" in err:
        faults.append(f"{name}: exit {code}, wanted 2 and {words!r}\n{out}{err}")


STORAGE = {"InstanceStorageSupported": True, "CurrentGeneration": True,
           "InstanceStorageInfo": {"Disks": [{"Count": 1, "SizeInGB": 125, "Type": "ssd"}], "NvmeSupport": "required"}}


def described(name, vcpus=4, interfaces=3, gpus=None, ebs=(27, "shared"), **more):
    record = {"InstanceType": name, "BareMetal": False, "Hypervisor": "nitro", "VCpuInfo": {"DefaultVCpus": vcpus},
              "MemoryInfo": {"SizeInMiB": 16384}, "ProcessorInfo": {"SupportedArchitectures": ["x86_64"]},
              "NetworkInfo": {"MaximumNetworkInterfaces": interfaces}}
    record.update(more)
    if ebs:
        record["EbsInfo"] = {"MaximumEbsAttachments": ebs[0], "AttachmentLimitType": ebs[1]}
    return {**record, "GpuInfo": {"Gpus": gpus}} if gpus else record


TABLE = """# types
instanceType,vcpus,memory,architecture,hypervisor,generation,networkInterfaces,ebsAttachments,ebsLimit,ebsSource,localStorage,note
g9.xlarge,4,16384,x86_64,nitro,current,3,27,shared,ec2-api,1x125 nvme
m9.large,4,16384,x86_64,nitro,retired,3,27,shared,ec2-api,none,a note, with a comma
m9.metal,4,16384,x86_64,metal,current,3,27,dedicated,ebs-limits
"""
GPUS = {"gpus": {"g9.xlarge": {"model": "T4", "count": 1, "memory": 16384}}}
UNLISTED = "# names\ninstanceType,why\nm1.old,gone\n"
PRICES = "# prices\na@2026-01-01,us-east-1\ng9.xlarge,0.526\nm9.large,0.1\nb@2026-01-02,us-east-2,eu-west-1\ng9.xlarge,,0.6\n"
T4 = [{"Name": "T4", "Count": 1, "MemoryInfo": {"SizeInMiB": 16384}}]
TWO = [{"Name": "T4", "Count": 2, "MemoryInfo": {"SizeInMiB": 15360}}]


def product(sku, name, price, region="us-east-1", **attributes):
    attributes = {"instanceType": name, "operatingSystem": "Linux", "tenancy": "Shared", "preInstalledSw": "NA",
                  "capacitystatus": "Used", "regionCode": region, **attributes}
    offers = {f"{sku}.1": {"priceDimensions": {f"{sku}.1.1": {"unit": "Hrs", "pricePerUnit": {"USD": price}}}}}
    return sku, {"attributes": attributes}, offers


def bulk(*products):
    return {"products": {sku: one for sku, one, _ in products}, "terms": {"OnDemand": {sku: offers for sku, _, offers in products}}}


def answer(*products):
    return {"PriceList": [json.dumps({"product": one, "terms": {"OnDemand": offers}}) for _, one, offers in products]}


AGREED = [product("A", "g9.xlarge", "0.5260000000"), product("B", "m9.large", "0.1"), product("C", "m9.large", "0.2", operatingSystem="Windows"),
          product("D", "m9.large", "0.3", tenancy="Dedicated"), product("E", "m9.large", "0", capacitystatus="AllocatedCapacityReservation"),
          product("F", "x9.large", "0.7"), product("G", "g9.xlarge", "0.61", region="eu-west-1")]

with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)

    def file(name, content):
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return folder / name

    small = ["--ours", here / "ours"]
    expect("same", 0, "", here / "same", *small)
    for name in ("drifted", "package"):
        expect(name, 1, (here / f"{name}.out").read_text(encoding="utf-8"), here / name, *small)
    (folder / "data" / "ecs" / "2014-11-13").mkdir(parents=True)
    with gzip.open(folder / "data" / "ecs" / "2014-11-13" / "service-2.json.gz", "wb") as packed:
        packed.write((here / "drifted" / "service-2.json").read_bytes())
    expect("packed", 1, (here / "drifted.out").read_text(encoding="utf-8"), folder, *small)
    expect_refusal("no model", "neither botocore's", here / "ours", *small)
    expect_refusal("no folder", "neither botocore's", folder / "nowhere", *small)
    expect_refusal("broken model", "broken.json", file("broken.json", "{"), *small)

    (folder / "tables").mkdir()
    for name, content in (("instance-types.csv", TABLE), ("instance-types.json", json.dumps(GPUS)), ("unlisted-types.csv", UNLISTED)):
        file(f"tables/{name}", content)
    ours = ["--ours", folder / "tables"]
    metal = described("m9.metal", BareMetal=True)
    same = file("same.json", {"InstanceTypes": [described("m9.large", CurrentGeneration=True), described("g9.xlarge", gpus=T4, **STORAGE), metal]})
    expect("catalog", 0, "", "--catalog", same, *ours)
    moved = {**STORAGE, "CurrentGeneration": False, "InstanceStorageSupported": False}
    expect("storage and generation", 1, "g9.xlarge.localStorage: ours 1x125 nvme, described none\n"
           "g9.xlarge.generation: ours current, described previous\n", "--catalog",
           file("moved.json", {"InstanceTypes": [described("g9.xlarge", gpus=T4, **moved)]}), *ours)
    expect("a report", 0, "m9.large.vcpus: ours 4, described 8\n", "--report", "--catalog",
           file("report.json", {"InstanceTypes": [described("m9.large", 8)]}), *ours)
    others = [described("m9.large", 8, ebs=None), described("g9.xlarge", gpus=TWO, ebs=(32, "dedicated")), described("m9.huge"), described("z1.small"), described("m9.big")]
    expect("catalog drifted", 1, "m9: ours lacks m9.big, m9.huge\nz1: ours lacks z1.small\n"
           "g9.xlarge.ebsAttachments: ours 27, described 32\ng9.xlarge.ebsLimit: ours shared, described dedicated\n"
           "g9.xlarge.gpu.count: ours 1, described 2\ng9.xlarge.gpu.memory: ours 16384, described 15360\n"
           "m9.large.vcpus: ours 4, described 8\n", "--catalog", file("other.json", {"InstanceTypes": others}), *ours)
    expect_refusal("no catalog", "missing.json", "--catalog", folder / "missing.json", *ours)
    expect_refusal("other catalog", "InstanceTypes", "--catalog", file("list.json", {"Reservations": []}), *ours)

    # The names of @aws-sdk/client-ec2 beside the model of ECS, which agrees.
    both = folder / "both"
    (both / "ec2" / "dist-types" / "models").mkdir(parents=True)
    (both / "service-2.json").write_bytes((here / "same" / "service-2.json").read_bytes())
    file("both/ec2/package.json", {"name": "@aws-sdk/client-ec2", "version": "3.0.0"})
    names = file("both/ec2/dist-types/models/enums.d.ts",
                 'export declare const _InstanceType: {\n' + "".join(f'    readonly {name}: "{name}";\n' for name in
                                                                     ("g9.xlarge", "m1.old", "m9.large", "m10.large", "m10.xlarge")) + "};\n")
    for schema in (here / "ours").glob("*.json"):
        file(f"tables/{schema.name}", schema.read_text(encoding="utf-8"))
    expect("names", 1, "m10: ours lacks m10.large, m10.xlarge\nm9.metal: the model lacks it\n", both, *ours)
    names.write_text("export declare const Other: {\n};\n", encoding="utf-8")
    expect_refusal("no names", "no enumeration InstanceType", both, *ours)

    our_prices = ("--ours", file("ours.csv", PRICES))
    for form in (bulk, answer):
        prices = file("prices.json", form(*AGREED))
        expect(form.__name__, 0, "", "--prices", prices, *our_prices)
        expect(form.__name__, 1, "g9.xlarge.prices.eu-west-1: ours 0.6, listed 0.61\n", "--prices", prices, "--region", "eu-west-1", *our_prices)
    table = file("prices.csv", "instanceType,hourlyPrice,region\nm9.large,0.11,us-east-1\nm9.large,0.9,eu-west-1\n")
    expect("table", 1, "m9.large.prices.us-east-1: ours 0.1, listed 0.11\n", "--prices", table, *our_prices)
    expect_refusal("other region", "no Linux on-demand price", "--prices", prices, "--region", "mars-1", *our_prices)

print("\n".join(faults) or "every difference is found, and nothing else")
sys.exit(1 if faults else 0)
