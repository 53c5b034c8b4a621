import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { createServer, ToolError, tool } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { audit } from "@toolwright/engine/observability";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeFolder } from "../../../../todo/test/kit.js";
import { createDashboard } from "../../../src/dashboard/dashboard.js";
import { mainOf, textOf } from "./kit.js";

const weather = tool({
  name: "weather",
  description: "Tells the weather.",
  input: { type: "object", properties: { place: { type: "string" } } },
  run: ({ place }) => {
    if (place === "nowhere") throw new ToolError("No.", { code: "NO_WEATHER" });
    return "blue";
  },
});

interface Site {
  readonly client: TestClient;
  /** The page as it is, and the words of its section on the audit log; undefined where it has none. */
  readonly look: () => Promise<{ readonly page: string; readonly audit: string | undefined }>;
}

/** A server that keeps an audit log, and its dashboard; `shown` is the file that the dashboard looks at. */
async function openAudited(file: string, shown: string | undefined): Promise<Site> {
  const server = createServer({ name: "a", version: "1.0.0", tools: [weather], middleware: [audit({ file })] });
  const client = await connectTestClient(server);
  const dashboard = createDashboard({
    version: "1.0.0",
    pages: () => [],
    server: { server, packs: () => [], auditFile: shown, isStandalone: false },
    log: () => undefined,
  });
  const pages = createServer({ name: "pages", version: "1.0.0", tools: [] });
  const serving = await serveHttp(pages, { port: 0, pages: dashboard });
  onTestFinished(async () => {
    dashboard.close();
    client.close();
    await serving.close();
    await pages.close();
    await server.close();
  });
  const look: Site["look"] = async () => {
    const page = await (await fetch(new URL("/server", serving.url))).text();
    const section = /<h2>Audit log<\/h2>([^]*?)<\/section>/.exec(mainOf(page))?.[1];
    return { page, audit: section === undefined ? undefined : textOf(section) };
  };
  return { client, look };
}

test("the end of the audit log is shown, the newest first, and nothing of what was asked", async () => {
  const file = path.join(await makeFolder(), "audit.jsonl");
  const { client, look } = await openAudited(file, file);
  await client.callTool("weather", { place: "Secretville" });
  await client.callTool("weather", { place: "nowhere" });
  await vi.waitFor(async () =>
    expect((await look()).audit).toMatch(
      /^Tool Time Principal Outcome Duration weather [^(]+ failed \(NO_WEATHER\) [\d.]+ ms weather .+ ok [\d.]+ ms$/,
    ),
  );
  expect((await look()).page).not.toContain("Secretville");
});

test("of a log with long lines the last calls are shown; a line that is half written and marks of HTML do no harm", async () => {
  const file = path.join(await makeFolder(), "audit.jsonl");
  const { look } = await openAudited(file, file);
  const line = (name: string): string =>
    `${JSON.stringify({ event: "end", time: "2031-05-06T07:08:09.000Z", tool: name, outcome: "ok", principal: "<b>ada</b>", durationMs: 1.25, more: "x".repeat(4000) })}\n`;
  for (let number = 0; number < 40; number += 1) appendFileSync(file, line(`tool_${number}`));
  appendFileSync(file, `${JSON.stringify({ event: "start", tool: "begun" })}\n${line("half").slice(0, 40)}`);
  const { page, audit: shown = "" } = await look();
  const named = [...shown.matchAll(/tool_\d+/g)].map(([name]) => name);
  expect(named.slice(0, 2)).toEqual(["tool_39", "tool_38"]);
  expect(named.length).toBeGreaterThan(10);
  expect(shown).not.toMatch(/begun|half/);
  expect(page).toContain("<td>&lt;b&gt;ada&lt;/b&gt;</td>");
});

test("of a log with short lines twenty calls are shown", async () => {
  const file = path.join(await makeFolder(), "audit.jsonl");
  const { look } = await openAudited(file, file);
  for (let number = 0; number < 40; number += 1)
    appendFileSync(file, `${JSON.stringify({ event: "end", tool: `tool_${number}`, outcome: "ok" })}\n`);
  const shown = (await look()).audit ?? "";
  const numbers = Array.from({ length: 20 }, (_, place) => `tool_${39 - place}`);
  expect([...shown.matchAll(/tool_\d+/g)].map(([name]) => name)).toEqual(numbers);
});

test("a log without calls says so, one that cannot be read too, and where none is kept nothing is said", async () => {
  const folder = await makeFolder();
  const file = path.join(folder, "audit.jsonl");
  expect((await (await openAudited(file, file)).look()).audit).toBe("No calls yet");
  expect((await (await openAudited(file, path.join(folder, "not-yet.jsonl"))).look()).audit).toBe("No calls yet");
  const closed = path.join(folder, "a-folder");
  mkdirSync(closed);
  expect((await (await openAudited(file, closed)).look()).audit).toBe("The audit log cannot be read");
  expect((await (await openAudited(file, undefined)).look()).audit).toBeUndefined();
});
