import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyDatabase } from "../kit.js";

const NODE = process.execPath;
/** The hashes of both versions of the program of the test. */
const PINNED = [
  "b15b031b11ea3805ed012ff415322679bc0e26d0491fb2606c053768627baf90",
  "822c9f7e722b454a20f9743555592e04deeb39afc81f3b8f18eddb7b65ef023c",
];

everyDatabase((open, kind) => {
  test("a task is completed when its file exists, with the evidence as result", async () => {
    const { call, make, root } = await open();
    const check = { kind: "file_exists", path: "out/report.txt" };
    const id = await make("Write the report", { done_when: check });
    expect(await call("check_task", { id })).toMatchObject({
      done: false,
      evidence: `${path.join(root, check.path)} does not exist`,
      task: {
        status: "pending",
        done_when: kind === "postgres" ? check : { ...check, path: path.join(root, check.path) },
      },
    });
    await call("update_task", { id, done_when: { kind: "file_exists", path: "report.txt" } });
    await writeFile(path.join(root, "report.txt"), "all is well");
    const { done, evidence, task } = await call("check_task", { id });
    expect(done).toBe(true);
    expect(evidence).toMatch(/\/report\.txt exists: a file of 11 bytes, changed \d{4}-/);
    expect(task).toMatchObject({ status: "completed", result: evidence as string, version: 3 });
    const events = (await call("task_history", { id }))["events"] as JsonObject[];
    expect(events[0]).toMatchObject({ kind: "checked", reason: "its done-condition is met" });
  });

  test("a configured command decides by its exit code, and its output is the evidence", async () => {
    const { call, make, root } = await open({
      settings: { commands: PINNED.map((hash) => [NODE, `check.cjs#sha256=${hash}`]) },
    });
    const done_when = { kind: "command", command: [NODE, "check.cjs"] };
    const id = await make("Make it pass", { done_when });
    await writeFile(path.join(root, "check.cjs"), 'console.log("2 of 3 pass\\0"); process.exit(1)');
    const failed = await call("check_task", { id });
    expect(failed["done"]).toBe(false);
    expect(failed["evidence"]).toMatch(/exited with 1\n2 of 3 pass$/);
    await writeFile(path.join(root, "check.cjs"), 'console.log("3 of 3 pass\\0")');
    const passed = await call("check_task", { id });
    expect(passed).toMatchObject({ done: true, task: { status: "completed", result: passed["evidence"] as string } });
    expect(passed["evidence"]).toMatch(/exited with 0\n3 of 3 pass$/);
  });

  test("commands that are not configured are not run, and folders out of reach are not read", async () => {
    const { make: add, fail } = await open();
    const make = (done_when: JsonObject): Promise<string> => add("x", { done_when });
    const command = await fail("check_task", { id: await make({ kind: "command", command: [NODE, "--version"] }) });
    expect(command.code).toBe("FORBIDDEN_COMMAND");
    expect(command.text).toContain("packs.todo.commands");
    const outside = await fail("check_task", { id: await make({ kind: "file_exists", path: "/etc/passwd" }) });
    expect(outside.code).toBe("FORBIDDEN_PATH");
  });

  test("a done-condition needs the fields of its kind", async () => {
    const { call, fail, make } = await open();
    for (const done_when of [
      { kind: "command", path: "x" },
      { kind: "file_exists" },
      { kind: "file_exists", path: "x", command: ["y"] },
    ])
      expect((await fail("create_task", { description: "x", done_when })).text).toContain("done_when");
    const id = await make("x", { done_when: { kind: "file_exists", path: "y" } });
    await call("update_task", { id, done_when: null });
    expect((await fail("check_task", { id })).text).toContain("it has no done-condition");
  });
});
