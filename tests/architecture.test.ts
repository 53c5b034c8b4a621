import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

type Files = ReadonlyMap<string, string>;
type Rule = (files: Files) => string[];

/** The map: what each module may import beside itself, and what from outside: nothing, Node's modules, or npm packages too. */
const map: Readonly<
  Record<string, { readonly inside: readonly string[]; readonly outside: "nothing" | "node" | "npm" }>
> = {
  "engine/jsonrpc": { inside: [], outside: "nothing" },
  "engine/schema": { inside: ["engine/jsonrpc"], outside: "nothing" },
  "engine/protocol": { inside: ["engine/jsonrpc"], outside: "nothing" },
  "engine/revisions": { inside: ["engine/jsonrpc", "engine/protocol"], outside: "nothing" },
  "engine/server": {
    inside: ["engine/jsonrpc", "engine/schema", "engine/protocol", "engine/revisions"],
    outside: "node",
  },
  "engine/processes": { inside: ["engine/server"], outside: "node" },
  "engine/observability": { inside: ["engine/jsonrpc", "engine/protocol", "engine/server"], outside: "node" },
  "engine/transports": {
    inside: ["engine/jsonrpc", "engine/server", "engine/processes", "engine/observability"],
    outside: "npm",
  },
  "engine/client": {
    inside: ["engine/jsonrpc", "engine/protocol", "engine/revisions", "engine/server", "engine/transports"],
    outside: "npm",
  },
  // The server that authors create: the one of engine/server, with telemetry.
  "engine/create-server": { inside: ["engine/observability", "engine/server"], outside: "node" },
  // A server never loads the client. That the root does not load HTTP is in packages/engine/test/entry-points.test.ts.
  "engine/index": {
    inside: [
      "engine/jsonrpc",
      "engine/schema",
      "engine/protocol",
      "engine/revisions",
      "engine/server",
      "engine/create-server",
      "engine/transports",
    ],
    outside: "nothing",
  },
  "engine/types": {
    inside: ["engine/jsonrpc", "engine/protocol", "engine/server", "engine/transports"],
    outside: "nothing",
  },
  "engine/http": { inside: ["engine/transports"], outside: "nothing" },
  "engine/sockets": { inside: ["engine/transports"], outside: "nothing" },
  "engine/tasks": { inside: ["engine/server"], outside: "nothing" },
  "engine/transport": {
    inside: ["engine/jsonrpc", "engine/processes", "engine/server", "engine/transports"],
    outside: "nothing",
  },
  "engine/testing": { inside: ["engine/*"], outside: "node" },
  "kit/pack": { inside: ["kit/files", "kit/cli", "kit/pages"], outside: "node" },
  "kit/cli": {
    inside: ["kit/pack", "kit/files", "kit/json", "kit/storage", "kit/terminal", "kit/text", "kit/progress"],
    outside: "node",
  },
  "kit/terminal": { inside: ["kit/cli", "kit/json", "kit/progress"], outside: "node" },
  "kit/progress": { inside: [], outside: "node" },
  "kit/text": { inside: [], outside: "nothing" },
  "kit/json": { inside: [], outside: "nothing" },
  "kit/time": { inside: [], outside: "node" },
  "kit/threads": { inside: [], outside: "node" },
  "kit/html": { inside: [], outside: "node" },
  "kit/pages": { inside: ["kit/html", "kit/storage"], outside: "node" },
  "kit/files": { inside: ["kit/storage", "kit/text", "kit/time"], outside: "npm" },
  "kit/processes": { inside: ["kit/files"], outside: "npm" },
  "kit/git": { inside: ["kit/files", "kit/processes"], outside: "npm" },
  "kit/syntax": { inside: ["kit/files"], outside: "npm" },
  "kit/tokens": { inside: ["kit/files"], outside: "node" },
  "kit/sarif": { inside: [], outside: "node" },
  "kit/storage": { inside: ["kit/time"], outside: "npm" },
  // A pack never imports another pack.
  pack: { inside: ["kit/*"], outside: "npm" },
  "toolwright/pack": { inside: ["kit/cli", "kit/files", "kit/html", "kit/pack", "kit/pages"], outside: "nothing" },
  "toolwright/packs": { inside: ["pack", "kit/pack"], outside: "npm" },
  "toolwright/dashboard": { inside: ["kit/files", "kit/html", "kit/pages"], outside: "npm" },
  "toolwright/config": { inside: ["kit/files", "kit/text", "kit/json"], outside: "npm" },
  "toolwright/clients": { inside: ["kit/text", "kit/json"], outside: "npm" },
  "toolwright/doctor": {
    inside: ["toolwright/clients", "kit/json", "kit/processes", "kit/tokens", "kit/text"],
    outside: "node",
  },
  "toolwright/dev": { inside: ["kit/files", "kit/json"], outside: "npm" },
  "toolwright/launch": { inside: [], outside: "node" },
  "toolwright/cli": {
    inside: [
      "toolwright/clients",
      "toolwright/doctor",
      "toolwright/dev",
      "toolwright/packs",
      "pack",
      "kit/pack",
      "kit/cli",
      "kit/terminal",
      "kit/tokens",
      "kit/storage",
      "toolwright/dashboard",
      "toolwright/config",
      "kit/text",
      "kit/json",
      "kit/html",
      "kit/pages",
      "kit/files",
    ],
    outside: "npm",
  },
};

