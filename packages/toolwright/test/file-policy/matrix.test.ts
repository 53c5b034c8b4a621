import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMemoryServer } from "../../src/cli/memory-server.js";
import { loadServeConfig } from "../../src/cli/serve-config.js";
import { type Arena, createArena, protectedFiles, SECRET_NAME, SECRETS, SPELLINGS, TARGETS } from "./arena.js";
import { NO_TOOL_PATHS, PROMPT_PATHS, TEMPLATES_WITH_PATHS, TOOL_PATHS } from "./table.js";

type Client = Awaited<ReturnType<typeof connect>>;

let arena: Arena;
let client: Client;
let tools: readonly { readonly name: string; readonly inputSchema: JsonObject }[];
let close: () => Promise<void>;

beforeAll(async () => {
  arena = createArena();
  const words = ["--config", arena.configuration, "--state", arena.stateFolder, "--all-tools"];
  const config = await loadServeConfig(words, { env: {}, folder: arena.root });
  const server = await createMemoryServer(config, arena.stateFolder, "1.0.0");
  client = await connect({ server });
  // Tools that are only called under their old names are not listed.
  tools = server.tools.map((tool) => ({ name: tool.name, inputSchema: (tool.input ?? {}) as JsonObject }));
  await client.callTool("kb_create", { collection: "attack" });
  close = async () => {
    await client.close();
    await server.close();
  };
}, 60_000);

afterAll(async () => {
  await close();
  arena.remove();
});

/** The secrets in an answer; names count where the path that was given did not have them. */
function leaksIn(answer: unknown, given: string): string[] {
  const text = JSON.stringify(answer);
  const isGiven = given.toLowerCase().includes(SECRET_NAME);
  return [...SECRETS, ...(isGiven ? [] : [SECRET_NAME])].filter((secret) => text.includes(secret));
}

const ask = (request: Promise<unknown>): Promise<unknown> =>
  request.catch((error: Error & { readonly data?: unknown }) => ({ message: error.message, data: error.data }));

/** Each argument gets every target in three of the spellings, the next argument in three others. */
const casesFor = (turn: number): readonly string[] => [
  ".",
  ...TARGETS.flatMap((target, at) =>
    SPELLINGS.filter((_, spelling) => (spelling + at + turn) % 3 === 0).map((spell) => spell(target, arena.root)),
  ),
];

async function attack(turn: number, send: (given: string) => Promise<unknown>): Promise<void> {
  const before = protectedFiles(arena);
  const leaks: string[] = [];
  for (const given of casesFor(turn)) {
    const found = leaksIn(await ask(send(given)), given);
    if (found.length > 0) leaks.push(`${given}: ${found.join(", ")}`);
  }
  expect(leaks).toEqual([]);
  expect(protectedFiles(arena)).toEqual(before);
}

