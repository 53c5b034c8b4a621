import { existsSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expectAsksBeforeActing } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeFolder, openWorkstation } from "../kit.js";
import { isAlive } from "./alive.js";

const NODE = { settings: { commands: [["node", "**"]] } };

describe("ci_run_command", () => {
  test("is refused without an entry, and names the setting to add", async () => {
    const { fail } = await openWorkstation();
    const { code, text } = await fail("ci_run_command", { command: "git push --force" });
    expect(code).toBe("FORBIDDEN_COMMAND");
    expect(text).toContain("no entry of packs.workstation.commands allows it");
    expect(text).toContain('packs.workstation.commands: [["git","push","--force"]]');
  });

  test("names the nearest entry, and says that there is no shell", async () => {
    const { fail } = await openWorkstation({
      settings: {
        commands: [
          ["echo", "*"],
          ["git", "log", "--oneline"],
        ],
      },
    });
    const refused = await fail("RunCommandAsync", { command: "git log | head > out.txt" });
    expect(refused.text).toContain('The nearest one is ["git","log","--oneline"].');
    expect(refused.text).toContain("There is no shell: | > would be plain text.");
    const quoted = await fail("ci_run_command", { command: "git log '|' 'a && b'" });
    expect(quoted.text).not.toContain("no shell");
  });

  test("gives both outputs, the exit code and a log", async () => {
    const { call } = await openWorkstation(NODE);
    const program = "console.log('out'); console.error('err'); process.exitCode = 3";
    const result = await call("ci_run_command", { argv: ["node", "-e", program] });
    expect(result).toMatchObject({ ok: false, exit_code: 3, stdout: "out\n", stderr: "err\n" });
    const { id } = result["log"] as { id: string };
    const log = await call("process_read", { id });
    expect(log).toMatchObject({ state: "ended", exit_code: 3, left: 0 });
    // Which of the two is read first is up to the system.
    expect(["out\n[stderr]\nerr\n", "[stderr]\nerr\n[stdout]\nout\n"]).toContain(log["text"]);
  });

  test("passes shell words on as plain text, and says so", async () => {
    const { call } = await openWorkstation(NODE);
    const command = `node -p "process.argv.slice(1).join(' ')" -- '' "a b" $HOME && ls '*'`;
    const result = await call("ci_run_command", { command });
    expect(result["stdout"]).toBe(" a b $HOME && ls *\n");
    expect(result["note"]).toContain("There is no shell: $HOME && was given");
  });

  test.each([
    ["both", { command: "node", argv: ["node"] }],
    ["neither", {}],
    ["an empty command", { command: "  " }],
    ["an open quote", { command: "node 'x" }],
    ["a last backslash", { command: "node \\" }],
    ["an empty program", { argv: [""] }],
    ["NUL", { argv: ["node", "a\0b"] }],
    ["more than 32 KiB", { argv: ["node", "x".repeat(40_000)] }],
  ])("refuses %s", async (_what, args) => {
    const { fail } = await openWorkstation(NODE);
    expect((await fail("ci_run_command", args)).code).toBe("INVALID_ARGUMENT");
  });

  test("runs in a folder of the roots, and in no other", async () => {
    const outside = await makeFolder();
    const { root, call, fail } = await openWorkstation({ ...NODE, files: { "sub/a": "" } });
    const given = { argv: ["node", "-p", "process.cwd()"] };
    expect((await call("ci_run_command", given))["stdout"]).toBe(`${root}\n`);
    expect((await call("ci_run_command", { ...given, cwd: "sub" }))["stdout"]).toBe(`${root}/sub\n`);
    expect((await call("RunCommandAsync", { ...given, workingDirectory: "sub" }))["stdout"]).toBe(`${root}/sub\n`);
    await symlink(outside, path.join(root, "link"));
    for (const cwd of [outside, "link", ".."]) {
      expect((await fail("ci_run_command", { ...given, cwd })).code).toBe("FORBIDDEN_PATH");
    }
    expect((await fail("ci_run_command", { ...given, cwd: "sub/a" })).code).toBe("INVALID_ARGUMENT");
  });

  test("gives programs no secrets, and nothing that makes them run something else", async () => {
    const variables = {
      GITHUB_TOKEN: "s1",
      AWS_SECRET_ACCESS_KEY: "s2",
      DB_PASSWORD: "s3",
      DATABASE_URL: "postgres://me:s4@host/db",
      NODE_OPTIONS: "--throw-deprecation",
      LD_PRELOAD: "",
      PLAIN_WORD: "kept",
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { call } = await openWorkstation(NODE);
    const program = `console.log(JSON.stringify(${JSON.stringify(Object.keys(variables))}.map((name) => process.env[name] ?? null)))`;
    const { stdout } = await call("ci_run_command", { argv: ["node", "-e", program] });
    expect(JSON.parse(stdout as string)).toEqual([null, null, null, null, null, null, "kept"]);
  });

  test("finds programs on the PATH, and in the project only where an entry names the path", async () => {
    const { root, call, fail } = await openWorkstation({
      settings: { commands: [["tool", "**"], ["./bin/tool"], ["*"]] },
      policy: { readOnly: ["bin"] },
      files: { "bin/tool": "#!/bin/sh\necho own\n", tool: "#!/bin/sh\necho planted\n" },
    });
    await chmod(path.join(root, "bin/tool"), 0o755);
    await chmod(path.join(root, "tool"), 0o755);
    await mkdir(path.join(root, "elsewhere"));
    vi.stubEnv("PATH", `.${path.delimiter}${root}/bin${path.delimiter}${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const cwd of [".", "elsewhere"])
      expect((await fail("ci_run_command", { argv: ["tool"], cwd })).code).toBe("UNAVAILABLE");
    expect((await fail("ci_run_command", { argv: ["./tool"] })).code).toBe("FORBIDDEN_COMMAND");
    expect((await fail("ci_run_command", { argv: [`${root}/bin/tool`] })).code).toBe("FORBIDDEN_COMMAND");
    expect((await call("ci_run_command", { argv: ["./bin/tool"] }))["stdout"]).toBe("own\n");
    expect((await fail("ci_run_command", { argv: ["./bin/tool"], cwd: "elsewhere" })).code).toBe("NOT_FOUND");
  });

  test("says what is wrong with a program that cannot be run", async () => {
    const { root, fail } = await openWorkstation({
      settings: { commands: [["no-such-program-here"], ["./broken"]] },
      policy: { readOnly: ["broken"] },
    });
    const missing = await fail("ci_run_command", { command: "no-such-program-here" });
    expect(missing).toMatchObject({ code: "UNAVAILABLE" });
    expect(missing.text).toContain("not on the PATH of this server");
    await writeFile(path.join(root, "broken"), "#!/no/such/interpreter\n", { mode: 0o755 });
    expect((await fail("ci_run_command", { command: "./broken" })).code).toBe("UNAVAILABLE");
  });

  /** Says the id of a child that ignores SIGTERM, and waits for it. */
  const PARENT = `sh -c 'trap "" TERM; while :; do sleep 1; done' & echo $!; wait`;

  test("ends a program that takes too long, with all that it has started", async () => {
    const { call, fail } = await openWorkstation({ settings: { commands: [["sh", "-c", PARENT]] } });
    const { code, text, details } = await fail("ci_run_command", { argv: ["sh", "-c", PARENT], timeout_ms: 1500 });
    expect(code).toBe("TIMEOUT");
    expect(details).toMatchObject({ ok: false, timed_out: true });
    const child = Number(details["stdout"]);
    expect(text).toContain(`it did not end within 1500 ms (timeout_ms). Its output:\n${child}\n`);
    const { id } = details["log"] as { id: string };
    expect(text).toContain(`To read the whole output, call process_read with {"id":"${id}"}.`);
    expect(await call("process_read", { id })).toMatchObject({ state: "ended", timed_out: true });
    expect(child).toBeGreaterThan(0);
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), 20_000);
  });

  test("ends a program whose call is cancelled, with all that it has started", async () => {
    const { call, client } = await openWorkstation({ settings: { commands: [["sh", "-c", PARENT]] } });
    const { id } = client.startRequest("tools/call", {
      name: "ci_run_command",
      arguments: { argv: ["sh", "-c", PARENT] },
    });
    const log = await vi.waitFor(async () => {
      const [process] = (await call("process_read"))["processes"] as { id: string; bytes: number }[];
      expect(process?.bytes).toBeGreaterThan(0);
      return String(process?.id);
    }, 20_000);
    const child = Number((await call("process_read", { id: log }))["text"]);
    client.notify("notifications/cancelled", { requestId: id });
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), 20_000);
    expect(await call("process_read", { id: log, wait_ms: 20_000, offset: 100 })).toMatchObject({ state: "ended" });
  });

  test("shows the start and the end of much output, without colours and wrong bytes", async () => {
    const { call } = await openWorkstation({
      ...NODE,
      policy: { readOnly: ["much.cjs"] },
      files: {
        "much.cjs":
          "process.stdout.write('first\\n' + 'x'.repeat(3_000_000) + '\\nlast\\n');\nprocess.stderr.write(Buffer.from([0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x72, 0xff, 0x65, 0x1b, 0x5b, 0x30, 0x6d, 0x0d, 0x0a]));",
      },
    });
    const result = await call("ci_run_command", { command: "node much.cjs" });
    expect(result).toMatchObject({ ok: true, cut: true, stderr: "r\ufffde\n" });
    expect(result["stdout"]).toMatch(/^first\nx+\n\[… \d+ characters …\]\nx+\nlast\n$/);
    expect(JSON.stringify(result).length).toBeLessThan(40_000);
  });

  test("asks a person first where the settings say so", async () => {
    const files = { "mark.cjs": "require('node:fs').writeFileSync('mark', '')" };
    const settings = { commands: [["node", "mark.cjs"]], ask: "destructive" };
    const { server, root } = await openWorkstation({ files, settings, policy: { readOnly: ["mark.cjs"] } });
    const asked = {
      input: { command: "node mark.cjs" },
      snapshot: () => existsSync(path.join(root, "mark")),
    };
    for (const tool of ["ci_run_command", "process_start"]) {
      const declined = await expectAsksBeforeActing(server, {
        ...asked,
        tool,
        responses: { confirm: { sure: false } },
      });
      expect(declined["isError"]).toBe(true);
      expect(existsSync(path.join(root, "mark"))).toBe(false);
    }
    const agreed = await expectAsksBeforeActing(server, {
      ...asked,
      tool: "ci_run_command",
      responses: { confirm: { sure: true } },
    });
    expect(agreed["structuredContent"]).toMatchObject({ ok: true });
    expect(existsSync(path.join(root, "mark"))).toBe(true);
  });
});