/** The entry points of the engine that the ready server may use anywhere. */
const ENGINE_ENTRIES = new Set(
  ["", "/types", "/http", "/sockets", "/tasks", "/observability", "/transport"].map((entry) => `engine${entry}`),
);

const dates = /2024-11-05|2025-03-26|2025-06-18|2025-11-25|2026-07-28/;
const placesOfDates = /^engine\/revisions\//;
const errorCodes = /-32\d{3}\b/;
const placesOfCodes =
  /^engine\/(?:jsonrpc\/errors\.ts|revisions\/|server\/compat\/error-codes\.ts)|^toolwright\/doctor\/wire\/protocol\.ts$/;
const impure =
  /(?<![.\w])(?:process\.|Date\.now\b|new Date\(|set(?:Timeout|Interval|Immediate)\b|Buffer\b|console\.|performance\.|fetch\(|Math\.random\b)/;

const tokens =
  /(?<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=[=(,:[!&|?{};]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The text without its comments. */
function toCode(text: string): string {
  return text.replaceAll(tokens, (token, literal?: string) =>
    literal === undefined ? token.replaceAll(/[^\n]/g, " ") : token,
  );
}

/** The same without what stands between backquotes: a file may hold the text of another one. */
function toFrame(text: string): string {
  return text.replaceAll(tokens, (token) => (token.startsWith("`") ? token.replaceAll(/[^\n]/g, " ") : token));
}

function sources(files: Files): [file: string, text: string, code: string][] {
  return [...files].filter(([file]) => !file.endsWith(".test.ts")).map(([file, text]) => [file, text, toCode(text)]);
}

/** `engine/server/call.ts` → `engine/server`; a pack is a module of its own. */
function moduleOf(file: string): string {
  const [owner = "", first = ""] = file.replace(/\.ts$/, "").split("/");
  return isPack(owner) ? owner : `${owner}/${first}`;
}

const isPack = (owner: string): boolean => !["engine", "kit", "toolwright"].includes(owner);

function entryOf(module: string): string {
  return isPack(module.split("/")[0] ?? "") ? "pack" : module;
}

interface Import {
  readonly target: string;
  /** Erased by the compiler: `import type`, or only `type` specifiers. */
  readonly typeOnly: boolean;
  readonly isDynamic?: boolean;
}

function importsOf(code: string): Import[] {
  const frame = toFrame(code);
  const statements = frame.matchAll(/^(?:import|export)\s+(type\s)?(?:([^"';]*?)\sfrom\s*)?["']([^"'\n]+)["']/gm);
  const calls = frame.matchAll(/\bimport\(\s*["']([^"'\n]+)["']/g);
  return [
    ...[...statements].map(([, type, clause = "", target = ""]) => ({
      target,
      typeOnly: type !== undefined || hasOnlyTypes(clause),
    })),
    ...[...calls].map(([, target = ""]) => ({ target, typeOnly: false, isDynamic: true })),
  ];
}

function hasOnlyTypes(clause: string): boolean {
  const names = /^\{(.*)\}$/s.exec(clause.trim())?.[1]?.split(",") ?? [];
  const specifiers = names.map((name) => name.trim()).filter((name) => name !== "");
  return specifiers.length > 0 && specifiers.every((specifier) => specifier.startsWith("type "));
}

/** The source file that an import of a file means: a relative one, or one of another package. Not the engine's: it has entry points. */
function resolve(file: string, target: string): string {
  const [, owner, name] = /^@toolwright\/(?!engine)([a-z]+)(?:\/(.*))?$/.exec(target) ?? [];
  if (owner !== undefined) return `${owner}/${(name ?? "index.js").replace(/\.js$/, ".ts")}`;
  return path.posix.join(path.posix.dirname(file), target).replace(/\.js$/, ".ts");
}

const modulesImportOnlyWhatTheMapAllows: Rule = (files) =>
  sources(files).flatMap(([file, , code]) => {
    const module = moduleOf(file);
    const allowed = map[entryOf(module)];
    if (allowed === undefined) return [`${file} lies in no module of the map`];
    return importsOf(code).flatMap(({ target, typeOnly }) => {
      const other = moduleOf(resolve(file, target));
      if (!target.startsWith(".") && !isPackageFile(target)) {
        // Types of packages are erased.
        const outside = typeOnly && allowed.outside === "node" ? "npm" : allowed.outside;
        return mayComeFromOutside(target, module, outside) ? [] : [`${file} imports ${target}`];
      }
      const isOnMap =
        other === module || allowed.inside.some((inside) => inside === entryOf(other) || isUnder(inside, other));
      return isOnMap ? [] : [`${file} imports ${target}`];
    });
  });

const isUnder = (pattern: string, module: string): boolean =>
  pattern.endsWith("/*") && module.startsWith(pattern.slice(0, -1));

/** An import of a workspace package by its name; `@toolwright/sqlite` only re-exports a package of npm. */
const isPackageFile = (target: string): boolean => /^@toolwright\/(?!engine|sqlite)/.test(target);

function mayComeFromOutside(target: string, module: string, outside: string): boolean {
  if (target.startsWith("node:")) return outside !== "nothing";
  if (target === "@toolwright/engine/client")
    return ["kit/cli", "kit/terminal", "toolwright/cli", "toolwright/doctor"].includes(module);
  if (target === "@toolwright/engine/testing") return module === "toolwright/doctor";
  if (target.startsWith("@toolwright/engine"))
    return !module.startsWith("engine/") && ENGINE_ENTRIES.has(target.slice("@toolwright/".length));
  return outside === "npm" && target !== "toolwright";
}

/** Cycles of values only: types are erased, and a class and its parts may name each other. */
const noFileImportsItselfRoundAbout: Rule = (files) => {
  const edges = new Map(
    sources(files).map(([file, , code]) => [
      file,
      importsOf(code)
        .filter(({ typeOnly, isDynamic }) => !typeOnly && isDynamic !== true)
        .map(({ target }) => resolve(file, target)),
    ]),
  );
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] => {
    if (trail.includes(file)) return [[...trail.slice(trail.indexOf(file)), file].join(" → ")];
    if (done.has(file)) return [];
    const cycles = (edges.get(file) ?? []).flatMap((next) => visit(next, [...trail, file]));
    done.add(file);
    return cycles;
  };
  return [...edges.keys()].flatMap((file) => visit(file, []));
};

const pureModulesUseNoClockAndNoProcess: Rule = (files) => {
  const pure = sources(files).filter(
    ([file]) => map[moduleOf(file)]?.outside === "nothing" && moduleOf(file) !== "engine/index",
  );
  return pure.flatMap(([file, , code]) => findLines(file, code.replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""'), impure));
};

const onlyRevisionsNameDates: Rule = (files) =>
  sources(files).flatMap(([file, , code]) => (placesOfDates.test(file) ? [] : findLines(file, code, dates)));

const errorCodesHaveTheirPlaces: Rule = (files) =>
  sources(files).flatMap(([file, , code]) => (placesOfCodes.test(file) ? [] : findLines(file, code, errorCodes)));

const rpcErrorsAreMadeByName: Rule = (files) =>
  sources(files).flatMap(([file, , code]) =>
    file === "engine/jsonrpc/errors.ts" ? [] : findLines(file, code, /\bnew RpcError\(/),
  );

const runtimesAreDetectedInOneFile: Rule = (files) =>
  sources(files).flatMap(([file, , code]) =>
    file === "engine/server/runtime.ts"
      ? []
      : findLines(
          file,
          code,
          /\bversions(?:\.|\["|\?\.)(?:bun|deno)\b|"(?:bun|deno)" in\b|\bglobalThis\.(?:Bun|Deno)\b/,
        ),
  );

const noDefaultExportsEnumsDecorators: Rule = (files) =>
  sources(files).flatMap(([file, , code]) => {
    const frame = file.startsWith("engine/")
      ? toFrame(code)
      : toFrame(code).replaceAll("export default definePack(", "");
    return findLines(
      file,
      frame,
      /^export default\b|\bas default\b|^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w|^\s*@\w/,
    );
  });

const exportsHaveDocComments: Rule = (files) =>
  sources(files).flatMap(([file, text]) => {
    const seen = new Set<string>();
    const exports = toFrame(text).matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|const|type) (\w+)/gm,
    );
    return [...exports].flatMap(({ 1: name = "", index }) => {
      const before = text.slice(0, index).trimEnd();
      const isDocumented = before.endsWith("*/") && before.startsWith("/**", before.lastIndexOf("/*"));
      // Of an overloaded function the first signature has the comment.
      if (isDocumented || seen.has(name)) return seen.add(name) && [];
      return [`${file}: ${name} has no doc comment`];
    });
  });

function findLines(file: string, code: string, pattern: RegExp): string[] {
  const lines = code.split("\n").map((line, index) => [index + 1, line] as const);
  return lines.filter(([, line]) => pattern.test(line)).map(([number, line]) => `${file}:${number}: ${line.trim()}`);
}

/** Every source file below packages, by a name such as `engine/server/call.ts`. */
function readFiles(): Files {
  const root = fileURLToPath(new URL("../packages/", import.meta.url));
  const owners = readdirSync(root).filter((owner) => existsSync(`${root}${owner}/src`));
  const names = owners.flatMap((owner) => {
    const inside = readdirSync(`${root}${owner}/src`, { recursive: true, encoding: "utf8" });
    return inside.filter((name) => name.endsWith(".ts")).map((name) => [owner, name.replaceAll("\\", "/")] as const);
  });
  return new Map(
    names.map(([owner, name]) => [`${owner}/${name}`, readFileSync(`${root}${owner}/src/${name}`, "utf8")]),
  );
}

/** Each rule, with files that keep it and files that break it once. */
const rules: [name: string, rule: Rule, kept: Record<string, string>, broken: Record<string, string>[]][] = [
  [
    "modules import only what the map allows",
    modulesImportOnlyWhatTheMapAllows,
    {
      "engine/jsonrpc/messages.ts": 'import { x } from "./errors.js";\n// import { y } from "../server/call.js";',
      "engine/server/methods/tools.ts": 'import { x } from "../../schema/schema.js";\nimport path from "node:path";',
      "engine/transports/http/reply.ts": 'import type { Link } from "../../server/link.js";\nimport ws from "ws";',
      "engine/testing.ts":
        'import { x } from "./index.js";\nimport { z } from "./client/peer.js";\nimport type { Y } from "./server/call.js";',
      "engine/index.ts": 'export * from "./transports/stdio.js";\nexport type { Z } from "./protocol/change.js";',
      "engine/server/call.test.ts": 'import { x } from "../transports/memory.js";',
      "todo/list-tasks.ts":
        'import { tool } from "@toolwright/engine";\nimport { z } from "zod";\nimport "@toolwright/kit/files/a.js";',
      "toolwright/cli/main.ts": 'import { todo } from "@toolwright/todo";\nawait import("../dashboard/server.js");',
      "templates/body.ts": 'const body = `\nimport { x } from "../../analysis/src/index.js";\n`;',
      "toolwright/cli/commands/call.ts": 'import { connect } from "@toolwright/engine/client";',
    },
    [
      { "engine/jsonrpc/messages.ts": 'import type { X } from "../protocol/caller.js";' },
      { "engine/schema/source.ts": 'import {\n  a,\n  b,\n} from "../protocol/caller.js";' },
      { "engine/protocol/caller.ts": 'import "node:crypto";' },
      { "engine/revisions/select.ts": 'import { z } from "zod";' },
      { "engine/server/call.ts": 'export { x } from "../transports/stdio.js";' },
      { "engine/server/pack.ts": 'import { z } from "zod";' },
      { "engine/transports/stdio.ts": 'const x = await import("../protocol/caller.js");' },
      { "engine/index.ts": 'export { connect } from "./client/connect.js";' },
      { "engine/client/client.ts": 'import { x } from "../index.js";' },
      { "engine/secrets/key.ts": "" },
      { "todo/index.ts": 'import { x } from "@toolwright/analysis";' },
      { "kit/files/reach.ts": 'import { x } from "@toolwright/todo/tasks/task.js";' },
      { "todo/index.ts": 'import { x } from "../../engine/src/server/call.js";' },
      { "toolwright/dashboard/feed.ts": 'import { x } from "@toolwright/engine/dist/index.js";' },
      { "todo/index.ts": 'import { connect } from "@toolwright/engine/client";' },
    ],
  ],
  [
    "values never import each other in a cycle",
    noFileImportsItselfRoundAbout,
    {
      "engine/server/a.ts": 'import "./b.js";\nimport "./c.js";',
      "engine/server/b.ts": 'import "./c.js";\nimport type { A } from "./a.js";',
      "engine/server/c.ts": 'import { type A } from "./a.js";\nawait import("./b.js");',
    },
    [
      { "engine/server/a.ts": 'import "./b.js";', "engine/server/b.ts": 'import { type A, b } from "./a.js";' },
      { "engine/server/a.ts": 'import "./a.js";' },
      {
        "engine/server/a.ts": 'import "./b.js";',
        "engine/server/b.ts": 'import "../c.js";',
        "engine/c.ts": 'import "./server/a.js";',
      },
    ],
  ],
  [
    "pure modules use no clock and no process",
    pureModulesUseNoClockAndNoProcess,
    {
      "engine/jsonrpc/messages.ts":
        'throw new Error("Cannot process. Buffers // fetched");\n// Date.now() would be wrong',
      "engine/server/session.ts": "setTimeout(close, Date.now());",
    },
    [
      { "engine/jsonrpc/messages.ts": "const text = Buffer.from(bytes);" },
      { "engine/schema/schema.ts": "const limit = process.env.LIMIT;" },
      { "engine/protocol/change.ts": "const at = Date.now();" },
      { "engine/revisions/select.ts": "setTimeout(select, 1);" },
    ],
  ],
  [
    "only revisions name a protocol date",
    onlyRevisionsNameDates,
    {
      "engine/revisions/select.ts": 'const newest = "2026-07-28";',
      "engine/server/call.ts": '/** Since 2025-06-18. */\nconst born = "2001-01-01";',
      "engine/server/call.test.ts": 'connect(server, { revision: "2025-06-18" });',
    },
    [
      { "engine/server/call.ts": 'if (version === "2025-06-18") return;' },
      { "engine/index.ts": "const versions = `2024-11-05`;" },
      { "toolwright/cli/main.ts": 'import x from "./2026-07-28.js";' },
    ],
  ],
  [
    "error codes are written only in jsonrpc, revisions and compat",
    errorCodesHaveTheirPlaces,
    {
      "engine/jsonrpc/errors.ts": "const parse = -32700;",
      "engine/revisions/select.ts": "const unsupported = -32022;",
      "engine/server/compat/error-codes.ts": "const missing = -32002;",
      "engine/server/call.ts": "// answered -32602\nconst size = -3270;",
    },
    [
      { "engine/server/call.ts": "throw new RpcError(-32602);" },
      { "engine/jsonrpc/messages.ts": "const parse = -32700;" },
    ],
  ],
  [
    "protocol errors are made only by the named functions of jsonrpc/errors.ts",
    rpcErrorsAreMadeByName,
    {
      "engine/jsonrpc/errors.ts": "export const parseError = () => new RpcError(1);",
      "engine/server/call.ts":
        "// never new RpcError(1)\nif (error instanceof RpcError) throw wrongState(error.message);",
      "engine/server/call.test.ts": "throw new RpcError(1);",
    },
    [
      { "engine/server/call.ts": "throw new RpcError(1);" },
      { "engine/jsonrpc/messages.ts": "const made = new RpcError(code, message);" },
      { "engine/transports/errors.ts": "return new RpcError(1);" },
    ],
  ],
  [
    "runtimes are detected in one file",
    runtimesAreDetectedInOneFile,
    {
      "engine/server/runtime.ts": 'const isBun = "bun" in process.versions;',
      "engine/transports/lines.ts": "// Bun has process.versions.bun\nconst { node } = process.versions;",
      "templates/titles.ts": 'const titles = { bun: "Bun" };',
    },
    [
      { "engine/transports/lines.ts": 'if ("deno" in process.versions) exit(1);' },
      { "engine/transports/lines.ts": 'if (process.versions["bun"] !== undefined) return;' },
      { "toolwright/cli/main.ts": "if (process.versions.deno) return;" },
    ],
  ],
  [
    "there are no default exports except of packs, and no enums and decorators",
    noDefaultExportsEnumsDecorators,
    {
      "engine/server/a.ts": '/** @see x */\nexport const schema = { enum: ["a"] };\nconst text = "export default";',
      "templates/body.ts": "const body = `\n@awk\nexport default 1;\n`;",
    },
    [
      { "engine/server/a.ts": "export default 1;" },
      { "engine/server/a.ts": "export default definePack({});" },
      { "engine/server/a.ts": "export { a as default };" },
      { "engine/server/a.ts": "export const enum Level { Low }" },
      { "engine/server/a.ts": "@sealed\nclass A {}" },
    ],
  ],
  [
    "exported things say what they are for",
    exportsHaveDocComments,
    {
      "engine/server/a.ts":
        '/** Makes a. */\nexport function a(): void;\nexport function a(b?: string): void {}\nexport { c } from "./c.js";',
      "engine/server/b.test.ts": "export const b = 1;",
      "templates/body.ts": "const body = `\nexport function a() {}\n`;",
    },
    [
      { "engine/server/a.ts": "export function a() {}" },
      { "engine/server/a.ts": "// Makes a.\nexport async function a() {}" },
      { "engine/server/a.ts": "/* Is a. */\nexport interface A {}" },
      { "engine/server/a.ts": "/** Is a. */\nconst a = 1;\n\nexport const b = 2;" },
      { "engine/server/a.ts": "export abstract class A {}" },
    ],
  ],
];

describe("the house", () => {
  const files = readFiles();
  test("has files to look at", () => expect(files.size).toBeGreaterThan(0));
  test.each(rules)("%s", (_name, rule) => expect(rule(files)).toEqual([]));
});

describe("the rule can fail:", () => {
  test.each(rules)("%s", (_name, rule, kept, broken) => {
    expect(rule(new Map(Object.entries(kept)))).toEqual([]);
    for (const files of broken) expect(rule(new Map(Object.entries(files))), JSON.stringify(files)).toHaveLength(1);
  });
});
