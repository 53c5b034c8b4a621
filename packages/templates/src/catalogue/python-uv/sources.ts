import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { description, port, projectName } from "../shared/parameters.js";
import { entryPoint } from "./toolchain.js";

const template = templatesOf("python-uv");

/** A sentence in a docstring: a backslash or quotes in it would end or change the string. */
const ABOUT = (kind: string): string =>
  `"""{% if description != "" %}{{ description | replace: "\\\\", "\\\\\\\\" | replace: '"', "'" }}{% else %}The ${kind} {{ project_name | kebab }}.{% endif %}"""`;

const PROGRAM = `${ABOUT("program")}

import argparse
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

PACKAGE = "{{ project_name | kebab }}"


def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}!"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and give its exit status."""
    parser = argparse.ArgumentParser(prog=PACKAGE, description="Greet everybody who is named.")
    parser.add_argument("names", nargs="*", metavar="NAME", default=["world"])
    parser.add_argument("--version", action="version", version=own_version())
    for name in parser.parse_args(arguments).names:
        print(greet(name))
    return 0


def own_version() -> str:
    """Tell the version that is installed."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "0.0.0"


if __name__ == "__main__":
    raise SystemExit(main())
`;

const LIBRARY = `${ABOUT("library")}

__all__ = ["greet"]


def greet(name: str) -> str:
    """Greet somebody.

    >>> greet("world")
    'Hello, world!'
    """
    return f"Hello, {name}!"
`;

const SERVER = `${ABOUT("server")}

import json
import os
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DEFAULT_PORT = {{ port }}


class Handler(BaseHTTPRequestHandler):
    """Answer requests."""

    timeout = 10

    def do_GET(self) -> None:
        """Answer a GET."""
        if self.path == "/":
            self.answer(HTTPStatus.OK, {"message": "Hello, world!"})
        elif self.path == "/healthz":
            self.answer(HTTPStatus.OK, {"status": "ok"})
        else:
            self.answer(HTTPStatus.NOT_FOUND, {"error": "not found"})

    def answer(self, status: HTTPStatus, content: dict[str, str]) -> None:
        """Send JSON."""
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(host: str, port: int) -> ThreadingHTTPServer:
    """Make a server that listens."""
    return ThreadingHTTPServer((host, port), Handler)


def main() -> int:
    """Run the server until it is interrupted."""
    host = os.environ.get("HOST", "127.0.0.1")
    with serve(host, int(os.environ.get("PORT", DEFAULT_PORT))) as server:
        print(f"listening on {host}:{server.server_port}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("stopped", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
`;

const TEST = `import pytest

from {{ project_name | snake }}.{{ entry_point }} import main


def test_greets_the_world_when_nobody_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == "Hello, world!\\n"


def test_greets_everybody_who_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["Ada", "Grace"]) == 0
    assert capsys.readouterr().out == "Hello, Ada!\\nHello, Grace!\\n"


def test_refuses_an_unknown_option() -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--loud"])
`;

const LIBRARY_TEST = `from {{ project_name | snake }} import greet


def test_greets_by_name() -> None:
    assert greet("Ada") == "Hello, Ada!"
`;

// A line of ours that begins with @ would be taken for a decorator.
const FIXTURE = "@pytest.fixture";

const SERVER_TEST = `import json
import threading
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from {{ project_name | snake }}.{{ entry_point }} import serve


${FIXTURE}
def connection() -> Iterator[HTTPConnection]:
    with serve("127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = HTTPConnection("127.0.0.1", server.server_port, timeout=5)
        yield client
        client.close()
        server.shutdown()


def test_says_that_it_is_well(connection: HTTPConnection) -> None:
    connection.request("GET", "/healthz")
    response = connection.getresponse()
    assert response.status == 200
    assert json.load(response) == {"status": "ok"}


def test_refuses_what_it_does_not_know(connection: HTTPConnection) -> None:
    connection.request("GET", "/nowhere")
    assert connection.getresponse().status == 404
`;

const MODULE = "src/{{ project_name | snake }}/{{ entry_point }}.py";

/** The first code of a Python project. */
export const sources: readonly TemplateSource[] = [
  template("source", "cli", {
    description: "First code of a Python program.",
    filename: MODULE,
    parameters: [projectName, description, entryPoint],
    body: PROGRAM,
  }),
  template("source", "lib", {
    description: "First code of a Python library.",
    filename: "src/{{ project_name | snake }}/__init__.py",
    parameters: [projectName, description],
    body: LIBRARY,
  }),
  template("source", "service", {
    description: "First code of a Python server that answers HTTP with nothing but the standard library.",
    filename: MODULE,
    parameters: [projectName, description, entryPoint, port],
    body: SERVER,
  }),
  template("test", "cli", {
    description: "First tests of a Python program.",
    filename: "tests/test_{{ entry_point }}.py",
    parameters: [projectName, entryPoint],
    body: TEST,
  }),
  template("test", "lib", {
    description: "First tests of a Python library.",
    filename: "tests/test_{{ project_name | snake }}.py",
    parameters: [projectName],
    body: LIBRARY_TEST,
  }),
  template("test", "service", {
    description: "First tests of a Python server.",
    filename: "tests/test_{{ entry_point }}.py",
    parameters: [projectName, entryPoint],
    body: SERVER_TEST,
  }),
];
