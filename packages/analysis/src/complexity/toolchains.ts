import { ToolError } from "@toolwright/engine";
import { LANGUAGES, type Language } from "@toolwright/kit/syntax";
import { nearest } from "@toolwright/kit/text";

const WEB: readonly Language[] = ["typescript", "tsx", "javascript"];

/** Which languages a toolchain works with; a language stands for itself. */
const TOOLCHAINS: ReadonlyMap<string, readonly Language[]> = new Map([
  ...(Object.keys(LANGUAGES) as Language[]).map((language): [string, readonly Language[]] => [language, [language]]),
  ["typescript", ["typescript", "tsx"]],
  ["node", WEB],
  ["deno", WEB],
  ["bun", WEB],
  ["python-uv", ["python"]],
  ["cargo", ["rust"]],
]);

/** What else people call a language. */
const ALIASES: Readonly<Record<string, string>> = {
  "c#": "csharp",
  cs: "csharp",
  "c++": "cpp",
  ts: "typescript",
  js: "javascript",
  py: "python",
  golang: "go",
  nodejs: "node",
  "node.js": "node",
  rb: "ruby",
  rs: "rust",
  kt: "kotlin",
};

/** The languages of a toolchain; undefined = all that are found. Throws where there is none of that name. */
export function languagesOf(toolchain: string): readonly Language[] | undefined {
  const name = toolchain.toLowerCase();
  if (name === "auto") return undefined;
  const languages = TOOLCHAINS.get((Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined) ?? name);
  if (languages !== undefined) return languages;
  const allowed = ["auto", ...TOOLCHAINS.keys()];
  const meant = nearest(name, allowed);
  throw new ToolError(
    `Cannot analyse for the toolchain ${JSON.stringify(toolchain)}: there is none of that name.${meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`} Give one of ${allowed.join(", ")}.`,
    { code: "INVALID_ARGUMENT", details: { toolchain, allowed } },
  );
}
