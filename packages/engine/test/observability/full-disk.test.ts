import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { buildProgram } from "../../../../tests/support/program.js";
import { until } from "../http/serve.js";
import { Child, type Message } from "../stdio/child.js";
import { createFolder, readLines } from "./audit-file.js";

const UNSHARE = "/usr/bin/unshare";
const MOUNT = 'mount -t tmpfs -o size=64k tmpfs "$1"';
const OWN_NAMESPACE = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const inNamespace = (script: string, ...rest: string[]) => [...OWN_NAMESPACE, script, "sh", ...rest];
/** A disk of one's own can be had where the system lets users mount one. */
const canMount = spawnSync(UNSHARE, inNamespace(`${MOUNT} && umount "$1"`, "/mnt")).status === 0;

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly isError: boolean;
  readonly structuredContent?: Message;
}

class Audited extends Child {
  #last = 0;
  /** How many calls were made. */
  calls = 0;

  async call(name: string): Promise<Answer> {
    this.#last += 1;
    const id = this.#last;
    this.calls += 1;
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    this.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: {}, _meta } });
    const find = () => this.messages.find((message) => message["id"] === id);
    await this.until(() => find() !== undefined, `an answer to ${name}`);
    return find()?.["result"] as Answer;
  }
}

const program = async (): Promise<string> => {
  const file = path.join(createFolder(), "program.mjs");
  await buildProgram(new URL("audited-program.ts", import.meta.url), file);
  return file;
};

/** Starts the server with its audit log on a disk of 64 KiB. */
async function startOnSmallDisk(onFailure: string): Promise<Audited> {
  const script = `${MOUNT} && exec "$2" "$3" "$1" "$4"`;
  const args = inNamespace(script, createFolder(), process.execPath, await program(), onFailure);
  return new Audited(UNSHARE, args);
}

/** The lines of the audit log as the server sees them. */
async function readAudit(child: Audited): Promise<Message[]> {
  const { content } = await child.call("lines");
  const written = content[0]?.text.split("\n").filter((line) => line !== "") ?? [];
  return written.map((line) => {
    try {
      return JSON.parse(line) as Message;
    } catch {
      return { event: "torn" };
    }
  });
}

const logLines = (child: Audited) => child.stderr.match(/the audit log [^\n]*/g);

describe.skipIf(!canMount)("a full disk", () => {
  test("loses lines but no calls, is logged once, and lost lines are counted when there is space again", async () => {
    const child = await startOnSmallDisk("continue");
    expect((await child.call("fill")).content).toEqual([{ type: "text", text: "full" }]);
    const CALLS = 60;
    for (let at = 0; at < CALLS; at += 1) expect((await child.call("echo")).isError).toBe(false);
    await child.until(() => child.stderr.includes("cannot be written"), "a line in the log");
    await child.call("free");
    await child.call("echo");
    await child.until(() => child.stderr.includes("written again"), "another one");
    const before = child.calls;
    let lines: Message[] = [];
    const count = (event: string) => lines.filter((line) => line["event"] === event).length;
    await until(async () => {
      lines = await readAudit(child);
      return count("lost") === 1 && lines.some((line) => line["requestId"] === before);
    }, "the line on what was lost, and that of the last call");
    const [lost] = lines.flatMap((line) => (line["lines"] as number | undefined) ?? []);
    expect(lost).toBeGreaterThan(0);
    const ids = lines.flatMap((line) => (line["requestId"] as number | undefined) ?? []);
    expect(ids.filter((id) => id <= before).length + (lost as number)).toBe(before);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect(count("torn")).toBeLessThanOrEqual(1);
    expect(logLines(child)).toEqual([
      "the audit log cannot be written; lines are lost until it can be",
      `the audit log is written again; lines lost: ${lost}`,
    ]);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
  });

  test("fails calls with onFailure: refuse, until there is space again", async () => {
    const child = await startOnSmallDisk("refuse");
    await child.call("fill");
    let rejected: Answer | undefined;
    await until(async () => {
      const answer = await child.call("echo");
      rejected = answer.isError ? answer : undefined;
      return answer.isError;
    }, "a call that is rejected");
    expect(rejected?.structuredContent).toEqual({ code: "AUDIT_UNAVAILABLE", retryable: true });
    expect((await child.call("free")).structuredContent).toEqual({ code: "AUDIT_UNAVAILABLE", retryable: true });
    child.process.kill("SIGUSR2");
    await until(async () => !(await child.call("echo")).isError, "a call that is made again");
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(logLines(child)).toEqual([
      "the audit log cannot be written; lines are lost until it can be",
      expect.stringMatching(/^the audit log is written again; lines lost: \d+$/),
    ]);
  });
});

describe("a process that exits", () => {
  test("at the end of its input has written every line", async () => {
    const folder = createFolder();
    const child = new Audited(process.execPath, [await program(), folder]);
    for (let at = 0; at < 5; at += 1) await child.call("echo");
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).toBe("");
    const lines = readLines(path.join(folder, "audit.jsonl"));
    expect(lines.map(({ requestId, transport, outcome }) => [requestId, transport, outcome])).toEqual(
      [1, 2, 3, 4, 5].map((id) => [id, "stdio", "ok"]),
    );
  });

  test("after SIGKILL has recorded every answered call with onFailure: refuse", async () => {
    const folder = path.join(createFolder(), "logs");
    mkdirSync(folder);
    const child = new Audited(process.execPath, [await program(), folder, "refuse"]);
    for (let at = 0; at < 5; at += 1) await child.call("echo");
    child.process.kill("SIGKILL");
    await child.ended;
    const text = readFileSync(path.join(folder, "audit.jsonl"), "utf8");
    expect(text.split("\n").filter((line) => line.includes('"event":"end"'))).toHaveLength(5);
  });
});
