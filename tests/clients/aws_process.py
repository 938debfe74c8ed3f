"""The real AWS CLI without its start: to load its modules takes a second of the processor for each call.

One process of the interpreter that the client names has loaded them. Each call is a process that it forks, with the arguments, folder,
environment and streams of the caller, and runs the client's own `main`.

usage: aws_process.py SOCKET ARGUMENT...     calls the client that `Client` has started
"""
import array
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile

SERVER = """
import array, gc, json, os, socketserver, sys
before = dict(os.environ)
def keep_models(loaders):
    # Each call looks for the files of all services, and parses those of its own.
    def keep(kind, name):
        find, kept = getattr(kind, name), {}
        def found(loader, *arguments, **named):
            asked = (*arguments, *named.values())
            if asked not in kept:
                kept[asked] = find(loader, *arguments, **named)
            return kept[asked]
        setattr(kind, name, found)
    keep(loaders.JSONFileLoader, "load_file")
    keep(loaders.Loader, "list_available_services")
import awscli.clidriver
keep_models(sys.modules.get("awscli.botocore.loaders") or sys.modules["botocore.loaders"])
session = awscli.clidriver.create_clidriver().session
for service in ("autoscaling", "ec2", "ecs"):
    session.get_service_model(service)
set_by_client = {name: value for name, value in os.environ.items() if before.get(name) != value}  # where its data is
class Call(socketserver.BaseRequestHandler):
    def handle(self):
        length, streams = len(array.array("i", [0] * 3)) * 4, array.array("i")
        text, data, _, _ = self.request.recvmsg(16, 128)
        for _, _, part in data:
            streams.frombytes(part[:length])
        size = int(text)
        asked = b""
        while len(asked) < size:
            asked += self.request.recv(size - len(asked))
        asked = json.loads(asked)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"], **set_by_client)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.argv = ["aws", *asked["arguments"]]
        try:
            code = awscli.clidriver.main()
        except SystemExit as end:
            code = end.code or 0
        sys.stdout.flush()
        sys.stderr.flush()
        self.request.sendall(str(code).encode())
class Server(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
    max_children = 8
with Server(sys.argv[1], Call) as server:
    gc.freeze()  # a child then copies less
    print("ready", flush=True)
    server.serve_forever()
"""


def clients():
    """The versions that are installed, Debian's and the one that a shell finds, each once: versions 1 and 2 print times differently, and refuse
    with other codes."""
    found = [path for path in ("/usr/bin/aws", shutil.which("aws")) if path and os.path.exists(path)]
    return list({subprocess.run([path, "--version"], capture_output=True, text=True).stdout: path for path in reversed(found)}.values())


class Client:
    """One version of the client. `command`: what to run in place of `aws`."""

    def __init__(self, aws):
        with open(aws, "rb") as file:
            interpreter = file.readline().decode(errors="replace")
        self.command = [aws]  # where it is no script of Python, or a script that looks for it
        self.process = None
        if not interpreter.startswith("#!") or "python" not in interpreter:
            return
        self.folder = tempfile.TemporaryDirectory()
        address = os.path.join(self.folder.name, "aws")
        self.process = subprocess.Popen([*interpreter[2:].split(), "-c", SERVER, address], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        env=dict(os.environ, LC_ALL="C.UTF-8"), text=True)
        if self.process.stdout.readline() == "ready\n":
            self.command = [sys.executable, "-SE", os.path.abspath(__file__), address]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends the process also after a failure: it has the streams of the test, for whose end ctest waits."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.folder.cleanup()


def call(address, arguments):
    asked = json.dumps({"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}).encode()
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        server.sendmsg([b"%16d" % len(asked)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
        server.sendall(asked)
        return int(server.recv(16) or 1)


if __name__ == "__main__":
    sys.exit(call(sys.argv[1], sys.argv[2:]))
