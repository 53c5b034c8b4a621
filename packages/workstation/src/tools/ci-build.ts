import { tool } from "@toolwright/engine";
import { RUNS } from "../annotations.js";
import { BUILD_PROPERTIES } from "../builds/build-input.js";
import { BUILD_OUTPUT } from "../builds/build-result.js";
import type { Workstation } from "../workstation.js";
import { runBuildTool } from "./run-build-tool.js";

/** Builds a project. */
export const ciBuild = (workstation: Workstation) =>
  tool({
    name: "ci_build",
    title: "Build a project",
    description: "Builds a project with its own tools and gives parsed failures, counts and a log for process_read.",
    toolset: "builds",
    aliases: ["BuildAsync"],
    input: { type: "object", properties: BUILD_PROPERTIES },
    output: BUILD_OUTPUT,
    annotations: RUNS,
    timeoutMs: workstation.settings.build_ms + 30_000,
    taskSupport: "optional",
    run: (input, call) => runBuildTool(workstation, "build", input, call),
  });
