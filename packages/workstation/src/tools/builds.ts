import { type Tool, tool } from "@toolwright/engine";
import { CURSOR, NEXT_CURSOR, nextCursor, offsetOf, READ, RUN } from "@toolwright/kit/pack";
import type { BuildAction } from "../builds/ecosystem.js";
import type { Workstation } from "../workstation.js";
import { acceptNames } from "./arguments.js";

const word = { type: "string" } as const;
const number = { type: "integer" } as const;

const BUILD_PROPERTIES = {
  project_path: {
    type: "string",
    default: ".",
    description: "The folder of the project, or a file such as a solution",
  },
  ecosystem: {
    enum: ["auto", "node", "python", "rust", "go", "java", "dotnet", "make"],
    default: "auto",
    description: "Detected by default",
  },
} as const;

const BUILD_OUTPUT = {
  type: "object",
  properties: {
    ecosystem: word,
    found: { type: "array", items: word, description: "All ecosystems of the folder, if it has several" },
    command: word,
    ok: { type: "boolean" },
    exit_code: number,
    signal: word,
    duration_ms: number,
    failures: {
      type: "array",
      items: {
        type: "object",
        properties: {
          file: word,
          line: number,
          column: number,
          test: word,
          message: word,
          severity: { enum: ["error", "warning"] },
        },
        required: ["message", "severity"],
      },
    },
    failures_total: number,
    counts: {
      type: "object",
      properties: { passed: number, failed: number, skipped: number },
      required: ["passed", "failed", "skipped"],
    },
    tail: { type: "string", description: "The last lines of the output" },
    log: {
      type: "object",
      properties: { id: word, bytes: number },
      required: ["id", "bytes"],
      description: "The whole output, for process_read",
    },
    next: {
      type: "object",
      properties: { id: word, failures: { type: "boolean" }, offset: number },
      required: ["id", "failures", "offset"],
      description: "The arguments of process_read for more failures",
    },
  },
  required: ["ecosystem", "command", "ok", "duration_ms", "failures", "failures_total", "tail", "log"],
} as const;

/** The tools that build and test projects. */
export const buildTools = (workstation: Workstation): readonly Tool[] => [
  createBuildTool(workstation, {
    action: "build",
    title: "Build a project",
    description: "Builds a project with its own tools and returns errors and warnings as file, line and message.",
    alias: "BuildAsync",
  }),
  ciTest(workstation),
  createBuildTool(workstation, {
    action: "restore",
    title: "Download dependencies",
    description: "Downloads the dependencies of a project. Needs the setting network.",
    alias: "RestoreAsync",
  }),
  createBuildTool(workstation, {
    action: "lint",
    title: "Lint a project",
    description: "Runs the linter of a project and returns its findings as file, line and message.",
  }),
  ciWorkflows(workstation),
];

const PROJECT_NAMES = { project_path: ["projectPath", "project", "path", "cwd"] } as const;

/** What all build tools have in common. */
const commonOptions = ({ settings }: Workstation) =>
  ({
    toolset: "builds",
    output: BUILD_OUTPUT,
    annotations: RUN,
    timeoutMs: settings.buildTimeoutMs + 30_000,
    taskSupport: "optional",
    normalizeInput: acceptNames(PROJECT_NAMES),
  }) as const;

const createBuildTool = (
  workstation: Workstation,
  {
    action,
    title,
    description,
    alias,
  }: {
    readonly action: Exclude<BuildAction, "test">;
    readonly title: string;
    readonly description: string;
    readonly alias?: string;
  },
) =>
  tool({
    ...commonOptions(workstation),
    name: `ci_${action}`,
    title,
    description,
    ...(alias !== undefined && { aliases: [alias] }),
    input: { type: "object", properties: BUILD_PROPERTIES },
    async run({ project_path: path, ecosystem }, call) {
      const { runBuild } = await import("../builds/run-build.js");
      return runBuild(workstation, { action, path, ecosystem }, call);
    },
  });

const ciTest = (workstation: Workstation) =>
  tool({
    ...commonOptions(workstation),
    name: "ci_test",
    title: "Test a project",
    description: "Runs the tests of a project and returns failures as file, line, test and message, with counts.",
    aliases: ["RunTestsAsync"],
    input: {
      type: "object",
      properties: {
        ...BUILD_PROPERTIES,
        test: { type: "string", description: "Only this test, named as in a failure; all tests by default" },
      },
    },
    async run({ project_path: path, ecosystem, test }, call) {
      const { runBuild } = await import("../builds/run-build.js");
      return runBuild(workstation, { action: "test", path, ecosystem, test }, call);
    },
  });

const words = { type: "array", items: word } as const;

const ciWorkflows = (workstation: Workstation) =>
  tool({
    name: "ci_workflows",
    title: "Read the CI workflows",
    description: "Reads the GitHub Actions workflows of a project: triggers, jobs, steps and YAML errors.",
    toolset: "builds",
    input: {
      type: "object",
      properties: {
        path: { type: "string", default: ".", description: "The project folder, or one workflow file" },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: {
        workflows: {
          type: "array",
          items: {
            type: "object",
            properties: {
              file: word,
              name: word,
              triggers: words,
              jobs: {
                type: "array",
                items: {
                  type: "object",
                  properties: {
                    id: word,
                    name: word,
                    runs_on: {},
                    needs: words,
                    uses: word,
                    matrix: {},
                    steps: {
                      type: "array",
                      items: { type: "object", properties: { name: word, run: word, uses: word } },
                    },
                  },
                  required: ["id", "needs", "steps"],
                },
              },
              faults: {
                type: "array",
                items: { type: "object", properties: { line: number, message: word }, required: ["message"] },
              },
            },
            required: ["file", "triggers", "jobs", "faults"],
          },
        },
        next_cursor: NEXT_CURSOR,
      },
      required: ["workflows"],
    },
    annotations: READ,
    normalizeInput: acceptNames({ path: ["project_path"] }, "offset"),
    async run({ path, cursor }, call) {
      const { findWorkflows } = await import("../builds/workflows.js");
      const { workflows, next } = await findWorkflows(
        await workstation.accessFor(call),
        path,
        offsetOf(cursor),
        (text, signal) => workstation.parseWorkflow(text, signal),
      );
      return { workflows, ...nextCursor(next) };
    },
  });
