import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type RunningServer, serveUnixSocket } from "@toolwright/engine/sockets";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLogged, openLines, ping, pong } from "./wire.js";

let folder = "";
let runningServers: Pick<RunningServer, "close">[] = [];
const at = () => path.join(folder, "mcp.sock");

async function serve(address: string, mode?: number): Promise<RunningServer> {
  const running = await serveUnixSocket(createLogged().server, address, mode === undefined ? {} : { mode });
  runningServers.push(running);
  return running;
}

/** Checks that a server responds there. */
async function expectServed(address: string): Promise<void> {
  const client = await openLines(address);
  client.send(ping(1));
  expect(await client.receive(1)).toEqual([pong(1)]);
  client.socket.destroy();
}

/** Creates a socket that a killed process has left behind. */
function leaveSocket(address: string): void {
  const code = `require("net").createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", code]);
  expect(lstatSync(address).isSocket()).toBe(true);
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "toolwright-"));
});
afterEach(async () => {
  await Promise.all(runningServers.map((running) => running.close()));
  runningServers = [];
  rmSync(folder, { recursive: true });
});

describe("the socket file", () => {
  test("is accessible to this user only, whatever the umask", async () => {
    const before = process.umask();
    expect(before & 0o077).not.toBe(0o077);
    const { url } = await serve(at());
    expect(url).toBe(`unix:${at()}`);
    expect(lstatSync(at()).mode & 0o777).toBe(0o600);
    expect(process.umask()).toBe(before);
    expect(readdirSync(folder)).toEqual(["mcp.sock"]);
  });

  test("has the requested mode", async () => {
    await serve(at(), 0o660);
    expect(lstatSync(at()).mode & 0o777).toBe(0o660);
  });

  test("has its mode from the first moment on", async () => {
    const modes = new Set<number>();
    const running = serve(at());
    const state = { isOver: false };
    void running.then(() => {
      state.isOver = true;
    });
    while (!state.isOver) {
      if (existsSync(at())) modes.add(lstatSync(at()).mode & 0o777);
      await new Promise((resolve) => setImmediate(resolve));
    }
    modes.add(lstatSync(at()).mode & 0o777);
    expect([...modes]).toEqual([0o600]);
  });

  test("is removed on close", async () => {
    const running = await serve(at());
    await running.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("may be a relative path", async () => {
    const here = process.cwd();
    const { url } = await serve(path.relative(here, at()));
    expect(url).toBe(`unix:${at()}`);
    await expectServed(at());
  });

  test("replaces one that a killed process has left behind", async () => {
    leaveSocket(at());
    await serve(at());
    await expectServed(at());
  });

  test("does not replace one that is in use", async () => {
    await serve(at());
    await expect(serve(at())).rejects.toThrow(
      `Cannot listen at ${at()}: another server is listening there; stop it or choose another path`,
    );
    await expectServed(at());
    expect(readdirSync(folder)).toEqual(["mcp.sock"]);
  });

  test("of a server that does not respond is in use too", async () => {
    const deaf = createServer(() => undefined);
    await new Promise<void>((resolve) => void deaf.listen(at(), resolve));
    runningServers.push({ close: () => new Promise((resolve) => void deaf.close(() => resolve())) });
    await expect(serve(at())).rejects.toThrow("another server is listening there");
    expect(lstatSync(at()).isSocket()).toBe(true);
  });

  test("never replaces anything other than a socket", async () => {
    writeFileSync(at(), "precious");
    const refusal = `Cannot listen at ${at()}: the path exists and is not a socket; choose another path`;
    await expect(serve(at())).rejects.toThrow(refusal);
    expect(readFileSync(at(), "utf8")).toBe("precious");
    rmSync(at());
    mkdirSync(at());
    await expect(serve(at())).rejects.toThrow(refusal);
    rmSync(at(), { recursive: true });
    leaveSocket(path.join(folder, "other"));
    symlinkSync("other", at());
    await expect(serve(at())).rejects.toThrow(refusal);
    expect(readdirSync(folder).toSorted()).toEqual(["mcp.sock", "other"]);
  });

  test("belongs to one of several servers that start at once", async () => {
    leaveSocket(at());
    const begun = await Promise.allSettled(Array.from({ length: 8 }, () => serve(at())));
    expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expectServed(at());
    expect(readdirSync(folder)).toEqual(["mcp.sock"]);
  });

  test("is replaced without affecting a second link to a stale socket", async () => {
    leaveSocket(at());
    linkSync(at(), path.join(folder, "other"));
    await serve(at());
    expect(readdirSync(folder).toSorted()).toEqual(["mcp.sock", "other"]);
  });
});

describe("an invalid socket path", () => {
  test("is reported with the reason", async () => {
    const missing = path.join(folder, "missing", "mcp.sock");
    await expect(serve(missing)).rejects.toThrow(
      `Cannot listen at ${missing}: the folder ${path.dirname(missing)} does not exist; create it first`,
    );
    writeFileSync(at(), "");
    await expect(serve(path.join(at(), "mcp.sock"))).rejects.toThrow(`the folder ${at()} does not exist`);
  });

  test("may be too long", async () => {
    const long = path.join(folder, "x".repeat(200));
    await expect(serve(long)).rejects.toThrow(
      /^Cannot listen at .*: the path has \d+ bytes and the limit is 10\d; choose a shorter path$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test("and invalid options are rejected before anything is opened", async () => {
    await expect(serve("")).rejects.toThrow(TypeError);
    await expect(serve("a\0b")).rejects.toThrow(
      "Cannot serve over a Unix socket: the path must be a non-empty string without NUL",
    );
    await expect(serve(at(), 0o1777)).rejects.toThrow("Cannot serve over a Unix socket: mode must be from 0 to 0o777");
    const { server } = createLogged();
    await expect(serveUnixSocket(server, at(), { connections: 0 })).rejects.toThrow("connections must be at least 1");
    await expect(serveUnixSocket(server, at(), { connection: 1 } as object)).rejects.toThrow(
      "Cannot serve over a Unix socket: unknown option connection; did you mean connections?",
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});
