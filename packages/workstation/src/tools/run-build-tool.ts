import type { Call } from "@toolwright/engine";
import { askFirst } from "../asking.js";
import type { Workstation } from "../workstation.js";

/** Does what ci_build, ci_test, ci_restore and ci_lint have in common; what it needs is loaded when the first one is called. */
export async function runBuildTool(
  workstation: Workstation,
  deed: "build" | "test" | "restore" | "lint",
  input: {
    readonly project_path: string;
    readonly projectPath?: string;
    readonly ecosystem: string;
    readonly test?: string;
  },
  call: Call,
) {
  const [{ runBuild }, { toBuildResult }, processes, reach] = await Promise.all([
    import("../builds/run-build.js"),
    import("../builds/build-result.js"),
    workstation.processes(),
    workstation.reach(call),
  ]);
  const { project_path, projectPath = project_path, ecosystem, test } = input;
  const ask = (what: string): Promise<void> => askFirst(workstation, call, what, "destructive");
  const place = { settings: workstation.settings, processes, reach, ask };
  return toBuildResult(await runBuild(place, { deed, path: projectPath, ecosystem, test }, call));
}
