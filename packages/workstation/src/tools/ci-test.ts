import { tool } from "@toolwright/engine";
import { RUNS } from "../annotations.js";
import { BUILD_PROPERTIES } from "../builds/build-input.js";
import { BUILD_OUTPUT } from "../builds/build-result.js";
import type { Workstation } from "../workstation.js";
import { runBuildTool } from "./run-build-tool.js";

/** Runs the tests of a project. */
export const ciTest = (workstation: Workstation) =>
  tool({
    name: "ci_test",
    title: "Test a project",
    description: "Runs the tests of a project and gives the failures {file, line, test, message}.",
    toolset: "builds",
    aliases: ["RunTestsAsync"],
    input: {
      type: "object",
      properties: { ...BUILD_PROPERTIES, test: { type: "string", description: "Only tests with this name." } },
    },
    output: BUILD_OUTPUT,
    annotations: RUNS,
    timeoutMs: workstation.settings.build_ms + 30_000,
    taskSupport: "optional",
    run: (input, call) => runBuildTool(workstation, "test", input, call),
  });
