import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Listening, startListening } from "../support/start-listening.js";
import { type AgentName, Home, INSTALL, isHere } from "./agents.js";
import { main, prepareReadyServer, type ReadyServer } from "./ready-server.js";

/** They are large programs, and two run at once. */
const TIME_LIMIT_MS = 120_000;

let ready: ReadyServer;
let listening: Listening;
beforeAll(async () => {
  ready = prepareReadyServer();
  listening = await startListening(ready.args, "--sse");
}, TIME_LIMIT_MS);
afterAll(async () => {
  const code = await listening.close();
  ready.clear();
  expect(code).toBe(0);
});

function enterHome(): Home {
  const home = new Home();
  onTestFinished(() => home.clear());
  return home;
}

/** Runs the steps of the manual, and returns the output that failed. */
async function follow(home: Home, agent: AgentName, lines: readonly (readonly string[])[]): Promise<void> {
  for (const line of lines) {
    const { code, text } = await home.ask(agent, ...line);
    expect([line.join(" "), code, code === 0 ? "" : text]).toEqual([line.join(" "), 0, ""]);
  }
}

/** How each assistant is configured, as its manual says. */
const TELLING: Readonly<Record<AgentName, (home: Home, sse: string) => Promise<void>>> = {
  claude: (home, sse) =>
    follow(home, "claude", [
      ["mcp", "add", "started", "--", ready.command, ...ready.args],
      ["mcp", "add", "--transport", "http", "reached", listening.url],
      ["mcp", "add", "--transport", "sse", "streamed", sse],
    ]),
  gemini: (home, sse) =>
    follow(home, "gemini", [
      ["mcp", "add", "--scope", "user", "started", ready.command, "--", ...ready.args],
      ["mcp", "add", "--scope", "user", "--transport", "http", "reached", listening.url],
      ["mcp", "add", "--scope", "user", "--transport", "sse", "streamed", sse],
    ]),
  opencode: async (home, sse) => {
    const mcp = {
      started: { type: "local", command: [ready.command, ...ready.args] },
      reached: { type: "remote", url: listening.url },
      streamed: { type: "remote", url: sse },
    };
    writeFileSync(path.join(home.work, "opencode.json"), JSON.stringify({ mcp }));
  },
};

/** How each assistant reports a connection. */
const SAYING: Readonly<Record<AgentName, (server: string) => RegExp>> = {
  claude: (server) => new RegExp(`^${server}: .* - ✔ Connected$`, "m"),
  gemini: (server) => new RegExp(`^✓ ${server}: .* - Connected$`, "m"),
  opencode: (server) => new RegExp(`✓ ${server} connected$`, "m"),
};

const AGENTS = [
  ["Claude Code", "claude", "claude-code"],
  ["Gemini CLI", "gemini", "gemini"],
  ["OpenCode", "opencode", "opencode"],
] as const;

describe.each(AGENTS)("%s", (_title, agent, client) => {
  const skipped = isHere(agent) ? "" : ` (skipped: ${INSTALL})`;
  const check = test.skipIf(skipped !== "");
  const listed = async (home: Home) => (await home.ask(agent, "mcp", "list")).text;

  check(
    `connects to the ready server over stdio, HTTP and HTTP+SSE${skipped}`,
    { timeout: TIME_LIMIT_MS },
    async () => {
      const home = enterHome();
      await TELLING[agent](home, new URL("/sse", listening.url).href);
      const text = await listed(home);
      for (const server of ["started", "reached", "streamed"]) expect(text).toMatch(SAYING[agent](server));
    },
  );

  check(`finds what \`toolwright install\` has written${skipped}`, { timeout: TIME_LIMIT_MS }, async () => {
    const home = enterHome();
    const toolwright = (call: string) => home.run([process.execPath, main, call, client, "--yes"]);
    expect(await toolwright("install")).toMatchObject({ code: 0 });
    expect(await listed(home)).toMatch(SAYING[agent]("toolwright"));
    expect(await toolwright("uninstall")).toMatchObject({ code: 0 });
    expect(await listed(home)).not.toMatch(SAYING[agent]("toolwright"));
  });
});
