import { describe, expect, test } from "vitest";
import {
  begunIn,
  codeOf,
  type Heard,
  makeFolder,
  makeProject,
  oneTool,
  openV1,
  openV2,
  PATIENCE,
  put,
  textOf,
  until,
} from "./kit.js";

type Caller = { callTool(wish: { name: string }): Promise<unknown> };

const versionOf = async (client: Caller): Promise<string> => textOf(await client.callTool({ name: "version" }));

/** Calls a tool that asks, saves new code before the answer, and gives what was asked and what the call came to. */
async function askWhileSaved(
  folder: string,
  client: Caller,
  heard: Heard,
): Promise<{ asked: readonly string[]; text: string }> {
  const asked: string[] = [];
  let answer: (content: Record<string, string>) => void = () => undefined;
  heard.answer = (message) => {
    asked.push(message);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const call = client.callTool({ name: "ask" });
  await until(() => asked.length > 0);
  put(folder, "src/server.ts", codeOf("v1"));
  await until(async () => (await versionOf(client)) === "v1");
  answer({ name: "Grace" });
  return { asked, text: textOf(await call) };
}

describe("a connection while its code is saved", () => {
  test(
    "survives ten swaps with a call in flight at each, and every call is answered once, by the code that it began in",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client, heard } = await openV1(folder);
      const slow: Promise<unknown>[] = [];
      const news: string[] = [];
      for (let round = 0; round < 10; round += 1) {
        const call = { name: "wait", arguments: { file: `gate${round}` } };
        slow.push(client.callTool(call, undefined, { onprogress: ({ message = "" }) => news.push(message) }));
        const name = `gate${round}\n`;
        await until(() => begunIn(folder).includes(name));
        put(folder, "src/server.ts", codeOf(`v${round + 1}`));
        await until(async () => (await versionOf(client)) === `v${round + 1}`);
      }
      for (let round = 0; round < 10; round += 1) put(folder, `gate${round}`, "");
      const answers = await Promise.all(slow);
      expect(answers.map(textOf)).toEqual(Array.from({ length: 10 }, (_, round) => `v${round} gate${round}`));
      // The engine says now and then that a call still runs.
      expect(news.filter((word) => /^v\d$/.test(word)).sort()).toEqual(
        Array.from({ length: 10 }, (_, round) => `v${round}`),
      );
      expect(heard.changes).toEqual([]);
    },
    PATIENCE,
  );

  test(
    "loses no call and answers none twice while calls never stop",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client } = await openV1(folder);
      const strays: unknown[] = [];
      Object.assign(client, { onerror: (error: Error) => strays.push(error) });
      const seen: string[] = [];
      const state = { hasEnded: false };
      const caller = (async () => {
        while (!state.hasEnded) seen.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => versionOf(client)))));
      })();
      for (const version of ["v1", "v2", "v3"]) {
        put(folder, "src/server.ts", codeOf(version));
        await until(() => seen.includes(version));
      }
      state.hasEnded = true;
      await caller;
      expect(strays).toEqual([]);
      expect([...new Set(seen)]).toEqual(["v0", "v1", "v2", "v3"]);
    },
    PATIENCE,
  );

  test(
    "hears of the lists that have changed, and of no others",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client, heard } = await openV1(folder);
      put(folder, "src/server.ts", codeOf("v1", oneTool("more")));
      await until(() => heard.changes.length > 0);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("more");
      await until(() => heard.stderr.text.includes("tools: added more"));
      expect(heard.changes).toEqual(["tools"]);
      expect((await client.listPrompts()).prompts).toEqual([]);
    },
    PATIENCE,
  );

  test(
    "brings a question to the client, and its answer to the code that asked",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client, heard } = await openV1(folder);
      expect(await askWhileSaved(folder, client, heard)).toEqual({ asked: ["Who asks v0?"], text: "v0 Grace" });
    },
    PATIENCE,
  );
});

const official = (version: string, more = ""): string => `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
const server = new McpServer({ name: "official", version: "1.0.0" });
server.registerTool("version", {}, () => ({ content: [{ type: "text", text: "${version}" }] }));
${more}
await server.connect(new StdioServerTransport());
`;

test(
  "a server on the official engine is swapped as well, and its first prompt is seen by a client that knew of none",
  async () => {
    const folder = makeFolder({ "server.mjs": official("v0") });
    const { client, heard } = await openV1(folder, ["server.mjs"]);
    expect(await versionOf(client)).toBe("v0");
    expect((await client.listPrompts()).prompts).toEqual([]);
    const prompt = 'server.registerPrompt("first", {}, () => ({ messages: [] }));';
    put(folder, "server.mjs", official("v1", prompt));
    await until(() => heard.changes.length > 0);
    expect(heard.changes).toEqual(["prompts"]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["first"]);
    expect(await versionOf(client)).toBe("v1");
  },
  PATIENCE,
);

describe("a stateless client while code is saved", () => {
  test(
    "is served by the new code, and hears that the tools have changed",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client, heard } = await openV2(folder);
      expect(await versionOf(client)).toBe("v0");
      put(folder, "src/server.ts", codeOf("v1", oneTool("more")));
      await until(() => heard.changes.length > 0);
      expect(await versionOf(client)).toBe("v1");
      put(folder, "src/server.ts", codeOf("v2"));
      await until(() => heard.changes.length > 1);
      expect(await versionOf(client)).toBe("v2");
      expect(heard.changes).toEqual(["tools", "tools"]);
    },
    PATIENCE,
  );

  test(
    "brings the rounds of a question to the code that asked",
    async () => {
      const folder = makeProject(codeOf("v0"));
      const { client, heard } = await openV2(folder);
      expect((await askWhileSaved(folder, client, heard)).text).toBe("v0 Grace");
    },
    PATIENCE,
  );
});
