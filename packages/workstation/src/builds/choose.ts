import { ToolError } from "@toolwright/engine";
import type { Deed, Ecosystem, Plan, Project } from "./ecosystem.js";
import { ECOSYSTEMS } from "./ecosystems.js";

/** What is to be run, and what else a folder has. */
export interface Choice {
  readonly ecosystem: Ecosystem["name"];
  /** All that the folder has, the one that was taken among them. */
  readonly found: readonly Ecosystem["name"][];
  readonly plan: Plan;
}

/** Finds out how a deed is done in a project. Where there are several ways, the first one that knows how is taken. */
export async function choosePlan(deed: Deed, project: Project, wanted: string): Promise<Choice> {
  const here = ECOSYSTEMS.filter((each) => each.markIn(project.names) !== undefined);
  const found = here.map(({ name }) => name);
  const asked = wanted === "auto" ? here : here.filter(({ name }) => name === wanted);
  if (asked.length === 0) throw noProject(project, wanted, found);
  const reasons: string[] = [];
  for (const ecosystem of asked) {
    const plan = await ecosystem.plan(deed, project);
    if (typeof plan !== "string") return { ecosystem: ecosystem.name, found, plan };
    reasons.push(`${ecosystem.name}: ${plan}`);
  }
  throw new ToolError(`Cannot ${deed} the project: ${reasons.join(". ")}.`, {
    code: "UNAVAILABLE",
    details: { path: project.folder, found: [...found] },
  });
}

const MARKS =
  "Cargo.toml, go.mod, pom.xml, build.gradle, *.sln, *.csproj, package.json, pyproject.toml, setup.py, requirements.txt, Makefile";

function noProject({ folder }: Project, wanted: string, found: readonly string[]): ToolError {
  const state =
    found.length === 0
      ? `there is none of ${MARKS} in it. Give the folder of the project as project_path`
      : `it has ${found.join(", ")}, but no ${wanted}. Leave out ecosystem, or name one of these`;
  return new ToolError(`Cannot find a project in ${folder}: ${state}.`, {
    code: "NOT_FOUND",
    details: { path: folder, expected: wanted, found: [...found] },
  });
}
