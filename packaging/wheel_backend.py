"""Build backend (PEP 517) of the wheel with the native binary; it uses only the Python standard library.

The binary is statically linked, so a wheel runs on every machine with a compatible kernel and processor. Building requires
cmake, ninja, a C++20 compiler and the -dev packages listed in scripts/deps; CMAKE_ARGS has more options of cmake. BAYPLAN_BINARY
names an existing binary and BAYPLAN_NOTICE the notices of its linked libraries (scripts/packages sets both).
"""
import base64
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import sysconfig
import tarfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "bayplan"
PROCESSORS = {62: "x86_64", 183: "aarch64"}  # by e_machine of an ELF file
PT_INTERP = 3  # the program header that names the loader of shared libraries
EARLIEST = 315532800  # 1980-01-01, the first day that a zip archive can name


def version():
    match = re.search(r"project\(bayplan\s+VERSION\s+([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    return match[1]


def metadata():
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n"
            "Summary: Checks Amazon ECS task definitions and simulates where ECS places them\nRequires-Python: >=3.7\n")


def elf_headers(content):
    """(machine, program header types) of an ELF file of 64 bits, (None, set()) of another file."""
    if content[:6] != b"\x7fELF\x02\x01":
        return None, set()
    machine, = struct.unpack_from("<H", content, 18)
    offset, = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    return machine, {struct.unpack_from("<I", content, offset + i * size)[0] for i in range(count)}


def platforms(content):
    """The platform tags of a wheel with this program. A static one needs no C library, so it runs on the oldest systems that
    an index has tags for, of glibc and of musl: https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/"""
    machine, types = elf_headers(content)
    processor = PROCESSORS.get(machine)
    if processor is None:
        return [sysconfig.get_platform().replace("-", "_").replace(".", "_")]
    if PT_INTERP in types:
        return [f"linux_{processor}"]
    return [f"manylinux2014_{processor}", f"manylinux_2_17_{processor}", f"musllinux_1_1_{processor}"]


def wheel_file(tags):
    return f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\n" + "".join(f"Tag: py3-none-{tag}\n" for tag in tags)


def run(command, environment):
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.stderr.write(done.stdout.decode(errors="replace")[-8000:])
        raise SystemExit(f"{NAME}: {' '.join(map(str, command))} failed; Debian's packages: scripts/deps")


def build_binary():
    if "BAYPLAN_BINARY" in os.environ:
        return pathlib.Path(os.environ["BAYPLAN_BINARY"])
    for tool in ("cmake", "ninja"):
        if shutil.which(tool) is None:
            raise SystemExit(f"{NAME}: building needs {tool}; Debian's packages: scripts/deps")
    folder = ROOT / "build" / "wheel"
    configure = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DBAYPLAN_STATIC=ON",
                 "-DBAYPLAN_TESTS=OFF", *shlex.split(os.environ.get("CMAKE_ARGS", ""))]
    # A hook is installed from a new clone each time: a compiler cache that looks beyond the path saves minutes.
    environment = {**os.environ, "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1"}
    if shutil.which("ccache") is not None:
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    run(configure, environment)
    run(["cmake", "--build", folder, "--target", NAME], environment)
    return folder / NAME


def moment():
    seconds = max(EARLIEST, int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST)))
    return time.gmtime(seconds)[:6]


class Wheel:
    """A zip archive whose last entry lists the others with their hashes; equal input gives equal bytes."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.rows = []

    def add(self, name, content, mode=0o644):
        info = zipfile.ZipInfo(name, moment())
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.rows.append(f"{name},sha256={digest},{len(content)}")

    def close(self, record):
        self.rows.append(f"{record},,")
        self.add(record, ("\n".join(self.rows) + "\n").encode())
        self.archive.close()


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path(metadata_directory) / f"{NAME}-{version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(metadata())
    return info.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    binary = build_binary()
    content = binary.read_bytes()
    tags = platforms(content)
    name = f"{NAME}-{version()}-py3-none-{'.'.join(tags)}.whl"
    info = f"{NAME}-{version()}.dist-info"
    wheel = Wheel(pathlib.Path(wheel_directory) / name)
    wheel.add(f"{NAME}-{version()}.data/scripts/{NAME}", content, 0o755)
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", wheel_file(tags).encode())
    for notice in [ROOT / "LICENSE", os.environ.get("BAYPLAN_NOTICE")]:
        if notice:
            wheel.add(f"{info}/licenses/{pathlib.Path(notice).name}", pathlib.Path(notice).read_bytes())
    wheel.close(f"{info}/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    base = f"{NAME}-{version()}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in listed.decode().split("\0"):
            if name:
                archive.add(ROOT / name, f"{base}/{name}", recursive=False)
    return f"{base}.tar.gz"