describe("every tool that takes a path", () => {
  /** The arguments whose name or description says that they are paths. */
  function pathsOf(schema: JsonObject, at = ""): readonly string[] {
    const nested = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((key) => (schema[key] ?? []) as JsonObject[]);
    const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonObject>);
    const inside = [
      ...nested.flatMap((each) => pathsOf(each, at)),
      ...properties.flatMap(([name, each]) => pathsOf(each, `${at}.${name}`)),
      ...["items", "additionalProperties"].flatMap((key) =>
        typeof schema[key] === "object" && schema[key] !== null ? pathsOf(schema[key] as JsonObject, at) : [],
      ),
    ];
    const isText = [schema["type"]].flat().includes("string") && schema["enum"] === undefined;
    const name = at.slice(at.lastIndexOf(".") + 1);
    const isPath =
      /path|file|folder|director|source|target|destination|cwd|uri|^(?:to|from|root)$/i.test(name) ||
      (typeof schema["description"] === "string" && /\b(?:path|folder)s?\b/i.test(schema["description"]));
    return isText && isPath ? [...inside, at] : inside;
  }

  test("is in the table", () => {
    const taken = tools.flatMap(({ name, inputSchema }) => pathsOf(inputSchema).map((at) => `${name}${at}`));
    const known = new Set([...Object.keys(TOOL_PATHS), ...Object.keys(NO_TOOL_PATHS)]);
    expect([...new Set(taken)].filter((argument) => !known.has(argument))).toEqual([]);
  });

  test("is attacked with valid arguments", async () => {
    const invalid: string[] = [];
    for (const [argument, call] of Object.entries(TOOL_PATHS)) {
      const [tool = ""] = argument.split(".");
      const text = JSON.stringify(await ask(client.callTool(tool, call("missing/a"))));
      if (/invalid arguments|unknown argument/i.test(text)) invalid.push(`${argument}: ${text.slice(0, 300)}`);
    }
    expect(invalid).toEqual([]);
  }, 120_000);

  test.each(Object.entries(TOOL_PATHS).map(([argument, call], turn) => [argument, call, turn] as const))(
    "%s reaches nothing that is hidden, outside or the server's own",
    async (argument, call, turn) => {
      const [tool = ""] = argument.split(".");
      await attack(turn, (given) => client.callTool(tool, call(given)));
    },
    120_000,
  );
});

describe("resources", () => {
  test("every template is in the table", async () => {
    const { resourceTemplates } = await client.request("resources/templates/list", {});
    const uris = (resourceTemplates as { readonly uriTemplate: string }[]).map(({ uriTemplate }) => uriTemplate);
    expect(uris.filter((uri) => TEMPLATES_WITH_PATHS[uri] === undefined)).toEqual([]);
  });

  test("of files reach nothing that is hidden, outside or the server's own", async () => {
    const toUri = (given: string): string =>
      given.startsWith("file:") ? given : `file://${given.startsWith("/") ? "" : `${arena.root}/`}${given}`;
    for (const turn of [0, 1, 2]) await attack(turn, (given) => client.readResource(toUri(given)));
    for (const target of TARGETS) {
      const encoded = Array.from(Buffer.from(path.join(arena.root, target.path)), (byte) => `%${byte.toString(16)}`);
      expect(leaksIn(await ask(client.readResource(`file:///${encoded.join("")}`)), target.path)).toEqual([]);
    }
  });

  test("are listed and completed without hidden names", async () => {
    expect(leaksIn(await client.listResources(), "")).toEqual([]);
    for (const value of [
      "",
      "v",
      "vault/",
      "state/",
      ".e",
      "../",
      "../outside/",
      "link-vault/",
      `${arena.root}/vault/`,
    ]) {
      const ref = { type: "ref/resource", uri: "file:///{+path}" };
      const found = await ask(client.request("completion/complete", { ref, argument: { name: "path", value } }));
      expect(leaksIn(found, value)).toEqual([]);
    }
  });
});

describe("prompts", () => {
  test("that take a path are in the table", async () => {
    const prompts = (await client.listPrompts()) as { name: string; arguments?: { name: string }[] }[];
    const taken = prompts.flatMap(({ name, arguments: args = [] }) => args.map((each) => `${name}.${each.name}`));
    const paths = taken.filter((argument) => /path|file|folder|director/.test(argument.split(".")[1] ?? ""));
    expect(paths.filter((argument) => PROMPT_PATHS[argument] === undefined)).toEqual([]);
  });

  test.each(Object.entries(PROMPT_PATHS))("%s reaches nothing that is out of reach", async (argument, others) => {
    const [name = "", key = ""] = argument.split(".");
    await attack(1, (given) => client.getPrompt(name, { ...others, [key]: given }));
    for (const value of ["", "vault/", "state/", "../outside/"]) {
      const request = { ref: { type: "ref/prompt", name }, argument: { name: key, value } };
      expect(leaksIn(await ask(client.request("completion/complete", request)), value)).toEqual([]);
    }
  });
});
