import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../fuzz/random.js";
import { HttpClient, type Identity, type Message } from "./http-client.js";

const MIB = 1024 * 1024;

/** What an attack needs. */
export interface Target {
  readonly client: HttpClient;
  readonly port: number;
  readonly identity: Identity;
  readonly random: Random;
  readonly isOver: () => boolean;
}

/** Sends many requests at once, again and again; what becomes of them does not matter. */
async function flood({ isOver }: Target, atOnce: number, send: (number: number) => Promise<unknown>): Promise<void> {
  let number = 0;
  const one = async (): Promise<void> => {
    while (!isOver()) {
      number += 1;
      await send(number).catch(() => sleep(50));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** Opens connections, and closes them when the attack is over. */
async function holdSockets(
  { port, identity, isOver }: Target,
  count: number,
  onOpen: (socket: Socket) => void,
): Promise<void> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: identity.address });
    socket.on("error", () => undefined);
    socket.once("connect", () => onOpen(socket));
    return socket;
  });
  while (!isOver()) await sleep(50);
  for (const socket of sockets) socket.destroy();
}

const head = (client: HttpClient, length: number): string =>
  `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${Object.entries({ ...client.headers, "content-length": length })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

const slowCall = (target: Target): Promise<unknown> =>
  target.client.callTool("ci_run_command", { argv: ["sleep", "30"] }, 60_000);

const tool = (target: Target, name: string, args: Message): Promise<unknown> =>
  target.client.callTool(name, args, 10_000);

/** What hostile clients do, by name. Each lasts until it is over. */
export const ATTACKS: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  "bodies that are never complete": (target) =>
    holdSockets(target, 100, (socket) => socket.write(head(target.client, 9 * MIB) + "x".repeat(2 * MIB))),
  "initialize with 9.5 MB": (target) =>
    flood(target, 4, () => target.client.openSession({ name: "x", version: "1", title: "t".repeat(9_500_000) })),
  "many sessions": (target) => flood(target, 10, () => target.client.openSession()),
  // More than there are places; those that are left over wait.
  "slow calls": (target) => flood(target, 180, () => slowCall(target)),
  "calls that are abandoned": (target) =>
    flood(target, 10, async () => {
      const abandoned = slowCall(target).catch(() => undefined);
      await Promise.race([abandoned, sleep(20)]);
      target.client.close();
    }),
  "wide arguments": (target) =>
    flood(target, 3, () => tool(target, "list_tasks", { query: Array.from({ length: 2_000_000 }, () => []) })),
  "long words": (target) => flood(target, 3, () => tool(target, "get_task", { id: "a/".repeat(MIB / 2) })),
  "deep nesting": (target) => flood(target, 3, () => target.client.post("[".repeat(MIB))),
  "expensive expressions": (target) => flood(target, 3, () => tool(target, "fs_search", { pattern: "(x+x+)+y" })),
  "wrong keys": (target) =>
    flood(target, 4, async () => {
      await target.client.post("{}", { authorization: `Bearer tw_${target.random.below(1e9)}` });
      await sleep(5);
    }),
  "bytes that are no HTTP": (target) =>
    holdSockets(target, 50, (socket) => {
      const timer = setInterval(() => socket.write(Buffer.from([target.random.below(256), 0, 10, 255])), 10);
      socket.once("close", () => clearInterval(timer));
    }),
  "large responses that nobody reads": (target) =>
    holdSockets(target, 50, (socket) => {
      socket.pause();
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
      for (let count = 0; count < 20; count += 1) socket.write(head(target.client, body.length) + body);
    }),
};
