import { tool } from "@toolwright/engine";
import { RUNS } from "../annotations.js";
import { BUILD_PROPERTIES } from "../builds/build-input.js";
import { BUILD_OUTPUT } from "../builds/build-result.js";
import type { Workstation } from "../workstation.js";
import { runBuildTool } from "./run-build-tool.js";

/** Fetches what a project depends on. */
export const ciRestore = (workstation: Workstation) =>
  tool({
    name: "ci_restore",
    title: "Fetch dependencies",
    description: "Fetches the dependencies of a project. Needs the network.",
    toolset: "builds",
    aliases: ["RestoreAsync"],
    input: { type: "object", properties: BUILD_PROPERTIES },
    output: BUILD_OUTPUT,
    annotations: RUNS,
    timeoutMs: workstation.settings.build_ms + 30_000,
    taskSupport: "optional",
    run: (input, call) => runBuildTool(workstation, "restore", input, call),
  });
