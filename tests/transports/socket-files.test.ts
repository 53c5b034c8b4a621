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
import { type Serving, serveUnixSocket } from "@toolwright/engine";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLogged, openLines, ping, pong } from "./wire.js";

let folder = "";
let servings: Pick<Serving, "close">[] = [];
const at = () => path.join(folder, "mcp.sock");

async function serve(place: string, mode?: number): Promise<Serving> {
  const serving = await serveUnixSocket(createLogged().server, place, mode === undefined ? {} : { mode });
  servings.push(serving);
  return serving;
}

/** Whatever listens there, answers. */
async function expectServed(place: string): Promise<void> {
  const client = await openLines(place);
  client.send(ping(1));
  expect(await client.hear(1)).toEqual([pong(1)]);
  client.socket.destroy();
}

/** A socket that a process has left behind which was killed. */
function leaveSocket(place: string): void {
  const code = `require("net").createServer().listen(${JSON.stringify(place)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", code]);
  expect(lstatSync(place).isSocket()).toBe(true);
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "toolwright-"));
});
afterEach(async () => {
  await Promise.all(servings.map((serving) => serving.close()));
  servings = [];
  rmSync(folder, { recursive: true });
});

describe("the file of a socket", () => {
  test("is for this user alone, whatever the process allows for other files", async () => {
    const before = process.umask();
    expect(before & 0o077).not.toBe(0o077);
    const { url } = await serve(at());
    expect(url).toBe(`unix:${at()}`);
    expect(lstatSync(at()).mode & 0o777).toBe(0o600);
    expect(process.umask()).toBe(before);
    expect(readdirSync(folder)).toEqual(["mcp.sock"]);
  });

  test("has the mode that was asked for", async () => {
    await serve(at(), 0o660);
    expect(lstatSync(at()).mode & 0o777).toBe(0o660);
  });

  test("has no name before its mode is right", async () => {
    const modes = new Set<number>();
    const serving = serve(at());
    const state = { isOver: false };
    void serving.then(() => {
      state.isOver = true;
    });
    while (!state.isOver) {
      if (existsSync(at())) modes.add(lstatSync(at()).mode & 0o777);
      await new Promise((resolve) => setImmediate(resolve));
    }
    modes.add(lstatSync(at()).mode & 0o777);
    expect([...modes]).toEqual([0o600]);
  });

  test("is gone after the end", async () => {
    const serving = await serve(at());
    await serving.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("may be named from where the process is", async () => {
    const here = process.cwd();
    const { url } = await serve(path.relative(here, at()));
    expect(url).toBe(`unix:${at()}`);
    await expectServed(at());
  });

  test("takes the place of one that a killed process has left behind", async () => {
    leaveSocket(at());
    await serve(at());
    await expectServed(at());
  });

  test("does not take the place of one that is in use", async () => {
    await serve(at());
    await expect(serve(at())).rejects.toThrow(
      `Cannot listen at ${at()}: another server listens there; stop it, or choose another path`,
    );
    await expectServed(at());
    expect(readdirSync(folder)).toEqual(["mcp.sock"]);
  });

  test("of a server that does not answer is in use too", async () => {
    const deaf = createServer(() => undefined);
    await new Promise<void>((resolve) => void deaf.listen(at(), resolve));
    servings.push({ close: () => new Promise((resolve) => void deaf.close(() => resolve())) });
    await expect(serve(at())).rejects.toThrow("another server listens there");
    expect(lstatSync(at()).isSocket()).toBe(true);
  });

  test("never takes the place of anything else", async () => {
    writeFileSync(at(), "precious");
    const refusal = `Cannot listen at ${at()}: there is something else of that name, which is left alone`;
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

  test("is left alone at the end if it is another's by then", async () => {
    const first = await serve(at());
    rmSync(at());
    const second = await serve(at());
    await first.close();
    await expectServed(at());
    await second.close();
    const third = await serve(at());
    rmSync(at());
    writeFileSync(at(), "precious");
    await third.close();
    expect(readFileSync(at(), "utf8")).toBe("precious");
  });

  test("goes to one of several that begin at once", async () => {
    leaveSocket(at());
    const begun = await Promise.allSettled(Array.from({ length: 8 }, () => serve(at())));
    expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expectServed(at());
    expect(readdirSync(folder)).toEqual(["mcp.sock"]);
  });

  test("of a stale socket with a second name takes only the one", async () => {
    leaveSocket(at());
    linkSync(at(), path.join(folder, "other"));
    await serve(at());
    expect(readdirSync(folder).toSorted()).toEqual(["mcp.sock", "other"]);
  });
});

describe("a place where no socket can be", () => {
  test("is named, with the reason", async () => {
    const missing = path.join(folder, "missing", "mcp.sock");
    await expect(serve(missing)).rejects.toThrow(
      `Cannot listen at ${missing}: the folder ${path.dirname(missing)} does not exist; create it first`,
    );
    writeFileSync(at(), "");
    await expect(serve(path.join(at(), "mcp.sock"))).rejects.toThrow(`the folder ${at()} does not exist`);
  });

  test("is one whose name is too long", async () => {
    const long = path.join(folder, "x".repeat(200));
    await expect(serve(long)).rejects.toThrow(
      /^Cannot listen at .*: the path needs \d+ bytes, and a socket's may have 10\d; choose a shorter one$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test("and options that cannot be are refused before anything is opened", async () => {
    await expect(serve("")).rejects.toThrow(TypeError);
    await expect(serve("a\0b")).rejects.toThrow("Cannot serve a socket: the path must be a name, and one without NUL");
    await expect(serve(at(), 0o1777)).rejects.toThrow("Cannot serve a socket: mode must be from 0 to 0o777");
    const { server } = createLogged();
    await expect(serveUnixSocket(server, at(), { connections: 0 })).rejects.toThrow("connections must be at least 1");
    await expect(serveUnixSocket(server, at(), { connection: 1 } as object)).rejects.toThrow(
      "Cannot serve a socket: connection is unknown; did you mean connections?",
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});
