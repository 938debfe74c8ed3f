"""Compares the files that a search finds with git: against_git.py BAYPLAN

Random trees with random .gitignore files: `bayplan lint --show-files` must list the files that `git ls-files` does not ignore,
from the root and from subfolders. Requires git; exit code 77: skipped without it.
"""
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

if shutil.which("git") is None:
    print("skipped: git is not installed")
    sys.exit(77)

bayplan = pathlib.Path(sys.argv[1]).resolve()
NAMES = ["a", "b", "ab", "a b", "c.d", "#x", "!y", "[z]", "ü", "out"]
PIECES = ["a", "b", "ab", "*", "**", "?", "a*", "*b", "[a-c]", "[!a]*", "c.d", "out", "\\#x", "\\!y", "\\[z\\]", "ü", "*.json", "a.json", "*.y*"]


def random_pattern(random_source):
    if random_source.random() < 0.05:
        return random_source.choice(["# a.json", "", "   ", "a.json   "])
    segments = [random_source.choice(PIECES) for _ in range(random_source.choice([1, 1, 1, 2, 2, 3]))]
    pattern = "/".join(segments)
    if random_source.random() < 0.2:
        pattern = "/" + pattern
    if random_source.random() < 0.15:
        pattern += "/"
    if random_source.random() < 0.25:
        pattern = "!" + pattern
    return pattern


def write_tree(folder, random_source, depth):
    if random_source.random() < (0.9 if depth == 0 else 0.3):
        count = random_source.randint(1, 4)
        (folder / ".gitignore").write_text("\n".join(random_pattern(random_source) for _ in range(count)) + "\n")
    for name in random_source.sample(NAMES, random_source.randint(1, 4)):
        (folder / (name + random_source.choice([".json", ".yaml", ".yml", ".txt"]))).write_text("{}")
    if depth < 3:
        for name in random_source.sample(NAMES, random_source.randint(0, 3)):
            (folder / name).mkdir()
            write_tree(folder / name, random_source, depth + 1)


def git_files(folder):
    listed = subprocess.run(["git", "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--exclude-standard"], cwd=folder,
                            capture_output=True, check=True)
    names = listed.stdout.decode().split("\0")
    return sorted(name for name in names if name.endswith((".json", ".yaml", ".yml")))


def bayplan_files(folder):
    listed = subprocess.run([bayplan, "lint", "--show-files"], cwd=folder, capture_output=True, check=True)
    return sorted(listed.stdout.decode().splitlines())


faults = 0
files = 0
for seed in range(60):
    random_source = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        write_tree(root, random_source, 0)
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        if random_source.random() < 0.5:
            (root / ".git/info/exclude").write_text(random_pattern(random_source) + "\n")
        # A folder that git ignores is searched when it is named: git would say nothing of its files.
        below = sorted(path for path in root.rglob("*") if path.is_dir() and ".git" not in path.parts
                       and subprocess.run(["git", "check-ignore", "-q", path], cwd=root).returncode == 1)
        for folder in [root, *below[:2]]:
            wanted, found = git_files(folder), bayplan_files(folder)
            files += len(wanted)
            if wanted != found:
                faults += 1
                print(f"seed {seed}, {folder.relative_to(root)}: git only {sorted(set(wanted) - set(found))}, "
                      f"bayplan only {sorted(set(found) - set(wanted))}")
                for ignore in sorted(root.rglob(".gitignore")):
                    print(f"  {ignore.relative_to(root)}: {ignore.read_text()!r}")
print(f"{files} files, {faults} faults")
sys.exit(1 if faults or files < 500 else 0)
