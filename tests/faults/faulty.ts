import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { modern } from "../http/modern.js";
import { Child, call, type Ending, initialize, type Message } from "../stdio/child.js";

const servers = fileURLToPath(new URL("./servers/", import.meta.url));

/** Starts one of the servers of this folder. */
export function start(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Child {
  return new Child(process.execPath, [`${servers}${name}.mjs`, ...args], env);
}

/** A server in a process of its own, reached in one of the ways there are. */
export interface Faulty {
  readonly child: Child;
  /** The answer to a call of a tool, as it came. */
  readonly call: (name: string, args?: Message, meta?: Message) => Promise<Message>;
  /** The client goes for good, or, where others could still come, the process is told to stop; gives how it ended. */
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

/** A server at a port. */
export interface Listening extends Faulty {
  readonly url: string;
  readonly port: number;
  /** Sends a call that stands alone. */
  readonly post: (name: string, args?: Message, meta?: Message, signal?: AbortSignal) => Promise<Response>;
}

/** Starts a server over HTTP; each call stands alone. */
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

/** The ways in which a faulty tool is reached. */
export const WAYS: readonly (readonly [
  "stdio" | "HTTP",
  (env?: NodeJS.ProcessEnv, name?: string) => Promise<Faulty>,
])[] = [
  ["stdio", openStdio],
  ["HTTP", openHttp],
];

/** Whether there is a process with this id; one that is dead and that nobody has asked after does not count. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until something holds; the time limit of the test is the only one. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

/** How a process ends when all is well. */
export const inOrder: Ending = { code: 0, signal: null };
