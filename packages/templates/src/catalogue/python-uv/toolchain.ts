import { line, versionOf } from "../shared/parameters.js";
import type { Toolchain } from "../shared/toolchain.js";

/** The module with which a program begins. */
export const entryPoint = {
  ...line("entry_point", "Module inside the package with which the program begins.", "main"),
  pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
};

/** The Python that the project is for. */
export const pythonVersion = {
  ...versionOf("python_version", "Python that is needed at least", "3.12"),
  pattern: "^3\\.\\d+$",
};

/** Python with uv, ruff, mypy and pytest. */
export const pythonUv: Toolchain = {
  name: "python-uv",
  title: "Python uv",
  needs: ["uv, which brings Python along: <https://docs.astral.sh/uv/>", "make"],
  commands: {
    prepare: "uv sync",
    format: "uv run ruff format",
    formatCheck: "uv run ruff format --check",
    lint: "uv run ruff check",
    build: "uv build",
    test: "uv run pytest",
    run: "uv run {{ project_name | kebab }} world",
    serve: "uv run {{ project_name | kebab }}",
  },
  library: {
    install: "uv add {{ project_name | kebab }}",
    language: "python",
    example: 'from {{ project_name | snake }} import greet\n\nprint(greet("world"))',
  },
  indents: [
    { pattern: "*.{py,pyi}", style: "space", size: 4, width: 100 },
    { pattern: "*.toml", style: "space", size: 4 },
  ],
};
