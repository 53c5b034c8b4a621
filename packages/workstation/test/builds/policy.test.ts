import { readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeFolder, openWorkstation } from "../kit.js";
import { has } from "./projects.js";

const MAKE = { Makefile: "build:\n\techo made > made.txt\n" };

const withMake = test.skipIf(!has("make"));

describe("builds (some need make)", () => {
  test("are refused unless the settings allow them, and nothing is run", async () => {
    const { root, fail } = await openWorkstation({ files: MAKE });
    for (const name of ["ci_build", "ci_test", "ci_lint"]) {
      const { code, text } = await fail(name);
      expect([name, code]).toEqual([name, "FORBIDDEN_COMMAND"]);
      expect(text).toContain("packs.workstation.builds: true in toolwright.config.json");
    }
    const restore = await fail("RestoreAsync", { projectPath: "." });
    expect(restore.code).toBe("FORBIDDEN_COMMAND");
    expect(restore.text).toContain("packs.workstation.builds: true and packs.workstation.network: true");
    expect(await readdir(root)).toEqual(["Makefile"]);
  });

  test("fetch nothing without the network setting", async () => {
    const { fail } = await openWorkstation({ files: MAKE, settings: { builds: true } });
    expect((await fail("ci_restore")).text).toContain("packs.workstation.network: true");
  });

  test("stay inside the roots", async () => {
    const outside = await makeFolder();
    const { root, fail } = await openWorkstation({ settings: { builds: true } });
    await symlink(outside, path.join(root, "link"));
    for (const project_path of [outside, "link", "../.."])
      expect((await fail("ci_build", { project_path })).code).toBe("FORBIDDEN_PATH");
    expect((await fail("ci_build", { project_path: "none" })).code).toBe("NOT_FOUND");
  });

  withMake("say what was found, and which was taken", async () => {
    const { call, fail } = await openWorkstation({
      settings: { builds: true },
      files: { ...MAKE, "package.json": "{}", "empty/a": "" },
    });
    expect(await call("ci_build")).toMatchObject({ ecosystem: "make", found: ["node", "make"], ok: true });
    const none = await fail("ci_build", { ecosystem: "rust" });
    expect(none).toMatchObject({ code: "NOT_FOUND" });
    expect(none.text).toContain("it has node, make, but no rust");
    expect((await fail("ci_build", { project_path: "empty" })).text).toContain(
      "it contains none of Cargo.toml, go.mod",
    );
  });

  test("say how to install what is missing", async () => {
    vi.stubEnv("PATH", "/nowhere");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { fail } = await openWorkstation({ settings: { builds: true }, files: { "Cargo.toml": "" } });
    const { code, text } = await fail("ci_build");
    expect(code).toBe("UNAVAILABLE");
    expect(text).toContain(
      "Cannot run cargo: it is not on the PATH of this server. Install Rust from https://rustup.rs.",
    );
  });

  test("refuse options in the place of a test", async () => {
    const { fail } = await openWorkstation({ settings: { builds: true }, files: { "Cargo.toml": "" } });
    expect((await fail("ci_test", { test: "--config=evil" })).code).toBe("INVALID_ARGUMENT");
  });

  withMake("fail if they exceed their time limit, with the output so far", async () => {
    const { call, fail } = await openWorkstation({
      settings: { builds: true, buildTimeoutMs: 300 },
      files: { Makefile: "build:\n\t@echo begun; sleep 60\n" },
    });
    const { code, text, details } = await fail("ci_build");
    expect(code).toBe("TIMEOUT");
    expect(text).toMatch(
      /^Stopped make .*: it did not end within 300 ms \(setting buildTimeoutMs\)\. Its output:\nbegun/,
    );
    expect(details).toMatchObject({ ok: false, ecosystem: "make", tail: expect.stringContaining("begun") });
    const { id } = details["log"] as { id: string };
    expect(text).toContain(`To read the whole output, call process_read with {"id":"${id}"}.`);
    expect(await call("process_read", { id })).toMatchObject({ state: "ended", timed_out: true });
  });

  withMake("give many failures in pages", async () => {
    const { call } = await openWorkstation({
      settings: { builds: true },
      files: {
        Makefile: "build:\n\t@cat many.txt; false\n",
        "many.txt": Array.from(
          { length: 500 },
          (_, at) => `src/a.c:${at + 1}:1: error: wrong ${"x".repeat(200)}\n`,
        ).join(""),
      },
    });
    const result = await call("ci_build");
    expect(result["failures_total"]).toBe(501);
    expect(JSON.stringify(result).length).toBeLessThan(40_000);
    const seen = (result["failures"] as { line: number }[]).map(({ line }) => line);
    const id = (result["log"] as { id: string }).id;
    expect(result["next"]).toEqual({ id, failures: true, offset: seen.length });
    for (let left = 1; left > 0; ) {
      const page = await call("process_read", { id, failures: true, offset: seen.length });
      seen.push(...(page["failures"] as { line: number }[]).map(({ line }) => line));
      left = Number(page["left"]);
    }
    expect(seen.slice(0, 500)).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
    expect((await call("process_read", { id, limit: 12 }))["text"]).toBe("src/a.c:1:1:");
  });

  withMake("report progress", async () => {
    const { client } = await openWorkstation({
      settings: { builds: true },
      files: { Makefile: "test:\n\t@for n in 1 2 3; do echo ok $$n; done\n" },
    });
    await client.callTool("ci_test", {}, { _meta: { progressToken: "t" } });
    const [first] = client.received("notifications/progress") as unknown as { params: { message: string } }[];
    expect(first?.params.message).toMatch(/^\d+ lines/);
  });
});
