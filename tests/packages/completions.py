"""Tests the completions in the shells: bash, and zsh, fish and PowerShell if they are installed.

usage: completions.py BAYPLAN SOURCE_DIR
"""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

# The line as typed so far, and a word that must be offered for its last one; None: nothing may be.
LINES = [
    ("bayplan li", "lint"),
    ("bayplan lint --baseli", "--baseline"),
    ("bayplan lint --fail-on w", "warning"),
    ("bayplan lint --format sar", "sarif"),
    ("bayplan place --format sv", "svg"),
    ("bayplan place --format sar", None),
    ("bayplan lint --select gpu-on-f", "gpu-on-fargate"),
    ("bayplan lint --select BAY001,gpu-on-f", "BAY001,gpu-on-fargate"),
    ("bayplan fit --types p3dn", "p3dn.24xlarge"),
    ("bayplan whatif --add p3dn", "p3dn.24xlarge="),
    ("bayplan schema scen", "scenario"),
    ("bayplan completion z", "zsh"),
    ("bayplan lint --config ARCH", "ARCHITECTURE.md"),
    ("bayplan place ARCH", "ARCHITECTURE.md"),
    ("bayplan place --seed 1", None),
    ("bayplan nonsense --", None),
]

BASH = """source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bayplan; printf '%s\\n' "${COMPREPLY[@]}" """
SHOW = "show() { print -rn -- \"<<$BUFFER>>\"; BUFFER=; }; zle -N show; bindkey '^X' show"


def bash(script, line, folder):
    words = line.split(" ")
    run = subprocess.run(["bash", "-c", BASH, script, *words], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.split()


def fish(script, line, folder):
    run = subprocess.run(["fish", "-N", "-c", f"source {script}; complete -C '{line}'"], cwd=folder, capture_output=True,
                         text=True, check=True, env={**os.environ, "HOME": str(pathlib.Path(script).parent)})
    return [row.split("\t")[0] for row in run.stdout.splitlines()]


def powershell(script, line, folder):
    ask = f". {script}; (TabExpansion2 -inputScript '{line}' -cursorColumn {len(line)}).CompletionMatches.CompletionText"
    run = subprocess.run(["pwsh", "-NoProfile", "-NonInteractive", "-Command", ask], cwd=folder, capture_output=True, text=True, check=True)
    # Where the script offers nothing, PowerShell offers files: ./ARCHITECTURE.md
    return [row.removeprefix("./") for row in run.stdout.splitlines() if (pathlib.Path(folder) / row).exists() is (line.endswith("ARCH"))]


class Zsh:
    """zsh completes only where somebody types: on a terminal of its own."""

    def __init__(self, script, folder):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.environ.update({"TERM": "dumb", "PS1": "", "HOME": str(pathlib.Path(script).parent)})
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.send(f"unsetopt beep; LISTMAX=100000; autoload -Uz compinit; compinit -u -D; source {script}; {SHOW}; "
                  "print -r -- rea''dy\n")
        self.read_until("ready")

    def send(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, mark):
        text, end = "", time.monotonic() + 60
        while mark not in text and time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                text += os.read(self.terminal, 65536).decode(errors="replace")
        if mark not in text:
            sys.exit(f"zsh does not answer: {text!r}")
        return text

    def complete(self, line):
        """The line after Tab: where one word alone fits, that word."""
        self.send(line + "\t\x18")
        text = self.read_until(">>")
        return text[text.rindex("<<") + 2:text.rindex(">>")] if "<<" in text else line

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.child, 0)


def check(shell, line, wanted, offered, faults):
    fits = wanted in offered if wanted else not [word for word in offered if word]
    if not fits:
        faults.append(f"{shell}: {line!r} wants {wanted}, is offered {offered[:8]}")


def main():
    bayplan, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        scripts = {}
        for shell in ("bash", "zsh", "fish", "powershell"):
            scripts[shell] = f"{scratch}/bayplan.{'ps1' if shell == 'powershell' else shell}"
            with open(scripts[shell], "wb") as script:
                subprocess.run([bayplan, "completion", shell], check=True, stdout=script)
        shells = ["bash"]
        for line, wanted in LINES:
            check("bash", line, wanted, bash(scripts["bash"], line, folder), faults)
        if shutil.which("fish"):
            shells.append("fish")
            for line, wanted in LINES:
                check("fish", line, wanted, fish(scripts["fish"], line, folder), faults)
        if shutil.which("pwsh"):
            shells.append("PowerShell")
            for line, wanted in LINES:
                check("PowerShell", line, wanted, powershell(scripts["powershell"], line, folder), faults)
        if shutil.which("zsh"):
            shells.append("zsh")
            zsh = Zsh(scripts["zsh"], folder)
            for line, wanted in LINES:
                done = zsh.complete(line).strip().split(" ")[-1]
                typed = line.split(" ")[-1]
                check("zsh", line, wanted, [] if done == typed else [done, done.rstrip("=,")], faults)
            zsh.close()
    print(f"{len(LINES)} lines in {', '.join(shells)}")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
