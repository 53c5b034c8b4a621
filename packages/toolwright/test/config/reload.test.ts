import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashApiKey } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Child, call, initialize, ping, textOf } from "../../../engine/test/stdio/child.js";
import { createCertificate } from "../../../engine/test/transports/certificate.js";
import { reaches } from "../../../engine/test/transports/reaches.js";
import { BASICS_ONLY, callEcho, echoed, urlOf } from "../cli/listening.js";
import { Configured } from "./configured.js";

const LISTED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const READ_AGAIN = "[NOTICE] the configuration was read again; changed: ";

/** A session over HTTP with an open stream. */
class HttpSession {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  heard = "";
  #wake: (() => void)[] = [];
  isOpen = true;

  constructor(url: string, id: string) {
    this.#url = url;
    this.#headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": id,
    };
  }

  static async open(url: string): Promise<HttpSession> {
    const headers = { "content-type": "application/json" };
    const opened = await fetch(url, { method: "POST", headers, body: JSON.stringify(initialize(0)) });
    await opened.arrayBuffer();
    const session = new HttpSession(url, opened.headers.get("mcp-session-id") ?? "");
    await session.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await session.#listen();
    return session;
  }

  async send(message: object): Promise<unknown> {
    const answer = await fetch(this.#url, { method: "POST", headers: this.#headers, body: JSON.stringify(message) });
    const text = await answer.text();
    return text === "" ? undefined : JSON.parse(text);
  }

  async toolNames(id: number): Promise<string[]> {
    const { result } = (await this.send({ jsonrpc: "2.0", id, method: "tools/list" })) as {
      result: { tools: { name: string }[] };
    };
    return result.tools.map(({ name }) => name);
  }

  async until(text: string): Promise<void> {
    while (!this.heard.includes(text)) await new Promise<void>((resolve) => void this.#wake.push(resolve));
  }

  async #listen(): Promise<void> {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const { body } = await fetch(this.#url, { headers: this.#headers, signal: stop.signal });
    void (async () => {
      for await (const chunk of body ?? []) {
        this.heard += Buffer.from(chunk as Uint8Array).toString();
        for (const wake of this.#wake.splice(0)) wake();
      }
    })()
      .catch(() => undefined)
      .finally(() => (this.isOpen = false));
  }
}

describe("SIGHUP over HTTP", () => {
  test("switches a pack off and on, notifies clients, and keeps connections", async () => {
    const configured = new Configured({ http: { listen: 0 } });
    const child = configured.serve("", BASICS_ONLY);
    const session = await HttpSession.open(await urlOf("http", child));
    expect(await session.toolNames(1)).toEqual(["echo", "current_time", "read_result"]);
    const off = { http: { listen: 0 }, packs: { basics: false } };
    expect(await configured.change(child, off)).toBe(`${READ_AGAIN}packs.basics\n`);
    await session.until(JSON.stringify(LISTED));
    expect(await session.toolNames(2)).toEqual(["read_result"]);
    expect(await session.send(call(3, "echo", { text: "x" }))).toMatchObject({ error: { code: -32602 } });
    expect(await configured.change(child, { http: { listen: 0 } })).toBe(`${READ_AGAIN}packs.basics\n`);
    expect(await session.send(call(4, "echo", { text: "back" }))).toMatchObject({
      result: { content: [{ type: "text", text: "back" }] },
    });
    expect(session.isOpen).toBe(true);
  });

  test("gives a pack other folders, and what it had allowed is closed at once", async () => {
    const content = (...roots: string[]) => ({ http: { listen: 0 }, files: { roots } });
    const configured = new Configured(content("one"));
    for (const name of ["one", "two"]) {
      mkdirSync(path.join(configured.folder, name));
      writeFileSync(path.join(configured.folder, name, `${name}.txt`), name);
    }
    const child = configured.serve();
    const session = await HttpSession.open(await urlOf("http", child));
    const exists = (id: number, file: string) =>
      session.send(call(id, "fs_file_exists", { path: path.join(configured.folder, file) }));
    expect(await exists(1, "one/one.txt")).toMatchObject({ result: { structuredContent: { exists: true } } });
    expect(await exists(2, "two/two.txt")).toMatchObject({ result: { isError: true } });
    expect(await configured.change(child, content("two"))).toBe(`${READ_AGAIN}files.roots\n`);
    expect(await exists(3, "two/two.txt")).toMatchObject({ result: { structuredContent: { exists: true } } });
    expect(await exists(4, "one/one.txt")).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("lies outside the allowed folders") }] },
    });
    const hiding = { http: { listen: 0 }, files: { roots: ["two"], hidden: ["two.txt"] } };
    expect(await configured.change(child, hiding)).toBe(`${READ_AGAIN}files.hidden\n`);
    expect(await exists(6, "two/two.txt")).toMatchObject({ result: { isError: true } });
    expect(await configured.change(child, content("two"))).toBe(`${READ_AGAIN}files.hidden\n`);
    expect(await configured.change(child, content("three"))).toContain(
      `files.roots in ${configured.file}:1: the folder ${configured.folder}/three cannot be used`,
    );
    expect(await exists(5, "two/two.txt")).toMatchObject({ result: { structuredContent: { exists: true } } });
  });

  test("limits and the rate change at once", async () => {
    const configured = new Configured({ http: { listen: 0 } });
    const child = configured.serve();
    const session = await HttpSession.open(await urlOf("http", child));
    const tight = { http: { listen: 0 }, rate: { burst: 1, perSecond: 0.001, over: "reject" } };
    expect(await configured.change(child, tight)).toBe(`${READ_AGAIN}rate.burst, rate.perSecond, rate.over\n`);
    expect(await session.send(call(2, "echo", { text: "one" }))).toMatchObject({
      result: { content: [{ text: "one" }] },
    });
    expect(await session.send(call(3, "echo", { text: "two" }))).toMatchObject({
      result: { isError: true, structuredContent: { code: "RATE_LIMITED" } },
    });
    const other = { http: { listen: 0 }, limits: { callTimeoutMs: 5, pageSize: 1 } };
    expect(await configured.change(child, other)).toContain(
      "changed: rate.burst, rate.perSecond, rate.over, limits.callTimeoutMs",
    );
    expect(await session.send(call(4, "echo", { text: "three" }))).toMatchObject({
      result: { content: [{ text: "three" }] },
    });
    await child.until(() => child.stderr.includes("[WARNING] limits.pageSize changed: needs a restart\n"), "a warning");
  });

  test("names what needs a restart, each time, until it is as it was", async () => {
    const configured = new Configured({ http: { listen: 0 } });
    const child = configured.serve();
    const url = await urlOf("http", child);
    const other = { http: { listen: 1, sse: true } };
    const told = `${READ_AGAIN}nothing\n[WARNING] http.listen changed: needs a restart\n[WARNING] http.sse changed: needs a restart\n`;
    const heard = async (content: object) => {
      const from = child.stderr.length;
      await configured.change(child, content);
      await child.until(() => child.stderr.length - from >= told.length, "all of it").catch(() => undefined);
      return child.stderr.slice(from);
    };
    expect(await heard(other)).toBe(told);
    expect(await heard(other)).toBe(told);
    expect(await configured.change(child, { http: { listen: 0 } })).toBe(`${READ_AGAIN}nothing\n`);
    expect(await echoed(await callEcho(url, "still here"))).toBe("still here");
  });

  test("with a broken file changes nothing, and says why", async () => {
    const configured = new Configured({ http: { listen: 0 } });
    const child = configured.serve("", BASICS_ONLY);
    const session = await HttpSession.open(await urlOf("http", child));
    const refused = "[ERROR] the configuration was read again and cannot be used, so nothing has changed: ";
    expect(await configured.change(child, '{ "packs": { "basics": false }, ')).toBe(
      `${refused}${configured.file}:1:33: a name in double quotes must be here, not the end\n`,
    );
    expect(await configured.change(child, { packs: { basics: false }, limts: {}, ws: {} })).toBe(
      `${refused}limts in ${configured.file}:1 is unknown; did you mean limits?; ws in ${configured.file}:1 cannot be at {}; give HOST:PORT, such as 8080, 0.0.0.0:8080 or [::1]:8080\n`,
    );
    const wrong = await configured.change(child, { log: { level: "error" }, packs: { basics: { colour: "blue" } } });
    expect(wrong).toContain(`packs.basics.colour in ${configured.file}:1 is unknown`);
    expect(await session.toolNames(1)).toEqual(["echo", "current_time", "read_result"]);
    expect(session.isOpen).toBe(true);
  });

  test("changes the level and the format of the log", async () => {
    const configured = new Configured({ http: { listen: 0 } });
    const child = configured.serve();
    await urlOf("http", child);
    const inJson = await configured.change(child, { http: { listen: 0 }, log: { format: "json" } });
    expect(JSON.parse(inJson)).toMatchObject({
      level: "notice",
      message: "the configuration was read again; changed: log.format",
    });
    const quiet = { http: { listen: 5 }, log: { level: "warning" } };
    configured.write(quiet);
    child.process.kill("SIGHUP");
    await child.until(() => child.stderr.includes("[WARNING] http.listen changed"), "the warning");
    expect(child.stderr).not.toContain("changed: log.level");
  });
});

