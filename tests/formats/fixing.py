"""`lint --diff | git apply` and `lint --fix` produce the same bytes: fixing.py BAYPLAN PROJECT

Uses every case of the rules, with several line endings and file endings, and the corpus of real definitions if it is available.
Exit code 77: skipped without git.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

if shutil.which("git") is None:
    print("skipped: git is not installed")
    sys.exit(77)

bayplan, project = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
corpus = project.parent / "shared" / "corpus" / "files"


def check(condition, message):
    if not condition:
        raise SystemExit(f"fixing: {message}")


def lint(folder, *arguments):
    done = subprocess.run([bayplan, "lint", *arguments, "."], cwd=folder, capture_output=True)
    check(done.returncode in (0, 1), f"{arguments}: exit {done.returncode}: {done.stderr.decode()[:500]}")
    return done


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and ".git" not in path.parts}


def is_utf16(content):
    return b"\0" in content[:4] or content[:2] in (b"\xff\xfe", b"\xfe\xff")


def own_cases():
    cases = {}
    for path in sorted((project / "tests" / "rules").glob("*/bad*")):
        if path.suffix == ".out" or not path.is_file() or path.stat().st_size > 1 << 20:
            continue
        content, name = path.read_bytes(), f"{path.parent.name}/{path.stem}"
        cases[f"{name}{path.suffix}"] = content
        cases[f"{name}-no end{path.suffix}"] = content.rstrip(b"\r\n")
        if b"\r" not in content and not is_utf16(content):
            cases[f"{name}-crlf{path.suffix}"] = content.replace(b"\n", b"\r\n")
            cases[f"{name}-bom{path.suffix}"] = b"\xef\xbb\xbf" + content
    return cases


def real_cases():
    if not corpus.is_dir():
        print("SKIPPED the corpus: ../shared/corpus is not there")
        return {}
    return {path.name: path.read_bytes() for path in corpus.iterdir()}


def fill(folder, cases):
    for name, content in cases.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "config", "core.autocrlf", "false"], cwd=folder, check=True)


def try_all(cases, least):
    with tempfile.TemporaryDirectory() as name:
        patched, fixed = pathlib.Path(name) / "patched", pathlib.Path(name) / "fixed"
        for folder in (patched, fixed):
            folder.mkdir()
            fill(folder, cases)
        original = contents(fixed)
        diff = lint(patched, "--diff").stdout
        check(contents(patched) == original, "--diff wrote something")
        report = json.loads(lint(fixed, "--fix", "--output", "json").stdout)
        after = contents(fixed)
        changed = [path for path in original if original[path] != after[path]]
        check(len(changed) >= least and set(after) == set(original), f"{len(changed)} files changed, {set(after) ^ set(original)}")
        check(report["summary"]["fixed"] >= len(changed), "more files than findings were fixed")

        done = subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], cwd=patched, capture_output=True,
                              input=without_utf16(diff, original))
        check(done.returncode == 0, f"git apply: {done.stderr.decode()[:500]}")
        applied = contents(patched)
        for path in changed:
            if not is_utf16(original[path]):
                check(applied[path] == after[path], f"{path}: git apply gives other bytes than --fix")

        for path in changed:
            was, now = original[path], after[path]
            check(was[:3] == now[:3] or was[:3] != b"\xef\xbb\xbf", f"{path}: the mark is gone")
            check(is_utf16(was) == is_utf16(now), f"{path}: another encoding")
            if b"\r\n" in was and b"\n" not in was.replace(b"\r\n", b""):
                check(b"\n" not in now.replace(b"\r\n", b""), f"{path}: line ends are mixed now")
        check(lint(fixed, "--diff").stdout == b"" and contents(fixed) == after, "something is left to fix")
        jobs = json.loads(lint(fixed, "--fix", "-j", "1", "--output", "json").stdout)
        check(jobs["summary"]["fixed"] == 0 and contents(fixed) == after, "fixing again changes something")
        return len(changed)


def without_utf16(diff, original):
    """The patches that can apply: those of UTF-16 show the text in another encoding."""
    parts = [b"--- " + part for part in (b"\n" + diff).split(b"\n--- ")[1:]]
    wide = {str(path).encode() for path, content in original.items() if is_utf16(content)}
    return b"".join(part + b"\n" * (not part.endswith(b"\n")) for part in parts
                    if part.split(b"\n", 1)[0][len("--- a/"):].rstrip(b"\t") not in wide)


def main():
    own = try_all(own_cases(), 100)
    real = real_cases()
    print(f"{own} cases and {try_all(real, 100) if real else 0} real files fixed, the same by --fix and by git apply")


main()
