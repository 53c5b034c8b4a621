import type { TemplateSource } from "../../template.js";
import { contributing } from "../shared/contributing.js";
import { editorconfig } from "../shared/editorconfig.js";
import { gitignore } from "../shared/gitignore.js";
import { makefiles, ofServer, type Target, without } from "../shared/makefile.js";
import { templatesOf } from "../shared/of.js";
import { description, line, port, projectName } from "../shared/parameters.js";
import { precommit } from "../shared/precommit.js";
import { readmeOfProgram, readmesOfOthers } from "../shared/readme.js";
import { workflow } from "../shared/workflow.js";
import { manifests } from "./manifest.js";
import { sources } from "./sources.js";
import { entryPoint, pythonUv, pythonVersion } from "./toolchain.js";

const template = templatesOf("python-uv");
const { commands } = pythonUv;

const SETTINGS = `UV ?= uv
export UV_PYTHON ?= {{ python_version }}`;

const PROGRAM_SETTINGS = `${SETTINGS}
MODULE := {{ project_name | snake }}.{{ entry_point }}`;

const TARGETS: readonly Target[] = [
  { name: "sync", about: "Fetch what the project builds on", run: ["$(UV) sync"] },
  { name: "run", about: "Run the program with ARGS", run: ["$(UV) run python -m $(MODULE) $(ARGS)"] },
  { name: "test", about: "Run the tests", when: "has_tests", run: ["$(UV) run pytest"] },
  { name: "format", about: "Lay the code out", run: ["$(UV) run ruff format", "$(UV) run ruff check --fix"] },
  { name: "format-check", about: "Check the layout of the code", run: ["$(UV) run ruff format --check"] },
  { name: "lint", about: "Look for mistakes", run: ["$(UV) run ruff check"] },
  { name: "types", about: "Check the types", run: ["$(UV) run mypy"] },
  {
    name: "check",
    about: "Do all that the pipeline does",
    needs: "format-check lint types{% if has_tests %} test{% endif %}",
  },
  { name: "build", about: "Build the package", run: ["$(UV) build"] },
  {
    name: "clean",
    about: "Remove what was made",
    run: [
      "rm -rf build dist .mypy_cache .pytest_cache .ruff_cache",
      "find . -name __pycache__ -type d -prune -exec rm -rf {} +",
    ],
  },
];

const DOCKERFILE = `# syntax=docker/dockerfile:1
FROM ghcr.io/astral-sh/uv:python{{ python_version }}-bookworm-slim AS build
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
WORKDIR /app
RUN --mount=type=cache,target=/root/.cache/uv \\
    --mount=type=bind,source=uv.lock,target=uv.lock \\
    --mount=type=bind,source=pyproject.toml,target=pyproject.toml \\
    uv sync --locked --no-dev --no-install-project
COPY . .
RUN --mount=type=cache,target=/root/.cache/uv \\
    uv sync --locked --no-dev --no-editable

FROM python:{{ python_version }}-slim-bookworm
RUN useradd --system --uid 10001 --no-create-home app
COPY --from=build --chown=app:app /app/.venv /app/.venv
ENV PATH="/app/.venv/bin:$PATH" PYTHONUNBUFFERED=1
USER app
`;

const START = 'ENTRYPOINT ["{{ project_name | kebab }}"]\n';

const HEALTH = `ENV HOST=0.0.0.0 PORT={{ port }}
EXPOSE {{ port }}
HEALTHCHECK --interval=30s --timeout=3s \\
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:{{ port }}/healthz', timeout=2)"]
`;

/** Every template for Python with uv. */
export const pythonTemplates: readonly TemplateSource[] = [
  ...makefiles(pythonUv, {
    cli: { parameters: [pythonVersion, entryPoint], settings: `${PROGRAM_SETTINGS}\nARGS ?=`, targets: TARGETS },
    lib: { parameters: [pythonVersion], settings: SETTINGS, targets: without(TARGETS, "run") },
    service: {
      parameters: [pythonVersion, entryPoint],
      settings: PROGRAM_SETTINGS,
      targets: ofServer(TARGETS, "$(UV) run python -m $(MODULE)"),
    },
  }),
  readmeOfProgram(pythonUv, [projectName, description, line("author_name", "Who wrote it, such as Ada Lovelace.")]),
  ...readmesOfOthers(pythonUv),
  gitignore(pythonUv, [
    ["What Python leaves behind", "__pycache__/", "*.py[cod]", "*.egg-info/", "/build/", "/dist/"],
    ["Environments", ".venv/", "venv/"],
    [
      "What tests and checks leave behind",
      ".coverage",
      ".coverage.*",
      "htmlcov/",
      ".pytest_cache/",
      ".mypy_cache/",
      ".ruff_cache/",
    ],
  ]),
  ...manifests,
  ...sources,
  template("dockerfile", "cli", {
    description: "Image of a Python program that is put together by uv in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [projectName, pythonVersion],
    body: DOCKERFILE + START,
  }),
  template("dockerfile", "service", {
    description: "Image of a Python server that is put together by uv in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [projectName, pythonVersion, port],
    body: DOCKERFILE + HEALTH + START,
  }),
  workflow(pythonUv, {
    parameters: [{ ...pythonVersion, description: "Python on which it is tested, beside the newest." }],
    matrix: ['python: ["<{ python_version }>"<% if python_version != "3.14" %>, "3.14"<% endif %>]'],
    setup: `- uses: astral-sh/setup-uv@v7
  with:
    enable-cache: true
    python-version: \${{ matrix.python }}`,
    setupOnce: `- uses: astral-sh/setup-uv@v7
  with:
    enable-cache: true
    python-version: "<{ python_version }>"`,
    check: [
      ["Layout", commands.formatCheck],
      ["Lint", commands.lint],
      ["Types", "uv run mypy"],
      ["Package", commands.build],
    ],
    test: [["Test", "uv run --locked pytest"]],
  }),
  precommit(pythonUv, [
    { id: "ruff-format", name: "ruff format", entry: commands.formatCheck, files: "\\.pyi?$" },
    { id: "ruff-check", name: "ruff check", entry: commands.lint, files: "\\.pyi?$" },
    { id: "uv-lock", name: "uv lock", entry: "uv lock --check", files: "^(pyproject\\.toml|uv\\.lock)$" },
  ]),
  editorconfig(pythonUv),
  contributing(pythonUv),
];
