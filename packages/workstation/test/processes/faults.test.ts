import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expectAsksBeforeActing } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { makeFolder, openWorkstation } from "../kit.js";

const NODE = { settings: { commands: [["node", "**"]] } };

describe("processes", () => {
  test("say why their output cannot be kept, and run again when it can", async () => {
    const state = await makeFolder();
    const folder = path.join(state, "workstation", "processes");
    await mkdir(path.dirname(folder), { recursive: true });
    await writeFile(folder, "in the way");
    const { call, fail } = await openWorkstation({ ...NODE, state });
    const { code, text } = await fail("ci_run_command", { argv: ["node", "-p", "1"] });
    expect(code).toBe("UNAVAILABLE");
    expect(text).toContain(`Cannot store the output of programs in ${folder}: EEXIST`);
    expect(text).toContain("Nothing was started.");
    await rm(folder);
    expect(await call("ci_run_command", { argv: ["node", "-p", "1"] })).toMatchObject({ ok: true, stdout: "1\n" });
  });

  test("are listed within the size of a result, however long their commands are", async () => {
    const { call } = await openWorkstation(NODE);
    const long = "\u0001".repeat(3000);
    for (let left = 34; left > 0; left -= 1) await call("ci_run_command", { argv: ["node", "--version", long] });
    const list = await call("process_read");
    const processes = list["processes"] as { id: string; command: string }[];
    expect(JSON.stringify(list).length).toBeLessThan(40_000);
    expect(processes[0]?.command).toMatch(/^node --version '/);
    expect(list["left"]).toBe(33 - processes.length);
  });

  test("report progress", async () => {
    const { client } = await openWorkstation(NODE);
    const argv = ["node", "-e", "console.log('one')"];
    await client.callTool("ci_run_command", { argv }, { _meta: { progressToken: "t" } });
    const [first] = client.received("notifications/progress") as unknown as { params: { message: string } }[];
    expect(first?.params.message).toBe("1 lines: one");
  });

  test("are ended only after a person was asked, where the settings say so", async () => {
    const settings = { commands: [["node", "-e", "setInterval(() => {}, 1000)"]], ask: "destructive" };
    const { server, call } = await openWorkstation({ settings, responses: { confirm: { sure: true } } });
    const { id } = (await call("process_start", { argv: settings.commands[0] ?? [] })) as { id: string };
    const asked = { tool: "process_stop", input: { id }, snapshot: () => 0 };
    const declined = await expectAsksBeforeActing(server, { ...asked, responses: { confirm: { sure: false } } });
    expect(declined["isError"]).toBe(true);
    expect(await call("process_read", { id })).toMatchObject({ state: "running" });
    const agreed = await expectAsksBeforeActing(server, { ...asked, responses: { confirm: { sure: true } } });
    expect(agreed["structuredContent"]).toMatchObject({ state: "ended" });
  });
});
