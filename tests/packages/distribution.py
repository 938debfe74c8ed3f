"""The files of scripts/distribution: each address is that of a release file, with its checksum, in the form that the package manager reads.
usage: distribution.py PROJECT"""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

PROJECT = pathlib.Path(sys.argv[1]).resolve()
VERSION = re.search(r"^project\(bayplan VERSION ([\d.]+)", (PROJECT / "CMakeLists.txt").read_text(encoding="utf-8"), flags=re.M)[1]
ADDRESS = (PROJECT / "packaging" / "address").read_text(encoding="utf-8").strip()
FILES = [f"bayplan-{VERSION}-linux-amd64.tar.gz", f"bayplan-{VERSION}-linux-arm64.tar.gz", f"bayplan-{VERSION}.tgz"]
PROGRAM = f"bayplan-{VERSION}-windows-amd64.exe"


def release(folder, names):
    for name in names:
        (folder / name).write_bytes(name.encode() * 7)
    sums = "".join(f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return subprocess.run([PROJECT / "scripts" / "distribution", folder], capture_output=True, text=True, check=False)


def check_checksums(folder, path, names):
    """Each address with the checksum behind it."""
    text = path.read_text(encoding="utf-8")
    addresses = re.findall(r'https://[^"#\s]+/releases/download/[^"#\s]+', text)
    checksums = re.findall(r'"(?:sha256:)?([0-9a-fA-F]{64})"', text)
    assert len(addresses) == len(checksums) == len(names), (path, addresses, checksums)
    for address, checksum, name in zip(addresses, checksums, names):
        assert address == f"{ADDRESS}/releases/download/v{VERSION}/{name}", address
        assert checksum.lower() == hashlib.sha256((folder / name).read_bytes()).hexdigest(), (path, name)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = release(folder, [*FILES, PROGRAM])
        assert done.returncode == 0, done.stderr
        out = folder / "distribution"
        check_checksums(folder, out / "bayplan.rb", [FILES[2], FILES[0], FILES[1]])
        check_checksums(folder, out / "mise.toml", FILES[:2])
        check_checksums(folder, out / "scoop" / "bayplan.json", [PROGRAM])
        check_checksums(folder, out / "winget" / "bayplan.bayplan.installer.yaml", [PROGRAM])
        if shutil.which("ruby"):
            subprocess.run(["ruby", "-c", out / "bayplan.rb"], check=True, stdout=subprocess.DEVNULL)
        tool = tomllib.loads((out / "mise.toml").read_text(encoding="utf-8"))["tools"]["http:bayplan"]
        assert tool["version"] == VERSION and list(tool["platforms"]) == ["linux-x64", "linux-arm64"], tool
        scoop = json.loads((out / "scoop" / "bayplan.json").read_text(encoding="utf-8"))
        assert scoop["version"] == VERSION and scoop["architecture"]["64bit"]["url"].endswith("#/" + scoop["bin"]), scoop
        manifests = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((out / "winget").iterdir())]
        assert [one["ManifestType"] for one in manifests] == ["installer", "defaultLocale", "version"], manifests
        assert {(one["PackageIdentifier"], one["PackageVersion"], one["ManifestVersion"]) for one in manifests} == {("bayplan.bayplan", VERSION, "1.6.0")}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = release(folder, FILES)
        assert done.returncode == 0 and PROGRAM in done.stdout and not (folder / "distribution" / "winget").exists(), done.stdout
        (folder / FILES[0]).write_bytes(b"another")
        done = subprocess.run([PROJECT / "scripts" / "distribution", folder], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "is not the file of SHA256SUMS" in done.stderr, done
    with tempfile.TemporaryDirectory() as name:
        done = release(pathlib.Path(name), FILES[1:])
        assert done.returncode == 1 and FILES[0] in done.stderr, done

    about = json.loads((PROJECT / "packaging" / "npm" / "package.json").read_text(encoding="utf-8"))
    for key in ("description", "keywords", "license", "author", "homepage", "repository", "bugs", "engines", "bin", "files"):
        assert about.get(key), f"package.json of npm has no {key}"
    assert all(ADDRESS in json.dumps(about[key]) for key in ("homepage", "repository", "bugs")), "another address than packaging/address"
    return 0


sys.exit(main())
