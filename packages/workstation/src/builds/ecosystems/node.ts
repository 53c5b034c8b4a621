import type { BuildAction, Ecosystem, Plan, Project } from "../ecosystem.js";
import type { Parser } from "../findings.js";
import { parseJest, parseMocha, parseNodeTest, parseVitest } from "../parsers/js-test-parsers.js";
import { parseColonLines, parseParenthesisLines } from "../parsers/line-parsers.js";
import { parseEslint, parseLintBlocks } from "../parsers/lint-parsers.js";
import { titlePattern } from "../test-names.js";

const LOCKS: Readonly<Record<string, PackageManager>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
};

/** A script can run any of these tools. Each parser finds nothing in the output of other tools. */
const PARSERS: readonly Parser[] = [
  parseParenthesisLines,
  parseEslint,
  parseLintBlocks,
  parseVitest,
  parseJest,
  parseMocha,
  parseNodeTest,
];

type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly packageManager?: string;
}

/** The tools to run without a script, with their arguments. */
const TOOLS: Readonly<Record<Exclude<BuildAction, "restore">, readonly (readonly string[])[]>> = {
  build: [["tsc", "--noEmit", "--pretty", "false"]],
  test: [["vitest", "run"], ["jest"], ["mocha"]],
  lint: [
    ["eslint", "--format=json", "."],
    ["biome", "ci", "--reporter=github"],
    ["oxlint", "--format=github"],
    ["tsc", "--noEmit", "--pretty", "false"],
  ],
};

/** Node.js, with the package manager of the lock file. Scripts of package.json are preferred. */
export const node: Ecosystem = {
  name: "node",
  markIn: (names) => (names.has("package.json") ? "package.json" : undefined),
  async plan(action, project) {
    const manifest = readManifest(await project.read("package.json"));
    if (manifest === undefined) return "package.json is not a valid JSON object. Fix it first";
    const manager = packageManagerOf(project, manifest);
    if (action === "restore") return createPlan(project, manager, restoreArgs(manager, project.names));
    const script = manifest.scripts?.[action];
    // The default script of `npm init`.
    if (typeof script !== "string" || script.includes("no test specified")) return ownTool(action, project);
    const filter = filterArgs(manager, script, project.test);
    return typeof filter === "string" ? filter : createPlan(project, manager, ["run", action, ...filter]);
  },
};

async function ownTool(action: Exclude<BuildAction, "restore">, project: Project): Promise<Plan | string> {
  for (const [name = "", ...args] of TOOLS[action]) {
    const program = `./node_modules/.bin/${name}`;
    if (!(await project.hasOwn(program)) || (name === "tsc" && !project.names.has("tsconfig.json"))) continue;
    return createPlan(project, program, [...args, ...(action === "test" ? filterOf(name, project.test) : [])]);
  }
  if (action === "test") return createPlan(project, "node", ["--test", ...filterOf("node", project.test)]);
  return `package.json has no script "${action}", and no tool for it is in node_modules. Add a script, or run ci_restore first`;
}

const createPlan = ({ isOnline }: Project, program: string, args: readonly string[]): Plan => ({
  program,
  args,
  env: {
    npm_config_color: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    ...(!isOnline && { npm_config_offline: "true" }),
  },
  parsers: PARSERS,
  fallback: parseColonLines,
  install:
    program === "npm" || program === "node"
      ? "Install Node from https://nodejs.org"
      : `Install it with: npm install -g ${program}`,
});

function readManifest(text: string | undefined): Manifest | undefined {
  try {
    return (JSON.parse((text ?? "").replace(/^\uFEFF/, "")) as Manifest | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function packageManagerOf({ names }: Project, { packageManager }: Manifest): PackageManager {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(packageManager ?? "")?.[1] as PackageManager | undefined;
  const lock = Object.keys(LOCKS).find((name) => names.has(name));
  return named ?? (lock === undefined ? undefined : LOCKS[lock]) ?? "npm";
}

function restoreArgs(manager: PackageManager, names: ReadonlySet<string>): readonly string[] {
  if (manager === "npm") return [names.has("package-lock.json") ? "ci" : "install"];
  if (manager === "yarn") return ["install", names.has(".yarnrc.yml") ? "--immutable" : "--frozen-lockfile"];
  return ["install", "--frozen-lockfile"];
}

/** A test can only be selected if the script is a single command of a known runner. */
function filterArgs(manager: PackageManager, script: string, test: string | undefined): readonly string[] | string {
  if (test === undefined) return [];
  const known = /^(?:npx )?(vitest|jest|mocha)(?: [^|&;]*)?$/.exec(script.trim())?.[1];
  // Node.js passes arguments after a file to that file.
  const runner = known ?? (/^node(?: --[\w=-]+)* --test(?: --[\w=-]+)*$/.test(script.trim()) ? "node" : undefined);
  if (runner === undefined)
    return `The script "test" is not a single command of vitest, jest, mocha or node --test, so one test cannot be selected. Omit test`;
  return [...(manager === "npm" || manager === "bun" ? ["--"] : []), ...filterOf(runner, test)];
}

function filterOf(runner: string, test: string | undefined): readonly string[] {
  if (test === undefined) return [];
  const option = { vitest: "--testNamePattern", jest: "--testNamePattern", mocha: "--grep" }[runner];
  return [`${option ?? "--test-name-pattern"}=${titlePattern(test)}`];
}
