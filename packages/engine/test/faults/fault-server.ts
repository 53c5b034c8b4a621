import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { modern } from "../http/stateless-request.js";
import { Child, call, type Ending, initialize, type Message } from "../stdio/child.js";

const servers = fileURLToPath(new URL("./servers/", import.meta.url));

/** Starts one of the servers in this folder. */
export function start(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Child {
  return new Child(process.execPath, [`${servers}${name}.mjs`, ...args], env);
}

/** A server in its own process, over one of the transports. */
export interface Faulty {
  readonly child: Child;
  /** Calls a tool, and returns the response. */
  readonly call: (name: string, args?: Message, meta?: Message) => Promise<Message>;
  /** Disconnects (stdio) or stops the process (HTTP), and returns how it exited. */
  readonly leave: () => Promise<Ending>;
}

/** Starts a server on stdio, and does the handshake. */
export async function openStdio(
  env: NodeJS.ProcessEnv = {},
  name = "faulty",
  capabilities: Message = {},
): Promise<Faulty> {
  const child = start(name, [], env);
  const first = initialize(0);
  const params = { ...(first["params"] as Message), capabilities };
  child.send({ ...first, params }, { jsonrpc: "2.0", method: "notifications/initialized" });
  await child.answer(0);
  let calls = 0;
  return {
    child,
    call(tool, args = {}, meta = {}) {
      calls += 1;
      const request = call(calls, tool, args);
      child.send({ ...request, params: { ...(request["params"] as Message), _meta: meta } });
      return child.answer(calls);
    },
    leave() {
      child.process.stdin.end();
      return child.ended;
    },
  };
}

/** A server that listens on a port. */
export interface Listening extends Faulty {
  readonly url: string;
  readonly port: number;
  /** Sends a stateless call. */
  readonly post: (name: string, args?: Message, meta?: Message, signal?: AbortSignal) => Promise<Response>;
}

/** Starts a server over HTTP; each call is stateless. */
export async function openHttp(env: NodeJS.ProcessEnv = {}, name = "faulty"): Promise<Listening> {
  const child = start(name, ["--http"], env);
  await child.until(() => /^at http:.*\n/m.test(child.stderr), "its address");
  const [url = ""] = /http:\S+/.exec(child.stderr) ?? [];
  const post: Listening["post"] = (tool, args = {}, meta = {}, signal) => {
    const { body, headers } = modern("tools/call", { name: tool, arguments: args }, meta);
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
    return fetch(url, { method: "POST", headers: all, body: JSON.stringify(body), ...(signal && { signal }) });
  };
  return {
    child,
    url,
    port: Number(new URL(url).port),
    post,
    async call(tool, args, meta) {
      const answer = await post(tool, args, meta);
      const text = await answer.text();
      if (answer.headers.get("content-type") !== "text/event-stream") return JSON.parse(text) as Message;
      const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
      return JSON.parse((lines.at(-1) ?? "").slice("data: ".length)) as Message;
    },
    leave() {
      child.process.kill("SIGTERM");
      return child.ended;
    },
  };
}

/** The transports over which faulty tools are called. */
export const WAYS: readonly (readonly [
  "stdio" | "HTTP",
  (env?: NodeJS.ProcessEnv, name?: string) => Promise<Faulty>,
])[] = [
  ["stdio", openStdio],
  ["HTTP", openHttp],
];

/** Whether a process with this id is running; a zombie does not count. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until a condition is true; only the test timeout limits it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

/** How a process exits normally. */
export const cleanExit: Ending = { code: 0, signal: null };
