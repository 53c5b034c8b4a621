import type { TemplateParameter, TemplateSource } from "../../template.js";
import { branch } from "./parameters.js";
import type { Toolchain } from "./toolchain.js";

/** What the workflow of one toolchain does. */
export interface Pipeline {
  /** What it is told beside the branch. */
  readonly parameters?: readonly TemplateParameter[];
  /** Lines of `strategy.matrix` beside the systems. */
  readonly matrix?: readonly string[];
  /** Steps that set the toolchain up, as YAML without indentation. */
  readonly setup: string;
  /** Commands of the job that looks at the layout and the style. */
  readonly check: readonly Step[];
  /** Commands of the job that builds and tests on each system. */
  readonly test: readonly Step[];
  /** What `setup` is in the job that only checks; the same unless it is given. */
  readonly setupOnce?: string;
}

/** A named command. */
type Step = readonly [name: string, run: string];

/** A workflow that checks every push and pull request: little is permitted, old runs are cancelled, three systems are tried. */
export function workflow({ name, title }: Toolchain, pipeline: Pipeline): TemplateSource {
  const { parameters = [], matrix = [], setup, setupOnce = setup, check, test } = pipeline;
  return {
    category: "ci-github",
    toolchain: name,
    variant: "default",
    description: `GitHub workflow that checks, builds and tests a ${title} project.`,
    filename: ".github/workflows/ci.yml",
    parameters: [branch, ...parameters],
    delimiters: "angle",
    body: `${HEAD}
  check:
    name: Check
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
${indented(`${CHECKOUT}\n${setupOnce.trim()}\n${check.map(toStep).join("\n")}`)}

  test:
    name: Test on \${{ matrix.os }}
    runs-on: \${{ matrix.os }}
    timeout-minutes: 30
    strategy:
      fail-fast: false
      matrix:
        os: [ubuntu-latest, macos-latest, windows-latest]
${matrix.map((line) => `        ${line}\n`).join("")}    steps:
${indented(`${CHECKOUT}\n${setup.trim()}\n${test.map(toStep).join("\n")}`)}
`,
  };
}

const HEAD = `name: CI

on:
  push:
    branches: ["<{ default_branch }>"]
  pull_request:

permissions:
  contents: read

concurrency:
  group: \${{ github.workflow }}-\${{ github.ref }}
  cancel-in-progress: true

jobs:`;

const CHECKOUT = `- uses: actions/checkout@v6
  with:
    persist-credentials: false`;

const toStep = ([name, run]: Step): string => `- name: ${name}\n  run: ${run}`;

const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : `      ${line}`))
    .join("\n");
