import type { TemplateParameter, TemplateSource } from "../../template.js";
import { templatesOf, type Variant } from "../shared/of.js";
import { author, description, license, projectName, version } from "../shared/parameters.js";
import { entryPoint, pythonVersion } from "./toolchain.js";

const template = templatesOf("python-uv");

const parameters: readonly TemplateParameter[] = [projectName, description, author, license, version, pythonVersion];

const PROJECT = `[project]
name = "{{ project_name | kebab }}"
version = "{{ version }}"
description = {{ description | toml }}
readme = "README.md"
requires-python = ">={{ python_version }}"
license = "{{ license }}"
{%- if author != "" %}
authors = [{ name = {{ author | toml }} }]
{%- endif %}
dependencies = []
`;

const SCRIPT = `
[project.scripts]
{{ project_name | kebab }} = "{{ project_name | snake }}.{{ entry_point }}:main"
`;

// Servers are deployed, never uploaded: the index refuses this classifier.
const PRIVATE = 'classifiers = ["Private :: Do Not Upload"]\n';

const TOOLS = `
[dependency-groups]
dev = ["mypy>=1.13", "pytest>=8.3", "ruff>=0.9"]

[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["src/{{ project_name | snake }}"]

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["src"]
addopts = ["-ra", "--strict-config", "--strict-markers"]
filterwarnings = ["error"]
xfail_strict = true

[tool.ruff]
line-length = 100

[tool.ruff.lint]
select = ["A", "B", "C4", "E", "F", "I", "N", "PT", "RUF", "S", "SIM", "UP", "W"]
ignore = ["E501"]

[tool.ruff.lint.per-file-ignores]
"tests/**" = ["S101"]

[tool.mypy]
strict = true
files = ["src", "tests"]
mypy_path = "src"
explicit_package_bases = true
`;

const manifest = (variant: Variant, what: string, top: string, more: readonly TemplateParameter[]): TemplateSource =>
  template("manifest", variant, {
    description: `Manifest for uv of ${what}, with pytest, ruff and mypy set up.`,
    filename: "pyproject.toml",
    parameters: [...parameters, ...more],
    body: PROJECT + top + TOOLS,
  });

/** What uv and the other tools are told of a Python project. */
export const manifests: readonly TemplateSource[] = [
  manifest("cli", "a Python program", SCRIPT, [entryPoint]),
  manifest("lib", "a Python library", "", []),
  manifest("service", "a Python server", PRIVATE + SCRIPT, [entryPoint]),
];
