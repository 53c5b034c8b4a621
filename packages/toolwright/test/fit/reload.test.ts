import { expect, test } from "vitest";
import { type Child, initialize } from "../../../engine/test/stdio/child.js";
import { Configured } from "../config/configured.js";

const LISTED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const PACKS = { workstation: false, templates: false, analysis: false, knowledge: false, threats: false };

async function names(child: Child, id: number): Promise<string> {
  child.send({ jsonrpc: "2.0", id, method: "tools/list" });
  const { result } = (await child.answer(id)) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name).join(" ");
}

async function open(configured: Configured): Promise<Child> {
  const child = configured.serve(`--state ${configured.folder}`);
  child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
  await child.answer(0);
  return child;
}

test("the list changes while the server runs, and clients are notified", async () => {
  const configured = new Configured({ packs: PACKS, tools: { toolsets: ["basics"] } });
  const child = await open(configured);
  expect(await names(child, 1)).toBe("echo current_time read_result");
  const said = await configured.change(child, {
    packs: PACKS,
    tools: { toolsets: ["tasks-extra"], without: ["undo_last_task"] },
  });
  expect(said).toContain("changed: tools.toolsets, tools.without");
  expect(await names(child, 2)).toBe("task_tree task_history check_task export_tasks import_tasks read_result");
  await child.until(() => child.messages.some((message) => message["method"] === LISTED.method), "the news");
  await configured.change(child, { packs: PACKS, tools: { progressive: true } });
  expect(await names(child, 3)).toMatch(/\bsearch_tools\b/);
  await configured.change(child, { packs: PACKS, tools: { names: ["echo"] } });
  expect(await names(child, 4)).toBe("echo read_result");
});

test("a name that is wrong changes nothing", async () => {
  const configured = new Configured({ packs: PACKS, tools: { toolsets: ["basics"] } });
  const child = await open(configured);
  const said = await configured.change(child, { packs: PACKS, tools: { toolsets: ["basic"] } });
  expect(said).toContain(
    `cannot be used, so nothing has changed: tools.toolsets in ${configured.file}:1: "basic" is unknown; did you mean basics?`,
  );
  expect(await names(child, 1)).toBe("echo current_time read_result");
});

test("a pack that is switched on brings what the default list has of it", async () => {
  // Clients are told once whether there are prompts, so another pack has some from the start.
  const others = { ...PACKS, threats: true };
  const configured = new Configured({ packs: { ...others, todo: false } });
  const child = await open(configured);
  expect(await names(child, 1)).toBe("echo current_time tmkb_query tmkb_get read_result");
  await configured.change(child, { packs: others });
  const shown = await names(child, 2);
  expect(shown).toContain("create_task");
  expect(shown).not.toContain("export_tasks");
});
