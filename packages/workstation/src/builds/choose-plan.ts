import { ToolError } from "@toolwright/engine";
import type { BuildAction, Ecosystem, Plan, Project } from "./ecosystem.js";
import { dotnet } from "./ecosystems/dotnet.js";
import { go } from "./ecosystems/go.js";
import { java } from "./ecosystems/java.js";
import { make } from "./ecosystems/make.js";
import { node } from "./ecosystems/node.js";
import { python } from "./ecosystems/python.js";
import { rust } from "./ecosystems/rust.js";

/** All ecosystems. If a folder has several, the first one is used: tools of the last ones often serve the others. */
const ECOSYSTEMS: readonly Ecosystem[] = [rust, go, java, dotnet, node, python, make];

/** The command to run, and the ecosystems of the folder. */
export interface Choice {
  readonly ecosystem: Ecosystem["name"];
  /** All ecosystems of the folder. */
  readonly found: readonly Ecosystem["name"][];
  readonly plan: Plan;
}

/** Finds the command for an action. The first ecosystem that has one is used. */
export async function choosePlan(action: BuildAction, project: Project, wanted: string): Promise<Choice> {
  const present = ECOSYSTEMS.filter((each) => each.markIn(project.names) !== undefined);
  const found = present.map(({ name }) => name);
  const candidates = wanted === "auto" ? present : present.filter(({ name }) => name === wanted);
  if (candidates.length === 0) throw noProjectError(project, wanted, found);
  const reasons: string[] = [];
  for (const ecosystem of candidates) {
    const plan = await ecosystem.plan(action, project);
    if (typeof plan !== "string") return { ecosystem: ecosystem.name, found, plan };
    reasons.push(`${ecosystem.name}: ${plan}`);
  }
  throw new ToolError(`Cannot ${action} the project: ${reasons.join(". ")}.`, {
    code: "UNAVAILABLE",
    details: { path: project.folder, found: [...found] },
  });
}

const MARKS =
  "Cargo.toml, go.mod, pom.xml, build.gradle, *.sln, *.csproj, package.json, pyproject.toml, setup.py, requirements.txt, Makefile";

function noProjectError({ folder }: Project, wanted: string, found: readonly string[]): ToolError {
  const reason =
    found.length === 0
      ? `it contains none of ${MARKS}. Set project_path to the folder of the project`
      : `it has ${found.join(", ")}, but no ${wanted}. Omit ecosystem, or name one of these`;
  return new ToolError(`Cannot find a project in ${folder}: ${reason}.`, {
    code: "NOT_FOUND",
    details: { path: folder, expected: wanted, found: [...found] },
  });
}
