"""The shell of a newcomer: bayplan is on the PATH, and the folder has a copy of the examples."""
import contextlib
import pathlib
import shutil
import subprocess
import tempfile


@contextlib.contextmanager
def folder_with(program, source, name):
    """A new folder in which `name` is a copy of `source`."""
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        shutil.copytree(source, folder / name)
        (folder / "bin").mkdir()
        (folder / "bin" / "bayplan").symlink_to(program)
        yield folder


def typed(line, folder, place="."):
    """Runs a line in `place` below the folder. A pipe fails with the first command that fails in it. Standard input is empty."""
    environment = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    return subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder / place, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
