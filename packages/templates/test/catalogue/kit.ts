import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@toolwright/engine";
import { findValueError } from "../../src/format/parameters.js";
import type { ParameterValue, TemplateParameter, TemplateSource } from "../../src/format/template.js";
import { compileCatalogue } from "../../src/library/compile-catalogue.js";
import { Renderer } from "../../src/rendering/renderer.js";
import { NOW } from "../kit.js";

/** Every built-in template. */
export const TEMPLATES = await compileCatalogue(fileURLToPath(new URL("../../templates", import.meta.url)));

/** What a template is given: as little as it takes, all that is odd but legal, or nothing wherever nothing is legal. */
export const MANNERS = ["usual", "odd", "bare"] as const;
type Manner = (typeof MANNERS)[number];

/** Prose with whatever a language, a shell, a markup or a template could take for its own. */
export const PROSE = `Grüße "all" 'of' you \\ \\u0041 \\n $HOME \${x} #y {{ z }} {% if %} <{ a }> \${{ b }} <b>&amp;</b> */ """ \`c\` %d 日本語 🎉`;

const USUAL: Readonly<Record<string, ParameterValue>> = {
  project_name: "my-app",
  description: "Does what it says.",
  author: "Ada Lovelace",
};

const ODD: Readonly<Record<string, ParameterValue>> = {
  project_name: "Zed9-longNameOf2Words_and-some-more-parts-to-come-near-the-limit",
  entry_point: "starts_here2",
  python_version: "3.14",
  module_prefix: "git.example.co.uk/Some_Body/deep.er",
  group_id: "org.some_body.x2",
  scope: "a-b-2",
  target: "x86_64-unknown-linux-musl",
  features: ["serde/std", "dep:x_y"],
  permissions: ["--allow-net=example.com:8080,[::1]", "-R"],
  license: "(MIT OR Apache-2.0)",
  version: "10.20.30",
  default_branch: "release/1.x",
  year: "1999-2031",
  default_args: PROSE,
};

/** What else could fit: a path, a number, a version. */
const OTHERS: readonly ParameterValue[] = [PROSE, [PROSE, "two"], "src/deep.er/app-2.mts", "99", "1.99", "3.99"];

/** Parameters for a template. */
function parametersFor({ parameters }: TemplateSource, manner: Manner): JsonObject {
  const given = parameters.map((parameter) => [parameter.name, valueFor(parameter, manner)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as JsonObject;
}

function valueFor(parameter: TemplateParameter, manner: Manner): ParameterValue | undefined {
  const { name, required, type } = parameter;
  if (manner === "bare" && !required) return firstLegal(parameter, [false, "", []]);
  if (manner !== "odd") return required ? USUAL[name] : undefined;
  if (type === "boolean") return parameter.default !== true;
  if (type === "integer") return parameter.maximum;
  if (type === "enum") return parameter.enum?.at(-1);
  if (type === "array" && parameter.enum) return parameter.enum;
  const named = ODD[name];
  return firstLegal(parameter, named === undefined ? OTHERS : [named, ...OTHERS]);
}

const firstLegal = (parameter: TemplateParameter, values: readonly ParameterValue[]): ParameterValue | undefined =>
  values.find((value) => findValueError(parameter, value as never) === undefined);

/** A file that a template made. */
export interface Made {
  readonly template: TemplateSource;
  readonly manner: Manner;
  /** For messages: the words of the template and the manner. */
  readonly label: string;
  readonly filename: string;
  readonly content: string;
}

/** Templates in every manner. */
export async function makeAll(templates = TEMPLATES): Promise<readonly Made[]> {
  const renderer = new Renderer();
  const wanted = templates.flatMap((template) => MANNERS.map((manner) => ({ template, manner })));
  return Promise.all(
    wanted.map(async ({ template, manner }) => {
      const { filename, content } = await renderer.render(template, parametersFor(template, manner), { now: NOW });
      return { template, manner, label: `${wordsOf(template)} ${manner}`, filename, content };
    }),
  );
}

/** The three words of a template, such as makefile/rust/cli. */
export const wordsOf = ({ category, toolchain, variant }: TemplateSource): string =>
  `${category}/${toolchain}/${variant}`;

/** What became of a program. */
export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program to its end; what it prints and complains of is one text. */
export function run(
  program: string,
  args: readonly string[],
  { input = "", ...options }: { cwd?: string; input?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, env: { ...process.env, ...options.env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece: string) => {
        output += piece;
      });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** Whether a program is on this machine and runs. */
export const isThere = (program: string, ...args: readonly string[]): Promise<boolean> =>
  run(program, args).then(
    ({ status }) => status === 0,
    () => false,
  );
