import { tool } from "@toolwright/engine";
import { RUNS } from "../annotations.js";
import { BUILD_PROPERTIES } from "../builds/build-input.js";
import { BUILD_OUTPUT } from "../builds/build-result.js";
import type { Workstation } from "../workstation.js";
import { runBuildTool } from "./run-build-tool.js";

/** Lints a project. */
export const ciLint = (workstation: Workstation) =>
  tool({
    name: "ci_lint",
    title: "Lint a project",
    description: "Lints a project with its own linter.",
    toolset: "builds",
    input: { type: "object", properties: BUILD_PROPERTIES },
    output: BUILD_OUTPUT,
    annotations: RUNS,
    timeoutMs: workstation.settings.build_ms + 30_000,
    taskSupport: "optional",
    run: (input, call) => runBuildTool(workstation, "lint", input, call),
  });