describe("SIGHUP reads files again:", () => {
  test("API keys, so that a new one is let in and an old one is not", async () => {
    const [old, young] = ["an-old-key-of-twenty-and-more", "a-new-key-of-twenty-and-more"];
    const configured = new Configured({ http: { listen: 0 }, auth: { apiKeyFile: "keys.txt" } });
    const keys = path.join(configured.folder, "keys.txt");
    writeFileSync(keys, `ada ${hashApiKey(old)}\n`);
    const child = configured.serve();
    const url = await urlOf("http", child);
    const status = async (key: string) => (await callEcho(url, "x", { authorization: `Bearer ${key}` })).status;
    expect([await status(old), await status(young)]).toEqual([200, 401]);
    writeFileSync(keys, `ada ${hashApiKey(young)}\n`);
    const content = { http: { listen: 0 }, auth: { apiKeyFile: "keys.txt" } };
    expect(await configured.change(child, content)).toBe(`${READ_AGAIN}API keys\n`);
    expect([await status(old), await status(young)]).toEqual([401, 200]);
    writeFileSync(keys, "nonsense\n");
    expect(await configured.change(child, content)).toContain("line 1 must be a name and the hash of a key");
    expect(await status(young)).toBe(200);
  });

  test("no keys at all do not open the server to everybody", async () => {
    const key = "an-old-key-of-twenty-and-more";
    const configured = new Configured({ http: { listen: 0 }, auth: { apiKey: key } });
    const child = configured.serve();
    const url = await urlOf("http", child);
    await configured.change(child, { http: { listen: 0 } });
    await child.until(() => child.stderr.includes("[WARNING] auth.apiKey changed: needs a restart\n"), "a warning");
    expect((await callEcho(url, "x")).status).toBe(401);
    expect((await callEcho(url, "x", { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  test("the certificate, for connections from then on", async () => {
    const [first, second] = [createCertificate(), createCertificate()];
    const content = { http: { listen: 0, tls: { cert: "c.pem", key: "k.pem" } } };
    const configured = new Configured(content);
    const put = ({ cert, key }: { cert: string; key: string }) => {
      writeFileSync(path.join(configured.folder, "c.pem"), cert);
      writeFileSync(path.join(configured.folder, "k.pem"), key);
    };
    put(first);
    const child = configured.serve();
    const url = await urlOf("http", child);
    expect([await reaches(url, first.cert), await reaches(url, second.cert)]).toEqual([true, false]);
    put(second);
    expect(await configured.change(child, content)).toBe(`${READ_AGAIN}TLS certificate\n`);
    expect([await reaches(url, first.cert), await reaches(url, second.cert)]).toEqual([false, true]);
  });
});

describe("SIGHUP over stdio", () => {
  async function open(child: Child): Promise<void> {
    child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
    await child.answer(0);
  }

  test("continues with the same client, which is notified of removed tools", async () => {
    const configured = new Configured({});
    const child = configured.serve("", BASICS_ONLY);
    await open(child);
    expect(await configured.change(child, { packs: { basics: false } })).toBe(`${READ_AGAIN}packs.basics\n`);
    await child.until(() => child.lines.includes(JSON.stringify(LISTED)), "a notice");
    child.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { tools } = (await child.answer(1))["result"] as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(["read_result"]);
    await configured.change(child, {});
    child.send(call(2, "echo", { text: "back" }));
    expect(textOf(await child.answer(2))).toBe("back");
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
  });

  test("of a server without a configuration finds that nothing has changed", async () => {
    const configured = new Configured({}, "other.json");
    const child = configured.serve();
    await open(child);
    expect(existsSync(path.join(configured.folder, "toolwright.config.json"))).toBe(false);
    expect(await configured.change(child, {})).toBe(`${READ_AGAIN}nothing\n`);
    child.send(ping(1));
    expect(await child.answer(1)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });
});
